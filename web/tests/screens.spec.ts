import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { gameOf, lobbyOf, mockTable } from './mock';
import { enter, MANY, scenes, settled } from './scenes';
import { expect, test } from './world';

const PHONE = { width: 360, height: 740 };
/** A scene that is about something missing, or a connection that breaks. */
const MISSING = /404|WebSocket connection/;

/** What does not fit: texts outside of their boxes or cut off, controls on top of each other, a page that scrolls sideways. */
function misfits(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const out: string[] = [];
    // A dialog that another one has opened is inside of it and lies on it.
    const top = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.querySelector('.sheet') ?? document.body;
    const short = (node: Node) => node.textContent!.trim().replace(/\s+/g, ' ').slice(0, 50);
    if (document.documentElement.scrollWidth > innerWidth) out.push('the page scrolls sideways');
    const texts = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const parent = text.parentElement!;
      if (!text.textContent!.trim() || parent.closest('.unseen, svg, option, .open-hands, .reactions') || !parent.checkVisibility()) continue;
      let hidden = false;
      const range = document.createRange();
      range.selectNodeContents(text);
      const place = range.getBoundingClientRect();
      // A name may be cut where it says itself whole when pointed at.
      if (parent.closest('[title]') && getComputedStyle(parent.closest('[title]')!).textOverflow === 'ellipsis') continue;
      // Texts for screen readers are clipped to nothing on purpose.
      for (let box: HTMLElement | null = parent; box; box = box.parentElement) hidden ||= getComputedStyle(box).clipPath !== 'none';
      if (place.width === 0 || hidden) continue;
      if (place.right > innerWidth + 1 || place.left < -1) out.push(`outside of the page: ${short(text)}`);
      for (let box: HTMLElement | null = parent; box && box !== top; box = box.parentElement) {
        const rim = box.getBoundingClientRect();
        const { overflowX, overflowY } = getComputedStyle(box);
        const holds = box.matches('button, .button, label, .panel, .prompt') || overflowX !== 'visible';
        if (holds && (place.right > rim.right + 1 || place.left < rim.left - 1)) out.push(`out of <${box.tagName} ${box.className}>: ${short(text)}`);
        if (overflowY === 'hidden' && place.bottom > rim.bottom + 2) out.push(`cut below in <${box.tagName} ${box.className}>: ${short(text)}`);
        if (holds) break;
      }
    }
    const controls = [...top.querySelectorAll<HTMLElement>('button, a, input, select')]
      .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('.hand, .unseen, [inert]') && !one.matches('.unseen'));
    const boxes = controls.map((one) => one.getBoundingClientRect());
    boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b, k) => {
      const [one, other] = [controls[i]!, controls[i + 1 + k]!];
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      const pinned = getComputedStyle(one.closest('footer') ?? one).position === 'sticky' || getComputedStyle(other.closest('footer') ?? other).position === 'sticky';
      if (wide > 2 && high > 2 && !pinned && !one.contains(other) && !other.contains(one)) out.push(`on each other: ${short(one)} / ${short(other)}`);
    }));
    return out;
  });
}

/** What axe finds, by all its rules or by some of them. */
async function violations(page: Page, rules?: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page });
  const { violations, passes } = await (rules ? axe.withRules(rules) : axe).analyze();
  expect(passes.map((one) => one.id)).toContain('color-contrast');
  return violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(' ')).join(', ')}`);
}

/** Those in which texts are longest. */
const LANGUAGES = ['de-DE', 'pt-BR', 'fr-FR'];

/** The browser's language changes, and the page follows. */
async function speak(page: Page, locale: string): Promise<void> {
  await page.evaluate((locale) => {
    Object.defineProperty(navigator, 'languages', { value: [locale], configurable: true });
    dispatchEvent(new Event('languagechange'));
  }, locale);
  await expect(page.locator('html')).toHaveAttribute('lang', locale.slice(0, 2));
  await settled(page);
}

for (const [name, scene] of Object.entries(scenes)) {
  test(`nothing stands in anybody’s way, and everything fits on a phone: ${name}`, async ({ person, finished }) => {
    const page = await person({ viewport: PHONE, colorScheme: 'dark' }, MISSING);
    await enter(page, scene, finished);
    expect(await violations(page)).toEqual([]);
    // Another theme has other colors, and nothing else.
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await settled(page);
    expect(await violations(page, ['color-contrast'])).toEqual([]);
    expect(await misfits(page)).toEqual([]);
    for (const locale of LANGUAGES) {
      await speak(page, locale);
      // What has happened was told in the language of its time.
      if (scene.events) {
        await page.addInitScript((locale) => Object.defineProperty(navigator, 'languages', { value: [locale], configurable: true }), locale);
        await enter(page, scene, finished);
      }
      expect(await misfits(page), locale).toEqual([]);
    }
  });
}

test('what does not fit is found', async ({ person }) => {
  const page = await person({ viewport: PHONE });
  await enter(page, scenes['play']!);
  expect(await misfits(page)).toEqual([]);
  const button = page.locator('.prompt .button').first();
  await button.evaluate((one) => (one.textContent = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen'));
  expect(await misfits(page)).not.toEqual([]);
});

for (const count of [20, 30]) {
  test(`every one of ${count} cards can be touched on a phone`, async ({ person }) => {
    const page = await person({ viewport: PHONE, hasTouch: true });
    const hand = MANY.slice(0, count);
    const mock = await mockTable(page, {
      lobby: lobbyOf(5),
      game: gameOf(5, { hand }, [...new Set(hand)].map((card) => ({ type: 'play' as const, card }))),
    });
    await page.goto('/t/mock123456');
    await expect(page.locator('[data-card]')).toHaveCount(count);
    await settled(page);
    // A finger needs some room: each card has a strip of its own where nothing lies on it.
    const strips = await page.locator('[data-card]').evaluateAll((slots) =>
      slots.map((slot) => {
        const box = slot.querySelector('.lift')!.getBoundingClientRect();
        let free = 0;
        for (let x = Math.max(0, Math.ceil(box.left)); x < Math.min(innerWidth, box.right); x++) {
          if (slot.contains(document.elementFromPoint(x, box.top + 24))) free += 1;
        }
        return { card: slot.ariaLabel, free, inside: box.left >= -1 && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1 };
      }),
    );
    expect(strips.filter((strip) => strip.free < 24 || !strip.inside)).toEqual([]);
    await page.locator('[data-card]').nth(12).tap({ position: { x: 14, y: 24 } });
    await expect.poll(() => mock.requests.map(({ request }) => (request.type === 'act' && request.action.type === 'play' ? request.action.card : null))).toEqual([hand[12]]);
  });
}
