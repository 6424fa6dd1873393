import type { RulesView } from '../../protocol';
import { formatNumber, t } from './i18n/index.svelte';

/** What decides the match, in words. */
export function goalText(scoring: RulesView['scoring']): string {
  if (scoring.type === 'single_round') return t('score.single');
  return t(scoring.type === 'first_to' ? 'score.to' : 'score.lowest', { target: formatNumber(scoring.target) });
}
