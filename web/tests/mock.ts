import type { Page } from '@playwright/test';
import { VERSION } from '../src/ids';
import type {
  CardFact, CardName, Choice, ChoiceForm, ClientMsg, CustomCard, CustomView, GameView, Listing, LobbyView, OwnView, Past, Request, RulesSpec,
  RulesView, ServerMsg,
  Settings, TableSummary, Terms, ViewForm,
} from '../src/protocol';

/** A server for one table that says what a test wants it to say, so that rare moments can be looked at. */
export type Mock = {
  /** What the page has asked for. */
  requests: { id: number; request: Request }[];
  /** Sends a message to the page. */
  send: (msg: ServerMsg) => void;
  /** Breaks the connection and does not answer any more. */
  drop: () => void;
  /** Keeps the connection and does not answer any more. */
  mute: () => void;
};

const NAMES = ['Robin', 'Pip', 'Hazel', 'Otto', 'Kiki', 'Bruno', 'Mila', 'Fern', 'Gus', 'Ivo'];

/** What a few cards count. */
const POINTS: Record<CardName, number> = { R3: 3, B9: 9, Y1: 1, Y2: 2, 'G+2': 20, W: 50, 'W+4': 50 };
/** What some of them do. */
const DOES: Record<CardName, CardFact[]> = {
  'G+2': [{ type: 'draw', count: 2 }], W: [{ type: 'anywhere' }, { type: 'color' }],
  'W+4': [{ type: 'anywhere' }, { type: 'color' }, { type: 'draw', count: 4 }, { type: 'challenge' }],
};

const CUSTOM: CardFact[] = [{ type: 'anywhere' }, { type: 'color' }, { type: 'custom' }];

/** The first starters of the sheet, as far as their titles matter. */
const carried = (card: CustomCard, at: number): CustomView => {
  const rule = typeof card === 'number' ? { title: ['Discard', 'Level', 'Again'][at] ?? '' } : card;
  return { card: `WC${at + 1}`, rule };
};

/** What a table has agreed on. */
export function termsOf(spec: Partial<RulesSpec> = {}, settings: Partial<Settings> = {}): Terms {
  const chosen: RulesSpec = { edition: 'original', ...spec };
  const rules: RulesView = {
    edition: chosen.edition, scoring: chosen.scoring ?? { type: 'first_to', target: 500 }, hand_size: 7, uno_penalty: 2, uno_from: 2,
    suggestion_penalty: 4, challenges: true, blocks: chosen.edition === 'fairies', players: { least: 2, most: 10 },
    colors: [chosen.edition === 'frozen' ? 'pink' : 'red', 'yellow', 'green', 'blue'],
    deck: [
      ...Object.entries(POINTS).map(([card, points]) => ({ card, points, copies: 2, does: DOES[card] ?? [] })),
      ...(chosen.custom_cards ?? []).map((_, at) => ({ card: `WC${at + 1}`, points: 40, copies: 1, does: CUSTOM })),
    ],
    custom: (chosen.custom_cards ?? []).map(carried),
  };
  return {
    agreement: 1,
    settings: {
      title: '', rules: chosen, seats: 10, public: false, spectators: true, chat: true, clock: 30, pace: 'relaxed',
      usual_for_two: false, accusations: 'private', ...settings,
    },
    rules,
  };
}

/** A lobby, what the page's person may do there, and whom they have kept out. */
export type MockLobby = LobbyView & { may: OwnView['may']; kicked?: OwnView['kicked'] };

export function lobbyOf(players: number, overrides: Partial<MockLobby> = {}): MockLobby {
  return {
    stage: 'playing',
    code: 'mock123456',
    host: 0,
    acting: false,
    locked: false,
    paused: false,
    chairs: NAMES.slice(0, players).map((name, i) => ({
      name, person: i === 0 ? 0 : null, bot: i === 0 ? null : 'normal', accepted: true, ready: true,
    })),
    people: [{ person: 0, name: 'Robin', seat: 0, connected: true }],
    fair: { next: '00'.repeat(32), attempt: 1 },
    may: ['act', 'chat', 'react', 'leave', 'autopilot', 'accuse'],
    ...overrides,
  };
}

/** Choices without stakes may be given as bare actions. */
type Given = ChoiceForm | Choice;
const asChoice = (given: Given): Choice => ('action' in given ? given : { action: given });
const COLORS = ['red', 'yellow', 'green', 'blue'] as const;
const USUAL: ChoiceForm[] = [
  { type: 'play', card: 'R3' }, { type: 'play', card: 'RS' },
  ...COLORS.map((color): ChoiceForm => ({ type: 'play', card: 'W', color })),
  { type: 'draw' },
];

