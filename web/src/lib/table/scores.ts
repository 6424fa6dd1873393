import type { CardName, GameView, RulesView } from '../../protocol';

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
export function rowsOf(game: GameView, rules: RulesView, me: number | null): Row[] {
  const { view } = game;
  const worth = new Map(rules.deck.map(({ card, points }) => [card, points]));
  const hands = Array.from({ length: view.players }, (_, seat) => (seat === me ? (view.hand ?? []) : (view.shown[seat] ?? [])));
  const held = hands.map((hand) => hand.reduce((sum, card) => sum + (worth.get(card) ?? 0), 0));
  const rows = hands.map((cards, seat): Row => {
    const points = view.result?.points[seat] ?? 0;
    return {
      seat, cards, points, held: held[seat]!, rank: game.standings?.ranks[seat] ?? 1, terms: termsOf(points, seat, held),
      total: view.scores[seat] ?? 0,
    };
  });
  const won = (row: Row) => Number(row.seat === view.result?.winner);
  return rows.sort((a, b) => a.rank - b.rank || won(b) - won(a) || a.cards.length - b.cards.length);
}

/** What points add up from: the hands of the others, or the own one; nothing if they came about in another way. */
function termsOf(points: number, seat: number, held: number[]): number[] {
  if (points === 0) return [];
  const others = held.filter((value, other) => other !== seat && value > 0);
  const sum = others.reduce((one, other) => one + other, 0);
  if (points === sum && held[seat] === 0) return others;
  return points === held[seat] ? [points] : [];
}
