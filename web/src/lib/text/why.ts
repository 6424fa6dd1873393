import { GAME_CODES } from '../../ids';
import type { CardName, Code, ColorName, GameCode, Refusal, Why } from '../../protocol';
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
  switch (why.type) {
    case 'wrong_phase':
      return t('why.wrong_phase', { what: t(`deed.${why.what}`), obstacle: t(`obstacle.${why.obstacle}`) });
    case 'does_not_match':
      return t(why.color ? 'why.does_not_match' : 'why.does_not_match.any', places(why, state));
    default:
      return t(`why.${why.type}`, places(why, state));
  }
}

/** What fills the places of a sentence: people, cards and colors by their names, numbers as they are. */
function places(why: Why, state: TableState | undefined): Record<string, string | number> {
  const { seat, card, top, color, ...numbers } = why as Named;
  return {
    ...numbers,
    ...(seat !== undefined && { name: state ? nameOf(state, seat) : `#${seat + 1}` }),
    ...(card && { card: cardName(card) }),
    ...(top && { top: cardName(top) }),
    ...(color && { color: colorName(color) }),
  };
}

/** What reasons contain, apart from numbers. */
type Named = { seat?: number; card?: CardName; top?: CardName; color?: ColorName };
