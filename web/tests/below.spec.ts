import type { Page } from '@playwright/test';
import { OwnServer } from './server';
import { control, hand, handOf, setUp, visit } from './tables';
import { expect, test } from './world';

// A server below a path of a site that has other things, too.

test.use({ mayLoseNetwork: true, keepsFiles: true });

const BELOW = '/games/uno';

/** What a page asks for, path by path. */
function asked(page: Page): string[] {
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  page.on('websocket', (socket) => paths.push(new URL(socket.url()).pathname));
  return paths;
}

test('people play below a path, and the page asks for nothing outside of it', async ({ person }) => {
  const server = new OwnServer({ below: BELOW });
  await server.start();
  const at = { baseURL: `${server.url}/` };
  const [host, guest] = [await person(at), await person(at)];
  const paths = [asked(host), asked(guest)];
  await setUp(host, 'original', { bots: 1, target: 50 });
  expect(new URL(host.url()).pathname).toMatch(/^\/games\/uno\/t\/\w+$/);
  const link = await host.locator('#invite-link').inputValue();
  expect(link).toBe(host.url());
  await visit(guest, link);
  await control(guest, 'agree').click();
  await control(host, 'start').click();
  await expect(hand(guest)).not.toHaveCount(0);
  // Only when a person's turn has come does nothing happen by itself any more.
  const turns = () => Promise.all([host, guest].map((page) => page.locator('[data-mine]').count()));
  await expect.poll(turns).toContain(1);
  const before = await handOf(guest);
  await guest.reload();
  await expect(hand(guest)).toHaveCount(before.length);
  const scope = await guest.evaluate(async () => (await navigator.serviceWorker.ready).scope);
  expect(scope).toBe(`${server.url}/`);
  await guest.goto('./rules/frozen');
  await expect(guest.locator('.intro')).toBeVisible();
  await guest.getByRole('link', { name: 'Home' }).click();
  await expect(guest).toHaveURL(`${server.url}/`);
  await expect(control(guest, 'create')).toBeVisible();
  for (const own of paths) {
    expect(own.filter((path) => !path.startsWith(`${BELOW}/`))).toEqual([]);
    expect(own).toContain(`${BELOW}/ws`);
  }
  await server.remove();
});
