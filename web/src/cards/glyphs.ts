import type { Edition, Parts } from './words';

/** Something to write on a card; strokes reach a little beyond its size. */
export interface Glyph {
  width: number;
  height: number;
  /** How thick the pen is, compared with the one for digits. */
  pen: number;
  /** Lines to be drawn, each with its transform. */
  lines: readonly (readonly [path: string, transform: string])[];
  /** A shape to be filled. */
  fill: string;
}

type Digits = readonly [string, string, string, string, string, string, string, string, string, string];

/** Evenly drawn digits, each in a box of 50 by 80. */
const round: Digits = [
  'M25 0C41 0 48 17 48 40S41 80 25 80S2 63 2 40S9 0 25 0Z',
  'M8 17L28 1V80',
  'M4 21C4 8 13 0 25 0S47 8 47 22C47 42 4 56 3 80H48',
  'M5 11C10 4 16 0 25 0C38 0 46 8 46 19S37 38 22 38C39 38 48 46 48 59S38 80 24 80C14 80 6 76 2 68',
  'M36 80V2L2 57H51',
  'M45 0H10L7 36C12 31 18 29 25 29C40 29 48 40 48 54S38 80 23 80C13 80 6 76 2 69',
  'M43 1C21 6 3 26 3 54C3 70 12 80 25 80S48 69 48 54S39 29 25 29S3 40 3 54',
  'M2 0H48C34 22 22 48 19 80',
  'M25 36C13 36 6 28 6 18S13 0 25 0S44 8 44 18S37 36 25 36C11 36 2 46 2 58S11 80 25 80S48 70 48 58S39 36 25 36Z',
  'M7 79C29 74 47 54 47 26C47 10 38 0 25 0S2 11 2 26S11 51 25 51S47 40 47 26',
];

/** Digits chipped out of ice. */
const angular: Digits = [
  'M16 0H34L48 20V60L34 80H16L2 60V20Z',
  'M8 18L28 0V80',
  'M3 18L16 0H36L48 16V28L3 80H48',
  'M4 0H46L25 31H34L48 46V64L34 80H14L2 68',
  'M36 80V0L2 56H51',
  'M45 0H8V33H34L48 47V64L34 80H14L2 68',
  'M38 0L2 48V62L16 80H34L48 62V50L35 36H12',
  'M2 0H48L18 80',
  'M15 0H35L45 12V25L34 38L48 52V66L35 80H15L2 66V52L16 38L5 25V12ZM16 38H34',
  'M12 80L48 32V18L34 0H16L2 18V30L15 44H38',
];

/** Digits written with a marker. */
const hand: Digits = [
  'M29 1C12 -3 1 18 3 42C4 64 12 82 27 80C43 78 50 56 47 34C45 14 37 1 21 4',
  'M8 21C16 15 23 8 29 0C27 26 28 54 26 81',
  'M5 19C8 3 20 -2 31 1C47 5 48 20 40 34C32 49 14 66 3 79C18 74 34 79 50 75',
  'M6 9C16 -1 41 -4 43 13C45 28 30 35 18 38C34 35 50 44 47 60C44 79 21 86 2 72',
  'M21 0C17 20 10 39 2 55C18 57 34 55 51 52M38 27C35 46 35 64 37 82',
  'M46 1C33 4 20 2 10 3C10 14 8 24 7 37C20 26 44 28 47 50C49 73 24 88 2 73',
  'M38 0C18 9 2 34 4 59C5 76 18 82 29 80C43 78 50 66 46 53C41 36 16 39 5 61',
  'M3 5C18 2 34 5 48 1C36 24 25 50 20 82M14 43C23 41 32 42 41 39',
  'M41 12C34 -4 10 -2 9 14C8 34 47 37 46 60C45 84 5 86 4 62C3 42 44 36 41 12Z',
  'M45 18C36 -5 3 -4 4 21C5 45 38 44 45 18C47 44 44 62 35 81',
];

/** The transform that turns a round pen into a broad nib, held at an angle. */
const nib = 'rotate(-38) scale(1 .42)';

/** A path of the commands M L H V C S Z as it has to be for `nib` to put it back into its place. */
function forNib(path: string): string {
  const [cos, sin] = [Math.cos((38 * Math.PI) / 180), Math.sin((38 * Math.PI) / 180)];
  let [x, y] = [0, 0];
  const moved = () => `${(x * cos - y * sin).toFixed(1)} ${((x * sin + y * cos) / 0.42).toFixed(1)}`;
  return path.replace(/([A-Z])([^A-Z]*)/g, (_, command: string, rest: string) => {
    const numbers = rest.match(/-?[\d.]+/g)?.map(Number) ?? [];
    let out = '';
    for (let i = 0; i < numbers.length; ) {
      if (command !== 'V') x = numbers[i++]!;
      if (command !== 'H') y = numbers[i++]!;
      out += ` ${moved()}`;
    }
    return (command === 'H' || command === 'V' ? 'L' : command) + out;
  });
}

/** A bar below a digit that is another one upside down. */
const bar = 'M8 102H42';

