/**
 * What a card's short name says, as data. The drawings hold no words of any language: names for people are made by
 * the app from these parts.
 */
import { EDITIONS } from '../ids';
import type { ColorName, Edition } from '../protocol';

export type { Edition } from '../protocol';

/** The colors a card can have; pink takes the place of red in the frozen edition. */
export type Color = ColorName;

/** What a card is, apart from its color. */
export type Face =
  | 'number'
  | 'skip'
  | 'reverse'
  | 'draw_two'
  | 'wild'
  | 'wild_draw_four'
  | 'olaf'
  | 'flitterific'
  | 'shuffle_hands'
  | 'customizable';

/** A card's name taken apart. */
export interface Parts {
  /** `null` for a wild. */
  color: Color | null;
  face: Face;
  /** The digit of a number card, 1–3 of a Customizable card, otherwise `null`. */
  number: number | null;
}

/** The editions, in the order in which they are offered. */
export const editions = Object.keys(EDITIONS) as Edition[];

/** Three cards of each edition that say what it is about; the last stands for it alone. */
export const samples: Readonly<Record<Edition, readonly [string, string, string]>> = {
  original: ['R7', 'G+2', 'W+4'],
  fairies: ['B3', 'Y+2', 'WF'],
  frozen: ['P5', 'YS', 'WO'],
  custom: ['G8', 'WC1', 'WH'],
  modern: ['RR', 'W', 'B9'],
};

const initials = new Map<string, Color>([
  ['R', 'red'],
  ['P', 'pink'],
  ['Y', 'yellow'],
  ['G', 'green'],
  ['B', 'blue'],
]);

const actions = new Map<string, Face>([
  ['S', 'skip'],
  ['R', 'reverse'],
  ['+2', 'draw_two'],
]);

const wilds = new Map<string, Face>([
  ['W', 'wild'],
  ['W+4', 'wild_draw_four'],
  ['WO', 'olaf'],
  ['WF', 'flitterific'],
  ['WH', 'shuffle_hands'],
]);

/** The parts of a card's name such as `R7`, `B+2` or `WC1`; `null` if it names no card. */
export function read(name: string): Parts | null {
  const wild = wilds.get(name);
  if (wild) return { color: null, face: wild, number: null };
  if (/^WC[1-3]$/.test(name)) return { color: null, face: 'customizable', number: Number(name[2]) };
  const color = initials.get(name.slice(0, 1));
  const rest = name.slice(1);
  if (!color) return null;
  if (/^[0-9]$/.test(rest)) return { color, face: 'number', number: Number(rest) };
  const face = actions.get(rest);
  return face ? { color, face, number: null } : null;
}

/** The colors of an edition, in the order in which hands are sorted. */
export function colorsOf(edition: Edition): Color[] {
  return [edition === 'frozen' ? 'pink' : 'red', 'yellow', 'green', 'blue'];
}

const extras: Readonly<Record<Edition, readonly string[]>> = {
  original: [],
  fairies: ['WF'],
  frozen: ['WO'],
  custom: ['WH', 'WC1', 'WC2', 'WC3'],
  modern: [],
};

/** What colored cards are named after their color's letter, in the order in which hands are sorted. */
export const faces: readonly string[] = [...'0123456789SR', '+2'];

/** Every kind of card of an edition once, sorted as hands are. */
export function kindsOf(edition: Edition): string[] {
  const colored = colorsOf(edition).flatMap((color) => faces.map((face) => color[0]!.toUpperCase() + face));
  return [...colored, 'W', 'W+4', ...extras[edition]];
}
