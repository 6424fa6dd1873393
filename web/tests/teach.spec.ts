import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';
import { editions } from '../src/cards/words';
import type { Choice, GameView, LessonView } from '../src/protocol';
import { gameOf, lobbyOf, mockTable, termsOf } from './mock';
import { settled } from './scenes';
import { expect, test } from './world';

type Step = NonNullable<LessonView['step']>;

const TABLE = '/t/mock123456';
const PHONE = { width: 360, height: 740 };

/** Somebody who knows nothing of the game and does what is marked, one thing after the other, until all is learned. */
async function followMarks(page: Page, press: (marked: Locator) => Promise<void>): Promise<string[]> {
  const steps: string[] = [];
  const marked = page.locator('[data-here]').first();
  const end = page.locator('[data-do=play-real]');
  for (let presses = 0; presses < 40; presses += 1) {
    await expect(marked.or(end).first()).toBeVisible();
    if (await end.isVisible()) return steps;
    const step = await page.locator('[data-coach] [data-step]').getAttribute('data-step');
    if (step && steps.at(-1) !== step) steps.push(step);
    const sign = () => page.evaluate(() => `${document.querySelector('[data-here]')?.outerHTML} ${document.querySelector('[data-coach]')?.textContent}`);
    const before = await sign();
    await press(marked);
    await expect.poll(sign).not.toBe(before);
  }
  throw new Error('the first round does not end');
}

const STEPS = ['match_color', 'match_number', 'attack', 'catch', 'draw', 'wild', 'uno', 'last'];

test('the first round can be played by doing what is marked, by mouse', async ({ person }) => {
  const page = await person();
  await page.goto('/');
  await page.getByRole('region', { name: 'New to UNO?' }).getByRole('button', { name: 'Play the first round' }).click();
  expect(await followMarks(page, (marked) => marked.click())).toEqual(STEPS);
  await expect(page.getByRole('heading', { name: 'You know how to play!' })).toBeFocused();
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map((one) => one.id)).toEqual([]);
  // The home screen does not offer it again, the rules do.
  await page.locator('[data-do=lesson-home]').click();
  await expect(page.getByRole('button', { name: 'Deal the cards' })).toBeVisible();
  await expect(page.locator('[data-do=learn]')).toHaveCount(0);
  await expect(page.getByText('The deal was not fair')).toHaveCount(0);
});

test('the first round can be played by doing what is marked, by touch and in German', async ({ person }) => {
  const page = await person({ viewport: PHONE, hasTouch: true, locale: 'de-DE' });
  await page.goto('/rules/original');
  await page.getByRole('button', { name: 'Erste Runde spielen' }).tap();
  expect(await followMarks(page, (marked) => marked.tap())).toEqual(STEPS);
  await expect(page.getByRole('heading', { name: 'Du kannst UNO!' })).toBeVisible();
});

test('the first round can be played by doing what is marked, by keyboard and in Chinese', async ({ person }) => {
  const page = await person({ locale: 'zh-CN' });
  await page.goto('/');
  await page.locator('[data-do=learn]').press('Enter');
  expect(await followMarks(page, (marked) => marked.press('Enter'))).toEqual(STEPS);
});

/**
 * Marks what the sentence of the lesson names: what stands in quotation marks, then an answer to an open question, a card
 * of the hand, any other button. It goes by words alone, and looks at no mark of the page.
 */
function findNamed(): string {
  const says = document.querySelector('[data-coach] [data-step]')?.textContent?.toLowerCase() ?? '';
  const asked = document.querySelector('dialog[open]');
  const buttons = [...(asked ?? document).querySelectorAll('button')].filter((one) => one.checkVisibility() && !one.disabled && !one.closest('[data-coach]'));
  const seen = (one: HTMLElement) => one.innerText.trim().split('\n')[0]!.toLowerCase();
  const isNamed = (name: string) => name.length > 1 && ` ${says.replace(/[^\p{L}\d+]/gu, ' ')} `.includes(` ${name} `);
  const quoted = [...says.matchAll(/“([^”]+)”/g)].map((found) => found[1]);
  const cards = buttons.filter((one) => one.dataset['card'] && isNamed(one.ariaLabel!.toLowerCase().replace(', playable', '')));
  const found = buttons.find((one) => quoted.includes(seen(one)) && one.ariaPressed !== 'true') ?? cards[0] ?? buttons.find((one) => isNamed(seen(one)));
  document.querySelector('[data-named]')?.removeAttribute('data-named');
  found?.setAttribute('data-named', '');
  return says && found ? says : '';
}

