import { expect, type Locator, type Page } from '@playwright/test';
import type { Edition, Level, SettingId, Settings } from '../src/protocol';

/** The control of a setting. */
export const setting = (page: Page, id: SettingId): Locator => page.locator(`[data-setting=${id}]`);
/** What can be done, by its name. */
export const control = (page: Page, deed: string): Locator => page.locator(`[data-do=${deed}]`);
/** The cards in the hand. */
export const hand = (page: Page): Locator => page.locator('[data-card]');

/** Opens a table as a person does, up to the screen where it is set up. */
export async function openTable(page: Page): Promise<void> {
  await page.goto('./');
  await control(page, 'create').click();
  await expect(setting(page, 'edition')).toBeVisible();
}

/** Comes to a table as somebody new: by its link, and with a name if there is one. */
export async function visit(page: Page, link: string, name?: string): Promise<void> {
  await page.goto(link);
  await expect(control(page, 'join')).toBeVisible();
  if (name) await page.getByLabel('Your name').fill(name);
  await control(page, 'join').click();
}

const choose = (page: Page, id: SettingId, value: string) => setting(page, id).locator(`[data-value=${value}]`).click();

/** Sets it up by clicking: bots that act at once and no clock that would act for a player who is stuck. */
export async function setUp(page: Page, edition: Edition, { bots, target }: { bots: number; target: number }): Promise<void> {
  await openTable(page);
  await choose(page, 'edition', edition);
  await choose(page, 'scoring', 'first_to');
  await setting(page, 'target').locator('input').fill(String(target));
  await setting(page, 'clock').locator('[data-do=unset]').click();
  await choose(page, 'pace', 'instant');
  for (let i = 0; i < bots; i++) await control(page, 'add-bot').click();
}

/** Deals the cards. */
export async function start(page: Page): Promise<void> {
  await control(page, 'start').click();
  await expect(hand(page)).not.toHaveCount(0);
}

/** Sits down with one bot and settings that are not a matter of clicking. */
export async function sitDownWith(page: Page, level: Level, rules: Settings['rules']): Promise<void> {
  await openTable(page);
  const settings: Settings = {
    title: '', rules: { scoring: { type: 'first_to', target: 10_000 }, ...rules }, seats: 2, public: false, spectators: true, chat: true,
    clock: null, pace: 'instant', usual_for_two: false, accusations: 'private',
  };
  const code = new URL(page.url()).pathname.split('/').at(-1)!;
  const status = await page.evaluate(
    async ([code, body]) =>
      (await fetch(`/api/tables/${code}/settings`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: body! })).status,
    [code, JSON.stringify(settings)],
  );
  expect(status).toBeLessThan(300);
  await page.locator('#bot-level').selectOption(level);
  await control(page, 'add-bot').click();
  await start(page);
}

/** The names of the cards in the hand. */
export function handOf(page: Page): Promise<string[]> {
  return hand(page).evaluateAll((cards) => cards.map((card) => (card as HTMLElement).dataset['card']!));
}

/** Makes the table public, so that everybody may see its finished games. */
async function publish(page: Page): Promise<void> {
  const code = new URL(page.url()).pathname.split('/').at(-1)!;
  const status = await page.evaluate(async (code) => {
    const { terms } = (await (await fetch(`/api/tables/${code}`)).json()) as { terms: { settings: object } };
    const body = JSON.stringify({ ...terms.settings, public: true, clock: 600 });
    return (await fetch(`/api/tables/${code}/settings`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body })).status;
  }, code);
  expect(status).toBeLessThan(300);
}

/** Has a short game played by the autopilot, and gives the id under which it can be watched. */
export async function finishGame(page: Page): Promise<string> {
  await setUp(page, 'original', { bots: 2, target: 1 });
  await publish(page);
  await start(page);
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await control(page, 'autopilot').click();
  // Bots play a whole round meanwhile: on a busy machine that takes a while.
  await expect(control(page, 'again')).toBeVisible({ timeout: 600_000 });
  await page.goto('/');
  const link = await page.locator('a[href^="/g/"]').first().getAttribute('href');
  return link!.split('/').at(-1)!.split('?')[0]!;
}
