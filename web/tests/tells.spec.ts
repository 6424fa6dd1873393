import type { Page } from '@playwright/test';
import type { EventForm, GameView, Happened } from '../src/protocol';
import { gameOf, lobbyOf, mockTable, type Mock, type MockLobby, type MockTable } from './mock';
import { scenes, settled } from './scenes';
import { expect, test } from './world';

async function open(page: Page, table: MockTable): Promise<Mock> {
  const mock = await mockTable(page, table);
  await page.goto('/t/mock123456');
  await expect(page.locator('.play h1')).toBeVisible();
  await watch(page);
  return mock;
}

/** What comes and goes: it is noted in the page, so that a slow test misses nothing. */
const FLEETING = ['[data-banner]', '[data-verdict]', '.me .bubble svg', '[data-seat="2"] .bubble svg'];
type Noted = { noted: Record<string, string[]> };

function watch(page: Page): Promise<void> {
  return page.evaluate((fleeting) => {
    const noted: Record<string, string[]> = ((window as unknown as Noted).noted = {});
    const look = () => {
      for (const name of fleeting) {
        const found = document.querySelector(name);
        const cards = found ? [...found.querySelectorAll('[role=img]')].map((card) => (card as HTMLElement).offsetWidth >= 40) : [];
        const text = found && `${found.textContent!.trim().replace(/[\u2066-\u2069]/g, '')}${cards.length > 0 ? ` [${cards.filter(Boolean).length}]` : ''}`;
        const list = (noted[name] ??= []);
        if (text !== null && list.at(-1) !== text) list.push(text);
      }
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true });
  }, FLEETING);
}

const noted = (page: Page, name: string) => page.evaluate((name) => (window as unknown as Noted).noted[name] ?? [], name);

let seq = 2;
function happen(mock: Mock, events: EventForm[], rest: { what?: Happened; game?: GameView; lobby?: MockLobby } = {}) {
  const { what = { type: 'acted', seat: 3, by: 'bot' }, ...changed } = rest;
  mock.send({ type: 'update', seq: seq++, what, events, ...changed });
}

test.beforeEach(() => void (seq = 2));

test('what hits the viewer is said in the middle of the table, and in the same words to screen readers', async ({ page }) => {
  const mock = await open(page, { lobby: lobbyOf(4), game: gameOf(4) });
  happen(mock, [{ type: 'played', seat: 3, card: 'RS' }, { type: 'skipped', seat: 0 }], { game: gameOf(4, { top: 'RS' }, []) });
  await expect.poll(() => noted(page, '[data-banner]')).toContain('Otto skips you');
  await expect(page.getByRole('log')).toContainText('Otto skips you.');
  happen(mock, [{ type: 'caught', seat: 0, by: 1 }, { type: 'drew', seat: 0, reason: 'caught', cards: ['R1', 'R2'] }]);
  await expect.poll(() => noted(page, '[data-banner]')).toContain('Caught! You forgot UNO and draw 2 cards');
  await expect(page.locator('[data-mark]')).toHaveCount(0);
});

test('a challenge ends with a verdict, and the challenger can read the hand', async ({ page }) => {
  const mock = await open(page, { lobby: lobbyOf(4), game: gameOf(4) });
  happen(mock, [
    { type: 'challenged', seat: 0, challenged: 3, guilty: false }, { type: 'hand_shown', seat: 3, to: 0, cards: ['B1', 'B7', 'W'] },
    { type: 'drew', seat: 0, reason: 'challenge', cards: ['R1', 'R2', 'R4', 'R5', 'R6', 'R8'] },
  ]);
  // Three cards, none too small to be read.
  await expect.poll(async () => (await noted(page, '[data-verdict]')).join()).toMatch(/Honest: you draw 6 cards\..*\[3\]/);
  await expect(page.locator('[data-verdict]')).toHaveCount(0);
});

test('a vote on an accusation is not a secret to the accused', async ({ page }) => {
  const accusation = { seat: 0, by: 1, left: 20_000, waiting: [2] };
  const mock = await open(page, { lobby: lobbyOf(4), game: gameOf(4) });
  happen(mock, [], { what: { type: 'accused', person: 1, seat: 0 }, lobby: lobbyOf(4, { accusation }) });
  await expect.poll(() => noted(page, '[data-banner]')).toContain('Somebody accuses you of suggesting a play');
  await expect(page.locator('[data-mark=vote]')).toHaveText('The table votes on the accusation against you.');
  happen(mock, [], { what: { type: 'accusation_ended', seat: 0, upheld: false }, lobby: lobbyOf(4) });
  await expect.poll(() => noted(page, '[data-banner]')).toContain('The accusation against you is dismissed');
});

