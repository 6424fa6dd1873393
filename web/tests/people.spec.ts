import type { Page } from '@playwright/test';
import { setUp } from './tables';
import { expect, test } from './world';

/** A match against bots, and somebody without a chair who has come to it. */
async function watchedMatch(person: () => Promise<Page>): Promise<{ host: Page; onlooker: Page }> {
  const host = await person();
  await setUp(host, 'Original', { bots: 2, target: 50 });
  await host.getByRole('button', { name: 'Start the game' }).click();
  await expect(host.locator('.slot')).not.toHaveCount(0);
  const onlooker = await person();
  await onlooker.goto(host.url());
  await expect(onlooker.getByText('You are watching')).toBeVisible();
  return { host, onlooker };
}

test('“play now” puts cards into the hand', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Deal the cards' }).click();
  await expect(page.locator('.slot')).toHaveCount(7);
});

test('somebody without a chair looks on', async ({ person }) => {
  const { onlooker } = await watchedMatch(person);
  await expect(onlooker.locator('.slot')).toHaveCount(0);
});

test('the host ends a match in the middle, and everybody is back at the set-up', async ({ person }) => {
  const { host, onlooker } = await watchedMatch(person);
  await onlooker.getByRole('button', { name: 'Menu' }).click();
  await expect(onlooker.getByRole('button', { name: 'End the match' })).toHaveCount(0);
  await host.getByRole('button', { name: 'Menu' }).click();
  await host.getByRole('button', { name: 'End the match' }).click();
  await host.getByRole('button', { name: 'End it' }).click();
  await expect(host.getByRole('button', { name: 'Start the game' })).toBeVisible();
  await expect(onlooker.locator('.play')).toHaveCount(0);
});

test('a card of one’s own is written, previewed and agreed on', async ({ person }) => {
  const page = await person();
  await setUp(page, 'Custom', { bots: 1, target: 50 });
  await page.getByRole('button', { name: 'Edit card 2' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('A starter').selectOption('own');
  await dialog.getByLabel('Title').fill('Song contest');
  await dialog.getByLabel('Add an effect').last().selectOption('perform');
  await dialog.getByLabel('What', { exact: true }).fill('sing a song');
  await expect(dialog.getByText('performs: “sing a song”')).toBeVisible();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Song contest').first()).toBeVisible();
  const guest = await person();
  await guest.goto(page.url());
  await expect(guest.getByText('performs: “sing a song”')).toBeVisible();
});
