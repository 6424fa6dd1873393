import { expect, test, type Page } from '@playwright/test';
import { actByMouse, playMatch, watchErrors } from './player';
import { OwnServer } from './server';

const hand = async (page: Page) =>
  page.locator('.slot').evaluateAll((cards) => cards.map((card) => card.getAttribute('aria-label')?.replace(', playable', '')));

test('a killed server loses nothing, and the finished game can be watched and checked', async ({ browser }) => {
  test.setTimeout(240_000);
  const server = new OwnServer(8197);
  await server.start();
  try {
    const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce', baseURL: server.url });
    const page = await context.newPage();
    const errors = watchErrors(page);
    await page.goto('/');
    await page.getByRole('button', { name: 'Create a table' }).click();
    await page.locator('.edition', { hasText: 'Modern' }).click();
    await page.getByText('At once', { exact: true }).click();
    await page.getByRole('button', { name: 'Add a bot' }).click();
    await page.getByRole('button', { name: 'Start the game' }).click();
    await expect(page.locator('.slot')).not.toHaveCount(0);
    await expect(page.locator('.prompt.mine')).toBeVisible({ timeout: 30_000 });
    const before = await hand(page);
    await server.kill();
    await expect(page.getByText('Connection lost. Coming back…')).toBeVisible();
    await server.start();
    await expect(page.getByText('Connected again. Nothing is lost.')).toBeVisible({ timeout: 30_000 });
    expect(await hand(page)).toEqual(before);

    await playMatch(page, actByMouse, 900);
    await page.getByRole('button', { name: 'Check the deal' }).click();
    await expect(page.getByText('The secret fits the fingerprint.')).toBeVisible();
    await expect(page.getByText('Your own part was used.')).toBeVisible();
    await page.keyboard.press('Escape');

    await page.goto('/');
    await page.getByRole('link', { name: /Watch the replay/ }).click();
    await expect(page.getByRole('heading', { name: /Replay/ })).toBeVisible();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect(page.getByText(/^Move 2 of/)).toBeVisible();
    await page.getByRole('button', { name: 'Check the deal' }).click();
    await expect(page.getByText('every hand was dealt from this key')).toBeVisible();
    await page.keyboard.press('Escape');
    await page.locator('select').selectOption('1');
    await expect(page).toHaveURL(/seat=1/);
    const link = page.url();
    const other = await (await browser.newContext({ locale: 'en-US' })).newPage();
    await other.goto(link);
    await expect(other.getByText(/^Move 2 of/)).toBeVisible();
    expect(errors).toEqual([]);
  } finally {
    await server.kill();
  }
});
