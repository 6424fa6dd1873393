import { AxeBuilder } from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import type { GameView, LobbyView } from '../src/protocol';
import { gameOf, lobbyOf, mockTable } from './mock';

const TABLE = '/t/mock123456';

async function open(page: Page, lobby: LobbyView, game?: GameView) {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const mock = await mockTable(page, lobby, game);
  await page.goto(TABLE);
  return mock;
}

const lastAction = (mock: Awaited<ReturnType<typeof open>>) => {
  const request = mock.requests.filter((one) => one.type === 'act').at(-1);
  return request?.type === 'act' ? request.action : undefined;
};

test('a Wild Draw Four can be challenged, and it says what is at stake', async ({ page }) => {
  const mock = await open(page, lobbyOf(4), gameOf(4, { top: 'W+4', color: 'blue', phase: { type: 'respond', seat: 0, by: 3, cards: 4 } }, [{ type: 'take' }, { type: 'challenge' }]));
  await expect(page.getByText('Otto played a Wild Draw Four')).toBeVisible();
  await expect(page.getByText(/If not, you draw 6/)).toBeVisible();
  await page.getByRole('button', { name: 'Challenge' }).click();
  await expect.poll(() => lastAction(mock)).toEqual({ type: 'challenge' });
});

test('Flitterific! blocks with a color', async ({ page }) => {
  const lobby = lobbyOf(3, { settings: { ...lobbyOf(3).settings, rules: { edition: 'fairies' } } });
  const colors = ['red', 'yellow', 'green', 'blue'] as const;
  const game = gameOf(3, { hand: ['R3', 'WF'], top: 'B+2', color: 'blue', phase: { type: 'respond', seat: 0, by: 2, cards: 2 } }, [
    { type: 'take' }, ...colors.map((color) => ({ type: 'block' as const, color })),
  ]);
  const mock = await open(page, lobby, game);
  await page.getByRole('button', { name: 'Block' }).click();
  await page.keyboard.press('3');
  await expect.poll(() => lastAction(mock)).toMatchObject({ type: 'block', color: 'green' });
});