export function gameOf(players: number, view: Partial<ViewForm> = {}, legal: Given[] = USUAL): GameView {
  const hand = view.hand ?? ['R3', 'RS', 'Y5', 'G2', 'G+2', 'B9', 'W'];
  return {
    round: 1,
    at: 12,
    view: {
      players, dealer: 1, direction: 'left', phase: { type: 'turn', seat: 0 }, top: 'R7', color: 'red',
      hand_sizes: Array.from({ length: players }, (_, i) => (i === 0 ? hand.length : ((i * 5) % 9) + 1)),
      hand, shown: {}, draw_count: 61, discard_pile: ['B2', 'B7', 'G7', 'R7'], liable: [], idle: 0, draw_more: [],
      face_up: [], banners: [], scores: Array.from({ length: players }, (_, i) => i * 35), result: null, winners: null,
      ...view,
    },
    legal: legal.map(asChoice),
    clock: { left: 21000, of: 30000 },
  };
}

/** A table that a mock can show. */
export type MockTable = {
  terms?: Terms | undefined;
  lobby: MockLobby;
  game?: GameView | undefined;
  /** What the table tells before one joins. */
  summary?: Partial<TableSummary> | undefined;
  /** What was told before one came. */
  past?: Past[] | undefined;
  /** The public tables. */
  tables?: Listing[] | undefined;
};

/** A table as its code tells it to somebody who is at it. */
export function summaryOf(terms: Terms, lobby: MockLobby, changes: Partial<TableSummary> = {}): TableSummary {
  const people = lobby.chairs.filter((chair) => chair.person !== null).length;
  return {
    code: lobby.code, title: terms.settings.title, edition: terms.rules.edition, people, bots: lobby.chairs.length - people,
    seats: terms.settings.seats, stage: lobby.stage, spectators: true, locked: lobby.locked, host: 'Robin', free: 2, entry: 'sit',
    terms, players: lobby.chairs.map(({ name, bot }) => ({ name, bot: bot !== null })), onlookers: 0, known: true, ...changes,
  };
}

/** Answers the page's requests with a table of that kind. */
export async function mockTable(page: Page, { terms = termsOf(), lobby, game, summary, past = [], tables = [] }: MockTable): Promise<Mock> {
  const requests: Mock['requests'] = [];
  const own: OwnView = { may: lobby.may, muted: [], kicked: lobby.kicked ?? [] };
  let silent = false;
  const mock: Mock = { requests, send: () => undefined, drop: () => undefined, mute: () => (silent = true) };
  await page.route('**/api/**', (route) => {
    const path = new URL(route.request().url()).pathname;
    if (path === '/api/me' || path === '/api/guests') return route.fulfill({ json: { id: 1, name: 'Robin' } });
    if (path === '/api/tables') return route.fulfill({ json: tables });
    if (path.startsWith('/api/tables/')) return route.fulfill({ json: summaryOf(terms, lobby, summary) });
    if (path === '/api/games') return route.fulfill({ json: { open: [], finished: [] } });
    // Rules, editions, finished games: from the server that the page came from.
    if (/^\/api\/(rules|editions)/.test(path)) return route.continue();
    return route.fulfill({ status: 404, json: { error: { code: 'not_found', message: 'no' } } });
  });
  await page.addInitScript(() => localStorage.setItem('unum.prefs', JSON.stringify({ name: 'Robin', ...JSON.parse(localStorage.getItem('unum.prefs') ?? '{}') })));
  await page.routeWebSocket('**/ws', (socket) => {
    mock.send = (msg) => socket.send(JSON.stringify(msg));
    mock.drop = () => {
      silent = true;
      void socket.close();
    };
    socket.onMessage((text) => {
      const msg = JSON.parse(String(text)) as ClientMsg;
      if (silent) return;
      if ('hello' in msg) {
        mock.send({ type: 'welcome', version: VERSION, server: 'mock', table: 'mock', you: 0, last_id: 0 });
        mock.send({ type: 'snapshot', seq: 1, terms, lobby, own, ...(game ? { game } : {}), chat: [], past });
      } else if ('ping' in msg) {
        mock.send({ type: 'pong' });
      } else {
        requests.push(msg);
      }
    });
  });
  return mock;
}
