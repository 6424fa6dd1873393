import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { BrowserContextOptions, Page } from '@playwright/test';
import { editions } from '../src/cards/words';
import type { Edition, Level } from '../src/protocol';
import { byMouse, DEEDS, playOn } from './player';
import { hasModule, PlainSite, unum } from './site';
import { control, hand, handOf, visit } from './tables';
import { expect, test } from './world';

// Games on the device: a table in a worker, a journal in IndexedDB, files kept by a service worker, no server.

test.use({ keepsFiles: true, mayLoseNetwork: true });
test.skip(!hasModule(), 'this build has no module: its warnings say why');

/** What pages complain about while the network is off. */
const OFF = /ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|ERR_FAILED|Failed to load resource|WebSocket connection/;

/** A visitor whose quick games are of a kind. */
async function visitor(
  person: (options?: BrowserContextOptions, ignore?: RegExp) => Promise<Page>, baseURL: string, setup: { edition?: Edition; level?: Level; target?: number } = {},
): Promise<Page> {
  const page = await person({ baseURL, acceptDownloads: true }, OFF);
  const { edition = 'original', level = 'easy', target = 60 } = setup;
  await page.addInitScript((chosen) => {
    localStorage.setItem('unum.prefs', JSON.stringify({ name: 'Robin', ...JSON.parse(localStorage.getItem('unum.prefs') ?? '{}'), setup: chosen }));
  }, { edition, level, opponents: 2, preset: 'official', scoring: { type: 'first_to', target }, pace: 'instant' });
  return page;
}

/** Waits until everything is there that it takes to play without a network. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    while (!navigator.serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 50));
  });
}

/** Pulls the plug: nothing reaches the page any more, nor its workers. */
async function goOffline(page: Page): Promise<void> {
  await page.context().setOffline(true);
}