const digits: Readonly<Record<Edition, readonly string[]>> = {
  original: round,
  fairies: round,
  frozen: angular,
  custom: hand,
  modern: round,
};

/** A digit at its place. */
function numeral(number: number, edition: Edition, place = ''): readonly [string, string] {
  return [digits[edition][number] ?? '', place];
}

const pinwheel = 'M40 40V0C63 0 70 24 40 40H80C80 63 56 70 40 40V80C17 80 10 56 40 40H0C0 17 24 10 40 40Z';

/** A disc that can be joined to other paths. */
function disc(x: number, y: number, r: number): string {
  return `M${x} ${y - r}A${r} ${r} 0 1 1 ${x - 0.1} ${y - r}Z`;
}

function icon(width: number, pen: number, line: string, fill = ''): Glyph {
  return { width, height: 80, pen, lines: line ? [[line, '']] : [], fill };
}

const icons = {
  // A leap over somebody.
  skip: icon(96, 0.75, 'M4 72C8 -14 72 -14 78 60M60 44L78 64L94 42', disc(41, 64, 14)),
  reverse: icon(88, 0.75, 'M22 80V4M2 26L22 3L42 26M66 0V76M46 54L66 77L86 54'),
  wild: icon(80, 1, '', pinwheel),
  // Half a snow crystal, half a sun, and a drop.
  olaf: icon(
    84,
    0.48,
    'M42 34H2M19 34L8 23M19 34L8 45M42 34L22 0M31 15L34 2M31 15L17 17M42 34L22 68M31 53L34 66M31 53L17 51' +
      'M58 7L63 -2M70 24L80 20M70 44L80 48M58 61L63 70',
    'M42 14A20 20 0 0 1 42 54ZM42 62C44 70 51 74 51 80A9 9 0 0 1 33 80C33 74 40 70 42 62Z',
  ),
  flitterific: icon(
    96,
    0.4,
    'M48 40C46 24 40 14 32 8M48 40C50 24 56 14 64 8M48 36V70',
    'M52 44C58 14 90 -6 98 6C104 32 78 52 52 44ZM44 44C38 14 6 -6 -2 6C-8 32 18 52 44 44Z' +
      'M52 50C74 48 90 62 80 78C68 90 53 72 52 50ZM44 50C22 48 6 62 16 78C28 90 43 72 44 50Z',
  ),
  shuffle_hands: icon(92, 0.7, 'M0 14H14C46 14 40 66 70 66H86M70 48L88 66L70 84M0 66H14C46 66 40 14 70 14H86M70 -4L88 14L70 32'),
} as const;

const pencil = 'M52 2L70 20L24 66L2 71L7 48ZM41 14L58 31';

/** A plus sign with a digit. */
function plus(count: 2 | 4, edition: Edition): Glyph {
  const lines = [['M0 42H34M17 25V59', ''], numeral(count, edition, 'translate(54 0)')] as const;
  return { width: 104, height: 80, pen: edition === 'modern' ? 0.8 : 0.9, lines, fill: '' };
}

/** A digit, with a bar below where it could be read upside down. */
function digit(number: number, edition: Edition): Glyph {
  const lines = [numeral(number, edition)];
  const turnable = number === 6 || number === 9;
  if (turnable) lines.push([bar, '']);
  return { width: 50, height: turnable ? 98 : 80, pen: 1, lines, fill: '' };
}

const tip = 'M2 71L7 48L24 66Z';

/** A pencil with the number of a Customizable card. */
function numbered(number: number, edition: Edition): Glyph {
  const lines = [[pencil, ''], numeral(number, edition, 'translate(58 42) scale(.6)')] as const;
  return { width: 86, height: 88, pen: 0.75, lines, fill: tip };
}

function plain(card: Parts, edition: Edition): Glyph {
  switch (card.face) {
    case 'number':
      return digit(card.number ?? 0, edition);
    case 'draw_two':
      return plus(2, edition);
    case 'wild_draw_four':
      return plus(4, edition);
    case 'customizable':
      return numbered(card.number ?? 0, edition);
    default:
      return icons[card.face];
  }
}

function withNib(glyph: Glyph): Glyph {
  return { ...glyph, lines: glyph.lines.map(([path, place]) => [forNib(path), `${place} ${nib}`]) };
}

const written = new Map<string, Glyph>();

/** What is written on a card. */
export function glyphOf(card: Parts, edition: Edition): Glyph {
  const key = `${edition} ${card.face} ${card.number}`;
  const known = written.get(key);
  if (known) return known;
  const glyph = edition === 'fairies' ? withNib(plain(card, edition)) : plain(card, edition);
  written.set(key, glyph);
  return glyph;
}

/** What is written in the corner of a Customizable card: a pencil, and its number below. */
export function cornerOf(card: Parts, edition: Edition): readonly [Glyph, Glyph | null] {
  if (card.face !== 'customizable') return [glyphOf(card, edition), null];
  return [icon(72, 0.65, pencil, tip), glyphOf({ ...card, face: 'number' }, edition)];
}
