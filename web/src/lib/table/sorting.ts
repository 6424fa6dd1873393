import type { CardName } from '../../protocol';

/** In which order a hand lies. */
export type Sorting = 'color' | 'number';

/** The faces in the order in which they count, then the letters of the colors. */
const FACES = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'S', 'R', '+2'];
const LETTERS = 'RPYGB';

/** A hand in the order somebody likes: by color as the table sends it, or equal faces side by side. Wilds come last. */
export function sorted(hand: CardName[], by: Sorting): CardName[] {
  if (by === 'color') return hand;
  const rank = (card: CardName) => {
    const color = LETTERS.indexOf(card.charAt(0));
    return color < 0 ? [FACES.length, 0] : [FACES.indexOf(card.slice(1)), color];
  };
  return hand.toSorted((a, b) => rank(a)[0]! - rank(b)[0]! || rank(a)[1]! - rank(b)[1]!);
}
