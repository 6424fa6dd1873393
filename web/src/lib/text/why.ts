import { GAME_CODES } from '../../ids';
import type { Code, GameCode, Refusal, Why } from '../../protocol';
import { t } from './i18n/index.svelte';
import { nameOf, type TableState } from '../table/table';
import { sentence } from './sentence';
import { cardName, colorName } from './words';

/** Codes of what only a program gets wrong: if the page does, it and the server are of different versions. */
export const TECHNICAL = [
  'bad_request', 'bad_rules', 'bad_position', 'bad_seat', 'no_such_color',
  'no_hello', 'bad_hello', 'not_text', 'not_utf8', 'protocol',
  'foreign_origin', 'wrong_host', 'method_not_allowed', 'not_json', 'upgrade_required',
] as const satisfies Code[];

type Technical = (typeof TECHNICAL)[number];
/** Codes of the game: a refusal with one of them says why. */
type Explained = Exclude<GameCode, Technical>;
/** Codes with a text of their own. */
type Told = Exclude<Code, Technical | Explained>;

const isTechnical = (code: Code): code is Technical => (TECHNICAL as readonly Code[]).includes(code);
const isExplained = (code: Code): code is Explained => (GAME_CODES as readonly Code[]).includes(code);

/** What a code of the server means, in the language of the page. */
export function codeText(code: Code): string {
  if (isTechnical(code)) return t('code.technical', { code });
  return isExplained(code) ? t('why.moment') : t(`code.${code satisfies Told}`);
}

/** A refusal of the server in the language of the page. */
export function refusalText(refusal: Refusal, state?: TableState): string {
  return refusal.why ? sentence(reasonText(refusal.why, state)) : codeText(refusal.code);
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
    case 'does_not_match_color':
      return t('why.does_not_match_color', {
        card: cardName(why.card),
        top: cardName(why.top),
        color: colorName(why.color),
      });
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
type Detailed =
  | 'not_your_turn' | 'not_liable' | 'gone_out' | 'wrong_phase' | 'does_not_match' | 'does_not_match_color' | 'no_answer' | 'not_in_hand'
  | 'color_required' | 'color_on_colored' | 'discard_without_olaf' | 'bluff_not_allowed';
type Plain = Exclude<Why['type'], Detailed>;
