import type { Color, Edition } from './words';

/** A mark on the ground of a card, which is 100 wide and 150 high. */
export interface Mark {
  path: string;
  /** The class that gives it its tone. */
  tone: 'ground' | 'ink' | 'shade' | 'light';
  opacity: number;
  /** The width of its line; left out: it is filled. */
  line?: number;
  /** Whether it is drawn again, turned by half a circle. */
  twice?: boolean;
}

/** What makes the cards of an edition look the way they do. */
export interface Look {
  /** The radius of the card's corners. */
  corner: number;
  /** Whether the marks lie on paper instead of on the color itself. */
  paper: boolean;
  marks: readonly Mark[];
  /** How thick the pen is for what is written large, and in the corner; in units of a glyph. */
  pen: readonly [large: number, small: number];
  /** The color's shape drawn again as a line: how much larger, and how thick. */
  echoes: readonly (readonly [scale: number, width: number])[];
}

/** Interlaced rings, as engraved on old notes. */
function rings(): string {
  return Array.from({ length: 18 }, (_, i) => {
    const angle = (i / 18) * 2 * Math.PI;
    const x = (50 + 21 * Math.cos(angle)).toFixed(1);
    const y = (75 + 21 * Math.sin(angle)).toFixed(1);
    return `M${x} ${y}m0 -23a23 23 0 1 1 -.1 0`;
  }).join('');
}

/** A label with hollow corners. */
function label(inset: number, hollow: number): string {
  const right = 100 - inset;
  const bottom = 150 - inset;
  const bite = (x: number, y: number) => `a${hollow} ${hollow} 0 0 0 ${x * hollow} ${y * hollow}`;
  return (
    `M${inset + hollow} ${inset}H${right - hollow}${bite(1, 1)}V${bottom - hollow}${bite(-1, 1)}` +
    `H${inset + hollow}${bite(-1, -1)}V${inset + hollow}${bite(1, -1)}Z`
  );
}

function ruled(): string {
  return Array.from({ length: 11 }, (_, i) => `M4 ${20 + i * 11}H96`).join('');
}

/** The look of each edition. */
export const looks: Readonly<Record<Edition, Look>> = {
  // Printed paper with a fine border.
  original: {
    corner: 8,
    paper: true,
    marks: [
      { path: label(3.5, 5), tone: 'ground', opacity: 1 },
      { path: label(6, 5), tone: 'ink', opacity: 0.75, line: 0.8 },
      { path: rings(), tone: 'ink', opacity: 0.22, line: 0.5 },
    ],
    pen: [16, 18],
    echoes: [[0.9, 1]],
  },
  // Gossamer wings.
  fairies: {
    corner: 13,
    paper: false,
    marks: [
      { path: 'M0 74V13Q0 0 13 0H37C40 46 68 72 100 76L50 75Z', tone: 'shade', opacity: 0.16, twice: true },
      { path: 'M100 76C76 66 60 38 62 0H87Q100 0 100 13Z', tone: 'light', opacity: 0.08, twice: true },
      {
        path: 'M100 76C68 72 40 46 37 0M100 76C76 66 60 38 62 0M100 76C88 58 80 28 84 0M66 58C70 44 68 30 61 24M84 61C88 48 90 40 100 36M69 46C78 44 84 40 85 34M64 16C72 20 80 20 83 17',
        tone: 'ink',
        opacity: 0.42,
        line: 0.7,
        twice: true,
      },
      {
        path: 'M41 9C44 11 46 6 43 4.6C39 3 36 8 39 12C44 17 50 4 60 4H86Q96 4 96 14V85',
        tone: 'ink',
        opacity: 0.8,
        line: 0.9,
        twice: true,
      },
    ],
    pen: [19, 24],
    echoes: [
      [1.13, 1],
      [1.21, 0.6],
    ],
  },
  // Facets of ice.
  frozen: {
    corner: 5,
    paper: false,
    marks: [
      { path: 'M95 0H62L76 34L98.5 1.5Q97 0 95 0Z', tone: 'light', opacity: 0.18, twice: true },
      { path: 'M98.5 1.5L76 34L100 60V5Q100 3 98.5 1.5Z', tone: 'light', opacity: 0.1, twice: true },
      { path: 'M62 0L38 32L76 34Z', tone: 'light', opacity: 0.04, twice: true },
      { path: 'M76 34L100 60L88 90L50 75Z', tone: 'shade', opacity: 0.14, twice: true },
      { path: 'M38 32L76 34L50 75Z', tone: 'light', opacity: 0.07, twice: true },
      { path: 'M38 32L50 75L12 60Z', tone: 'shade', opacity: 0.1, twice: true },
      { path: 'M0 5Q0 0 5 0H62L38 32L12 60L0 84Z', tone: 'shade', opacity: 0.05, twice: true },
      { path: 'M13 4H87L96 13V137L87 146H13L4 137V13Z', tone: 'ink', opacity: 0.85, line: 1.1 },
      { path: 'M87 4L76 34L96 13M76 34L38 32M76 34L50 75', tone: 'ink', opacity: 0.3, line: 0.6, twice: true },
    ],
    pen: [15, 17],
    echoes: [[1.12, 0.9]],
  },
  // A page of a notebook, cut out by hand.
  custom: {
    corner: 5,
    paper: true,
    marks: [
      { path: 'M5 7.5L40 5L97 6.5L98.5 70L97 147.5L52 148.5L5 146.5L4 90Z', tone: 'shade', opacity: 0.3 },
      { path: 'M4 6L40 3.5L96 5L97 70L95.5 146L52 147L3.5 145L3 90Z', tone: 'ground', opacity: 1 },
      { path: ruled(), tone: 'ink', opacity: 0.17, line: 0.6 },
      { path: 'M35 4V146M36.6 4V146', tone: 'ink', opacity: 0.3, line: 0.5 },
    ],
    pen: [14, 17],
    echoes: [],
  },
  // Flat, and as much contrast as there can be.
  modern: {
    corner: 9,
    paper: true,
    marks: [{ path: 'M11 4H89Q96 4 96 11V139Q96 146 89 146H11Q4 146 4 139V11Q4 4 11 4Z', tone: 'ground', opacity: 1 }],
    pen: [19, 20],
    echoes: [],
  },
};

/** How many notches the edge of a modern card has: a color that can be felt. */
export const notches: Readonly<Record<Color, number>> = { red: 1, pink: 1, yellow: 2, green: 3, blue: 4 };

/** Notches in the right edge, from the top. */
export function notched(count: number): string {
  return Array.from({ length: count }, (_, i) => `M97 ${12 + i * 11}a4.2 4.2 0 0 0 0 8.4Z`).join('');
}