test('the log knows what happened before, with names, and is silent about it', async ({ page }) => {
  await open(page, {
    lobby: lobbyOf(3), game: gameOf(3),
    past: [
      { seq: 1, what: { type: 'joined', person: 9, name: 'Zoe' } },
      { seq: 2, what: { type: 'dealt', round: 1 }, events: [{ type: 'dealt', seat: 0, cards: ['R3'] }, { type: 'turned_up', card: 'G2', turned: 'start' }] },
      { seq: 3, what: { type: 'acted', seat: 0, by: 'person' }, events: [{ type: 'played', seat: 0, card: 'G7' }] },
      { seq: 4, what: { type: 'left', person: 9, name: 'Zoe' } },
    ],
  });
  await page.keyboard.press('l');
  await expect(page.locator('[data-log] li').last()).toBeVisible();
  const lines = await page.locator('[data-log]').last().locator('li').allTextContents();
  const plain = lines.map((line) => line.replace(/[\u2066-\u2069]/g, ''));
  expect(plain).toEqual(['Zoe joined.', 'Round 1: the cards are dealt.', 'The start card is green 2.', 'You play green 7.', 'Zoe left.']);
  await expect(page.getByRole('log').getByRole('paragraph')).toHaveCount(0);
});

test('what one says is seen at the own place, and bots are seen to react', async ({ page }) => {
  const mock = await open(page, { lobby: lobbyOf(4), game: gameOf(4) });
  happen(mock, [], { what: { type: 'reacted', person: 0, reaction: 'laugh' } });
  await expect.poll(() => noted(page, '.me .bubble svg')).toHaveLength(1);
  happen(mock, [], { what: { type: 'bot_reacted', seat: 2, reaction: 'oops' } });
  await expect.poll(() => noted(page, '[data-seat="2"] .bubble svg')).toHaveLength(1);
});

test('the match ends with ranks, sums, awards and a picture to keep', async ({ page }) => {
  const { lobby, game } = scenes['over']!;
  await mockTable(page, { lobby: lobby!, game });
  await page.goto('/t/mock123456');
  await expect(page.getByRole('heading', { name: 'Hazel wins the match' })).toBeVisible();
  const rows = page.getByRole('list', { name: 'Standings' }).getByRole('listitem');
  await expect(rows).toHaveText([/^1\s*.?Hazel/, /^2\s*.?Robin/, /^3\s*.?Otto/, /^4\s*.?Pip/]);
  await expect(rows.first()).toContainText('= 135');
  await expect(page.getByRole('region', { name: 'Awards' }).getByRole('listitem')).toHaveCount(4);
  const download = page.waitForEvent('download');
  await page.locator('[data-do=picture]').click();
  expect((await download).suggestedFilename()).toBe('unum.png');
});

test('on a phone a match ends with its awards and the way on in sight, however it is held', async ({ person }) => {
  const { lobby, game } = scenes['over']!;
  for (const viewport of [{ width: 360, height: 740 }, { width: 740, height: 360 }]) {
    const page = await person({ viewport });
    await mockTable(page, { lobby: lobby!, game });
    await page.goto('/t/mock123456');
    await settled(page);
    await expect(page.locator('[data-do=again]')).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole('list', { name: 'Standings' }).getByRole('listitem').first()).toBeInViewport({ ratio: 1 });
    // Held sideways, there is room for the standings.
    if (viewport.width > viewport.height) continue;
    for (const award of await page.getByRole('region', { name: 'Awards' }).getByRole('listitem').all()) await expect(award).toBeInViewport({ ratio: 1 });
  }
});

test('a banner lies on no pile of a phone held sideways', async ({ person }) => {
  for (const players of [2, 4, 7]) {
    const page = await person({ viewport: { width: 740, height: 360 } });
    const mock = await open(page, { lobby: lobbyOf(players), game: gameOf(players) });
    mock.send({ type: 'update', seq: 2, what: { type: 'acted', seat: 1, by: 'bot' }, events: [{ type: 'uno_called', seat: 1 }], game: gameOf(players) });
    const banner = page.locator('[data-banner] .banner');
    await banner.waitFor();
    await settled(page);
    const bottom = await banner.evaluate((one) => one.getBoundingClientRect().bottom);
    const tops = await page.locator('.pile').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    expect(bottom, `${players} players`).toBeLessThanOrEqual(Math.min(...tops));
  }
});

test('the button that goes on stays where it is while points are counted', async ({ person }) => {
  const page = await person({ reducedMotion: 'no-preference' });
  const { lobby, game } = scenes['scores']!;
  await mockTable(page, { lobby: lobby!, game });
  await page.goto('/t/mock123456');
  // Where it is laid out: the sheet as a whole rises into its place.
  const place = () => page.locator('[data-do=next]').evaluate((button) => [(button as HTMLElement).offsetTop, button.closest<HTMLElement>('.sheet')!.offsetHeight]);
  const before = await place();
  await expect(page.locator('.sheet .plus')).toBeVisible();
  await expect(page.locator('.sheet .ghost')).toHaveCount(0);
  expect(await place()).toEqual(before);
});
