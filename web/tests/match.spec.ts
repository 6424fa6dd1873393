import { expect, test } from '@playwright/test';
import { actByMouse, playMatch, watchErrors } from './player';

const EDITIONS = ['Original', 'Fairies', 'Frozen', 'Custom', 'Modern'];

for (const edition of EDITIONS) {
  test(`a match by mouse: ${edition}`, async ({ page }) => {
    test.setTimeout(300_000);
    const errors = watchErrors(page);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('/');
    await page.getByRole('button', { name: 'Create a table' }).click();
    await page.locator('.edition', { hasText: edition }).click();
    // Short: whoever goes out first has won, and the bots do not linger.
    await page.getByText('One round', { exact: true }).click();
    await page.getByText('At once', { exact: true }).click();
    await page.getByRole('button', { name: 'Add a bot' }).click();
    await page.getByRole('button', { name: 'Add a bot' }).click();
    await page.getByRole('button', { name: 'Start the game' }).click();
    await expect(page.locator('.slot')).not.toHaveCount(0);
    await playMatch(page, actByMouse);
    await expect(page.locator('#score-title')).toContainText(/match/);
    expect(errors).toEqual([]);
  });
}

test('cards are in the hand within ten seconds of "play now"', async ({ page }) => {
  const errors = watchErrors(page);
  await page.goto('/');
  const began = Date.now();
  await page.getByRole('button', { name: 'Deal the cards' }).click();
  await expect(page.locator('.slot')).toHaveCount(7);
  expect(Date.now() - began).toBeLessThan(10_000);
  await expect(page.getByText('What happened')).toBeVisible();
  expect(errors).toEqual([]);
});
