import type { Page } from '@playwright/test';
import { commitmentOf } from '../src/lib/fair/fair';
import type { LobbyView } from '../src/protocol';
import { gameOf, lobbyOf, mockTable, type Mock } from './mock';
import { expect, test } from './world';

const SECRET = '01'.repeat(32);
const OTHER = '09'.repeat(32);
const dealt = commitmentOf({ secret: SECRET, entropy: [] });
const playing = lobbyOf(3, { fair: { next: dealt, attempt: 1, dealt } });

async function open(page: Page): Promise<Mock> {
  const mock = await mockTable(page, { lobby: playing, game: { ...gameOf(3), round: 2 } });
  await page.goto('/t/mock123456');
  await expect(page.getByText('Hazel').first()).toBeVisible();
  return mock;
}

function broken(mock: Mock, fair: Partial<LobbyView['fair']>) {
  const lobby: LobbyView = { ...playing, stage: 'lobby', fair: { next: commitmentOf({ secret: OTHER, entropy: [] }), attempt: 1, ...fair } };
  mock.send({ type: 'update', seq: 2, what: { type: 'reopened' }, lobby });
}

for (const [name, fair] of Object.entries({
  'another secret': { dealt, revealed: { secret: OTHER, entropy: [null, null, null] } },
  'a late commitment': { dealt: commitmentOf({ secret: OTHER, entropy: [] }), revealed: { secret: OTHER, entropy: [null, null, null] } },
  'a round that is broken off and not revealed': {},
})) {
  test(`nobody can miss ${name}`, async ({ page }) => {
    const mock = await open(page);
    broken(mock, fair);
    const dialog = page.getByRole('dialog', { name: 'The deal was not fair' });
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeVisible();
    await dialog.getByRole('button', { name: 'Stay anyway' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('alert').filter({ hasText: 'The deal was not fair' })).toBeVisible();
  });
}

test('a page that came later says nothing against a table', async ({ page }) => {
  const mock = await open(page);
  broken(mock, { dealt, revealed: { secret: SECRET, entropy: [null, null, null] } });
  await expect(page.getByRole('button', { name: /Start|ready/i }).first()).toBeVisible();
  await expect(page.getByText('The deal was not fair')).toHaveCount(0);
});