test('Olaf takes cards along', async ({ page }) => {
  const lobby = lobbyOf(3, { settings: { ...lobbyOf(3).settings, rules: { edition: 'frozen' } } });
  const sets = [[], ['P3'], ['P3', 'PS'], ['PS'], ['Y1']];
  const game = gameOf(3, { hand: ['P3', 'PS', 'Y1', 'B2', 'WO'], top: 'G7', color: 'green' }, [
    { type: 'draw' },
    ...sets.flatMap((discard) => ['pink', 'blue'].map((color) => ({ type: 'play' as const, card: 'WO', color, discard }))),
  ]);
  const mock = await open(page, lobby, game);
  await page.getByRole('button', { name: /Summertime/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'pink 3' }).click();
  await expect(dialog.getByRole('button', { name: 'yellow 1' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'pink Skip' }).click();
  await dialog.getByRole('button', { name: 'Take 2 along' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'blue' }).click();
  await expect.poll(() => lastAction(mock)).toEqual({ type: 'play', card: 'WO', color: 'blue', discard: ['P3', 'PS'] });
});

test('after Shuffle Hands the color is named in sight of the new hand', async ({ page }) => {
  const lobby = lobbyOf(3, { settings: { ...lobbyOf(3).settings, rules: { edition: 'custom' } } });
  const colors = ['red', 'yellow', 'green', 'blue'] as const;
  const game = gameOf(3, { top: 'WH', color: null, phase: { type: 'call_color', seat: 0, next: 1 } }, colors.map((color) => ({ type: 'call_color' as const, color })));
  const mock = await open(page, lobby, game);
  await page.getByRole('region', { name: 'Name the color' }).getByRole('button', { name: 'yellow' }).click();
  await expect.poll(() => lastAction(mock)).toEqual({ type: 'call_color', color: 'yellow' });
});

test('whoever forgot UNO can be caught', async ({ page }) => {
  const mock = await open(page, lobbyOf(4), gameOf(4, { liable: [2], hand_sizes: [7, 4, 1, 5] }, [{ type: 'draw' }, { type: 'catch', seat: 2 }]));
  await page.getByRole('button', { name: /Catch Hazel/ }).click();
  await expect.poll(() => lastAction(mock)).toEqual({ type: 'catch', seat: 2 });
});

test('UNO can be armed before the play and goes with it', async ({ page }) => {
  const mock = await open(page, lobbyOf(3), gameOf(3, { hand: ['R3', 'B9'] }, [{ type: 'play', card: 'R3' }, { type: 'draw' }]));
  await page.getByRole('button', { name: 'Call UNO with the next play' }).click();
  await page.getByRole('button', { name: 'red 3, playable' }).click();
  await expect.poll(() => lastAction(mock)).toEqual({ type: 'play', card: 'R3', uno: true });
});

test('performances are voted on, dares answered', async ({ page }) => {
  const mock = await open(page, lobbyOf(3), gameOf(3, { phase: { type: 'vote', seat: 1, prompt: 'sing', waiting: [0, 2] } }, [{ type: 'vote', yes: true }, { type: 'vote', yes: false }]));
  await page.getByRole('button', { name: 'Well done' }).click();
  await expect.poll(() => lastAction(mock)).toEqual({ type: 'vote', yes: true });
});

test('a swap asks with whom', async ({ page }) => {
  const mock = await open(page, lobbyOf(3), gameOf(3, { hand: ['R7', 'B1', 'B2'] }, [{ type: 'play', card: 'R7', swap_with: 1 }, { type: 'play', card: 'R7', swap_with: 2 }]));
  await page.getByRole('button', { name: 'red 7, playable' }).click();
  await page.getByRole('dialog').getByRole('button', { name: /Hazel/ }).click();
  await expect.poll(() => lastAction(mock)).toMatchObject({ swap_with: 2 });
});

test('a card that does not fit explains itself', async ({ page }) => {
  const mock = await open(page, lobbyOf(3), gameOf(3));
  await page.getByRole('button', { name: 'yellow 5' }).click();
  await expect.poll(() => mock.requests.length).toBe(1);
  mock.send({ type: 'refused', id: mock.requests[0]!.id, code: 'does_not_match', message: 'Y5 does not match R7', rule: 'T1' });
  await expect(page.getByRole('dialog')).toContainText('yellow 5 does not fit on red 7. Play a red card');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'yellow 5' })).toBeFocused();
});

test('every one of twenty cards can be touched on a phone', async ({ browser }) => {
  const page = await (await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true })).newPage();
  const hand = ['R0', 'R1', 'R3', 'R3', 'RS', 'R+2', 'Y1', 'Y2', 'Y5', 'Y9', 'YR', 'G0', 'G2', 'G4', 'G+2', 'B1', 'B7', 'BR', 'W', 'W+4'];
  const mock = await open(page, lobbyOf(5), gameOf(5, { hand }, hand.map((card) => ({ type: 'play' as const, card }))));
  await expect(page.locator('.slot')).toHaveCount(20);
  const places = await page.locator('.slot').evaluateAll((slots) =>
    slots.map((slot) => {
      const box = slot.querySelector('.lift')!.getBoundingClientRect();
      const found = document.elementFromPoint(box.x + 11, box.y + 14);
      return { inside: box.x >= 0 && box.right <= innerWidth && box.y < innerHeight - 20, own: slot.contains(found) };
    }),
  );
  expect(places.filter((place) => !place.inside || !place.own)).toEqual([]);
  await page.touchscreen.tap(20, await page.locator('.slot').nth(12).evaluate((slot) => slot.getBoundingClientRect().y + 20));
  await expect.poll(() => mock.requests.length).toBe(1);
});

test('a second tab takes over, and this one can take back', async ({ page }) => {
  const mock = await open(page, lobbyOf(3), gameOf(3));
  await expect(page.locator('.slot')).toHaveCount(7);
  mock.send({ type: 'bye', code: 'replaced', message: 'elsewhere' });
  await page.getByRole('button', { name: 'Play here' }).click();
  await expect(page.locator('.slot')).toHaveCount(7);
});

