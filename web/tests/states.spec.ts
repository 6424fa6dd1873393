import type { Page } from '@playwright/test';
import { gameOf, lobbyOf, mockTable, termsOf, type MockTable } from './mock';
import { expect, test } from './world';

const TABLE = '/t/mock123456';

async function open(page: Page, table: MockTable) {
  const mock = await mockTable(page, table);
  await page.goto(TABLE);
  return mock;
}

const lastAction = (mock: Awaited<ReturnType<typeof open>>) => {
  const actions = mock.requests.flatMap(({ request }) => (request.type === 'act' ? [request.action] : []));
  return actions.at(-1);
};

test('a Wild Draw Four can be challenged, and it says what is at stake', async ({ page }) => {
  const mock = await open(page, { lobby: lobbyOf(4), game: gameOf(4, { top: 'W+4', color: 'blue', phase: { type: 'respond', seat: 0, by: 3, cards: 4 } }, [{ action: { type: 'take' }, draws: 4 }, { action: { type: 'challenge' }, draws: 6, wins: 4 }]) });
  await expect(page.locator('.prompt').getByText('Otto played a Wild Draw Four')).toBeVisible();
  await expect(page.locator('.prompt').getByText(/If not, you draw 6/)).toBeVisible();
  await page.getByRole('button', { name: 'Challenge', exact: true }).click();
  await expect.poll(() => lastAction(mock)).toEqual({ type: 'challenge' });
});

test('Flitterific! blocks with a color', async ({ page }) => {
  const terms = termsOf({ edition: 'fairies' });
  const colors = ['red', 'yellow', 'green', 'blue'] as const;
  const game = gameOf(3, { hand: ['R3', 'WF'], top: 'B+2', color: 'blue', phase: { type: 'respond', seat: 0, by: 2, cards: 2 } }, [
    { type: 'take' }, ...colors.map((color) => ({ type: 'block' as const, color })),
  ]);
  const mock = await open(page, { terms, lobby: lobbyOf(3), game });
  await page.getByRole('button', { name: 'Block', exact: true }).click();
  await page.keyboard.press('3');
  await expect.poll(() => lastAction(mock)).toMatchObject({ type: 'block', color: 'green' });
});

