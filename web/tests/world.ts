import { test as base, expect, type Browser, type BrowserContextOptions, type Page } from '@playwright/test';
import { OwnServer } from './server';
import { finishGame } from './tables';

export { expect };

/** What a page may complain about: that the network is gone, in tests that take it away. */
const LOST_NETWORK = /WebSocket connection|ERR_CONNECTION/;

/** With this one every match of match.spec.ts takes a few rounds. */
const SEED = 1;

/** Has games against bots played at the server, as somebody can choose in the settings. */
export async function playAtServer(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const prefs = JSON.parse(localStorage.getItem('unum.prefs') ?? '{}') as object;
    localStorage.setItem('unum.prefs', JSON.stringify({ ...prefs, bots: 'server' }));
  });
}

/** Further complaints that a page may make can be given. */
type Person = (options?: BrowserContextOptions, ignore?: RegExp) => Promise<Page>;
type PerWorker = {
  server: OwnServer;
  /** Has a game finished at the first call, and gives its id. */
  finished: () => Promise<string>;
};
type PerTest = {
  /** A page of somebody new, who likes less motion. What it complains about makes the test fail. */
  person: Person;
  /** A page at a server of its own, where the same clicks lead to the same cards every time. */
  seeded: Page;
  /** What that server deals from. */
  seed: number;
  /** What the page of `seeded` is looked at with. */
  device: BrowserContextOptions;
  /** Set by tests that take the network away. */
  mayLoseNetwork: boolean;
  /** Set by tests of what a service worker is for: in others there is none. */
  keepsFiles: boolean;
};

type Looks = { errors: string[]; ignore: RegExp | null; keepsFiles: boolean };

async function opened(browser: Browser, options: BrowserContextOptions, { errors, ignore, keepsFiles }: Looks): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce', ...options });
  // A service worker would answer requests that tests want to answer themselves.
  if (!keepsFiles) await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'));
  const page = await context.newPage();
  const note = (text: string) => {
    if (!ignore?.test(text)) errors.push(text);
  };
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') note(message.text());
  });
  page.on('pageerror', (error) => note(error.message));
  return page;
}

/**
 * `test` with a server for each worker, on a port that was free, and pages that fail their test if they write an error
 * or a warning to the console.
 */
export const test = base.extend<PerTest, PerWorker>({
  server: [
    async ({}, use) => {
      const server = new OwnServer();
      await server.start();
      await use(server);
      await server.remove();
    },
    { scope: 'worker' },
  ],
  finished: [
    async ({ browser, server }, use) => {
      let game: Promise<string> | null = null;
      const finish = async () => {
        const context = await browser.newContext({ baseURL: server.url, locale: 'en-US', reducedMotion: 'reduce' });
        const id = await finishGame(await context.newPage());
        await context.close();
        return id;
      };
      await use(() => (game ??= finish()));
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  mayLoseNetwork: [false, { option: true }],
  keepsFiles: [false, { option: true }],
  seed: [SEED, { option: true }],
  device: [{}, { option: true }],
  person: async ({ browser, mayLoseNetwork, keepsFiles }, use) => {
    const errors: string[] = [];
    const pages: Page[] = [];
    await use(async (options = {}, ignore) => {
      const page = await opened(browser, options, { errors, ignore: ignore ?? (mayLoseNetwork ? LOST_NETWORK : null), keepsFiles });
      pages.push(page);
      return page;
    });
    await Promise.all(pages.map((page) => page.context().close()));
    expect(errors, 'what the pages wrote to the console').toEqual([]);
  },
  page: async ({ person }, use) => use(await person()),
  seeded: async ({ person, seed, device }, use) => {
    const server = new OwnServer({ seed });
    await server.start();
    const page = await person({ baseURL: server.url, ...device });
    await playAtServer(page);
    // What the page adds to a deal is the same every time as well.
    await page.addInitScript(() => (crypto.getRandomValues = (bytes) => bytes));
    await use(page);
    // The page goes first, or it would complain that its server is gone.
    await page.context().close();
    await server.remove();
  },
});
