import type { Page } from '@playwright/test';
import type { EventForm, GameView } from '../src/protocol';
import { gameOf, lobbyOf, mockTable, termsOf, type MockLobby, type MockTable } from './mock';

/** Something that moves: the table before it, what happens, the table afterwards, and when to look, in milliseconds. */
export type Moment = { table: MockTable; events: EventForm[]; game: GameView; lobby?: MockLobby; frames: number[] };

const respond = gameOf(4, { top: 'W+4', color: 'blue', phase: { type: 'respond', seat: 0, by: 3, cards: 4 } });
const hand = ['R3', 'RS', 'Y5', 'G2', 'G+2', 'B9', 'W'];
const shown = ['B1', 'B7', 'R4', 'G8', 'Y+2', 'W'];
const over = lobbyOf(4, { stage: 'over', may: ['ready', 'chat', 'reopen'] });

/** Moments worth a look. */
export const MOMENTS: Record<string, Moment> = {
  challenge: {
    table: { lobby: lobbyOf(4), game: respond },
    events: [
      { type: 'challenged', seat: 0, challenged: 3, guilty: true }, { type: 'hand_shown', seat: 3, to: 0, cards: shown },
      { type: 'drew', seat: 3, reason: 'challenge', count: 4 }, { type: 'turn_came', seat: 0 },
    ],
    game: gameOf(4, { top: 'W+4', color: 'blue', hand }),
    frames: [150, 500, 1000, 1450, 1800, 2600, 4700, 5100],
  },
  win: {
    table: { lobby: lobbyOf(4), game: gameOf(4, { hand: ['R3'], hand_sizes: [1, 2, 3, 1], scores: [405, 35, 205, 105] }) },
    events: [
      { type: 'played', seat: 0, card: 'R3' }, { type: 'went_out', seat: 0 },
      { type: 'round_scored', winner: 0, points: [135, 0, 0, 0] }, { type: 'match_won', winners: [0] },
    ],
    game: {
      ...gameOf(4, {
        phase: { type: 'match_over' }, hand: [], shown: { 1: ['B9', 'G+2'], 2: ['W', 'Y1', 'Y2'], 3: ['W+4', 'R3'] },
        hand_sizes: [0, 2, 3, 2], result: { winner: 0, points: [135, 0, 0, 0] }, scores: [540, 35, 205, 105], winners: [0], top: 'R3',
      }, []),
      standings: {
        ranks: [1, 4, 2, 3],
        hands: [0, 29, 53, 53],
        sums: [[29, 53, 53], [], [], []],
        awards: [{ kind: 'bluffs', seat: 0, count: 2 }, { kind: 'drawn', seat: 1, count: 31 }, { kind: 'catches', seat: 3, count: 1 }, { kind: 'handed_out', seat: 2, count: 14 }],
      },
    },
    lobby: over,
    frames: [150, 420, 800, 1300, 1900, 2400, 3400, 6500],
  },
  olaf: {
    table: { terms: termsOf({ edition: 'frozen' }), lobby: lobbyOf(4), game: gameOf(4, { hand, top: 'G7', color: 'green', phase: { type: 'turn', seat: 2 } }, []) },
    events: [{ type: 'played', seat: 2, card: 'WO', color: 'blue', discarded: ['P3', 'PS'] }, { type: 'uno_called', seat: 2 }, { type: 'turn_came', seat: 3 }],
    game: gameOf(4, { hand, top: 'WO', color: 'blue', phase: { type: 'turn', seat: 3 } }, []),
    frames: [80, 200, 320, 450, 600, 900, 1500, 2400],
  },
  skip: {
    table: { lobby: lobbyOf(4), game: gameOf(4, { phase: { type: 'turn', seat: 3 } }, []) },
    events: [{ type: 'played', seat: 3, card: 'RS' }, { type: 'skipped', seat: 0 }, { type: 'turn_came', seat: 1 }],
    game: gameOf(4, { top: 'RS', phase: { type: 'turn', seat: 1 } }, []),
    frames: [80, 250, 400, 520, 700, 950, 1300, 1900],
  },
};

/** Lets a moment begin on a page. */
export async function begin(page: Page, { table, events, game, lobby }: Moment) {
  const mock = await mockTable(page, table);
  await page.goto('/t/mock123456');
  await page.locator('[data-card]').first().waitFor();
  await page.waitForTimeout(300);
  mock.send({ type: 'update', seq: 2, what: { type: 'acted', seat: 0, by: 'person' }, events, game, ...(lobby ? { lobby } : {}) });
}
