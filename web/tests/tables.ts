import { expect, type Page } from '@playwright/test';
import type { Level, Settings } from '../src/protocol';

/** Opens a table as a person does, up to the screen where it is set up. */
export async function openTable(page: Page): Promise<void> {
  await page.goto('/');
  await page.getByRole('button', { name: 'Create a table' }).click();
  await expect(page.getByRole('heading', { name: 'Set up the table' })).toBeVisible();
}

/** Sets it up by clicking: bots that act at once and no clock that would act for a player who is stuck. */
export async function setUp(page: Page, edition: string, { bots, target }: { bots: number; target: number }): Promise<void> {
  await openTable(page);
  await page.locator('.edition', { hasText: edition }).click();
  await page.getByText('First to a number of points', { exact: true }).click();
  await page.getByLabel('Points', { exact: true }).fill(String(target));
  await page.getByText('No limit', { exact: true }).click();
  await page.getByText('At once', { exact: true }).click();
  for (let i = 0; i < bots; i++) await page.getByRole('button', { name: 'Add a bot' }).click();
}

/** Sits down with one bot and settings that are not a matter of clicking. */
export async function sitDownWith(page: Page, level: Level, rules: Settings['rules']): Promise<void> {
  await openTable(page);
  const settings: Settings = {
    title: '', rules: { scoring: { type: 'first_to', target: 10_000 }, ...rules }, seats: 2, public: false, spectators: true, chat: true,
    clock: null, pace: 'instant',
  };
  const code = new URL(page.url()).pathname.split('/').at(-1)!;
  const status = await page.evaluate(
    async ([code, body]) =>
      (await fetch(`/api/tables/${code}/settings`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: body! })).status,
    [code, JSON.stringify(settings)],
  );
  expect(status).toBeLessThan(300);
  await page.getByLabel('Level').selectOption(level);
  await page.getByRole('button', { name: 'Add a bot' }).click();
  await page.getByRole('button', { name: 'Start the game' }).click();
  await expect(page.locator('.slot')).not.toHaveCount(0);
}

/** The names of the cards in the hand. */
export function handOf(page: Page): Promise<string[]> {
  return page.locator('.slot').evaluateAll((cards) => cards.map((card) => (card.ariaLabel ?? '').replace(', playable', '')));
}

/** Has a short game played by the autopilot, and gives the id under which it can be watched. */
export async function finishGame(page: Page): Promise<string> {
  await setUp(page, 'Original', { bots: 2, target: 1 });
  await page.getByRole('button', { name: 'Start the game' }).click();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Let a bot play for me' }).click();
  await expect(page.locator('#score-title')).toContainText(/wins? the match/);
  await page.goto('/');
  const link = await page.getByRole('link', { name: /Watch the replay/ }).getAttribute('href');
  return link!.split('/').at(-1)!.split('?')[0]!;
}
