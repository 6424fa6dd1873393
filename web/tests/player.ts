import { expect, type Page } from '@playwright/test';

/** What somebody in front of the page can do next, and where to click for it. */
type Moment = {
  /** `over`: the match is; `wait`: there is nothing to do but to wait for others. */
  stage: 'wait' | 'act' | 'over';
  /** What would be done, such as `card`, `draw` or `challenge`. */
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

/** What is done first if several things can be done, in a dialog and at the table. */
export const DEEDS = {
  dialog: ['color', 'along', 'go-along', 'swap', 'judge'],
  always: ['catch', 'uno'],
  turn: ['call-color', 'discard', 'challenge', 'block', 'vote', 'dare', 'card', 'keep', 'take', 'draw'],
};

/** Looks at the page as a player does: what is asked, and which visible part of the answer the pointer can reach. */
function look(page: Page, prefer: Preference): Promise<Moment> {
  return page.evaluate(async ({ prefer, DEEDS }): Promise<Moment> => {
    // Nobody aims at what has not been painted or still moves into its place.
    const moving = () => document.getAnimations().filter(({ playState }) => playState === 'running');
    do {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      await Promise.allSettled(moving().map((animation) => animation.finished));
      // What came meanwhile moves in its turn.
    } while (moving().length > 0);
    const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
    const usable = (one: HTMLElement) => one.checkVisibility({ visibilityProperty: true }) && !(one as HTMLButtonElement).disabled;
    const nameOf = (element: HTMLElement) => element.ariaLabel ?? element.textContent?.trim() ?? '';
    const marked = all('[data-do], [data-card]').map((one) => `${one.dataset['do']} ${nameOf(one)} ${usable(one)}`);
    const sign = [...marked, ...all('[role=log]').map((log) => log.innerHTML)].join();

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
    const click = (deed: string, element: HTMLElement): Moment => {
      element.scrollIntoView({ block: 'nearest' });
      // A list may be scrolled, a table may not: all of it is in sight, or it does not fit.
      const table = document.querySelector('.play');
      const outOfSight = table !== null && (scrollY > 0 || table.scrollTop > 0);
      const point = outOfSight ? null : aim(element);
      return { ...wait, stage: 'act', deed, name: nameOf(element), covered: point === null, ...point };
    };
    /** The first of these deeds that can be done inside of something. */
    const first = (deeds: string[], inside = ''): Moment => {
      for (const deed of deeds) {
        const found = all(`${inside} [data-do=${deed}]`).filter(usable).at(deed === 'card' && prefer === 'last' ? -1 : 0);
        if (found) return click(deed, found);
      }
      return wait;
    };

    const dialog = all('dialog[open]')[0];
    if (dialog) {
      const answer = first(DEEDS.dialog, 'dialog[open]');
      // Any other dialog says that something is not possible.
      return answer.stage === 'act' ? answer : click(`dismiss “${dialog.innerText}”`, dialog.querySelector<HTMLElement>('.button.primary')!);
    }
    const hint = all('[data-hint]')[0];
    if (hint) return { ...wait, stage: 'act', deed: `dismiss “${hint.innerText}”` };
    if (all('[data-do=again]').length > 0) return { ...wait, stage: 'over' };
    if (all('#score-title').length > 0) return first(['next']);
    const race = first(DEEDS.always);
    if (race.stage === 'act' || all('[data-mine]').length === 0) return race;
    return first(DEEDS.turn);
  }, { prefer, DEEDS });
}

/** Does what the moment asks for, with the mouse. */
export async function byMouse(page: Page, moment: Moment): Promise<void> {
  await page.mouse.click(moment.x, moment.y);
}

/** Does what the moment asks for, with a finger. */
export async function byTouch(page: Page, moment: Moment): Promise<void> {
  await page.touchscreen.tap(moment.x, moment.y);
}

/** Does what the moment asks for, with nothing but the keyboard. */
export async function byKeyboard(page: Page, { deed, name }: Moment): Promise<void> {
  const letters: Record<string, string> = {
    uno: 'u', catch: 'x', challenge: 'c', block: 'b', draw: 'd', keep: 'k', take: 'k', color: '1', 'call-color': '1',
  };
  const letter = letters[deed];
  if (letter) return page.keyboard.press(letter);
  if (deed === 'card') {
    // Into the hand from wherever the focus is, then along it from its beginning.
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Home');
  }
  await reach(page, deed === 'card' ? 'ArrowRight' : 'Tab', name);
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

/** Waits until the page changes, or a little while: what lies on something can go without a change. */
function news(page: Page): Promise<void> {
  return page.evaluate(() => new Promise<void>((resolve) => {
    const observer = new MutationObserver(() => done());
    const timer = setTimeout(() => done(), 100);
    const done = () => {
      observer.disconnect();
      clearTimeout(timer);
      resolve();
    };
    observer.observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true });
  }));
}

/** How long a page may take to show that something has happened, or others to act. */
const PATIENCE = 60_000;

/**
 * Plays until the match is over, until something has been done, or before it would be, and says what was done how often. Nobody else acts for
 * this player where no clock runs: a page that a player cannot go on with fails the test, and so does a refusal.
 */
export async function playOn(
  page: Page,
  act: (page: Page, moment: Moment) => Promise<void>,
  { until, before, prefer = 'last' }: { until?: string; before?: string; prefer?: Preference } = {},
): Promise<Map<string, number>> {
  const deeds = new Map<string, number>();
  let since = Date.now();
  let seen = '';
  let tried = 0;
  for (;;) {
    const moment = await look(page, prefer);
    // What was waited for has been done when the page shows something else.
    if (moment.stage === 'over' || (before && moment.deed === before) || (until && deeds.has(until) && moment.sign !== seen)) return deeds;
    if (moment.sign !== seen) [since, seen, tried] = [Date.now(), moment.sign, 0];
    expect(moment.deed, 'a refusal').not.toMatch(/^dismiss/);
    const waited = Date.now() - since;
    expect(waited, `${moment.covered ? 'something lies on' : 'nothing happens at'} “${moment.name}”`).toBeLessThan(PATIENCE);
    // A player who has acted and sees nothing of it tries once more after a while.
    // A card next to the one with the focus may lie under it: for a pointer, and not for keys.
    const outOfReach = moment.covered && act !== byKeyboard;
    if (moment.stage === 'wait' || outOfReach || waited < tried * 5_000) {
      await news(page);
      continue;
    }
    tried += 1;
    deeds.set(moment.deed, (deeds.get(moment.deed) ?? 0) + 1);
    await act(page, moment);
  }
}
