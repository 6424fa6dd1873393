import './cards.css';
import type { Color } from './words';

export type { Color } from './words';

/** A color's own shape, drawn in a square of 100 by 100, so that nobody has to tell colors apart by hue. */
export interface Shape {
  /** The silhouette, to be filled. */
  outline: string;
  /** Where the middle of something written on the silhouette belongs. */
  center: readonly [number, number];
  /** How large it is in the middle of a card, and how large what is written on it, compared with others. */
  size: number;
  room: number;
}

/** A point on a circle around the middle of the square; a turn is one full circle, clockwise from the top. */
function point(radius: number, turn: number): string {
  const angle = (turn - 0.25) * 2 * Math.PI;
  return `${(50 + radius * Math.cos(angle)).toFixed(1)} ${(50 + radius * Math.sin(angle)).toFixed(1)}`;
}

function sun(): string {
  const points = Array.from({ length: 24 }, (_, i) => point(i % 2 ? 40 : 50, i / 24));
  return `M${points.join('L')}Z`;
}

function blossom(): string {
  const petals = [0, 1, 2, 3, 4].map((i) => `A18.5 18.5 0 1 1 ${point(25, (i + 0.5) / 5)}`);
  return `M${point(25, -0.1)}${petals.join('')}Z`;
}

/** The shape of each color. */
export const symbols: Readonly<Record<Color, Shape>> = {
  red: {
    outline: 'M50 0C57 19 76 34 93 51C78 67 62 82 50 100C38 82 22 67 7 51C24 34 43 19 50 0Z',
    center: [50, 52],
    size: 0.94,
    room: 1.02,
  },
  pink: { outline: blossom(), center: [50, 52], size: 0.76, room: 0.9 },
  yellow: { outline: sun(), center: [50, 50], size: 0.72, room: 0.98 },
  green: {
    outline: 'M97 3C60 0 9 8 9 57C9 68 12 76 18 82L5 93Q5 99 12 98L23 87C29 92 37 94 46 93C94 90 100 42 97 3Z',
    center: [53, 49],
    size: 0.8,
    room: 1.02,
  },
  blue: {
    outline: 'M50 0C56 22 87 42 87 66C87 86 70 100 50 100S13 86 13 66C13 42 44 22 50 0Z',
    center: [50, 62],
    size: 0.86,
    room: 1.05,
  },
};

/** One of the four blades of the pinwheel, the mark of a wild card, around the middle of a square of 100 by 100. */
export const blade = 'M50 50L50 2C78 2 86 30 50 50Z';

/** The custom property with a color's tone that is readable on the table, in dark and in light. */
export function onTable(color: Color): string {
  return `var(--table-${color})`;
}

/** The custom property with the ground of a color's cards. */
export function ground(color: Color): string {
  return `var(--card-${color})`;
}

/** The custom property with the ink for writing on `ground`. */
export function ink(color: Color): string {
  return `var(--card-${color}-ink)`;
}
