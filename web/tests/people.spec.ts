import type { Page } from '@playwright/test';
import { control, hand, handOf, openTable, setting, setUp, start, visit } from './tables';
import { gameOf, lobbyOf, mockTable, termsOf } from './mock';
import { expect, test } from './world';

/** A match against bots, and somebody without a chair who has come to it. */
async function watchedMatch(person: () => Promise<Page>): Promise<{ host: Page; onlooker: Page }> {
  const host = await person();
  await setUp(host, 'original', { bots: 2, target: 50 });
  await start(host);
  const onlooker = await person();
  await visit(onlooker, host.url());
  await expect(onlooker.getByText('You’re watching', { exact: true })).toBeVisible();
  return { host, onlooker };
}

test('“play now” puts cards into the hand', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Deal the cards' }).click();
  // At least seven: the start card may attack.
  await expect(hand(page).nth(6)).toBeVisible();
});

test('a card that does not fit explains itself', async ({ page }) => {
  await setUp(page, 'original', { bots: 1, target: 50 });
  await start(page);
  await expect(page.locator('[data-mine]')).toBeVisible();
  const card = page.locator('[data-card]:not([data-do])').first();
  await card.click({ position: { x: 12, y: 40 } });
  await expect(page.locator('[data-hint]')).toContainText(/ doesn’t fit on /);
  const dialog = page.getByRole('dialog');
  await expect(dialog).toHaveCount(0);
  await control(page, 'why').click();
  await expect(dialog).toContainText(/ doesn’t fit on /);
  await expect(dialog).toContainText('Rule T1');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(card).toBeFocused();
});

test('a host is told why a setting cannot be', async ({ page }) => {
  await openTable(page);
  await setting(page, 'public').getByRole('switch').click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await setting(page, 'clock').locator('[data-do=unset]').click();
  await expect(page.getByRole('alert')).toHaveText('Those settings don’t work.');
  await expect(setting(page, 'clock').locator('[data-do=unset]')).toHaveAttribute('aria-pressed', 'false');
});

test('settings that exclude each other', async ({ page }) => {
  await openTable(page);
  const [one, other] = (['no_bluffing', 'no_challenges'] as const).map((id) => setting(page, id).getByRole('switch'));
  await one!.click();
  await expect(one!).toBeChecked();
  await other!.click();
  await expect(one!).not.toBeChecked();
  await expect(other!).toBeChecked();
});

test('somebody without a chair looks on', async ({ person }) => {
  const { onlooker } = await watchedMatch(person);
  await expect(hand(onlooker)).toHaveCount(0);
});

test('the host ends a match in the middle, and everybody is back at the set-up', async ({ person }) => {
  const { host, onlooker } = await watchedMatch(person);
  await onlooker.getByRole('button', { name: 'Menu', exact: true }).click();
  await expect(control(onlooker, 'leave')).toBeVisible();
  await expect(control(onlooker, 'end')).toHaveCount(0);
  await host.getByRole('button', { name: 'Menu', exact: true }).click();
  await control(host, 'end').click();
  await host.getByRole('button', { name: 'End match', exact: true }).click();
  await expect(control(host, 'start')).toBeVisible();
  await expect(onlooker.locator('.play')).toHaveCount(0);
});

