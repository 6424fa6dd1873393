import { expect, type Page } from '@playwright/test';

/** Fails a test if the page has complained in its console or thrown. */
export function watchErrors(page: Page, ignore: RegExp = /WebSocket|ERR_CONNECTION|Failed to load resource: net/): string[] {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !ignore.test(message.text())) errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  return errors;
}

/** What the page shows. */
type Moment = 'turn' | 'scores' | 'over' | 'wait';

async function look(page: Page): Promise<Moment> {
  return page.evaluate(() => {
    const visible = (text: string) => [...document.querySelectorAll('button')].some((one) => one.textContent?.includes(text));
    if (document.querySelector('#score-title')) return visible('Play again') ? 'over' : 'scores';
    return document.querySelector('.prompt.mine') ? 'turn' : 'wait';
  });
}

/** Does something sensible on one's turn with the mouse: answers what is asked, plays a card, or draws. */
export async function actByMouse(page: Page): Promise<void> {
  const click = async (selector: string) => {
    const button = page.locator(selector).first();
    if (!(await button.isVisible().catch(() => false))) return false;
    await button.click({ timeout: 2000 }).catch(() => undefined);
    return true;
  };
  if (await page.locator('dialog[open]').count()) {
    if (await click('dialog[open] .colors button')) return;
    if (await click('dialog[open] .button.primary')) return;
    if (await click('dialog[open] .stack .button')) return;
  }
  if (await click('.inline-colors button')) return;
  const uno = page.locator('.uno.urgent');
  if (await uno.count()) await uno.click({ timeout: 1000 }).catch(() => undefined);
  if (await page.locator('.prompt .actions').getByRole('button', { name: 'Discard them' }).count()) {
    for (const card of await page.locator('.slot:not(.chosen)').all()) {
      if (await page.getByRole('button', { name: 'Discard them' }).isEnabled()) break;
      await card.click({ position: { x: 8, y: 20 } });
    }
    await page.getByRole('button', { name: 'Discard them' }).click();
    return;
  }
  const fits = page.locator('.slot.fits').last();
  if (await fits.count()) {
    await fits.click({ position: { x: 10, y: 12 }, timeout: 2000 }).catch(() => undefined);
    return;
  }
  await click('.prompt .actions .button');
}

/** Does something sensible on one's turn with nothing but the keyboard. */
export async function actByKeyboard(page: Page): Promise<void> {
  const press = (key: string) => page.keyboard.press(key);
  if (await page.locator('dialog[open] .colors, .inline-colors').count()) return press('1');
  if (await page.locator('dialog[open]').count()) {
    await press('Tab');
    return press('Enter');
  }
  if (await page.locator('.uno.urgent').count()) await press('u');
  const before = await page.locator('.prompt .actions').innerText();
  if (await page.locator('.slot.fits').count()) {
    // The first arrow key goes to the first card that can be played.
    await page.locator('.play header button').first().focus();
    await press('ArrowRight');
    return press('Enter');
  }
  await press(/Keep|Take/.test(before) ? 'k' : 'd');
}

/** Plays until the match is over, with the way of acting given. */
export async function playMatch(page: Page, act: (page: Page) => Promise<void>, most = 700): Promise<void> {
  for (let i = 0; i < most; i++) {
    const moment = await look(page);
    if (moment === 'over') return;
    if (moment === 'scores') await page.getByRole('button', { name: 'Next round' }).click({ timeout: 3000 }).catch(() => undefined);
    else if (moment === 'turn') await act(page);
    await page.waitForTimeout(moment === 'wait' ? 120 : 60);
  }
  expect(await look(page), 'the match should be over by now').toBe('over');
}
