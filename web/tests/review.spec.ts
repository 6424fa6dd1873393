import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './world';

const PHONE = { width: 360, height: 740 };

for (const [device, viewport] of [['a desktop', { width: 1280, height: 800 }], ['a phone', PHONE]] as const) {
  test(`the review of a game on ${device}: the sentence, the line, the moments, the table`, async ({ person, server, finished }) => {
    const id = await finished();
    const page = await person({ baseURL: server.url, viewport });
    await page.goto(`/g/${id}?review`);
    const review = page.locator('[data-review]');
    await expect(review).toHaveAttribute('data-review', 'done', { timeout: 90_000 });
    await expect(review.locator('[data-sentence]')).toContainText('points');

    const line = review.getByRole('img', { name: /after the deal/ });
    await expect(line).toBeVisible();
    await review.getByRole('button', { name: /saw it/ }).click();
    await expect(review.getByRole('button', { name: /saw it/ })).toHaveAttribute('aria-pressed', 'true');
    await review.getByRole('button', { name: 'All cards open' }).click();

    const rows = review.locator('tbody tr');
    await expect(rows).not.toHaveCount(0);
    await expect(rows.first().locator('td').first()).not.toBeEmpty();

    // Somebody at this table has made a mistake, as a rule; whoever it was can be looked at.
    const players = review.getByRole('combobox').first();
    const seats = await players.locator('option').count();
    for (let seat = 0; seat < seats; seat += 1) {
      await players.selectOption({ index: seat });
      if ((await review.locator('[data-do="try"]').count()) > 0) break;
    }
    const again = review.locator('[data-do="try"]').first();
    if ((await again.count()) > 0) {
      await again.click();
      const choices = review.locator('[data-do="choose"]');
      await expect(choices.nth(1)).toBeVisible();
      await expect(review.locator('.answer')).toBeEmpty();
      await choices.first().click();
      await expect(review.locator('.answer')).not.toBeEmpty();
      await expect(review.locator('.best')).toHaveCount(1);
    }

    if (process.env['REVIEW_PICTURES']) await page.screenshot({ path: `${process.env['REVIEW_PICTURES']}/review-${viewport.width}.png`, fullPage: true });
    const wide = await review.evaluate((own) => own.getBoundingClientRect().right - own.closest('dialog')!.getBoundingClientRect().right);
    expect(wide, 'nothing sticks out').toBeLessThanOrEqual(0);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target).join(', ')}`)).toEqual([]);
  });
}

test('the picture of a review can be saved', async ({ person, server, finished }) => {
  const page = await person({ baseURL: server.url });
  await page.goto(`/g/${await finished()}?review`);
  await expect(page.locator('[data-review]')).toBeVisible({ timeout: 30_000 });
  const [saved] = await Promise.all([page.waitForEvent('download'), page.locator('[data-do="picture-review"]').click()]);
  expect(saved.suggestedFilename()).toBe('unum.png');
});

test('any moment of a replay can be analyzed', async ({ person, server, finished }) => {
  const page = await person({ baseURL: server.url, viewport: PHONE });
  await page.goto(`/g/${await finished()}?step=3`);
  await page.locator('[data-do="analyze"]').click();
  const analysis = page.locator('[data-analysis]');
  await expect(analysis).toBeVisible({ timeout: 30_000 });
  // Everybody but the one whose turn it is has a hand to be guessed.
  await expect(analysis.locator('table').last().locator('tbody tr')).not.toHaveCount(0);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target).join(', ')}`)).toEqual([]);
});