test('the first round can be played by somebody who does what is said and sees no mark', async ({ person }) => {
  const page = await person();
  await page.goto('/');
  await page.locator('[data-do=learn]').click();
  const end = page.locator('[data-do=play-real]');
  const steps: string[] = [];
  for (let presses = 0; presses < 20 && !(await end.isVisible()); presses += 1) {
    let says = '';
    await expect.poll(async () => (says = await page.evaluate(findNamed)) !== '' || (await end.isVisible())).toBe(true);
    if (!says) break;
    const state = () => page.evaluate(() => `${document.querySelector('[data-coach]')?.textContent} ${document.querySelectorAll('dialog[open]').length} ${document.querySelector('[data-uno]')?.ariaPressed}`);
    const before = await state();
    steps.push(says);
    await page.locator('[data-named]').click();
    await expect.poll(state).not.toBe(before);
  }
  await expect(end).toBeVisible();
  // Eight steps; the wild takes a second press for its color, UNO one before its card.
  expect(steps).toHaveLength(10);
});

const DEVICES = { 'a phone': PHONE, 'a phone held sideways': { width: 740, height: 360 }, 'a tablet': { width: 820, height: 1180 }, 'a laptop': { width: 1440, height: 900 } };

for (const [name, viewport] of Object.entries(DEVICES)) {
  test(`every step of the first round fits ${name} and moves nothing, in the longest languages`, async ({ person }) => {
    const moves: Record<string, Choice[]> = {
      match_color: [{ action: { type: 'play', card: 'R3' } }], match_number: [{ action: { type: 'play', card: 'G+2' } }],
      attack: [{ action: { type: 'play', card: 'G+2' } }], catch: [{ action: { type: 'catch', seat: 2 } }], draw: [{ action: { type: 'draw' } }],
      wild: [{ action: { type: 'play', card: 'W', color: 'yellow' } }], uno: [{ action: { type: 'play', card: 'R3' }, uno: true }],
      last: [{ action: { type: 'play', card: 'R3' } }],
    };
    for (const locale of ['de-DE', 'es-ES', 'fr-FR', 'pt-BR']) {
      const page = await person({ viewport, locale });
      const at = (step: string, number: number): GameView => ({ ...gameOf(3, { top: 'G+2', color: 'green' }, moves[step]), at: number, lesson: { step: step as Step, number, of: STEPS.length } });
      const mock = await mockTable(page, { lobby: lobbyOf(3, { chairs: lobbyOf(3).chairs.map((chair) => ({ ...chair, name: 'Wilhelmina' })) }), game: at(STEPS[0]!, 0) });
      await page.goto(TABLE);
      // Of the whole table: whatever the prompt asks for.
      const places = () => page.locator('.pile, [data-seat]').evaluateAll((all) => all.map((one) => {
        const { left, top, width } = one.parentElement!.getBoundingClientRect();
        return [left, top, width].map(Math.round);
      }));
      let before: number[][] | null = null;
      for (const [number, step] of STEPS.entries()) {
        if (number > 0) mock.send({ type: 'update', seq: number + 1, what: { type: 'acted', seat: 1, by: 'bot' }, game: at(step, number) });
        await expect(page.locator(`[data-step=${step}]`)).toBeVisible();
        const hidden = await page.locator('.prompt').evaluate((prompt) => {
          const box = prompt.getBoundingClientRect();
          const parts = [...prompt.querySelectorAll('p, [data-do]')].map((part) => part.getBoundingClientRect());
          const covers = (a: DOMRect, b: DOMRect) => a !== b && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
          const outside = parts.filter(({ top, bottom }) => top < box.top - 1 || bottom > box.bottom + 1 || bottom > innerHeight);
          return outside.length + parts.filter((a) => parts.some((b) => covers(a, b))).length;
        });
        expect(hidden, `${step} in ${locale}`).toBe(0);
        await settled(page);
        before ??= await places();
        expect(await places(), `${step} in ${locale}`).toEqual(before);
      }
    }
  });
}

test('the first round can be skipped', async ({ person }) => {
  const page = await person();
  await page.goto('/');
  await page.locator('[data-do=learn]').click();
  await page.getByRole('button', { name: 'Skip the lesson' }).click();
  await expect(page.getByRole('button', { name: 'Deal the cards' })).toBeVisible();
  await expect(page.locator('[data-do=learn]')).toHaveCount(0);
});

