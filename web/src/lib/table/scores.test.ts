import { describe, expect, it } from 'vitest';
import type { GameView } from '../../protocol';
import { awardLine, awardTitle } from '../text/awards';
import { rowsOf } from './scores';

const game = (ranks: number[], points: number[], scores: number[], sums: number[][] = [[], [], []]) =>
  ({
    view: { players: 3, hand: ['R3', 'W'], shown: { 1: ['B9', 'G+2'], 2: [] }, scores, result: { winner: 2, points } },
    standings: { ranks, hands: [53, 29, 0], sums },
  }) as unknown as GameView;

describe('the list of scores', () => {
  it('is sorted by rank, no matter who won the round', () => {
    const rows = rowsOf(game([1, 3, 2], [0, 0, 82], [540, 35, 499]), 0);
    expect(rows.map((row) => [row.rank, row.seat, row.total])).toEqual([[1, 0, 540], [2, 2, 499], [3, 1, 35]]);
  });

  it('shows what points add up from, as the table says', () => {
    const [winner] = rowsOf(game([2, 3, 1], [0, 0, 82], [0, 0, 82], [[], [], [53, 29]]), 0);
    expect(winner).toMatchObject({ seat: 2, points: 82, terms: [53, 29] });
    const own = rowsOf(game([2, 1, 3], [53, 29, 0], [53, 29, 0], [[53], [29], []]), 0);
    expect(own.map((row) => [row.seat, row.held, row.terms])).toEqual([[1, 29, [29]], [0, 53, [53]], [2, 0, []]]);
  });
});

describe('awards', () => {
  it('are told with the right number', () => {
    expect([1, 2].map((count) => awardLine({ kind: 'caught', seat: 0, count }))).toEqual(['Forgot UNO once', 'Forgot UNO 2 times']);
    expect(awardLine({ kind: 'drawn', seat: 0, count: 1 })).toBe('Drew 1 card');
    expect(awardTitle({ kind: 'bluffs', seat: 0, count: 1 })).toBe('Poker face');
  });
});
