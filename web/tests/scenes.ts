import { expect, type Page } from '@playwright/test';
import type { Award, Code, ColorName, EventForm, GameView, Listing, RulesSpec, TableSummary, Terms } from '../src/protocol';
import { gameOf, lobbyOf, mockTable, summaryOf, termsOf, type Mock, type MockLobby } from './mock';

/** A screen or a dialog of the page, and how to get there. */
export type Scene = {
  path?: string;
  terms?: Terms;
  lobby?: MockLobby;
  game?: GameView;
  /** What the table tells before one joins. */
  summary?: Partial<TableSummary>;
  /** The public tables. */
  tables?: Listing[];
  /** What has happened a moment before. */
  events?: EventForm[];
  /** The last steps, once the screen is there. */
  then?: (page: Page, mock: Mock) => Promise<void>;
  /** Longer than the window: a picture shows all of it. */
  full?: boolean;
  /** Needs a game that was finished at the real server; its address is put in place of `:id`. */
  real?: boolean;
  /** The rounds that can be watched are those of a game that was finished at the real server. */
  rounds?: boolean;
};

/** Thirty cards, of which twenty come first. */
export const MANY = [
  'R0', 'R1', 'R3', 'R3', 'R5', 'R6', 'RS', 'R+2', 'Y1', 'Y2', 'Y5', 'Y5', 'Y9', 'YR', 'G0', 'G2', 'G4', 'G4', 'GS',
  'G+2', 'B1', 'B3', 'B7', 'B9', 'BR', 'B+2', 'W', 'W', 'W+4', 'W+4',
];

/** Names as long and as strange as the server lets them be. */
export const NAMES = ['W'.repeat(24), 'Maximiliana von Bredow-S', 'محمد عبد الرحمن الطويل', '👩‍👩‍👧‍👦🎉🎉 party', '长名字'.repeat(8), 'i'];

const host: MockLobby['may'] = [
  'set', 'settings', 'add_bot', 'remove_bot', 'start', 'lock', 'new_code', 'rename', 'chat', 'react', 'leave',
];
const waiting = lobbyOf(3, { stage: 'lobby', may: host });
const at = (players: number, rules: RulesSpec) => ({ lobby: lobbyOf(players), terms: termsOf(rules) });
/** A match that the host can keep people out of, and that somebody looks on at. */
const guarded = lobbyOf(4, {
  people: [{ person: 0, name: 'Robin', seat: 0, connected: true }, { person: 5, name: 'Wilhelmina Featherstone', seat: null, connected: true }],
  may: ['act', 'lock', 'new_code', 'kick', 'unkick'], kicked: [{ person: 4, name: 'Maximilian von Bredow', address: true }],
});
const toTheDoor = async (page: Page) => {
  await page.locator('.play header .icon').first().click();
  await page.locator('dialog [data-do=door]').click();
  await page.locator('dialog [data-do=new-code]').waitFor();
};
const bye = (code: Code) => async (_: Page, mock: Mock) => mock.send({ type: 'bye', code, message: 'The server says why.' });
const COLORS: ColorName[] = ['red', 'yellow', 'green', 'blue'];

const custom: RulesSpec = {
  edition: 'custom',
  custom_cards: [
    { title: 'Extra turn', text: 'Take an extra turn.', effects: [{ do: 'extra_turn' }] },
    null,
    {
      title: 'Sing',
      effects: [
        { do: 'perform', prompt: 'sing a song', success: [{ do: 'draw', who: 'others', count: 1 }], failure: [{ do: 'draw', who: 'self', count: 4 }] },
      ],
    },
  ],
};
const counted = gameOf(4, {
  phase: { type: 'round_over' }, hand: ['R3', 'W'], shown: { 1: ['B9', 'G+2'], 2: [], 3: ['W+4', 'Y1', 'Y2'] },
  hand_sizes: [2, 2, 0, 3], result: { winner: 2, points: [0, 0, 135, 0] }, scores: [0, 35, 205, 105],
});
/** What the table says of a match after a round. */
const standings = { ranks: [4, 3, 1, 2], hands: [53, 29, 0, 53], sums: [[], [], [53, 29, 53], []] };
const awards: Award[] = [
  { kind: 'bluffs', seat: 2, count: 2 }, { kind: 'drawn', seat: 0, count: 31 }, { kind: 'catches', seat: 3, count: 1 },
  { kind: 'handed_out', seat: 1, count: 14 },
];
const olaf = gameOf(3, { hand: ['P3', 'P9', 'PS', 'Y1', 'B2', 'WO'], top: 'G7', color: 'green' }, [
  { type: 'draw' },
  ...[[], ['P3'], ['P3', 'PS'], ['P3', 'P9'], ['P3', 'P9', 'PS'], ['PS'], ['P9'], ['P9', 'PS'], ['Y1']].flatMap((discard) =>
    (['pink', 'blue'] as const).map((color) => ({ type: 'play' as const, card: 'WO', color, discard })),
  ),
]);

