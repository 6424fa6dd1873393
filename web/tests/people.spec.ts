import type { Page } from '@playwright/test';
import { control, hand, openTable, setting, setUp, start } from './tables';
import { expect, test } from './world';

/** A match against bots, and somebody without a chair who has come to it. */
async function watchedMatch(person: () => Promise<Page>): Promise<{ host: Page; onlooker: Page }> {
  const host = await person();
  await setUp(host, 'original', { bots: 2, target: 50 });
  await start(host);
  const onlooker = await person();
  await onlooker.goto(host.url());
  await expect(onlooker.getByText('You are watching')).toBeVisible();
  return { host, onlooker };
}

test('“play now” puts cards into the hand', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Deal the cards' }).click();
  await expect(hand(page)).toHaveCount(7);
});

test('a card that does not fit explains itself', async ({ page }) => {
  await setUp(page, 'original', { bots: 1, target: 50 });
  await start(page);
  await expect(page.locator('[data-mine]')).toBeVisible();
  const card = page.locator('[data-card]:not([data-do])').first();
  await card.click({ position: { x: 12, y: 40 } });
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(/ does not fit on /);
  await expect(dialog).toContainText('Rule T1');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(card).toBeFocused();
});

test('a host is told why a setting cannot be', async ({ page }) => {
  await openTable(page);
  await setting(page, 'public').getByRole('switch').click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await setting(page, 'clock').locator('[data-do=unset]').click();
  await expect(page.getByRole('alert')).toHaveText('Such settings are not possible.');
  await expect(setting(page, 'clock').locator('[data-do=unset]')).toHaveAttribute('aria-pressed', 'false');
});

test('settings that exclude each other', async ({ page }) => {
  await openTable(page);
  const [one, other] = (['no_bluffing', 'no_challenges'] as const).map((id) => setting(page, id).getByRole('switch'));
  await one!.click();
  await expect(one!).toBeChecked();
  await other!.click();
  await expect(one!).not.toBeChecked();
  await expect(other!).toBeChecked();
});

test('somebody without a chair looks on', async ({ person }) => {
  const { onlooker } = await watchedMatch(person);
  await expect(hand(onlooker)).toHaveCount(0);
});

test('the host ends a match in the middle, and everybody is back at the set-up', async ({ person }) => {
  const { host, onlooker } = await watchedMatch(person);
  await onlooker.getByRole('button', { name: 'Menu' }).click();
  await expect(control(onlooker, 'leave')).toBeVisible();
  await expect(control(onlooker, 'end')).toHaveCount(0);
  await host.getByRole('button', { name: 'Menu' }).click();
  await control(host, 'end').click();
  await host.getByRole('button', { name: 'End it' }).click();
  await expect(control(host, 'start')).toBeVisible();
  await expect(onlooker.locator('.play')).toHaveCount(0);
});

test('a card of one’s own is written, previewed and agreed on', async ({ person }) => {
  const page = await person();
  await setUp(page, 'custom', { bots: 1, target: 50 });
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
