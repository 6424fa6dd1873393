import type { Reaction } from '../protocol';

/** A layer of a drawing in a square of 100 by 100: a shape filled with a tone, or a line drawn with it. */
export type Layer = { path: string; tone: string; line?: number };

const INK = '#3a2410';
const GOLD = '#ffcf4a';
const RED = '#e4513f';
const WHITE = '#fffdf6';
const BLUE = '#4aa3df';
const circle = (x: number, y: number, r: number) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
const ink = (path: string, line = 6): Layer => ({ path, tone: INK, line });
const dots = (y: number, r = 6): Layer => ({ path: circle(34, y, r) + circle(66, y, r), tone: INK });
const face: Layer[] = [
  { path: circle(50, 50, 46), tone: GOLD },
  { path: 'M14 66a46 46 0 0 0 72 0a46 46 0 0 1-72 0Z', tone: '#f0b02e' },
];

/** What can be said with one tap, drawn. */
export const reactions: Readonly<Record<Reaction, readonly Layer[]>> = {
  hello: [
    ...face, dots(42), ink('M32 60q18 18 36 0'),
    { path: 'M78 30c-3-7 4-10 7-4l6 12c8 14 5 26-6 30c-9 3-16-2-20-9l-9-15c-3-6 4-9 7-4l5 7', tone: '#ffe3a0' },
    ink('M78 30c-3-7 4-10 7-4l6 12c8 14 5 26-6 30c-9 3-16-2-20-9l-9-15c-3-6 4-9 7-4l5 7', 4),
  ],
  thanks: [
    { path: 'M50 90C22 68 6 52 8 32C10 12 38 6 50 28C62 6 90 12 92 32C94 52 78 68 50 90Z', tone: RED },
    { path: 'M22 38c0-10 6-16 14-16', tone: WHITE, line: 7 },
  ],
  well_played: [
    { path: 'M50 5l13 28l31 4l-23 21l6 31l-27-15l-27 15l6-31L6 37l31-4Z', tone: GOLD },
    { path: 'M50 5l13 28l31 4l-23 21l6 31l-27-15Z', tone: '#f0b02e' },
    dots(48, 5), ink('M38 58q12 11 24 0', 5),
  ],
  oops: [...face, dots(42), { path: 'M30 60h40v14H30Z', tone: WHITE }, ink('M30 60h40v14H30ZM40 60v14M50 60v14M60 60v14', 4), { path: 'M80 24q9 13 0 18q-9-5 0-18Z', tone: BLUE }],
  laugh: [
    ...face, ink('M24 42q9-12 18 0M58 42q9-12 18 0'), { path: 'M26 54h48q-2 28-24 28T26 54Z', tone: '#7c2016' },
    { path: 'M36 74q14-12 28 0q-6 8-14 8t-14-8Z', tone: '#ff8f7d' }, { path: 'M16 48q-10 12-2 18q8-4 2-18Z', tone: BLUE }, { path: 'M84 48q10 12 2 18q-8-4-2-18Z', tone: BLUE },
  ],
  wow: [...face, { path: circle(33, 42, 10) + circle(67, 42, 10), tone: WHITE }, dots(42, 5), { path: 'M50 56a12 15 0 1 0 .1 0Z', tone: '#7c2016' }, ink('M22 26q10-8 20-2M58 24q10-6 20 2', 5)],
  think: [...face, dots(44), ink('M22 32q10-4 20 2M58 27q10-7 20 0', 5), ink('M38 66q14-6 24 2'), { path: 'M30 80q6-8 22-7q6 1 4 6t-12 6l-6 8q-10-2-8-13Z', tone: '#ffe3a0' }, ink('M30 80q6-8 22-7q6 1 4 6t-12 6', 4)],
  hurry: [
    { path: 'M24 6h52v10q0 20-18 34q18 14 18 34v10H24V84q0-20 18-34Q24 36 24 16Z', tone: '#d9f0fb' },
    { path: 'M34 24h32q-3 13-16 22q-13-9-16-22Z', tone: GOLD }, { path: 'M32 88q2-14 18-22q16 8 18 22Z', tone: GOLD },
    ink('M18 6h64M18 94h64M26 6v10q0 20 18 34q-18 14-18 34v10M74 6v10q0 20-18 34q18 14 18 34v10', 6), ink('M50 50v14', 4),
  ],
  sorry: [...face, dots(46), ink('M24 34q9-1 16-8M76 34q-9-1-16-8', 5), ink('M34 72q16-14 32 0'), { path: 'M70 54q9 13 0 19q-9-6 0-19Z', tone: BLUE }],
  cheers: [
    { path: 'M10 92L34 34L66 66Z', tone: '#8a5bd6' }, { path: 'M16 78l24 10L10 92ZM24 58l34 16l-9 4L20 66Z', tone: GOLD },
    { path: circle(62, 18, 6), tone: RED }, { path: circle(86, 44, 6), tone: BLUE }, { path: circle(80, 14, 5), tone: '#52b36b' },
    { path: 'M46 30q4-14-4-22M70 54q14-4 22 4M54 46q14-8 14-24', tone: RED, line: 5 }, { path: 'M58 52q16-2 24-16', tone: BLUE, line: 5 },
  ],
};
