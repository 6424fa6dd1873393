/** Where a card of the hand lies. */
export type Place = { x: number; y: number; turn: number };
/** A whole hand laid out. */
export type Fan = { places: Place[]; width: number; height: number; rows: number };

/** The narrowest strip of a card that can still be read and touched. */
const NARROWEST = 27;
/** How much of a card is seen above the row in front of it, as part of its height. */
const ROW_STEP = 0.46;
/** The smallest card that can be read. */
const SMALLEST = 42;

/**
 * Lays a hand out in as few rows as can be used with a finger, the rows as even as possible. A single short row is
 * fanned like cards in a hand.
 */
export function layFan(count: number, width: number, cardWidth: number, cardHeight: number): Fan {
  if (count === 0) return { places: [], width, height: cardHeight, rows: 1 };
  const perRow = Math.max(1, Math.floor((width - cardWidth) / NARROWEST) + 1);
  const rows = Math.ceil(count / perRow);
  const longest = Math.ceil(count / rows);
  const fanned = rows === 1 && count > 1 && count <= 14;
  // Turned cards reach beyond their own width: leave room for that at both ends.
  const room = fanned ? width - 12 : width;
  const step = longest > 1 ? Math.min(cardWidth * 0.86, (room - cardWidth) / (longest - 1)) : 0;
  const places = Array.from({ length: count }, (_, i) => {
    const row = Math.floor(i / longest);
    const inRow = Math.min(longest, count - row * longest);
    const offset = (i % longest) - (inRow - 1) / 2;
    const bend = fanned ? Math.min(2.2, 14 / count) : 0;
    const drop = fanned ? (offset * offset * step * bend) / 130 : 0;
    return {
      x: width / 2 - cardWidth / 2 + offset * step,
      y: row * cardHeight * ROW_STEP + drop,
      turn: offset * bend,
    };
  });
  const lowest = Math.max(...places.map((place) => place.y));
  return { places, width, height: lowest + cardHeight, rows };
}

/** The widest card that a screen of that width wants. */
const widest = (width: number) => (width < 520 ? 66 : width < 760 ? 84 : width < 1100 ? 104 : width < 1500 ? 132 : 164);

/** Lays a hand out with cards as large as the room allows; without a height there is as much of it as the cards need. */
export function fitFan(count: number, width: number, height = Infinity): Fan & { card: number } {
  let card = widest(width);
  let fan = layFan(count, width, card, card * 1.5);
  while (fan.height > height && card > SMALLEST) {
    card -= 2;
    fan = layFan(count, width, card, card * 1.5);
  }
  return { ...fan, card };
}

/** Every card of a hand with a key of its own: the name, and which of equal ones it is. */
export function keyed(hand: readonly string[]): { key: string; name: string }[] {
  const seen = new Map<string, number>();
  return hand.map((name) => {
    const copy = seen.get(name) ?? 0;
    seen.set(name, copy + 1);
    return { key: `${name}#${copy}`, name };
  });
}
