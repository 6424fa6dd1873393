import type { Award, AwardKind } from '../../protocol';
import { t, tn } from './i18n/index.svelte';

/** Awards that count cards; the others count how often. */
const OF_CARDS = new Set<AwardKind>(['handed_out', 'biggest_hand', 'drawn']);

/** What an award is called. */
export function awardTitle({ kind }: Award): string {
  return t(`award.${kind}`);
}

/** What it is given for. */
export function awardLine({ kind, count }: Award): string {
  return t(`award.${kind}.line`, OF_CARDS.has(kind) ? { cards: tn('cards', count) } : { times: tn('award.times', count) });
}
