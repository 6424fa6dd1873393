import { byMouse, playOn } from './player';
import { OwnServer } from './server';
import { handOf, setUp } from './tables';
import { expect, test } from './world';

test.use({ mayLoseNetwork: true });

test('two people and a bot play on through a reload and a killed server; the game can be watched and checked', async ({ person }) => {
  const server = new OwnServer({ lasting: true });
  await server.start();
  const host = await person({ baseURL: server.url });
  const guest = await person({ baseURL: server.url, viewport: { width: 360, height: 740 } });
  await setUp(host, 'Original', { bots: 1, target: 50 });
  await guest.goto(host.url());
  await guest.getByRole('button', { name: 'Accept the rules' }).click();
  await guest.getByRole('button', { name: 'I am ready' }).click();
  await host.getByRole('button', { name: 'Start the game' }).click();
  await expect(guest.locator('.slot')).not.toHaveCount(0);
  await expect(host.locator('.slot')).not.toHaveCount(0);

  await test.step('a few words', async () => {
    await guest.getByRole('button', { name: 'Chat' }).click();
    await guest.getByLabel('Say something').fill('good luck');
    await guest.keyboard.press('Enter');
    await guest.keyboard.press('Escape');
    await expect(host.getByText('good luck').first()).toBeVisible();
  });

  // Only when a person's turn has come does nothing happen by itself any more.
  const asked = () => Promise.all([host, guest].map((page) => page.locator('.prompt.mine').count()));
  await expect.poll(asked).toContain(1);
  await test.step('a reload', async () => {
    const before = await handOf(guest);
    await guest.reload();
    await expect(guest.locator('.slot')).toHaveCount(before.length);
    expect(await handOf(guest)).toEqual(before);
  });

  await test.step('a killed server', async () => {
    const before = [await handOf(host), await handOf(guest)];
    await server.kill();
    await expect(host.getByText('Connection lost. Coming back…')).toBeVisible();
    await server.start();
    for (const page of [host, guest]) {
      await expect(page.getByText('Connection lost. Coming back…')).toBeHidden();
      await expect(page.locator('.slot')).not.toHaveCount(0);
    }
    expect([await handOf(host), await handOf(guest)]).toEqual(before);
  });

  await test.step('to the end of the match', async () => {
    await Promise.all([playOn(host, byMouse), playOn(guest, byMouse)]);
    for (const page of [host, guest]) await expect(page.locator('#score-title')).toContainText(/wins? the match/);
  });

  await test.step('the deal is checked', async () => {
    await host.getByRole('button', { name: 'Check the deal' }).click();
    await expect(host.getByText('The secret fits the fingerprint.')).toBeVisible();
    await expect(host.getByText('Your own part was used.')).toBeVisible();
    await host.keyboard.press('Escape');
  });

  await test.step('the replay', async () => {
    await host.goto('/');
    await host.getByRole('link', { name: /Watch the replay/ }).click();
    await expect(host.getByRole('heading', { name: /Replay/ })).toBeVisible();
    await host.keyboard.press('ArrowRight');
    await host.keyboard.press('ArrowRight');
    await expect(host.getByText(/^Move 2 of/)).toBeVisible();
    await host.getByRole('button', { name: 'Check the deal' }).click();
    await expect(host.getByText('every hand was dealt from this key')).toBeVisible();
    await host.keyboard.press('Escape');
    await host.locator('select').selectOption('1');
    await expect(host).toHaveURL(/seat=1/);
    const other = await person({ baseURL: server.url });
    await other.goto(host.url());
    await expect(other.getByText(/^Move 2 of/)).toBeVisible();
  });
  await server.remove();
});
