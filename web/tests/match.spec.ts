import { byKeyboard, byMouse, playOn, reach } from './player';
import { setUp } from './tables';
import { expect, test } from './world';

/** How many points end a match: a few rounds, where the printed 500 would take twenty. */
const TARGET = 150;

for (const edition of ['Original', 'Fairies', 'Frozen', 'Custom', 'Modern']) {
  test(`a match by mouse: ${edition}`, async ({ page }) => {
    await setUp(page, edition, { bots: 2, target: TARGET });
    await page.getByRole('button', { name: 'Start the game' }).click();
    const deeds = await playOn(page, byMouse);
    await expect(page.locator('#score-title')).toContainText(/wins? the match/);
    expect(deeds.get('play')).toBeGreaterThan(5);
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
  await expect(page.getByRole('heading', { name: 'Set up the table' })).toBeVisible();
  await enter('Add a bot');
  await reach(page, 'Tab', 'As printed');
  await press('ArrowRight');
  await reach(page, 'Tab', 'Points');
  await press('Control+a');
  await page.keyboard.type(String(TARGET));
  await reach(page, 'Tab', '30 seconds');
  await reach(page, 'ArrowRight', 'No limit');
  await reach(page, 'Tab', 'Relaxed');
  await reach(page, 'ArrowLeft', 'At once');
  // Only when the server has the settings can the game begin.
  await expect(page.getByRole('button', { name: 'Start the game' })).toBeEnabled();
  await enter('Start the game');
  await expect(page.locator('.slot')).not.toHaveCount(0);
  await press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toBeVisible();
  await press('Escape');
  await press('s');
  await expect(page.getByRole('log')).toContainText(/is on top/);
  await playOn(page, byKeyboard);
  await expect(page.locator('#score-title')).toContainText(/wins? the match/);
});