/** A few moves before one's turn. */
const moves: EventForm[] = [
  { type: 'dealt', seat: 0, count: 7 },
  { type: 'turned_up', card: 'B2', turned: 'start' },
  { type: 'played', seat: 1, card: 'B7' },
  { type: 'played', seat: 2, card: 'G7' },
  { type: 'uno_called', seat: 2 },
  { type: 'drew', seat: 3, reason: 'turn', count: 1 },
  { type: 'played', seat: 3, card: 'R7' },
  { type: 'turn_came', seat: 0 },
];

/** Public tables of every kind. */
const LISTED = (['sit', 'take', 'watch'] as const).map((entry, at) =>
  summaryOf(termsOf({}, { title: at === 1 ? '' : 'Friday evening', public: true }), lobbyOf(3 + at, { stage: at === 0 ? 'lobby' : 'playing', code: `mock${at}` }), { entry, free: 2 - at }),
);

/** Every screen and every dialog: looked at by axe, measured in the longest languages, and pictured. */
export const scenes: Record<string, Scene> = {
  home: { path: '/', full: true },
  you: { path: '/', then: (page) => page.locator('.you').click() },
  settings: { path: '/', then: (page) => page.locator('header .icon').nth(1).click() },
  rules: { path: '/rules/fairies' },
  'set-up': { lobby: waiting, full: true },
  'set-up-guest': {
    lobby: lobbyOf(3, {
      stage: 'lobby', host: 7, may: ['accept'],
      chairs: lobbyOf(3).chairs.map((chair) => ({ ...chair, accepted: chair.person === null, ready: chair.person === null })),
    }),
    terms: termsOf({ edition: 'frozen', house: { stacking: 'same', seven_zero: true, uno_penalty: 4 } }, { title: 'Friday evening' }),
    full: true,
  },
  join: { lobby: lobbyOf(4, { stage: 'lobby' }), terms: termsOf({ edition: 'frozen' }, { title: 'Friday evening' }), summary: { known: false } },
  'join-later': { lobby: lobbyOf(9), summary: { known: false, entry: 'take', round: 3, onlookers: 2 } },
  'join-full': { lobby: lobbyOf(3), summary: { known: false, entry: 'watch', free: 0 } },
  'join-locked': { lobby: lobbyOf(3), summary: { known: false, entry: 'nothing', free: 0 } },
  'public-tables': { lobby: lobbyOf(3), path: '/', tables: LISTED, full: true },
  rename: { lobby: waiting, then: (page) => page.locator('[data-do=rename]').click() },
  'custom-cards': { lobby: waiting, terms: termsOf(custom), then: (page) => page.locator('.one .button').nth(2).click() },
  play: {
    lobby: lobbyOf(4, { may: ['act', 'chat', 'react', 'leave', 'autopilot', 'accuse', 'hint'] }),
    game: gameOf(4),
    events: moves,
  },
  'play-ten': { lobby: lobbyOf(10), game: gameOf(10, { hand: MANY.slice(0, 20) }) },
  'play-thirty': { lobby: lobbyOf(3), game: gameOf(3, { hand: MANY }) },
  fairies: {
    ...at(3, { edition: 'fairies' }),
    game: gameOf(3, { hand: ['R3', 'G7', 'B1', 'WF'], top: 'B+2', color: 'blue', phase: { type: 'respond', seat: 0, by: 2, cards: 2 } }, [
      { action: { type: 'take' }, draws: 2 }, ...COLORS.map((color) => ({ type: 'block' as const, color })),
    ]),
  },
  frozen: {
    ...at(5, { edition: 'frozen' }),
    game: gameOf(5, { hand: ['P3', 'PS', 'Y1', 'Y+2', 'G8', 'B2', 'B2', 'WO'], top: 'W', color: 'pink', discard_pile: ['G2', 'P9', 'W'] }, [
      { type: 'play', card: 'P3' }, { type: 'play', card: 'PS' }, { type: 'play', card: 'WO', color: 'blue' }, { type: 'draw' },
    ]),
  },
  'open-hands': {
    ...at(5, { edition: 'custom', custom_cards: [4, 7, 1] }),
    game: gameOf(5, { hand_sizes: [7, 6, 2, 9, 4], shown: { 1: ['R3', 'Y7', 'Y7', 'GS', 'B+2', 'W'], 3: MANY.slice(6, 15), 4: ['B1', 'B2', 'W+4', 'G0'] } }),
  },
  'watching-later': { lobby: lobbyOf(4, { people: [{ person: 0, name: 'Robin', seat: null, connected: true }], may: ['chat', 'take'] }), game: { ...gameOf(4), legal: [] } },
  watching: { lobby: lobbyOf(4, { people: [{ person: 0, name: 'Robin', seat: null, connected: true }], may: ['chat'] }), game: { ...gameOf(4), legal: [] } },
  challenge: {
    lobby: lobbyOf(4, { may: ['act', 'hint'] }),
    game: gameOf(4, { top: 'W+4', color: 'blue', phase: { type: 'respond', seat: 0, by: 3, cards: 4 } }, [{ action: { type: 'take' }, draws: 4 }, { action: { type: 'challenge' }, draws: 6, wins: 4 }]),
  },
  catch: {
    lobby: lobbyOf(4),
    game: gameOf(4, { hand: ['R3', 'B9'], liable: [2], hand_sizes: [2, 4, 1, 5] }, [{ action: { type: 'play', card: 'R3' }, uno: true }, { type: 'draw' }, { type: 'catch', seat: 2 }]),
  },
  vote: {
    ...at(3, { edition: 'custom', custom_cards: [4, 7, 1] }),
    game: gameOf(3, { phase: { type: 'vote', seat: 1, prompt: 'sing a song of your own country', waiting: [0, 2] } }, [{ type: 'vote', yes: true }, { type: 'vote', yes: false }]),
  },
  dare: {
    ...at(3, { edition: 'custom', custom_cards: [4, 7, 1] }),
    game: gameOf(3, { phase: { type: 'dare', seat: 0, prompt: 'stand on one leg until your next turn' } }, [{ type: 'dare', accept: true }, { type: 'dare', accept: false }]),
  },
  'new-color': {
    ...at(3, { edition: 'custom', custom_cards: [4, 7, 1] }),
    game: gameOf(3, { top: 'WH', color: null, phase: { type: 'call_color', seat: 0, next: 1 } }, COLORS.map((color) => ({ type: 'call_color' as const, color }))),
  },
  color: { lobby: lobbyOf(4), game: gameOf(4), then: (page) => page.locator('[data-do=card]').last().click() },
  olaf: { ...at(3, { edition: 'frozen' }), game: olaf, then: (page) => page.locator('[data-do=card]').last().click() },
  swap: {
    ...at(4, { edition: 'original', house: { seven_zero: true } }),
    game: gameOf(4, { hand: ['B1', 'B2', 'R7'] }, [1, 2, 3].map((swap_with) => ({ type: 'play' as const, card: 'R7', swap_with }))),
    then: (page) => page.locator('[data-do=card]').last().click(),
  },
  why: {
    lobby: lobbyOf(4),
    game: gameOf(4),
    then: async (page, mock) => {
      await page.locator('[data-card]:not([data-do])').first().click({ position: { x: 12, y: 30 } });
      await expect.poll(() => mock.requests.length).toBe(1);
      mock.send({
        type: 'refused', id: mock.requests[0]!.id, code: 'does_not_match', message: 'Y5 does not match R7', rule: 'T1',
        why: { type: 'does_not_match', card: 'Y5', top: 'R7', color: 'red' },
      });
      await page.locator('[data-do=why]').click();
      await page.locator('dialog .rule').waitFor();
    },
  },
  stray: {
    lobby: lobbyOf(4),
    game: gameOf(4, { phase: { type: 'turn', seat: 2 } }, []),
    then: async (page, mock) => {
      await page.locator('[data-card]').first().click({ position: { x: 12, y: 30 } });
      await expect.poll(() => mock.requests.length).toBe(1);
      mock.send({
        type: 'refused', id: mock.requests[0]!.id, code: 'not_your_turn', message: 'it is not your turn', rule: 'T1',
        why: { type: 'not_your_turn', seat: 2 },
      });
      await page.locator('[data-hint]').waitFor();
    },
  },
  names: {
    lobby: lobbyOf(6, {
      chairs: lobbyOf(6).chairs.map((chair, i) => ({ ...chair, name: NAMES[i]! })),
      people: [{ person: 0, name: NAMES[0]!, seat: 0, connected: true }],
    }),
    game: gameOf(6, { phase: { type: 'turn', seat: 1 } }, []),
  },
  lesson: {
    lobby: lobbyOf(3),
    game: { ...gameOf(3, { hand: ['R8', 'B3', 'B+2', 'Y6', 'Y2'], top: 'R5', discard_pile: ['R5'] }, [{ type: 'play', card: 'R8' }]), lesson: { step: 'match_color', number: 0, of: 8 } },
  },
  'lesson-over': {
    lobby: lobbyOf(3, { stage: 'over', may: ['ready'] }),
    game: { ...gameOf(3, { hand: [], phase: { type: 'match_over' }, winners: [0] }, []), lesson: { done: 'last', number: 8, of: 8 } },
    then: (page) => page.locator('[data-do=play-real]').waitFor(),
  },
  hint: {
    lobby: lobbyOf(4, { may: ['act', 'hint'] }),
    game: gameOf(4),
    then: async (page, mock) => {
      await page.locator('[data-do-hint]').click();
      await expect.poll(() => mock.requests.length).toBe(1);
      mock.send({ type: 'hint', id: mock.requests[0]!.id, hint: { at: 12, action: { type: 'play', card: 'W', color: 'green' }, reason: 'best_color' } });
      await page.locator('.told').waitFor();
    },
  },
  'card-help': { lobby: lobbyOf(4), game: gameOf(4), then: async (page) => { await settled(page); await page.keyboard.press('i'); await page.getByRole('tooltip').waitFor(); } },
  menu: { lobby: lobbyOf(4), game: gameOf(4), then: (page) => page.locator('.play header .icon').first().click() },
  log: { lobby: lobbyOf(4), game: gameOf(4), events: moves, then: (page) => page.keyboard.press('l') },
  chat: { lobby: lobbyOf(4), game: gameOf(4), then: (page) => page.keyboard.press('m') },
  guide: { lobby: lobbyOf(4), game: gameOf(4), then: (page) => page.keyboard.press('r') },
  keys: { lobby: lobbyOf(4), game: gameOf(4), then: (page) => page.keyboard.press('?') },
  leave: {
    lobby: lobbyOf(4), game: gameOf(4),
    then: async (page) => {
      await page.locator('.play header .icon').first().click();
      await page.locator('dialog [data-do=leave]').click();
    },
  },
  end: {
    lobby: lobbyOf(4, { may: ['reopen'] }), game: gameOf(4),
    then: async (page) => {
      await page.locator('.play header .icon').first().click();
      await page.locator('dialog [data-do=end]').click();
    },
  },
  door: { lobby: guarded, game: gameOf(4), then: toTheDoor },
  kick: {
    lobby: guarded, game: gameOf(4),
    then: async (page) => {
      await toTheDoor(page);
      await page.locator('dialog li .icon').first().click();
      await page.locator('dialog [data-do=kick]').waitFor();
    },
  },
  accuse: {
    lobby: lobbyOf(4), game: gameOf(4),
    then: async (page) => {
      await page.locator('.play header .icon').first().click();
      await page.locator('dialog [data-do=accuse]').click();
    },
  },
  judge: { lobby: lobbyOf(4, { accusation: { seat: 2, by: 0, left: 20_000, waiting: [0] }, may: ['judge'] }), game: gameOf(4) },
  autopilot: {
    lobby: lobbyOf(3, { chairs: lobbyOf(3).chairs.map((chair, i) => (i === 0 ? { ...chair, away: 'asked' } : chair)) }),
    game: gameOf(3),
  },
  scores: {
    lobby: lobbyOf(4, { stage: 'scores', may: ['ready', 'chat'], chairs: lobbyOf(4).chairs.map((chair) => ({ ...chair, ready: chair.person === null })) }),
    game: { ...counted, standings },
  },
  'round-again': {
    lobby: lobbyOf(3, { stage: 'scores', may: ['ready', 'chat'] }),
    game: gameOf(3, { phase: { type: 'round_over' }, hand: [], shown: { 1: ['B9'], 2: ['W'] }, result: { winner: 0, points: [59, 0, 0] }, scores: [59, 0, 0] }, []),
    rounds: true,
    then: async (page) => {
      await page.locator('[data-do=again-round]').click();
      await page.locator('dialog .told').waitFor();
    },
  },
  over: {
    lobby: lobbyOf(4, { stage: 'over', may: ['ready', 'chat', 'reopen'], chairs: lobbyOf(4).chairs.map((chair) => ({ ...chair, ready: chair.person === null })) }),
    game: {
      ...counted, view: { ...counted.view, phase: { type: 'match_over' }, scores: [120, 35, 540, 105], winners: [2] },
      standings: { ...standings, ranks: [2, 4, 1, 3], awards },
    },
    full: true,
  },
  reconnecting: { lobby: lobbyOf(4), game: gameOf(4), then: async (page, mock) => { mock.drop(); await page.locator('.notice').waitFor(); } },
  elsewhere: { lobby: lobbyOf(3), game: gameOf(3), then: bye('replaced') },
  gone: { lobby: lobbyOf(3), game: gameOf(3), then: bye('no_table') },
  kicked: { lobby: lobbyOf(3), game: gameOf(3), then: bye('kicked') },
  replay: { path: '/g/:id?seat=open&step=9', real: true },
  'replay-seat': { path: '/g/:id?seat=0&step=9', real: true },
  fair: { path: '/g/:id?seat=open&step=9', real: true, then: async (page) => { await page.locator('header [data-do=fair]').click(); await page.locator('dialog .ok, dialog li, dialog p').first().waitFor(); } },
  'no-replay': { path: '/g/nothing', real: true },
};

