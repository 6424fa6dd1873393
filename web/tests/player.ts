import { expect, type Page } from '@playwright/test';

/** What somebody in front of the page can do next, and where to click for it. */
type Moment = {
  /** `over`: the match is; `wait`: there is nothing to do but to wait for others. */
  stage: 'wait' | 'act' | 'over';
  /** What would be done, such as `play`, `draw` or `challenge`. */
  deed: string;
  /** The name of the control for it. */
  name: string;
  /** A point of the screen where a click reaches just that. */
  x: number;
  y: number;
  /** Whether there is no such point, because something lies on the control. */
  covered: boolean;
  /** Changes whenever something to see does. */
  sign: string;
};

/** Which of the cards that fit is played: wilds come last in a hand. */
type Preference = 'first' | 'last';

/** Looks at the page as a player does: what is asked, and which visible part of the answer the pointer can reach. */
function look(page: Page, prefer: Preference): Promise<Moment> {
  return page.evaluate(async (prefer): Promise<Moment> => {
    // Nobody aims at what has not been painted or still moves into its place.
    await new Promise((resolve) => requestAnimationFrame(resolve));
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
    const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
    const usable = (one: HTMLElement) => one.checkVisibility({ visibilityProperty: true }) && !(one as HTMLButtonElement).disabled;
    const named = (text: string) => (one: HTMLElement) => one.textContent?.trim() === text;
    const find = (selector: string, text?: string) => all(selector).filter(usable).filter(text ? named(text) : () => true);
    const nameOf = (element: HTMLElement) => element.ariaLabel ?? element.textContent?.trim() ?? '';
    const told = all('.prompt, .inline-colors, dialog[open], .sheet, [role=log]').map((part) => part.innerHTML);
    const sign = [...told, ...all('.slot').map((card) => card.className + nameOf(card))].join();

    /** A point where a click goes to the element and to nothing that lies on it, a little way from the rim. */
    const aim = (element: HTMLElement) => {
      const box = element.getBoundingClientRect();
      const own = (x: number, y: number) => element.contains(document.elementFromPoint(x, y));
      const parts = [0.5, 0.3, 0.7, 0.2, 0.12, 0.8, 0.9];
      const points = parts.flatMap((down) => parts.map((across) => [box.x + box.width * across, box.y + box.height * down] as const));
      const found = points.find(([x, y]) => own(x, y) && own(x - 6, y) && own(x + 6, y) && own(x, y - 6) && own(x, y + 6));
      return found ? { x: found[0], y: found[1] } : null;
    };
    const wait: Moment = { stage: 'wait', deed: '', name: '', x: 0, y: 0, covered: false, sign };
    const click = (deed: string, element: HTMLElement | undefined): Moment => {
      if (!element) return wait;
      element.scrollIntoView({ block: 'nearest' });
      const point = aim(element);
      return { ...wait, stage: 'act', deed, name: nameOf(element), covered: point === null, ...point };
    };

    const dialog = document.querySelector('dialog[open]');
    if (dialog) {
      const inside = (selector: string) => find(`dialog[open] ${selector}`)[0];
      const colors = inside('.colors button');
      const olaf = inside('.olaf-card:not(.on)');
      if (colors) return click('name a color', colors);
      if (olaf) return click('choose cards', olaf);
      return click(`answer “${dialog.ariaLabel}”`, inside('.stack > .button') ?? inside('.button.primary'));
    }
    if (document.querySelector('#score-title')) {
      if (find('.sheet .button', 'Play again').length > 0) return { ...wait, stage: 'over' };
      return click('next round', find('.sheet .button', 'Next round')[0]);
    }
    const catches = find('.catch')[0];
    if (catches) return click('catch', catches);
    const late = find('.uno.urgent')[0];
    if (late) return click('uno', late);
    if (!document.querySelector('.prompt.mine')) return wait;
    const colors = find('.inline-colors button')[0];
    if (colors) return click('name the color of new cards', colors);
    const discard = find('.prompt .button', 'Discard them')[0];
    if (discard) return click('discard', discard);
    if (all('.prompt .button').some(named('Discard them'))) return click('choose cards', find('.slot:not(.chosen)')[0]);
    for (const deed of ['Challenge', 'Block', 'Well done', 'I do it']) {
      const button = find('.prompt .button', deed)[0];
      if (button) return click(deed.toLowerCase(), button);
    }
    const fits = find('.slot.fits').at(prefer === 'last' ? -1 : 0);
    if (fits) return click('play', fits);
    const button = find('.prompt .actions .button')[0];
    return click(button ? nameOf(button).toLowerCase() : '', button);
  }, prefer);
}

/** Does what the moment asks for, with the mouse. */
export async function byMouse(page: Page, moment: Moment): Promise<void> {
  await page.mouse.click(moment.x, moment.y);
}

/** Does what the moment asks for, with nothing but the keyboard. */
export async function byKeyboard(page: Page, { deed, name }: Moment): Promise<void> {
  const letters: Record<string, string> = { uno: 'u', catch: 'x', challenge: 'c', block: 'b', draw: 'd' };
  const letter = letters[deed] ?? (/^(keep|take)/.test(deed) ? 'k' : deed.includes('color') ? '1' : undefined);
  if (letter) return page.keyboard.press(letter);
  if (deed === 'play') {
    // Into the hand from wherever the focus is, then along it from its beginning.
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Home');
  }
  await reach(page, deed === 'play' ? 'ArrowRight' : 'Tab', name);
  await page.keyboard.press('Enter');
}

/** Moves the focus with a key until it is on the control of that name. */
export async function reach(page: Page, key: string, name: string | RegExp): Promise<void> {
  const focused = () => page.evaluate(() => {
    const element = document.activeElement as HTMLElement | null;
    const label = element instanceof HTMLInputElement ? element.labels?.[0] : element;
    return element?.ariaLabel ?? label?.textContent?.trim() ?? '';
  });
  const fits = (label: string) => (typeof name === 'string' ? label === name : name.test(label));
  for (let i = 0; i < 80; i++) {
    if (fits(await focused())) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} never comes to ${String(name)}`);
}

/** How long a page may take to show that something has happened, or others to act. */
const PATIENCE = 60_000;

/**
 * Plays until the match is over, or until something has been done and told in the log, and says what was done how often. Nobody else acts for
 * this player where no clock runs: a page that a player cannot go on with fails the test.
 */
export async function playOn(
  page: Page,
  act: (page: Page, moment: Moment) => Promise<void>,
  { until, prefer = 'last' }: { until?: { deed: string; told: RegExp }; prefer?: Preference } = {},
): Promise<Map<string, number>> {
  const deeds = new Map<string, number>();
  let since = Date.now();
  let seen = '';
  let tried = 0;
  const enough = async () =>
    until !== undefined && deeds.has(until.deed) && until.told.test(await page.locator('.side-log').innerText());
  while (!(await enough())) {
    const moment = await look(page, prefer);
    if (moment.stage === 'over') break;
    if (moment.sign !== seen) [since, seen, tried] = [Date.now(), moment.sign, 0];
    const waited = Date.now() - since;
    expect(waited, `${moment.covered ? 'something lies on' : 'nothing happens at'} “${moment.name}”`).toBeLessThan(PATIENCE);
    // Whoever has acted and sees nothing of it tries once more after a while.
    if (moment.stage === 'wait' || moment.covered || waited < tried * 5_000) {
      await page.waitForTimeout(20);
      continue;
    }
    tried += 1;
    deeds.set(moment.deed, (deeds.get(moment.deed) ?? 0) + 1);
    await act(page, moment);
  }
  return deeds;
}
