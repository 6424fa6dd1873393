import type { CardName, GameView } from '../../protocol';

/** One seat in the list of scores. */
export type Row = {
  seat: number;
  /** As the table has it; equals share one. */
  rank: number;
  /** The cards that were left, and what they count. */
  cards: CardName[];
  held: number;
  /** What the round adds to the total, and the numbers that adds up from. */
  points: number;
  terms: number[];
  total: number;
};

/** Everybody in the order of their ranks. */
export function rowsOf({ view, standings }: GameView, me: number | null): Row[] {
  const hands = Array.from({ length: view.players }, (_, seat) => (seat === me ? (view.hand ?? []) : (view.shown[seat] ?? [])));
  const rows = hands.map((cards, seat): Row => ({
    seat, cards, rank: standings?.ranks[seat] ?? 1, held: standings?.hands[seat] ?? 0, terms: standings?.sums[seat] ?? [],
    points: view.result?.points[seat] ?? 0, total: view.scores[seat] ?? 0,
  }));
  const won = (row: Row) => Number(row.seat === view.result?.winner);
  return rows.sort((a, b) => a.rank - b.rank || won(b) - won(a) || a.cards.length - b.cards.length);
}