test('a card of one’s own is written, previewed and agreed on', async ({ person }) => {
  const page = await person();
  await setUp(page, 'custom', { bots: 1, target: 50 });
  await page.getByRole('button', { name: 'Edit card 2' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Ready-made').selectOption('own');
  await dialog.getByLabel('Title').fill('Song contest');
  await dialog.getByLabel('Add an effect').last().selectOption('perform');
  await dialog.getByLabel('What', { exact: true }).fill('sing a song');
  await expect(dialog.getByText('performs: “sing a song”')).toBeVisible();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Song contest').first()).toBeVisible();
  const guest = await person();
  await visit(guest, page.url());
  await expect(guest.getByText('performs: “sing a song”')).toBeVisible();
});

test('an invite shows who is there and asks for a name', async ({ person }) => {
  const host = await person();
  await setUp(host, 'frozen', { bots: 1, target: 50 });
  const guest = await person({ viewport: { width: 360, height: 740 } });
  await guest.goto(host.url());
  await expect(guest.getByText('Frozen · Waiting for players', { exact: true })).toBeVisible();
  await expect(guest.getByRole('region', { name: 'At the table' }).getByRole('listitem')).toHaveCount(2);
  const name = guest.getByLabel('Your name');
  await expect(name).not.toHaveValue('');
  await name.fill('Marlene');
  await control(guest, 'join').click();
  await expect(host.getByText('Marlene', { exact: true })).toBeVisible();
  await guest.reload();
  await expect(guest.getByText('Marlene (you)', { exact: true })).toBeVisible();

  await test.step('the rules come first, and one tap is enough', async () => {
    await expect(guest.getByText('The host has changed')).toHaveCount(0);
    const button = control(guest, 'agree');
    await expect(button).toBeInViewport({ ratio: 1 });
    await expect(guest.getByRole('heading', { name: 'Table rules' })).toBeInViewport();
    await button.click();
    await expect(control(host, 'start')).toBeEnabled();
  });

  await test.step('after a change it says what is new', async () => {
    await setting(host, 'jump_in').getByRole('switch').click();
    await expect(guest.getByText('Jump-in: off → on', { exact: true })).toBeVisible();
    await control(guest, 'agree').click();
    await expect(control(host, 'start')).toBeEnabled();
    await expect(guest.getByText('Jump-in: off → on', { exact: true })).toHaveCount(0);
  });

  await test.step('a name is changed in the lobby', async () => {
    await control(guest, 'rename').click();
    await guest.getByRole('dialog').getByLabel('Your name').fill('Lena');
    await guest.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await expect(host.getByText('Lena', { exact: true })).toBeVisible();
    await guest.goto('/');
    await expect(guest.getByRole('button', { name: 'You: Lena', exact: true })).toBeVisible();
  });
});

test('a code is typed as one likes', async ({ person }) => {
  const host = await person();
  await openTable(host);
  const shown = await host.locator('.code').innerText();
  expect(shown).toMatch(/^\S{3} \S{3} \S{3}$/);
  const guest = await person();
  await guest.goto('/');
  await guest.getByLabel('Join a table').fill(shown.toUpperCase().replaceAll(' ', '-').replaceAll('0', 'O').replaceAll('1', 'l'));
  await guest.getByRole('button', { name: 'Join', exact: true }).click();
  await expect(guest).toHaveURL(host.url());
  await guest.goto('/');
  await guest.getByLabel('Join a table').fill('nonsense');
  await guest.getByRole('button', { name: 'Join', exact: true }).click();
  await expect(guest.getByRole('alert')).toContainText('k3m 9pq x7t');
});

test('who leaves a game has the seat and the cards back', async ({ page }) => {
  await setUp(page, 'original', { bots: 2, target: 500 });
  await start(page);
  await expect(page.locator('[data-mine]')).toBeVisible();
  const before = await handOf(page);
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await control(page, 'leave').click();
  await expect(page.getByRole('dialog')).toContainText('your seat is kept');
  await page.getByRole('button', { name: 'Leave', exact: true }).click();
  await page.locator('.continue a').first().click();
  await expect(hand(page)).toHaveCount(before.length);
  expect(await handOf(page)).toEqual(before);
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await control(page, 'leave').click();
  await control(page, 'quit').click();
  await expect(page.getByRole('button', { name: 'Deal the cards' })).toBeVisible();
  await expect(page.locator('.continue')).toHaveCount(0);
});

test('who came later is told why they watch, and plays from the next round', async ({ person }) => {
  const { host, onlooker } = await watchedMatch(person);
  await expect(onlooker.getByText('You can play from the next round.', { exact: true })).toBeVisible();
  await control(onlooker, 'take-seat').click();
  await expect(onlooker.getByRole('status').filter({ hasText: /^You get .* seat when the round is over/ })).toBeVisible();
  await control(onlooker, 'unclaim').click();
  await control(onlooker, 'take-seat').click();
  await expect(control(onlooker, 'unclaim')).toBeVisible();
  await host.getByRole('button', { name: 'Menu', exact: true }).click();
  await control(host, 'autopilot').click();
  await expect(hand(onlooker)).not.toHaveCount(0, { timeout: 60_000 });
});

test('public tables say who, what and how many, and come by themselves', async ({ person }) => {
  const visitor = await person();
  let asked = 0;
  visitor.on('request', (request) => {
    if (/\/api\/(tables|games)$/.test(request.url())) asked += 1;
  });
  await visitor.goto('/');
  await expect(visitor.getByRole('heading', { name: 'Public tables' })).toBeVisible();
  await visitor.waitForLoadState('networkidle');
  expect(asked, 'each list is asked for once').toBe(2);
  const host = await person();
  await openTable(host);
  await setting(host, 'title').locator('input').fill('Friday evening');
  await setting(host, 'public').getByRole('switch').click();
  await setting(host, 'seats').locator('input').fill('3');
  await setting(host, 'seats').locator('input').press('Tab');
  const row = visitor.getByRole('link', { name: /Friday evening/ });
  await expect(row).toContainText(/Original · Host: .* · Waiting for players · 2 seats free · You play/, { timeout: 30_000 });
  await row.click();
  await expect(visitor.getByText('A seat is free for you.', { exact: true })).toBeVisible();
});

test('what somebody without a seat asks for', async ({ page }) => {
  const people = [{ person: 0, name: 'Robin', seat: null, connected: true }];
  const lobby = lobbyOf(3, { people, may: ['chat', 'take', 'stand', 'leave'], chairs: lobbyOf(3).chairs.map((chair) => ({ ...chair, person: chair.person === 0 ? 9 : null, takeable: true })) });
  const game = { ...gameOf(3), legal: [] };
  const mock = await mockTable(page, { lobby, game });
  const asked = () => mock.requests.map(({ request }) => request);
  await page.goto('/t/mock123456');
  await control(page, 'take-seat').click();
  await expect.poll(asked).toEqual([{ type: 'take' }]);
  const claimed = { ...lobby, chairs: lobby.chairs.map((chair, seat) => (seat === 1 ? { ...chair, claim: 0 } : chair)) };
  mock.send({ type: 'update', seq: 2, id: 1, what: { type: 'seat_claimed', person: 0, seat: 1 }, lobby: claimed });
  await expect(page.getByRole('status').filter({ hasText: 'You get Pip’s seat when the round is over.' })).toBeVisible();
  await control(page, 'unclaim').click();
  await expect.poll(asked).toEqual([{ type: 'take' }, { type: 'stand' }]);
});

test('accepting and being ready is one tap, and what the host changes is told', async ({ page }) => {
  const chairs = lobbyOf(2).chairs.map((chair) => ({ ...chair, accepted: chair.person === null, ready: chair.person === null }));
  const lobby = lobbyOf(2, { stage: 'lobby', host: 7, may: ['accept', 'ready'], chairs });
  // Somebody new, to whom nothing has changed, however often the host has.
  const terms = { ...termsOf(), agreement: 5 };
  const mock = await mockTable(page, { lobby, terms });
  const asked = () => mock.requests.map(({ request }) => request.type);
  await page.goto('/t/mock123456');
  await expect(page.getByText('Everyone at the table has to agree on the rules.', { exact: true })).toBeVisible();
  await expect(page.getByText('The host has changed the rules:')).toHaveCount(0);
  await control(page, 'agree').click();
  await expect.poll(asked).toEqual(['accept']);
  const ready = { ...lobby, chairs: chairs.map((chair) => ({ ...chair, accepted: true })) };
  mock.send({ type: 'update', seq: 2, id: 1, what: { type: 'accepted', person: 0 }, lobby: ready });
  await expect.poll(asked).toEqual(['accept', 'ready']);
  mock.send({ type: 'update', seq: 3, id: 2, what: { type: 'ready', person: 0, ready: true }, lobby: ready });
  const changed = { ...termsOf({ house: { jump_in: true } }), agreement: 6 };
  mock.send({ type: 'update', seq: 4, what: { type: 'settings_changed' }, terms: changed, lobby });
  await expect(page.getByText('Jump-in: off → on', { exact: true })).toBeVisible();
});

test('leaving a game keeps the seat or gives it up', async ({ page }) => {
  const mock = await mockTable(page, { lobby: lobbyOf(3), game: gameOf(3) });
  await page.goto('/t/mock123456');
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await control(page, 'leave').click();
  await expect(page.getByRole('dialog')).toContainText('your seat is kept until someone else takes it');
  await control(page, 'quit').click();
  await expect.poll(() => mock.requests.map(({ request }) => request.type)).toEqual(['quit']);
});

test('each list is asked for once, and again only while the page is seen', async ({ page }) => {
  await mockTable(page, { lobby: lobbyOf(3) });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.clock.install();
  await page.goto('/');
  const count = (path: string) => asked.filter((one) => one === path).length;
  await expect.poll(() => count('/api/games')).toBe(1);
  await expect.poll(() => count('/api/tables')).toBe(1);
  await page.clock.runFor(10_500);
  await expect.poll(() => count('/api/tables')).toBe(2);
  await page.evaluate(() => Object.defineProperty(document, 'visibilityState', { value: 'hidden' }));
  await page.clock.runFor(60_000);
  expect([count('/api/tables'), count('/api/games')]).toEqual([2, 1]);
});
