import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { OwnServer } from './server';
import { control, openTable, visit } from './tables';
import { expect, test } from './world';

// What players tell operators, and what operators do, on the page that only they reach.

test.use({ mayLoseNetwork: true });

const TOKEN = 'token-of-a-test-run';

/** The page of operators, with its token given. Its answer of 401 is the only thing it may complain about. */
async function operator(person: (options?: object, ignore?: RegExp) => Promise<Page>, server: OwnServer, options = {}): Promise<Page> {
  const page = await person({ baseURL: server.desk, ...options }, /401/);
  await page.goto('/');
  await page.getByRole('textbox', { name: 'Token' }).fill(TOKEN);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.locator('#state')).toHaveClass('good');
  return page;
}

test('somebody is reported, blocked, and banned by the operator', async ({ person }) => {
  const server = new OwnServer({ token: TOKEN });
  await server.start();
  const at = { baseURL: `${server.url}/` };
  const [host, rude] = [await person(at), await person(at)];
  await openTable(host);
  await visit(rude, host.url(), 'Mallory');
  const chat = async (page: Page) => page.getByRole('button', { name: /^Chat/ }).click();
  await chat(rude);
  await rude.getByLabel('Say something').fill('you are all marmalade');
  await rude.getByRole('button', { name: 'Send' }).click();
  await expect(rude.getByRole('dialog')).toContainText('you are all marmalade');
  await rude.keyboard.press('Escape');

  await host.getByRole('button', { name: 'Report Mallory' }).click();
  const dialog = host.getByRole('dialog');
  await expect(dialog.getByRole('switch')).toBeChecked();
  expect((await new AxeBuilder({ page: host }).include('dialog').analyze()).violations).toEqual([]);
  await dialog.getByLabel('What is it about?').selectOption('abuse');
  await dialog.getByLabel('More about it').fill('calls us names');
  await control(host, 'report').click();
  await expect(dialog.getByRole('status')).toHaveText('Sent. Thank you.');
  await control(host, 'report-done').click();
  await chat(host);
  await expect(host.getByRole('dialog')).not.toContainText('marmalade');
  await host.keyboard.press('Escape');

  const desk = await operator(person, server);
  await desk.getByRole('link', { name: 'Reports' }).click();
  await desk.getByRole('button', { name: /^Look at report/ }).click();
  const main = desk.getByRole('main');
  await expect(main).toContainText('calls us names');
  await expect(main).toContainText('Mallory said: you are all marmalade');

  await desk.getByRole('link', { name: 'Overview' }).click();
  await desk.getByLabel('A message to everybody').fill('Back at eight');
  await desk.getByRole('button', { name: 'Announce' }).click();
  for (const page of [host, rude]) await expect(page.locator('[data-announcement]')).toContainText('Back at eight');
  await host.locator('[data-announcement]').getByRole('button').click();
  await expect(host.locator('[data-announcement]')).toHaveCount(0);

  await desk.getByRole('link', { name: 'People' }).click();
  await desk.getByRole('button', { name: 'Ban Mallory' }).click();
  await desk.getByLabel('Why, for the log').fill('insults');
  await desk.getByRole('dialog').getByRole('button', { name: 'Ban' }).click();
  await expect(desk.getByRole('alert')).toContainText('Banned.');
  await expect(rude.getByRole('heading')).toHaveText('Whoever runs this server has banned you for a time.');
  await desk.getByRole('link', { name: 'Log' }).click();
  await expect(desk.getByRole('row').nth(1)).toContainText('insults');
  await server.remove();
});

test('the page of operators fits a phone, in light and in dark', async ({ person }) => {
  const server = new OwnServer({ token: TOKEN });
  await server.start();
  const host = await person({ baseURL: `${server.url}/` });
  await openTable(host);
  for (const colorScheme of ['light', 'dark'] as const) {
    const desk = await operator(person, server, { colorScheme, viewport: { width: 360, height: 740 } });
    for (const section of ['Overview', 'Tables', 'People', 'Bans', 'Reports', 'Log']) {
      await desk.getByRole('link', { name: section, exact: true }).click();
      await expect(desk.getByRole('link', { name: section, exact: true })).toHaveAttribute('aria-current', 'page');
      expect((await new AxeBuilder({ page: desk }).analyze()).violations, section).toEqual([]);
      expect(await desk.evaluate(() => document.documentElement.scrollWidth - innerWidth), section).toBeLessThanOrEqual(0);
    }
  }
  await server.remove();
});