async function isAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target).join(', ')}`)).toEqual([]);
}

async function deal(page: Page): Promise<void> {
  // A game does not wait long for the module: without it, it would be played at the server.
  await expect(page.locator('[data-module=ready]')).toBeVisible();
  await page.getByRole('button', { name: 'Deal the cards' }).click();
  await expect(hand(page)).not.toHaveCount(0);
  expect(page.url(), 'played on this device').toMatch(/\/t\/local-/);
}

/**
 * Waits until it is this player's turn and the page offers what can be done in it: only then nothing is on its way any more.
 * Says which cards were in the hand in that same moment.
 */
async function atMyTurn(page: Page): Promise<string[]> {
  let held: string[] = [];
  const settledHand = () => page.evaluate((deeds) => {
    const offered = deeds.some((deed) => document.querySelector<HTMLButtonElement>(`[data-do=${deed}]:not(:disabled)`)?.checkVisibility());
    const cards = [...document.querySelectorAll<HTMLElement>('[data-card]')].map((card) => card.dataset['card']!);
    return document.querySelector('[data-mine]') && offered ? cards : [];
  }, DEEDS.turn);
  await expect.poll(async () => (held = await settledHand())).not.toEqual([]);
  return held;
}

for (const edition of editions) {
  test(`a whole match without a network: ${edition}`, async ({ person, server }) => {
    const page = await visitor(person, server.url, { edition });
    await page.goto('/');
    await settle(page);
    await goOffline(page);
    await page.reload();
    await deal(page);
    const deeds = await playOn(page, byMouse);
    expect(deeds.get('card')).toBeGreaterThan(2);
    await expect(control(page, 'again')).toBeVisible();
  });
}

test('a game lives through a reload, a crash and a closed tab, without a network', async ({ person, server }) => {
  const page = await visitor(person, server.url, { target: 300 });
  await page.goto('/');
  await settle(page);
  await goOffline(page);
  await deal(page);
  let before = await atMyTurn(page);

  await test.step('a reload', async () => {
    await page.reload();
    expect(await atMyTurn(page)).toEqual(before);
    await playOn(page, byMouse, { until: 'card' });
    before = await atMyTurn(page);
  });

  let other = page;
  await test.step('a crash', async () => {
    const context = page.context();
    const address = page.url();
    await page.goto('chrome://crash').catch(() => undefined);
    // The process that died may have run the service worker as well, which the browser starts again: until then, a page
    // may not load, or without its scripts.
    await expect(async () => {
      other = await context.newPage();
      const loads = other.goto(address, { timeout: 5_000 }).then(() => expect(other.locator('#app > *').first()).toBeVisible({ timeout: 5_000 }));
      await loads.catch(async (error: unknown) => {
        await other.close();
        throw error;
      });
    }).toPass({ timeout: 50_000 });
    expect(await atMyTurn(other)).toEqual(before);
  });

  await test.step('leaving and coming back by the home screen', async () => {
    await other.getByRole('button', { name: 'Menu', exact: true }).click();
    await control(other, 'leave').click();
    await expect(other.getByRole('dialog')).toContainText('stays on this device');
    await other.getByRole('button', { name: 'Leave', exact: true }).click();
    await other.locator('.continue a').first().click();
    expect(await atMyTurn(other)).toEqual(before);
  });

  await test.step('another tab takes it over, and gives it back', async () => {
    const second = await other.context().newPage();
    await second.goto(other.url());
    expect(await atMyTurn(second)).toEqual(before);
    await expect(other.getByRole('heading', { name: 'You’re playing at this table in another tab.' })).toBeVisible();
    await other.getByRole('button', { name: 'Play here' }).click();
    expect(await atMyTurn(other)).toEqual(before);
    await second.close();
  });

  await test.step('a game that is given up is deleted', async () => {
    await other.getByRole('button', { name: 'Menu', exact: true }).click();
    await control(other, 'leave').click();
    await control(other, 'quit').click();
    await expect(other.getByRole('button', { name: 'Deal the cards' })).toBeVisible();
    await expect(other.locator('.continue')).toHaveCount(0);
  });
});

test('between the tap on "deal" and the cards nobody is asked for anything', async ({ person, server }) => {
  const page = await visitor(person, server.url);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  page.on('websocket', (socket) => asked.push(new URL(socket.url()).pathname));
  await page.goto('/');
  await settle(page);
  // Somebody who points at the choices is about to play: what the table needs is fetched then.
  await page.locator('[data-module=ready]').hover();
  await expect.poll(() => asked.some((path) => /\/Table-.*\.js$/.test(path))).toBe(true);
  await page.waitForLoadState('networkidle');
  asked.length = 0;
  await deal(page);
  await atMyTurn(page);
  // Words of the rules are looked up once the cards are there.
  expect(asked.filter((path) => !/^\/(api\/rules|icons)\//.test(path))).toEqual([]);
});

test('a finished game is watched, reviewed, saved, checked by the program, and deleted', async ({ person, server }) => {
  const page = await visitor(person, server.url, { target: 1 });
  await page.goto('/');
  await settle(page);
  await goOffline(page);
  await deal(page);
  await playOn(page, byMouse);
  await control(page, 'replay').click();
  await expect(page.getByText(/^Move 0 of/)).toBeVisible();
  await page.keyboard.press('End');
  await expect(page.getByText(/^Move [1-9]\d* of/)).toBeVisible();
  await page.reload();
  await expect(page.getByText(/^Move [1-9]\d* of/)).toBeVisible();
  await control(page, 'fair').click();
  await expect(page.getByRole('dialog').getByText('every hand was dealt from this key')).toBeVisible();
  await page.keyboard.press('Escape');

  await test.step('saved, replayed and verified', async () => {
    const [saved] = await Promise.all([page.waitForEvent('download'), control(page, 'save').click()]);
    const folder = mkdtempSync(join(tmpdir(), 'unum-record-'));
    const file = join(folder, saved.suggestedFilename());
    await saved.saveAs(file);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({});
    expect(unum('verify', file)).toMatch(/fair|round/i);
    expect(unum('replay', '--plain', file)).toContain('Robin');
    rmSync(folder, { recursive: true });
  });

  await test.step('reviewed, and counted for the season on this device until that is deleted', async () => {
    const counted = () => page.evaluate(() => new Promise<number[]>((resolve, reject) => {
      const opening = indexedDB.open('unum');
      opening.onerror = () => reject(opening.error!);
      opening.onsuccess = () => {
        const asked = opening.result.transaction('season').objectStore('season').getAll();
        asked.onsuccess = () => {
          opening.result.close();
          resolve((asked.result as { seat: number; figures: string }[]).map(({ seat, figures }) => (JSON.parse(figures) as { seats: { rounds: number }[] }).seats[seat]!.rounds));
        };
      };
    }));
    expect(await counted()).toEqual([expect.any(Number)]);
    await page.goto('/');
    await page.locator('button.you').click();
    await control(page, 'season').click();
    const season = page.locator('[data-season=here]');
    await expect(season.locator('tbody tr')).toHaveCount(1);
    await expect(season.locator('tbody tr')).toContainText('3');
    await isAccessible(page);
    await season.getByRole('checkbox').uncheck();
    await season.locator('[data-do=forget-season]').click();
    await expect(season.locator('tbody tr')).toHaveCount(0);
    await expect(season.getByRole('checkbox')).not.toBeChecked();
    expect(await counted()).toEqual([]);
    await page.keyboard.press('Escape');
  });

  await test.step('listed and deleted', async () => {
    await page.goto('/');
    await control(page, 'local-games').click();
    const games = page.locator('[data-local-games]');
    await expect(games.locator('a')).toHaveCount(1);
    await isAccessible(page);
    await games.locator('[data-do=delete]').click();
    await games.locator('[data-do=delete]').click();
    await expect(games.locator('a')).toHaveCount(0);
  });
});

test('the first round teaches without a network', async ({ person, server }) => {
  const page = await visitor(person, server.url);
  await page.goto('/');
  await settle(page);
  await goOffline(page);
  await page.reload();
  await expect(page.locator('[data-offline]')).toBeVisible();
  await page.locator('[data-do=learn]').click();
  await page.locator('[data-here]').first().click();
  await expect(page.locator('[data-step=match_number]')).toBeVisible();
  await page.reload();
  await expect(page.locator('[data-step=match_number]')).toBeVisible();
});

test('friends are invited into a game on this device, and it goes on at the server', async ({ person, server }) => {
  const page = await visitor(person, server.url, { target: 2_000 });
  await page.goto('/');
  await deal(page);
  await playOn(page, byMouse, { before: 'next' });
  const address = page.url();
  const sums = await page.locator('.sums').allInnerTexts();
  expect(sums.length).toBe(3);

  await test.step('without a network it stays here, and says so', async () => {
    await goOffline(page);
    await control(page, 'invite').click();
    await isAccessible(page);
    await control(page, 'hand-over').click();
    await expect(page.getByRole('dialog').getByRole('alert')).toContainText('still on this device');
    expect(page.url()).toBe(address);
    await page.context().setOffline(false);
  });

  await test.step('the same scores at a table with a link', async () => {
    await control(page, 'hand-over').click();
    await expect(page.locator('#invite-link')).toBeVisible();
    expect(await page.locator('#invite-link').inputValue()).toBe(page.url());
    expect(page.url()).not.toContain('local-');
    await page.keyboard.press('Escape');
    expect(await page.locator('.sums').allInnerTexts()).toEqual(sums);
  });

  const friend = await person({ baseURL: server.url }, OFF);
  await test.step('a friend takes the seat of a bot, and both play', async () => {
    await visit(friend, page.url(), 'Kim');
    await friend.locator('.sheet [data-do=take-seat]').click();
    await expect(page.locator('.sheet li').filter({ hasText: 'Kim' })).toBeVisible();
    await control(friend, 'next').click();
    await control(page, 'next').click();
    for (const one of [page, friend]) await expect(hand(one)).not.toHaveCount(0);
    await expect(page.getByText('Round 2').first()).toBeVisible();
  });

  await page.goto(address);
  await expect(page.getByText('This game isn’t on this device.')).toBeVisible();
});

/** Has something happen in the worker before anything else does. */
async function inWorker(page: Page, code: string): Promise<void> {
  await page.route('**/assets/worker-*.js', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: `${code}\n${await answer.text()}` });
  });
}

test.describe('what cannot be stored', () => {
  // The worker's script has to come from the network, where it is changed.
  test.use({ keepsFiles: false });

  test('where nothing can be, people are told, and play', async ({ person, server }) => {
    const page = await visitor(person, server.url);
    await inWorker(page, `indexedDB.open = () => { throw new DOMException('no', 'SecurityError'); };`);
    await page.goto('/');
    await deal(page);
    await expect(page.getByRole('dialog', { name: 'This game isn’t saved' })).toBeVisible();
    await control(page, 'unsaved').click();
    await atMyTurn(page);
  });

  for (const way of ['retry', 'unsaved'] as const) {
    test(`on a full device the game waits, and then goes on: ${way}`, async ({ person, server }) => {
      const page = await visitor(person, server.url, { target: 300 });
      await inWorker(page, `
        let full = false;
        new BroadcastChannel('disk').onmessage = ({ data }) => (full = data);
        const { put } = IDBObjectStore.prototype;
        IDBObjectStore.prototype.put = function (...given) {
          if (full) throw new DOMException('no space', 'QuotaExceededError');
          return put.apply(this, given);
        };`);
      const disk = (full: boolean) => page.evaluate((full) => new BroadcastChannel('disk').postMessage(full), full);
      await page.goto('/');
      await deal(page);
      // In a turn one can draw; when one is attacked, one cannot.
      await playOn(page, byMouse, { before: 'card' });
      const before = await atMyTurn(page);
      await disk(true);
      await control(page, 'draw').click();
      const dialog = page.getByRole('dialog', { name: 'No space to save the game' });
      await expect(dialog).toBeVisible();
      await isAccessible(page);
      expect(await handOf(page), 'nothing is shown before it is stored').toEqual(before);
      await control(page, 'retry').click();
      await expect(dialog).toBeVisible();
      if (way === 'retry') await disk(false);
      await control(page, way).click();
      await expect(dialog).toBeHidden();
      await expect.poll(() => hand(page).count()).toBeGreaterThan(before.length);
      await page.reload();
      // What was not stored has not happened.
      await expect(hand(page)).not.toHaveCount(0);
      const after = await handOf(page);
      if (way === 'unsaved') expect(after).toEqual(before);
      else expect(after.length).toBeGreaterThanOrEqual(before.length);
    });
  }
});

test.describe('a site of plain files in a folder', () => {
  let site: PlainSite;
  test.beforeAll(async () => {
    site = new PlainSite('/games/uno/');
    await site.start();
  });
  test.afterAll(() => site.remove());

  test('plays, keeps and watches games, and asks no server for anything', async ({ person }) => {
    const page = await visitor(person, site.url, { target: 1 });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(site.url);
    await expect(page.getByRole('heading', { name: 'Public tables' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Deal the cards' }).click();
    await expect(hand(page)).not.toHaveCount(0);
    expect(page.url()).toContain('/games/uno/#/t/local-');
    const before = await atMyTurn(page);
    await page.reload();
    expect(await atMyTurn(page)).toEqual(before);
    await playOn(page, byMouse);
    await control(page, 'replay').click();
    await expect(page.getByText(/^Move 0 of/)).toBeVisible();
    await page.goBack();
    await page.goto(`${site.url}#/rules/frozen`);
    await expect(page.locator('.intro')).toBeVisible();
    expect(asked.filter((path) => !path.startsWith('/games/uno/') || /uno\/(api|ws)(\/|$)/.test(path))).toEqual([]);
  });

  test('opens and plays when its host is gone', async ({ person }) => {
    const page = await visitor(person, site.url);
    await page.goto(site.url);
    await settle(page);
    site.answers = false;
    await page.reload();
    await page.getByRole('button', { name: 'Deal the cards' }).click();
    await atMyTurn(page);
    site.answers = true;
  });

  test('offers an update between games, and games go on with it', async ({ person }) => {
    const page = await visitor(person, site.url, { target: 300 });
    await page.goto(site.url);
    await settle(page);
    await page.getByRole('button', { name: 'Deal the cards' }).click();
    const before = await atMyTurn(page);
    const old = site.module;
    site.update();
    expect(site.module).not.toBe(old);
    await page.evaluate(async () => {
      const registration = (await navigator.serviceWorker.getRegistration())!;
      await registration.update();
      while (!registration.waiting) await new Promise((resolve) => setTimeout(resolve, 50));
    });
    // Nothing happens to a game, not even when it is loaded again.
    await page.reload();
    expect(await atMyTurn(page)).toEqual(before);
    await expect(control(page, 'update')).toHaveCount(0);
    await page.goto(`${site.url}#/`);
    const loaded = page.waitForRequest((request) => request.url().endsWith(site.module), { timeout: 60_000 }).catch(() => null);
    await control(page, 'update').click();
    await expect(control(page, 'update')).toHaveCount(0);
    await page.locator('.continue a').first().click();
    expect(await atMyTurn(page)).toEqual(before);
    void loaded;
    const kept = await page.evaluate(async () => {
      const all = await Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)));
      return all.at(-1)!.filter((url) => url.endsWith('.wasm'));
    });
    expect(kept.map((url) => url.split('/').at(-1))).toEqual([site.module]);
  });
});
