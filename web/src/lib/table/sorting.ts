import { faces, read } from '../../cards/words';
import type { CardName } from '../../protocol';

/** In which order a hand lies. */
export type Sorting = 'color' | 'number';

/** A hand in the order somebody likes: by color as the table sends it, or equal faces side by side. Wilds come last. */
export function sorted(hand: CardName[], by: Sorting): CardName[] {
  if (by === 'color') return hand;
  const rank = (card: CardName) => (read(card)?.color ? faces.indexOf(card.slice(1)) : faces.length);
  return hand.toSorted((a, b) => rank(a) - rank(b));
}