test('Olaf takes cards along', async ({ page }) => {
  const terms = termsOf({ edition: 'frozen' });
  const sets = [[], ['P3'], ['P3', 'PS'], ['PS'], ['Y1']];
  const game = gameOf(3, { hand: ['P3', 'PS', 'Y1', 'B2', 'WO'], top: 'G7', color: 'green' }, [
    { type: 'draw' },
    ...sets.flatMap((discard) => (['pink', 'blue'] as const).map((color) => ({ type: 'play' as const, card: 'WO', color, discard }))),
  ]);
  const mock = await open(page, { terms, lobby: lobbyOf(3), game });
  await page.getByRole('button', { name: /Summertime/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'pink 3' }).click();
  await expect(dialog.getByRole('button', { name: 'yellow 1' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'pink Skip' }).click();
  await dialog.getByRole('button', { name: 'Discard 2 more' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'blue' }).click();
  await expect.poll(() => lastAction(mock)).toEqual({ type: 'play', card: 'WO', color: 'blue', discard: ['P3', 'PS'] });
});

test('after Shuffle Hands the color is named in sight of the new hand', async ({ page }) => {
  const terms = termsOf({ edition: 'custom' });
  const colors = ['red', 'yellow', 'green', 'blue'] as const;
  const game = gameOf(3, { top: 'WH', color: null, phase: { type: 'call_color', seat: 0, next: 1 } }, colors.map((color) => ({ type: 'call_color' as const, color })));
  const mock = await open(page, { terms, lobby: lobbyOf(3), game });
  await page.getByRole('region', { name: 'Choose a color' }).getByRole('button', { name: 'yellow' }).click();
  await expect.poll(() => lastAction(mock)).toEqual({ type: 'call_color', color: 'yellow' });
});

test('a player who forgot UNO can be caught', async ({ page }) => {
  const mock = await open(page, { lobby: lobbyOf(4), game: gameOf(4, { liable: [2], hand_sizes: [7, 4, 1, 5] }, [{ type: 'draw' }, { type: 'catch', seat: 2 }]) });
  await page.getByRole('button', { name: /Catch Hazel/ }).click();
  await expect.poll(() => lastAction(mock)).toEqual({ type: 'catch', seat: 2 });
});

test('UNO can be armed before the play and goes with it', async ({ page }) => {
  const mock = await open(page, { lobby: lobbyOf(3), game: gameOf(3, { hand: ['R3', 'B9'] }, [{ action: { type: 'play', card: 'R3' }, uno: true }, { type: 'draw' }]) });
  await page.getByRole('button', { name: 'Call UNO with your next card' }).click();
  await page.getByRole('button', { name: 'red 3, playable' }).click();
  await expect.poll(() => lastAction(mock)).toEqual({ type: 'play', card: 'R3', uno: true });
});

test('a forgotten UNO is said at once, and can still be called', async ({ page }) => {
  const mock = await open(page, { lobby: lobbyOf(3), game: gameOf(3, { hand: ['R3'], liable: [0], phase: { type: 'turn', seat: 1 } }, [{ action: { type: 'call_uno' }, race: true }]) });
  await expect(page.locator('.prompt')).toContainText('You forgot UNO! Tap it now.');
  await expect(page.locator('.prompt')).toContainText('Pip’s turn');
  await page.locator('[data-do=uno]').click();
  await expect.poll(() => lastAction(mock)).toEqual({ type: 'call_uno' });
});

test('a question has the focus on its first answer, and a key that is held answers nothing', async ({ page }) => {
  const mock = await open(page, { lobby: lobbyOf(3), game: gameOf(3) });
  await page.getByRole('button', { name: 'Wild, playable' }).focus();
  await page.keyboard.down('Enter');
  await expect(page.locator('[data-do=color]').first()).toBeFocused();
  await page.keyboard.down('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.up('Enter');
  expect(lastAction(mock)).toBeUndefined();
  await page.keyboard.press('Enter');
  await expect.poll(() => lastAction(mock)).toEqual({ type: 'play', card: 'W', color: 'red' });
});

test('a dare is answered', async ({ page }) => {
  const mock = await open(page, { lobby: lobbyOf(3), game: gameOf(3, { phase: { type: 'dare', seat: 0, prompt: 'hop' } }, [{ type: 'dare', accept: true }, { type: 'dare', accept: false }]) });
  await page.getByRole('button', { name: 'I refuse' }).click();
  await expect.poll(() => lastAction(mock)).toEqual({ type: 'dare', accept: false });
});

test('a double click plays one card, and not what comes to lie under the pointer', async ({ page }) => {
  const mock = await open(page, { lobby: lobbyOf(3), game: gameOf(3) });
  await page.getByRole('button', { name: 'red 3, playable' }).dblclick({ position: { x: 12, y: 40 } });
  await expect.poll(() => lastAction(mock)).toEqual({ type: 'play', card: 'R3' });
  await expect(page.getByRole('button', { name: 'red 3', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'red 3', exact: true }).click({ position: { x: 12, y: 40 } });
  await page.keyboard.press('d');
  expect(mock.requests.filter(({ request }) => request.type === 'act')).toHaveLength(1);
});

test('performances are voted on', async ({ page }) => {
  const mock = await open(page, { lobby: lobbyOf(3), game: gameOf(3, { phase: { type: 'vote', seat: 1, prompt: 'sing', waiting: [0, 2] } }, [{ type: 'vote', yes: true }, { type: 'vote', yes: false }]) });
  await page.getByRole('button', { name: 'Well done' }).click();
  await expect.poll(() => lastAction(mock)).toEqual({ type: 'vote', yes: true });
});

test('a swap asks with whom', async ({ page }) => {
  const mock = await open(page, { lobby: lobbyOf(3), game: gameOf(3, { hand: ['R7', 'B1', 'B2'] }, [{ type: 'play', card: 'R7', swap_with: 1 }, { type: 'play', card: 'R7', swap_with: 2 }]) });
  await page.getByRole('button', { name: 'red 7, playable' }).click();
  await page.getByRole('dialog').getByRole('button', { name: /Hazel/ }).click();
  await expect.poll(() => lastAction(mock)).toMatchObject({ swap_with: 2 });
});

test('a second tab takes over, and this one can take back', async ({ page }) => {
  const mock = await open(page, { lobby: lobbyOf(3), game: gameOf(3) });
  await expect(page.locator('[data-card]')).toHaveCount(7);
  mock.send({ type: 'bye', code: 'replaced', message: 'elsewhere' });
  await page.getByRole('button', { name: 'Play here' }).click();
  await expect(page.locator('[data-card]')).toHaveCount(7);
});
