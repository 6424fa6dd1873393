import { byMouse, playOn } from './player';
import { OwnServer } from './server';
import { control, hand, handOf, setUp, visit } from './tables';
import { expect, test } from './world';

test.use({ mayLoseNetwork: true });

test('two people and a bot play on through a reload and a killed server; the game can be watched and checked', async ({ person }) => {
  const server = new OwnServer({ lasting: true });
  await server.start();
  const host = await person({ baseURL: server.url });
  const guest = await person({ baseURL: server.url, viewport: { width: 360, height: 740 } });
  await setUp(host, 'original', { bots: 1, target: 50 });
  await visit(guest, host.url());
  await control(guest, 'agree').click();
  await control(host, 'start').click();
  await expect(hand(guest)).not.toHaveCount(0);
  await expect(hand(host)).not.toHaveCount(0);

  await test.step('a few words', async () => {
    await guest.getByRole('button', { name: 'Chat' }).click();
    await guest.getByLabel('Say something').fill('good luck');
    await guest.keyboard.press('Enter');
    await guest.keyboard.press('Escape');
    await expect(host.getByText('good luck').first()).toBeVisible();
  });

  // Only when a person's turn has come does nothing happen by itself any more.
  const asked = () => Promise.all([host, guest].map((page) => page.locator('[data-mine]').count()));
  await expect.poll(asked).toContain(1);
  await test.step('a reload', async () => {
    const before = await handOf(guest);
    await guest.reload();
    await expect(hand(guest)).toHaveCount(before.length);
    expect(await handOf(guest)).toEqual(before);
  });

  await test.step('a killed server', async () => {
    const before = [await handOf(host), await handOf(guest)];
    await server.kill();
    await expect(host.getByText('Connection lost. Reconnecting…', { exact: true })).toBeVisible();
    await server.start();
    for (const page of [host, guest]) {
      await expect(page.getByText('Connection lost. Reconnecting…', { exact: true })).toBeHidden();
      await expect(hand(page)).not.toHaveCount(0);
    }
    expect([await handOf(host), await handOf(guest)]).toEqual(before);
  });

  await test.step('to the end of the match', async () => {
    await Promise.all([playOn(host, byMouse), playOn(guest, byMouse)]);
    for (const page of [host, guest]) await expect(control(page, 'again')).toBeVisible();
  });

  await test.step('the deal is checked', async () => {
    await host.getByRole('button', { name: 'Check the deal', exact: true }).click();
    await expect(host.getByRole('dialog').getByText('This page compared the deal with what it saw before: everything matches.')).toBeVisible();
    await host.keyboard.press('Escape');
  });

  await test.step('the replay', async () => {
    await host.goto('/');
    await host.getByRole('link', { name: /Watch the replay/ }).click();
    await expect(host.getByRole('heading', { name: /Replay/ })).toBeVisible();
    await host.keyboard.press('ArrowRight');
    await host.keyboard.press('ArrowRight');
    await expect(host.getByText(/^Move 2 of/)).toBeVisible();
    await host.getByRole('button', { name: 'Check the deal', exact: true }).click();
    await expect(host.getByRole('dialog').getByText('every hand was dealt from this key')).toBeVisible();
    await host.keyboard.press('Escape');
    await host.locator('select').selectOption('1');
    await expect(host).toHaveURL(/seat=1/);
    await guest.goto(host.url());
    await expect(guest.getByText(/^Move 2 of/)).toBeVisible();
    // The table was private: people who were not there see nothing.
    const other = await person({ baseURL: server.url }, /404/);
    await other.goto(host.url());
    await expect(other.getByRole('heading', { name: /not yours to see/ })).toBeVisible();
  });
  await server.remove();
});
