import type { CardName } from '../protocol';

/**
 * The points that each card of a hand adds to a known sum. The server says only the sums; numbers count themselves
 * and actions twenty in every edition, and what is left is shared by the wilds, of which there are two kinds at most.
 */
export function worthEach(cards: CardName[], sum: number): number[] {
  const plain = cards.map((card) => {
    const face = /^[RPYGB](.+)$/.exec(card)?.[1];
    if (face === undefined) return null;
    return /^\d$/.test(face) ? Number(face) : 20;
  });
  const wilds = plain.filter((points) => points === null).length;
  const rest = sum - plain.reduce<number>((total, points) => total + (points ?? 0), 0);
  if (wilds === 0 || rest === wilds * 50) return plain.map((points) => points ?? 50);
  // Some wilds count 40 (those of the custom edition), the others 50.
  const forties = Math.round((wilds * 50 - rest) / 10);
  const light = (card: CardName) => card === 'WH' || card.startsWith('WC');
  const exact = cards.filter(light).length === forties;
  return plain.map((points, i) => points ?? (exact && light(cards[i]!) ? 40 : exact ? 50 : Math.round(rest / wilds)));
}
