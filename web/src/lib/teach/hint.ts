import type { ActionForm, HintView } from '../../protocol';
import { nameOf, type TableState } from '../table/table';
import { t } from '../text/i18n/index.svelte';
import { cardName, cardNames, colorName, customTitle } from '../text/words';

/** What to do, as a sentence. */
function deedText(action: ActionForm, state: TableState): string {
  switch (action.type) {
    case 'play': {
      const card = cardName(action.card, customTitle(action.card, state.terms?.rules));
      if (!action.color) return t(action.uno ? 'hint.play.uno' : 'hint.play', { card });
      return t(action.uno ? 'hint.play.color.uno' : 'hint.play.color', { card, color: colorName(action.color) });
    }
    case 'call_color':
    case 'block':
      return t(`hint.${action.type}`, { color: action.color ? colorName(action.color) : '' });
    case 'catch':
      return t('hint.catch', { name: nameOf(state, action.seat) });
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

/** A hint in words: what to do, and why. */
export function hintText({ action, reason }: HintView, state: TableState): { deed: string; why: string } {
  return { deed: deedText(action, state), why: t(`hint.why.${reason}`) };
}
