import { test } from '@playwright/test';
import type { EventForm, GameView, LobbyView } from '../src/protocol';
import { gameOf, lobbyOf, mockTable } from './mock';

/** Pictures of every main screen, made by `cargo xtask screenshots`: phone and desktop, dark and light. */
const OUT = process.env['SHOTS'] ?? 'screenshots';
const ONLY = process.env['ONLY']?.split(',');
const SCHEMES = (process.env['SCHEMES'] ?? 'dark,light').split(',') as ('dark' | 'light')[];

type Scene = { path?: string; lobby?: LobbyView; game?: GameView; click?: string[]; full?: boolean; events?: EventForm[] };

const many = [
  'R0', 'R1', 'R3', 'R3', 'R5', 'R6', 'RS', 'R+2', 'Y1', 'Y2', 'Y5', 'Y5', 'Y9', 'YR', 'G0', 'G2', 'G4', 'G4', 'GS',
  'G+2', 'B1', 'B3', 'B7', 'B9', 'BR', 'B+2', 'W', 'W', 'W+4', 'W+4',
];
const host: LobbyView['may'] = ['settings', 'add_bot', 'remove_bot', 'start', 'chat', 'react', 'leave'];
const waiting = lobbyOf(3, { stage: 'lobby', may: host });

const scenes: Record<string, Scene> = {
  home: { path: '/', full: true },
  you: { path: '/', click: ['You: Robin'] },
  play: {
    lobby: lobbyOf(4),
    game: gameOf(4),
    events: [
      { type: 'dealt', seat: 0, count: 7 },
      { type: 'turned_up', card: 'B2', turned: 'start' },
      { type: 'played', seat: 1, card: 'B7' },
      { type: 'played', seat: 2, card: 'G7' },
      { type: 'uno_called', seat: 2 },
      { type: 'drew', seat: 3, reason: 'turn', count: 1 },
      { type: 'played', seat: 3, card: 'R7' },
      { type: 'turn_came', seat: 0 },
    ],
  },
  'play-ten': { lobby: lobbyOf(10), game: gameOf(10, { hand: many.slice(0, 20) }) },
  'play-thirty': { lobby: lobbyOf(3), game: gameOf(3, { hand: many }) },
  challenge: {
    lobby: lobbyOf(4),
    game: gameOf(4, { top: 'W+4', color: 'blue', phase: { type: 'respond', seat: 0, by: 3, cards: 4 } }, [{ type: 'take' }, { type: 'challenge' }]),
  },
  catch: {
    lobby: lobbyOf(4),
    game: gameOf(4, { hand: ['R3', 'B9'], liable: [2], hand_sizes: [2, 4, 1, 5] }, [{ type: 'play', card: 'R3' }, { type: 'draw' }, { type: 'catch', seat: 2 }]),
  },
  frozen: {
    lobby: lobbyOf(5, { settings: { ...lobbyOf(5).settings, rules: { edition: 'frozen' } } }),
    game: gameOf(5, { hand: ['P3', 'PS', 'Y1', 'Y+2', 'G8', 'B2', 'B2', 'WO'], top: 'W', color: 'pink', discard_pile: ['G2', 'P9', 'W'] }, [
      { type: 'play', card: 'P3' }, { type: 'play', card: 'PS' }, { type: 'play', card: 'WO', color: 'blue' }, { type: 'draw' },
    ]),
  },
  color: { lobby: lobbyOf(4), game: gameOf(4), click: ['Wild, playable'] },
  'set-up': { lobby: waiting, full: true },
  'set-up-guest': {
    lobby: lobbyOf(3, {
      stage: 'lobby', host: 7, may: ['accept'],
      settings: { ...waiting.settings, title: 'Friday evening', rules: { edition: 'frozen', house: { stacking: 'same', seven_zero: true, uno_penalty: 4 } } },
      chairs: lobbyOf(3).chairs.map((chair) => ({ ...chair, accepted: chair.person === null, ready: chair.person === null })),
    }),
    full: true,
  },
  rules: { path: '/rules/fairies' },
  'custom-cards': {
    lobby: {
      ...waiting,
      settings: {
        ...waiting.settings,
        rules: {
          edition: 'custom',
          custom_cards: [
            { title: 'Extra turn', text: 'Take an extra turn.', effects: [{ do: 'extra_turn' }] },
            null,
            {
              title: 'Sing',
              effects: [{ do: 'perform', prompt: 'sing a song', success: [{ do: 'draw', who: 'others', count: 1 }], failure: [{ do: 'draw', who: 'self', count: 4 }] }],
            },
          ],
        },
      },
    },
    click: ['Edit card 3'],
  },
  scores: {
    lobby: lobbyOf(4, { stage: 'scores', may: ['ready', 'chat'], chairs: lobbyOf(4).chairs.map((chair) => ({ ...chair, ready: chair.person === null })) }),
    game: gameOf(4, {
      phase: { type: 'round_over' }, hand: ['R3', 'W'], shown: { 1: ['B9', 'G+2'], 2: [], 3: ['W+4', 'Y1', 'Y2'] },
      hand_sizes: [2, 2, 0, 3], result: { winner: 2, points: [0, 0, 135, 0] }, scores: [0, 35, 205, 105],
    }),
  },
};

const devices = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } };

for (const [name, scene] of Object.entries(scenes)) {
  if (ONLY && !ONLY.includes(name)) continue;
  test(name, async ({ browser }) => {
    for (const [device, viewport] of Object.entries(devices)) {
      for (const colorScheme of SCHEMES) {
        const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce', locale: process.env['LOCALE'] ?? 'en-US' });
        const page = await context.newPage();
        page.on('console', (message) => {
          if (message.type() === 'error') console.log(name, device, message.text());
        });
        page.on('pageerror', (error) => console.log(name, device, error.message));
        const mock = await mockTable(page, scene.lobby ?? lobbyOf(3), scene.game);
        await page.goto(scene.path ?? '/t/mock123456');
        await page.waitForTimeout(400);
        if (scene.events) {
          mock.send({ type: 'update', seq: 2, what: { type: 'acted', seat: 3, by: 'bot' }, events: scene.events });
          await page.waitForTimeout(2500);
        }
        for (const label of scene.click ?? []) await page.getByRole('button', { name: label }).first().click();
        if (scene.full) {
          const height = await page.evaluate(() => document.documentElement.scrollHeight);
          await page.setViewportSize({ width: viewport.width, height: Math.max(viewport.height, height) });
        }
        if (scene.click) await page.waitForTimeout(300);
        await page.screenshot({ path: `${OUT}/${name}-${device}-${colorScheme}.png` });
        await context.close();
      }
    }
  });
}
