import { expect, test, type Page } from '@playwright/test';
import { actByKeyboard, actByMouse, playMatch, watchErrors } from './player';

const EDITIONS = ['Original', 'Fairies', 'Frozen', 'Custom', 'Modern'];

/** Sets a short game up: one round, quick bots. */
async function setUp(page: Page, edition: string, bots: number) {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/');
  await page.getByRole('button', { name: 'Create a table' }).click();
  await page.locator('.edition', { hasText: edition }).click();
  await page.getByText('One round', { exact: true }).click();
  await page.getByText('At once', { exact: true }).click();
  for (let i = 0; i < bots; i++) await page.getByRole('button', { name: 'Add a bot' }).click();
}

for (const edition of EDITIONS) {
  test(`a match by mouse: ${edition}`, async ({ page }) => {
    test.setTimeout(240_000);
    const errors = watchErrors(page);
    await setUp(page, edition, 2);
    await page.getByRole('button', { name: 'Start the game' }).click();
    await expect(page.locator('.slot')).not.toHaveCount(0);
    await playMatch(page, actByMouse);
    await expect(page.locator('#score-title')).toContainText(/match/);
    expect(errors).toEqual([]);
  });
}

test('a match by keyboard alone', async ({ page }) => {
  test.setTimeout(240_000);
  const errors = watchErrors(page);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/');
  const press = (key: string) => page.keyboard.press(key);
  // To the editions with Tab, to the last one with the arrows: one round decides there.
  await page.getByRole('button', { name: /^You/ }).focus();
  await press('Tab');
  for (let i = 0; i < 4; i++) await press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'Modern' })).toBeChecked();
  await press('Tab');
  await press('ArrowLeft');
  await press('Tab');
  for (let i = 0; i < 2; i++) await press('Enter');
  await press('Tab');
  await press('Tab');
  await press('Tab');
  await expect(page.getByRole('button', { name: 'Deal the cards' })).toBeFocused();
  await press('Enter');
  await expect(page.locator('.slot')).not.toHaveCount(0);
  await press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toBeVisible();
  await press('Escape');
  await press('s');
  await expect(page.getByRole('log')).toContainText(/is on top/);
  await playMatch(page, actByKeyboard, 1500);
  await expect(page.locator('#score-title')).toContainText(/match/);
  expect(errors).toEqual([]);
});

test('two people and a bot at one table, with a reload in the middle', async ({ browser }) => {
  test.setTimeout(240_000);
  const host = await (await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' })).newPage();
  const guest = await (await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce', viewport: { width: 360, height: 740 } })).newPage();
  const errors = [watchErrors(host), watchErrors(guest)];
  await setUp(host, 'Original', 1);
  await guest.goto(host.url());
  await guest.getByRole('button', { name: 'Accept the rules' }).click();
  await guest.getByRole('button', { name: 'I am ready' }).click();
  await host.getByRole('button', { name: 'Start the game' }).click();
  await expect(guest.locator('.slot')).not.toHaveCount(0);
  const hand = async (page: Page) => page.locator('.slot').evaluateAll((cards) => cards.map((card) => card.getAttribute('aria-label')?.replace(', playable', '')));
  await guest.waitForTimeout(500);
  const before = await hand(guest);
  await guest.reload();
  await expect(guest.locator('.slot')).not.toHaveCount(0);
  expect(await hand(guest)).toEqual(before);
  await guest.getByRole('button', { name: 'Chat' }).click();
  await guest.getByLabel('Say something').fill('good luck');
  await guest.keyboard.press('Enter');
  await guest.keyboard.press('Escape');
  await expect(host.getByText('good luck').first()).toBeVisible();
  await Promise.all([playMatch(host, actByMouse), playMatch(guest, actByMouse)]);
  await expect(host.locator('#score-title')).toContainText(/match/);
  await expect(guest.locator('#score-title')).toContainText(/match/);
  expect(errors.flat()).toEqual([]);
});

test('cards are in the hand within ten seconds of "play now"', async ({ page }) => {
  const errors = watchErrors(page);
  await page.goto('/');
  const began = Date.now();
  await page.getByRole('button', { name: 'Deal the cards' }).click();
  await expect(page.locator('.slot')).toHaveCount(7);
  expect(Date.now() - began).toBeLessThan(10_000);
  expect(errors).toEqual([]);
});

test('somebody without a chair looks on', async ({ browser }) => {
  const host = await (await browser.newContext({ locale: 'en-US' })).newPage();
  await setUp(host, 'Original', 2);
  await host.getByRole('button', { name: 'Start the game' }).click();
  await expect(host.locator('.slot')).not.toHaveCount(0);
  const onlooker = await (await browser.newContext({ locale: 'en-US' })).newPage();
  const errors = watchErrors(onlooker);
  await onlooker.goto(host.url());
  await expect(onlooker.getByText('You are watching')).toBeVisible();
  await expect(onlooker.locator('.slot')).toHaveCount(0);
  expect(errors).toEqual([]);
});

test('a card of one\'s own is written, previewed and agreed on', async ({ browser }) => {
  const page = await (await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' })).newPage();
  const errors = watchErrors(page);
  await setUp(page, 'Custom', 1);
  await page.getByRole('button', { name: 'Edit card 2' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('A starter').selectOption('own');
  await dialog.getByLabel('Title').fill('Song contest');
  await dialog.getByLabel('Add an effect').last().selectOption('perform');
  await dialog.getByLabel('What', { exact: true }).fill('sing a song');
  await expect(dialog.getByText('performs: “sing a song”')).toBeVisible();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Song contest').first()).toBeVisible();
  const guest = await (await browser.newContext({ locale: 'en-US' })).newPage();
  await guest.goto(page.url());
  await expect(guest.getByText('performs: “sing a song”')).toBeVisible();
  expect(errors).toEqual([]);
});
