import type { CardName } from '../protocol';
import { t } from './i18n/index.svelte';
import { nameOf, type TableState } from './table';
import { cardName, colorName } from './words';

/** A refusal of the server in the words of the page. */
export function whyText(refusal: { code: string; message: string }, state: TableState, card?: CardName): string {
  const view = state.game?.view;
  switch (refusal.code) {
    case 'does_not_match':
      return view && card
        ? t('why.does_not_match', {
            card: cardName(card),
            top: cardName(view.top),
            color: view.color ? colorName(view.color) : '',
          })
        : t('why.wrong_phase');
    case 'not_your_turn': {
      const seat = view && 'seat' in view.phase ? view.phase.seat : null;
      return seat === null ? t('why.wrong_phase') : t('why.not_your_turn', { name: nameOf(state, seat) });
    }
    case 'wrong_phase':
    case 'not_the_drawn_card':
    case 'must_play':
    case 'bluff_not_allowed':
    case 'bad_discard':
    case 'bad_swap':
    case 'not_liable':
    case 'nothing_to_call':
    case 'not_in_hand':
    case 'over':
    case 'stale':
      return t(`why.${refusal.code}`);
    default:
      return t('why.other', { message: refusal.message });
  }
}
