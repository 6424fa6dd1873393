import type { Page } from '@playwright/test';
import { byKeyboard, byMouse, playOn, reach } from './player';
import { editions } from '../src/cards/words';
import { control, hand, setting, setUp, start } from './tables';
import { expect, test } from './world';

/** How many points end a match: a few rounds, where the printed 500 would take twenty. */
const TARGET = 150;

/** A round that is over can be watched at once, from its deal to its end, and the match goes on. */
async function watchAgain(page: Page): Promise<void> {
  await control(page, 'again-round').click();
  await expect(page.getByText(/^Move 0 of/)).toBeVisible();
  await page.keyboard.press('End');
  const count = page.getByText(/^Move \d+ of \d+$/);
  await expect.poll(async () => new Set(((await count.textContent()) ?? '').match(/\d+/g)).size).toBe(1);
  await control(page, 'back').click();
  await expect(control(page, 'next')).toBeVisible();
}

for (const edition of editions) {
  test(`a match by mouse: ${edition}`, async ({ seeded: page }) => {
    await setUp(page, edition, { bots: 2, target: TARGET });
    await start(page);
    const first = await playOn(page, byMouse, { before: 'next' });
    expect(first.get('card')).toBeGreaterThan(2);
    if (edition === 'original') await watchAgain(page);
    await playOn(page, byMouse);
  });
}

test('a match by keyboard alone', async ({ page }) => {
  const press = (key: string) => page.keyboard.press(key);
  const enter = async (name: string) => {
    await reach(page, 'Tab', name);
    await press('Enter');
  };
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Create a table' })).toBeVisible();
  await enter('Create a table');
  await expect(setting(page, 'edition')).toBeVisible();
  await enter('Add a bot');
  await reach(page, 'Tab', 'Official');
  await press('ArrowRight');
  await expect(setting(page, 'target')).toBeVisible();
  await reach(page, 'Tab', 'Points');
  await press('Control+a');
  await page.keyboard.type(String(TARGET));
  await enter('Turn timer: No limit');
  await reach(page, 'Tab', 'Relaxed');
  await reach(page, 'ArrowRight', 'Instant');
  // Only when the server has the settings can the game begin.
  await expect(control(page, 'start')).toBeEnabled();
  await enter('Start the game');
  await expect(hand(page)).not.toHaveCount(0);
  await press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toBeVisible();
  await press('Escape');
  await press('s');
  await expect(page.getByRole('log')).toContainText(/is on top/);
  await playOn(page, byKeyboard);
  await expect(page.locator('#score-title')).toBeFocused();
});
