/** A point of the table, in pixels from its upper left corner. */
export type Point = { x: number; y: number };
/** A rectangle by its middle. */
export type Box = Point & { width: number; height: number };
/** Where somebody sits: the middle of their place, and how wide their name may be. */
export type Place = Point & { name: number };
/** A step of the course: an arrow that points the way when play goes to the left; `null` where seats leave no room for one. */
export type Step = (Point & { heading: number }) | null;

/** How a table is laid out for its size and the number of the others around it. */
export type Seating = {
  /** The size of a portrait. */
  portrait: number;
  /** The size of a seat: portrait, name, score. */
  seat: { width: number; height: number };
  /** In the order of play from the viewer's left. */
  places: Place[];
  /** The width of a card on the piles. */
  pile: number;
  /** The piles with the color in force. */
  middle: Box;
  /** How much room there is above them, for what is said in the middle of the table. */
  above: number;
  /** Whether the color in force lies beside the piles instead of below them. */
  beside: boolean;
  /** The line around the table, for an SVG path, and how far to the right it lies. */
  course: string;
  by: number;
  /** Between neighbors: the first lies between the viewer and the seat to their left, the last between the last seat and the viewer. */
  steps: Step[];
};

/** What the text under a portrait takes, as a part of it and in pixels (`Seat.svelte` draws it), and the chip under the piles. */
const WORDS = { part: 0.36, least: 36, most: 54 };
const CHIP = 40;
/** On a table as low as that of a phone held sideways, the chip lies beside the piles: a banner above them needs the room. */
const LOW = { height: 300, shape: 1.4, chip: 128, banner: 40 };
/** How much wider a seat is than its portrait: cards lie on its rim. */
const RIM = 1.46;
const NAME = { least: 60, most: 240 };
const PORTRAIT = { least: 30, most: 150 };
const PILE = { least: 46, most: 176 };
/** The height of what is said in the middle of the table, above the piles. */
export const BANNER = 68;
/** Room between seats and around the piles. */
const GAP = 4;
/** An arrow between neighbors. */
const ARROW = 12;
/** How square the course is, the roundest first: 2 would be an ellipse. */
const SQUARE = [2.8, 4, 9];
/** Points on half of the course. */
const SAMPLES = 600;

const isLow = (width: number, height: number) => height < LOW.height && width > height * LOW.shape;
const clamp = (value: number, { least, most }: { least: number; most: number }) => Math.max(least, Math.min(most, value));
const overlap = (a: Box, b: Box) => Math.abs(a.x - b.x) < (a.width + b.width) / 2 && Math.abs(a.y - b.y) < (a.height + b.height) / 2;

type Size = { width: number; height: number };

/** The course from the far side of the table to the viewer's place, over their left. */
function leftHalf(width: number, height: number, seat: Size, square: number): Point[] {
  const [a, b] = [(width - seat.width) / 2, (height - seat.height / 2) / 2];
  const middle = { x: width / 2, y: seat.height / 2 + b };
  return Array.from({ length: SAMPLES + 1 }, (_, i) => {
    const angle = (Math.PI * i) / SAMPLES;
    const bend = (value: number) => Math.sign(value) * Math.abs(value) ** (2 / square);
    return { x: middle.x - a * bend(Math.sin(angle)), y: middle.y - b * bend(Math.cos(angle)) };
  });
}

/** The distance between two seats in sizes of a seat: below one they would lie on each other. */
const apart = (one: Point, other: Point, seat: Size) =>
  Math.max(Math.abs(one.x - other.x) / (seat.width + GAP), Math.abs(one.y - other.y) / (seat.height + GAP));

/**
 * Seats on the left half, the farthest first, each at least that far from the one before: the first of an odd number sits
 * in the middle, that of an even number half a distance from it. Fewer are found where there is no room for all.
 */
function walk(half: Point[], lowest: number, count: number, distance: number, seat: Size): number[] {
  const odd = count % 2 === 1;
  const stops = odd ? [0] : [];
  let from = 0;
  for (let i = 0; i <= SAMPLES && half[i]!.y <= lowest; i++) {
    const needed = stops.length === 0 ? distance / 2 : distance;
    if (apart(half[i]!, half[from]!, seat) < needed) continue;
    stops.push(i);
    from = i;
    if (stops.length === Math.ceil(count / 2)) break;
  }
  return stops.length === Math.ceil(count / 2) ? stops : [];
}

/** The widest spread of seats that leaves half a distance at the viewer's side, or none. */
function spread(half: Point[], height: number, count: number, seat: Size): number[] | null {
  const lowest = height - seat.height / 2;
  const end = half.findIndex((point, i) => i > SAMPLES / 4 && point.y > lowest) - 1;
  let [least, most, found] = [1, 40, null as number[] | null];
  if (count === 1) return [0];
  for (let i = 0; i < 16; i++) {
    const distance = (least + most) / 2;
    const stops = walk(half, lowest, count, distance, seat);
    const rest = stops.length > 0 ? apart(half[stops.at(-1)!]!, half[end < 0 ? SAMPLES : end]!, seat) : -1;
    const fits = stops.length > 0 && (rest >= distance / 2 || distance < 1.1);
    if (fits) [least, found] = [distance, stops];
    else most = distance;
  }
  return found;
}

/**
 * The piles lie in the middle of what the seats above them leave free, or lower if that leaves room for a banner between:
 * the lowest place first.
 */