/** Goes there. */
export async function enter(page: Page, scene: Scene, finished?: () => Promise<string>): Promise<void> {
  const mock = scene.real ? null : await mockTable(page, { terms: scene.terms, lobby: scene.lobby ?? lobbyOf(3), game: scene.game, summary: scene.summary, tables: scene.tables });
  const path = scene.path ?? '/t/mock123456';
  const game = scene.rounds || path.includes(':id') ? await finished!() : '';
  if (scene.rounds) await page.route('**/api/tables/*/replay?*', (route) => route.continue({ url: route.request().url().replace(/tables\/[^/]*/, `games/${game}`) }));
  await page.goto(path.replace(':id', game));
  await page.locator('h1').first().waitFor();
  await page.waitForLoadState('networkidle');
  if (scene.events) {
    mock?.send({ type: 'update', seq: 2, what: { type: 'acted', seat: 3, by: 'bot' }, events: scene.events, game: scene.game! });
    await page.getByRole('log').getByRole('paragraph').first().waitFor({ state: 'attached' });
  }
  if (scene.then) await scene.then(page, mock ?? { requests: [], send: () => undefined, drop: () => undefined, mute: () => undefined });
  await settled(page);
}

/** Waits until everything has come to rest. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    // What comes to rest may let something else begin. The clock of a turn runs on and on.
    const brief = () => document.getAnimations().filter((animation) => Number(animation.effect?.getComputedTiming().endTime) < 2000);
    for (let i = 0; i < 4; i++) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      await Promise.allSettled(brief().map((animation) => animation.finished));
    }
  });
}
