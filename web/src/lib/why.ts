import type { CardName, Why } from '../protocol';
import { t } from './i18n/index.svelte';
import { en, type Key } from './i18n/en';
import { nameOf, type TableState } from './table';
import { cardName, colorName } from './words';

/** Something the server has refused. */
export type Refused = { code: string; rule?: string; why?: Why };

/** Codes of what only a program gets wrong: if the page does, it and the server are of different versions. */
export const TECHNICAL: ReadonlySet<string> = new Set([
  'bad_request', 'bad_rules', 'bad_position', 'bad_seat', 'no_such_color',
  'no_hello', 'bad_hello', 'not_text', 'protocol',
  'foreign_origin', 'method_not_allowed', 'not_json', 'upgrade_required',
]);

/** What a code of the server means, in the language of the page. */
export function codeText(code: string): string {
  const key = `code.${code}`;
  if (key in en) return t(key as Key);
  return TECHNICAL.has(code) ? t('code.technical', { code }) : t('common.failed');
}

/** A refusal of the server in the language of the page. */
export function refusalText(refusal: Refused, state?: TableState): string {
  if (refusal.why) return reasonText(refusal.why, state);
  return `code.${refusal.code}` in en || TECHNICAL.has(refusal.code) ? codeText(refusal.code) : t('why.moment');
}

/** Why an action was refused; what the server does not tell is taken from the table. */
export function whyText(refusal: Refused, state: TableState, card?: CardName): string {
  return refusalText({ ...refusal, ...guess(refusal, state, card) }, state);
}

function guess(refusal: Refused, state: TableState, card: CardName | undefined): { why?: Why } {
  const view = state.game?.view;
  if (refusal.why || !view) return {};
  if (refusal.code === 'does_not_match' && card) {
    return { why: { type: 'does_not_match', card, top: view.top, color: view.color } };
  }
  if (refusal.code === 'not_your_turn' && 'seat' in view.phase) return { why: { type: 'not_your_turn', seat: view.phase.seat } };
  return {};
}

/** What was wrong, as a sentence. */
function reasonText(why: Why, state: TableState | undefined): string {
  const name = (seat: number) => (state ? nameOf(state, seat) : `#${seat + 1}`);
  switch (why.type) {
    case 'not_your_turn':
    case 'not_liable':
    case 'gone_out':
      return t(`why.${why.type}`, { name: name(why.seat) });
    case 'wrong_phase':
      return t('why.wrong_phase', { what: t(`deed.${why.what}`), obstacle: t(`obstacle.${why.obstacle}`) });
    case 'does_not_match': {
      const cards = { card: cardName(why.card), top: cardName(why.top) };
      return why.color
        ? t('why.does_not_match', { ...cards, color: colorName(why.color) })
        : t('why.does_not_match.any', cards);
    }
    case 'no_answer':
      return t('why.no_answer', { card: cardName(why.card), top: cardName(why.top) });
    case 'not_in_hand':
    case 'color_required':
    case 'color_on_colored':
    case 'discard_without_olaf':
      return t(`why.${why.type}`, { card: cardName(why.card) });
    case 'bluff_not_allowed':
      return t('why.bluff_not_allowed', { color: colorName(why.color) });
    default: {
      // The rest needs nothing but its numbers.
      const { type, ...numbers } = why as { type: Plain } & Record<string, number>;
      return t(`why.${type}`, numbers);
    }
  }
}

/** Reasons whose sentence needs more than numbers. */
type Told =
  | 'not_your_turn' | 'not_liable' | 'gone_out' | 'wrong_phase' | 'does_not_match' | 'no_answer' | 'not_in_hand'
  | 'color_required' | 'color_on_colored' | 'discard_without_olaf' | 'bluff_not_allowed';
type Plain = Exclude<Why['type'], Told>;
