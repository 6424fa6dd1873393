import type { ActionForm, RulesView } from '../../protocol';
import { t } from './i18n/index.svelte';
import { cardName, cardNames, colorName, customTitle } from './words';

/** What somebody does or should do, as a sentence. `name` says who sits on a seat. */
export function deed(action: ActionForm, name: (seat: number) => string, rules: RulesView | undefined): string {
  switch (action.type) {
    case 'play': {
      const card = cardName(action.card, customTitle(action.card, rules));
      if (!action.color) return t(action.uno ? 'hint.play.uno' : 'hint.play', { card });
      return t(action.uno ? 'hint.play.color.uno' : 'hint.play.color', { card, color: colorName(action.color) });
    }
    case 'call_color':
    case 'block':
      return t(`hint.${action.type}`, { color: action.color ? colorName(action.color) : '' });
    case 'catch':
      return t('hint.catch', { name: name(action.seat) });
    case 'discard':
      return t('hint.discard', { cards: cardNames(action.cards) });
    case 'vote':
      return t(action.yes ? 'hint.vote.yes' : 'hint.vote.no');
    case 'dare':
      return t(action.accept ? 'hint.dare.yes' : 'hint.dare.no');
    default:
      return t(`hint.${action.type}`);
  }
}
