import type { Page } from '@playwright/test';
import type { ChoiceForm, GameView, LobbyView, Request, ServerMsg, ViewForm } from '../src/protocol';

/** A server for one table that says what a test wants it to say, so that rare moments can be looked at. */
export type Mock = {
  /** What the page has asked for. */
  requests: (Request & { id: number })[];
  /** Sends a message to the page. */
  send: (msg: ServerMsg) => void;
  /** Breaks the connection and does not answer any more. */
  drop: () => void;
};

const NAMES = ['Robin', 'Pip', 'Hazel', 'Otto', 'Kiki', 'Bruno', 'Mila', 'Fern', 'Gus', 'Ivo'];

export function lobbyOf(players: number, overrides: Partial<LobbyView> = {}): LobbyView {
  return {
    stage: 'playing',
    settings: {
      title: '', rules: { edition: 'original' }, seats: 10, public: false, spectators: true, chat: true, clock: 30,
      pace: 'relaxed',
    },
    agreement: 1,
    host: 0,
    chairs: NAMES.slice(0, players).map((name, i) => ({
      name, person: i === 0 ? 0 : null, bot: i === 0 ? null : 'normal', accepted: true, ready: true,
    })),
    people: [{ person: 0, name: 'Robin', seat: 0, connected: true, muted: false }],
    commitment: '00'.repeat(32),
    may: ['act', 'chat', 'react', 'leave', 'autopilot', 'accuse'],
    ...overrides,
  };
}

export function gameOf(players: number, view: Partial<ViewForm> = {}, legal: ChoiceForm[] = []): GameView {
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
    legal: legal.length
      ? legal
      : [
          { type: 'play', card: 'R3' }, { type: 'play', card: 'RS' },
          ...(['red', 'yellow', 'green', 'blue'] as const).map((color) => ({ type: 'play' as const, card: 'W', color })),
          { type: 'draw' },
        ],
    clock: { left: 21000, of: 30000 },
    fair: { commitment: '00'.repeat(32) },
  };
}

/** Answers the page's requests with a table of that kind. */
export async function mockTable(page: Page, lobby: LobbyView, game?: GameView): Promise<Mock> {
  const requests: Mock['requests'] = [];
  let silent = false;
  const mock: Mock = { requests, send: () => undefined, drop: () => undefined };
  await page.route('**/api/**', (route) => {
    const path = new URL(route.request().url()).pathname;
    if (path === '/api/me' || path === '/api/guests') return route.fulfill({ json: { id: 1, name: 'Robin' } });
    if (path === '/api/tables' || path === '/api/games') return route.fulfill({ json: [] });
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
      const msg = JSON.parse(String(text)) as { type: string; id?: number };
      if (silent) return;
      if (msg.type === 'hello') {
        mock.send({ type: 'welcome', version: 1, server: 'mock', table: 'mock', you: 0, last_id: 0 });
        mock.send({ type: 'snapshot', seq: 1, lobby, ...(game ? { game } : {}), chat: [] });
      } else if (msg.type === 'ping') {
        mock.send({ type: 'pong' });
      } else {
        requests.push(msg as Mock['requests'][number]);
      }
    });
  });
  return mock;
}