const scoresLobby = lobbyOf(4, { stage: 'scores', may: ['ready', 'chat'] });
const scoresGame = gameOf(4, {
  phase: { type: 'round_over' }, hand: ['R3', 'W'], shown: { 1: ['B9', 'G+2'], 2: [], 3: ['W+4'] }, hand_sizes: [2, 2, 0, 1],
  result: { winner: 2, points: [0, 0, 132, 0] }, scores: [0, 35, 202, 105],
});
const host: LobbyView['may'] = ['settings', 'add_bot', 'remove_bot', 'start', 'chat', 'react', 'leave'];
const customRules = { edition: 'custom' as const, custom_cards: [{ title: 'Sing', effects: [{ do: 'extra_turn' as const }] }, null, null] };
const screens: Record<string, { path?: string; lobby?: LobbyView; game?: GameView; click?: string[] }> = {
  home: { path: '/' },
  you: { path: '/', click: ['You: Robin'] },
  settings: { path: '/', click: ['Settings'] },
  rules: { path: '/rules/original' },
  'set-up': { lobby: lobbyOf(3, { stage: 'lobby', may: host }) },
  'set-up of a guest': { lobby: lobbyOf(3, { stage: 'lobby', host: null, may: ['accept'] }) },
  'custom cards': {
    lobby: lobbyOf(3, { stage: 'lobby', may: host, settings: { ...lobbyOf(3).settings, rules: customRules } }),
    click: ['Edit card 1'],
  },
  play: { lobby: lobbyOf(6), game: gameOf(6) },
  color: { lobby: lobbyOf(3), game: gameOf(3), click: ['Wild, playable'] },
  menu: { lobby: lobbyOf(3), game: gameOf(3), click: ['Menu'] },
  scores: { lobby: scoresLobby, game: scoresGame },
};

for (const [name, scene] of Object.entries(screens)) {
  for (const colorScheme of ['dark', 'light'] as const) {
    test(`nothing stands in anybody's way: ${name}, ${colorScheme}`, async ({ browser }) => {
      const context = await browser.newContext({ colorScheme, reducedMotion: 'reduce', locale: 'en-US', viewport: { width: 360, height: 740 } });
      const page = await context.newPage();
      await mockTable(page, scene.lobby ?? lobbyOf(3), scene.game);
      await page.goto(scene.path ?? TABLE);
      for (const label of scene.click ?? []) await page.getByRole('button', { name: label }).first().click();
      await page.waitForTimeout(400);
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(' ')).join(', ')}`)).toEqual([]);
      await context.close();
    });
  }
}

for (const locale of ['de-DE', 'pt-BR', 'fr-FR']) {
  test(`no text runs out of its place on a phone: ${locale}`, async ({ browser }) => {
    const context = await browser.newContext({ locale, reducedMotion: 'reduce', viewport: { width: 360, height: 740 } });
    for (const [name, scene] of Object.entries(screens).filter(([, one]) => !one.click)) {
      const page = await context.newPage();
      await mockTable(page, scene.lobby ?? lobbyOf(3), scene.game);
      await page.goto(scene.path ?? TABLE);
      await page.waitForTimeout(400);
      const wide = await page.evaluate(() => {
        const out: string[] = [];
        if (document.documentElement.scrollWidth > innerWidth) out.push('the page scrolls sideways');
        for (const element of document.querySelectorAll<HTMLElement>('button, .button, label, h1, h2, p, strong, .line')) {
          const style = getComputedStyle(element);
          const cut = element.scrollWidth > element.clientWidth + 1 && style.overflow === 'hidden' && style.clipPath === 'none';
          const box = element.getBoundingClientRect();
          if (cut && !element.closest('.unseen')) out.push(`cut: ${element.textContent?.trim().slice(0, 40)}`);
          if (box.width > 0 && box.right > innerWidth + 1 && !element.closest('.unseen, .reactions, [class*="tagline"]')) {
            out.push(`outside: ${element.textContent?.trim().slice(0, 40)}`);
          }
        }
        return out;
      });
      expect(wide, name).toEqual([]);
      await page.close();
    }
    await context.close();
  });
}