test('a first round that is loaded again goes on', async ({ person }) => {
  const page = await person();
  await page.goto('/');
  await page.locator('[data-do=learn]').click();
  await page.locator('[data-here]').first().click();
  await expect(page.locator('[data-step=match_number]')).toBeVisible();
  await page.reload();
  await expect(page.locator('[data-step=match_number]')).toBeVisible();
  await expect(page.locator('[data-here]').first()).toBeVisible();
});

test('a hint says what to do and why, and marks it', async ({ seeded: page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Deal the cards' }).click();
  await page.locator('[data-do-hint]').click();
  await expect(page.locator('.told')).toContainText(/\w+.*\. .+\./);
  const hand = page.locator('[data-card]');
  const sign = async () => `${await hand.count()} ${await page.locator('.prompt').getAttribute('data-mine')}`;
  const before = await sign();
  for (let presses = 0; presses < 3 && (await page.locator('[data-here]').count()) > 0; presses += 1) {
    await page.locator('[data-here]').first().click();
    await settled(page);
  }
  await expect.poll(sign).not.toBe(before);
});

test('the lamp lies on nothing that is said or asked', async ({ person }) => {
  for (const viewport of [{ width: 360, height: 740 }, { width: 740, height: 360 }, { width: 1440, height: 900 }]) {
    const page = await person({ viewport });
    await mockTable(page, { lobby: lobbyOf(4, { may: ['act', 'hint'] }), game: gameOf(4) });
    await page.goto('/t/mock123456');
    const lamp = (await page.locator('[data-do-hint]').boundingBox())!;
    expect(lamp.width).toBeCloseTo(lamp.height, 0);
    for (const other of ['.prompt .words', '[data-do=draw]', '[data-card]', '.middle']) {
      const box = (await page.locator(other).first().boundingBox())!;
      const apart = lamp.x >= box.x + box.width || lamp.x + lamp.width <= box.x || lamp.y >= box.y + box.height || lamp.y + lamp.height <= box.y;
      expect(apart, `${other} at ${viewport.width}`).toBe(true);
    }
  }
});

test('there is no hint where the table does not offer one', async ({ page }) => {
  await mockTable(page, { lobby: lobbyOf(4), game: gameOf(4) });
  await page.goto(TABLE);
  await expect(page.locator('[data-card]').first()).toBeVisible();
  await expect(page.locator('[data-do-hint]')).toHaveCount(0);
});

const tip = (page: Page) => page.getByRole('tooltip');
const custom = termsOf({
  edition: 'custom',
  custom_cards: [{ title: 'Second wind', text: 'Play on.', effects: [{ do: 'extra_turn' }] }],
});
const withCustom = { terms: custom, lobby: lobbyOf(3), game: gameOf(3, { hand: ['R3', 'B9', 'WC1'], top: 'G+2', color: 'green' }) };

test('a card says what it does when it is hovered over', async ({ page }) => {
  await mockTable(page, withCustom);
  await page.goto(TABLE);
  await page.locator('[data-card=WC1]').hover();
  await expect(tip(page)).toContainText('Second wind');
  await expect(tip(page)).toContainText('Play on.');
  await expect(tip(page)).toContainText('The player who played it goes again.');
  await page.locator('.middle .top svg').hover();
  await expect(tip(page)).toContainText('Green Draw Two');
  await page.keyboard.press('Escape');
  await expect(tip(page)).toBeHidden();
});

test('a card that comes to lie under a resting mouse is not explained, and a dialog hides explanations', async ({ page }) => {
  const [many, one] = [gameOf(3), gameOf(3, { hand: ['W'] })];
  const mock = await mockTable(page, { lobby: lobbyOf(3), game: many });
  await page.goto(TABLE);
  const show = async (game: typeof many, seq: number) => {
    mock.send({ type: 'update', seq, what: { type: 'acted', seat: 1, by: 'bot' }, game: { ...game, at: 12 + seq } });
    await expect(page.locator('[data-card]')).toHaveCount(game.view.hand!.length);
    await settled(page);
  };
  await page.locator('[data-card]').first().waitFor();
  await settled(page);
  const box = (await page.locator('[data-card=R3]').boundingBox())!;
  await show(one, 2);
  await page.mouse.move(box.x + 12, box.y + 40);
  await show(many, 3);
  await page.waitForTimeout(1200);
  await expect(tip(page)).toBeHidden();
  await page.mouse.move(box.x + 14, box.y + 44);
  await expect(tip(page)).toContainText('Red 3');
  await page.keyboard.press('l');
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(tip(page)).toBeHidden();
});

test('a card says what it does when it has the focus, or on request', async ({ page }) => {
  await mockTable(page, withCustom);
  await page.goto(TABLE);
  await page.locator('[data-card]').first().waitFor();
  // Cards that are still flying take no focus.
  await expect(async () => {
    await page.keyboard.press('ArrowRight');
    await expect(page.locator('[data-card]:focus')).toHaveCount(1, { timeout: 300 });
  }).toPass();
  await expect(tip(page)).toBeVisible();
  await expect(page.locator(':focus')).toHaveAttribute('aria-describedby', 'card-tip');
  await page.keyboard.press('ArrowRight');
  await expect(tip(page)).toContainText('Blue 9');
  await page.locator('h1').click();
  await page.keyboard.press('i');
  await expect(tip(page)).toContainText('Green Draw Two');
});

test('a card that is held says what it does and is not played', async ({ person }) => {
  const page = await person({ viewport: PHONE, hasTouch: true });
  const mock = await mockTable(page, { lobby: lobbyOf(3), game: gameOf(3) });
  await page.goto(TABLE);
  const card = page.locator('[data-card=R3]');
  await settled(page);
  const box = (await card.boundingBox())!;
  const [x, y] = [box.x + 12, box.y + 30];
  const client = await page.context().newCDPSession(page);
  await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
  await expect(tip(page)).toContainText('Plays on red, or on any 3.');
  await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expect(tip(page)).toBeVisible();
  expect(mock.requests).toEqual([]);
  // Another card: a second touch of the same spot could count as a double click.
  await page.locator('[data-card=RS]').tap({ position: { x: 12, y: 30 } });
  await expect.poll(() => mock.requests.length).toBe(1);
});

test('the rules of a table tell what its Customizable cards do', async ({ page }) => {
  await mockTable(page, withCustom);
  await page.goto(TABLE);
  await page.locator('[data-card]').first().waitFor();
  await page.keyboard.press('r');
  await expect(page.getByRole('dialog')).toContainText('The player who played it goes again.');
});

for (const edition of editions) {
  test(`the rules begin with the goal, and nowhere show a name for programs: ${edition}`, async ({ page }) => {
    await page.goto(`/rules/${edition}`);
    await expect(page.locator('.panel h3').first()).toHaveText('The goal');
    await expect(page.locator('.intro svg[data-face]').nth(4)).toBeVisible();
    await page.locator('[data-exact] summary').click();
    await expect(page.locator('#rule-T1')).toBeVisible();
    const text = await page.locator('main').innerText();
    expect(text.match(/\b[a-z]+_[a-z_]+\b/g)).toBeNull();
    expect(text).toContain('Cards dealt');
  });
}

test('an armed UNO that no longer applies is disarmed, and the button rests when it has no use', async ({ page }) => {
  const waits = { phase: { type: 'turn', seat: 1 } as const };
  const mock = await mockTable(page, { lobby: lobbyOf(3), game: gameOf(3, { hand: ['R3', 'B9'], ...waits }, []) });
  await page.goto(TABLE);
  const uno = page.locator('[data-uno]');
  await uno.click();
  await expect(uno).toHaveAttribute('aria-pressed', 'true');
  const attacked = gameOf(3, { hand: ['R3', 'B9'], top: 'W+4', color: 'red', phase: { type: 'respond', seat: 0, by: 2, cards: 4 } }, [{ action: { type: 'take' }, draws: 4 }]);
  mock.send({ type: 'update', seq: 2, what: { type: 'acted', seat: 2, by: 'bot' }, game: { ...attacked, at: 13 } });
  await expect(uno).toHaveAttribute('aria-pressed', 'false');
  await expect(uno).toBeDisabled();
  const single = gameOf(3, { hand: ['B9'] }, [{ type: 'draw' }]);
  mock.send({ type: 'update', seq: 3, what: { type: 'acted', seat: 2, by: 'bot' }, game: { ...single, at: 14 } });
  await expect(page.locator('[data-card]')).toHaveCount(1);
  await expect(uno).not.toHaveClass(/urgent/);
  await expect(uno).toBeDisabled();
});

test('a line of the log names a Customizable card by its title, and explains it', async ({ page }) => {
  const mock = await mockTable(page, withCustom);
  await page.goto(TABLE);
  await page.locator('[data-card]').first().waitFor();
  mock.send({
    type: 'update', seq: 2, what: { type: 'acted', seat: 1, by: 'bot' }, events: [{ type: 'played', seat: 1, card: 'WC1', color: 'red' }],
    game: { ...withCustom.game, at: 13 },
  });
  const line = page.locator('[data-log] li', { hasText: 'Second wind' });
  await line.hover();
  await expect(tip(page)).toContainText('The player who played it goes again.');
});