function middlesFor(width: number, height: number, pile: number, seats: Box[]): (Box & { above: number })[] {
  const chip = isLow(width, height) ? { width: LOW.chip, height: 0 } : { width: 0, height: CHIP };
  const size = { width: pile * 2.5 + chip.width + 2 * GAP, height: pile * 1.5 + chip.height + 2 * GAP };
  const over = seats.filter((seat) => Math.abs(seat.x - width / 2) < (seat.width + size.width) / 2 && seat.y < height / 2);
  const top = Math.max(0, ...over.map((seat) => seat.y + seat.height / 2));
  const free = height - top - size.height;
  const lowest = Math.max(free / 2, Math.min(free, BANNER));
  return [lowest, (lowest + free / 2) / 2, free / 2].map((above) => ({ x: width / 2, y: top + above + size.height / 2, ...size, above }));
}

/** How wide the names can be without reaching a neighbor or the edge. */
function nameRoom(places: Point[], i: number, width: number, seat: Size): number {
  const own = places[i]!;
  const beside = places.filter((other) => other !== own && Math.abs(other.y - own.y) < seat.height);
  const room = Math.min(own.x * 2, (width - own.x) * 2, ...beside.map((other) => Math.abs(other.x - own.x) - GAP));
  return clamp(room, { least: seat.width, most: NAME.most });
}

const heading = (from: Point, to: Point) => (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;

/** The arrows between neighbors, as play goes to the left. */
function stepsOf(course: Point[], stops: number[], seats: Box[]): Step[] {
  const all = [0, ...stops, course.length - 1];
  return all.slice(1).map((stop, i) => {
    const at = Math.round((all[i]! + stop) / 2);
    const [before, after] = [course[Math.max(0, at - 4)]!, course[Math.min(course.length - 1, at + 4)]!];
    const arrow = { ...course[at]!, width: ARROW, height: ARROW };
    return seats.some((seat) => overlap(seat, arrow)) ? null : { x: arrow.x, y: arrow.y, heading: heading(before, after) };
  });
}

/** What is tried: sizes, the shape of the course, and how much room a banner must have. */
type Try = { portrait: number; pile: number; square: number; banner: number };

/** One try, everything in proportion; `null` if something would lie on something else, or a banner had less room than it needs. */
function attempt(width: number, height: number, count: number, { portrait, pile, square, banner }: Try): Seating | null {
  const seat = { width: Math.max(NAME.least, portrait * RIM), height: portrait + clamp(portrait * WORDS.part, WORDS) };
  const half = leftHalf(width, height, seat, square);
  const left = spread(half, height, count, seat);
  if (!left) return null;
  const right = (count % 2 === 1 ? left.slice(1) : left).map((stop) => SAMPLES + stop);
  const course = [...half.toReversed(), ...half.slice(1).map((point) => ({ ...point, x: width - point.x }))];
  const stops = [...left.map((stop) => SAMPLES - stop).toReversed(), ...right];
  const at = stops.map((stop) => course[stop]!);
  const boxes = at.map((point) => ({ ...point, ...seat }));
  if (boxes.some((box, i) => boxes.slice(i + 1).some((other) => overlap(box, other)))) return null;
  const inside = ({ y, height: high }: Box) => y + high / 2 <= height + 1 && y - high / 2 >= -1;
  const middleFor = (size: number) => middlesFor(width, height, size, boxes).find((one) => inside(one) && !boxes.some((box) => overlap(box, one)));
  const least = middleFor(pile);
  if (!least || least.above < banner) return null;
  // What room is left belongs to the cards that everybody looks at, if there is still enough for a banner.
  const sizes = Array.from({ length: 16 }, (_, i) => Math.min(PILE.most, pile * (1.48 - i * 0.03)));
  const size = sizes.find((one) => (middleFor(one)?.above ?? -1) >= Math.min(least.above, BANNER)) ?? pile;
  const { above, ...middle } = middleFor(size) ?? least;
  return {
    portrait, seat, pile: size, middle, above, beside: isLow(width, height), by: 0,
    places: at.map((point, i) => ({ ...point, name: nameRoom(at, i, width, seat) })),
    course: `M${course.filter((_, i) => i % 6 === 0).map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`,
    steps: stepsOf(course, stops, boxes),
  };
}

/** A table that is much wider than high would have everybody sit far away from the piles. */
const WIDEST = 1.9;
/** Nothing is laid out in less room than this. */
const LEAST = { width: 240, height: 160 };

/** Lays a table out: as large as it can be without anything on anything else. */
export function layTable(width: number, height: number, count: number): Seating {
  const used = Math.min(width, height * WIDEST);
  return shifted(fit(Math.max(LEAST.width, used), Math.max(LEAST.height, height), count), (width - used) / 2);
}

/** The same, some way to the right. */
function shifted(seating: Seating, by: number): Seating {
  const move = <T extends Point>(point: T): T => ({ ...point, x: point.x + by });
  return { ...seating, places: seating.places.map(move), middle: move(seating.middle), steps: seating.steps.map((step) => step && move(step)), by };
}

function fit(width: number, height: number, count: number): Seating {
  const room = Math.min(width, height * 1.3);
  const [portrait, pile] = [clamp(room * 0.16, PORTRAIT), clamp(room * 0.18, PILE)];
  for (const banner of isLow(width, height) ? [LOW.banner, 0] : [0]) {
    for (let scale = 1; scale > 0.3; scale -= 0.04) {
      for (const square of SQUARE) {
        const found = attempt(width, height, count, { portrait: clamp(portrait * scale, PORTRAIT), pile: clamp(pile * scale, PILE), square, banner });
        if (found) return found;
      }
    }
  }
  // Smaller than any screen there is: better on each other than nowhere.
  return fit(width * 1.25, height * 1.25, count);
}
