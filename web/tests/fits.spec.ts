import type { Page } from '@playwright/test';
import type { GameView, ServerMsg } from '../src/protocol';
import { gameOf, lobbyOf, mockTable, termsOf, type Mock, type MockTable } from './mock';
import { byMouse, byTouch, playOn } from './player';
import { enter, MANY, NAMES, scenes, settled } from './scenes';
import { control, hand, sitDownWith } from './tables';
import { expect, playAtServer, test } from './world';

const TABLE = '/t/mock123456';
/** Phones upright and sideways, a laptop's page at twice its size, tablets, a laptop, a large monitor. */
const SIZES: Record<string, { width: number; height: number }> = {
  'phone, upright': { width: 360, height: 740 },
  'phone, sideways': { width: 740, height: 360 },
  'large phone, sideways': { width: 844, height: 390 },
  'at twice its size': { width: 720, height: 450 },
  tablet: { width: 820, height: 1180 },
  'tablet, sideways': { width: 1180, height: 820 },
  laptop: { width: 1440, height: 900 },
  monitor: { width: 2560, height: 1300 },
};

async function open(page: Page, table: MockTable): Promise<Mock> {
  const mock = await mockTable(page, table);
  await page.goto(TABLE);
  await expect(hand(page)).not.toHaveCount(0);
  return mock;
}

/** The same page with another table on it. */
async function show(page: Page, mock: Mock, { lobby, game }: MockTable): Promise<void> {
  const { may, ...rest } = lobby;
  mock.send({ type: 'snapshot', seq: 1, terms: termsOf(), lobby: rest, own: { may, muted: [], kicked: [] }, game: game!, chat: [] } as ServerMsg);
  await expect(page.locator('[data-seat]')).toHaveCount(lobby.chairs.length - 1);
  await expect(hand(page)).toHaveCount(game!.view.hand!.length);
  await settled(page);
}

/** What lies outside of the screen, or on something else. */
function trouble(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const out: string[] = [];
    const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
    const rect = (element: HTMLElement) => element.getBoundingClientRect();
    const parts = [
      ...all('[data-seat]').map((one) => ({ name: `seat ${one.dataset['seat']}`, box: rect(one) })),
      ...all('.pile, .chip').map((one) => ({ name: one.className, box: rect(one) })),
      ...all('.prompt, .me, .tools, .open-hands').map((one) => ({ name: one.className, box: rect(one) })),
      ...all('.play > header .button').map((one) => ({ name: `button ${one.ariaLabel}`, box: rect(one) })),
      ...all('aside').map((one) => ({ name: 'aside', box: rect(one) })),
      { name: 'hand', box: rect(all('.hand')[0]!) },
    ];
    const outside = (box: DOMRect) => box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1;
    if (document.documentElement.scrollWidth > innerWidth) out.push('the page scrolls sideways');
    if (document.documentElement.scrollHeight > innerHeight + 1) out.push('the page scrolls');
    for (const { name, box } of parts) if (outside(box)) out.push(`outside: ${name}`);
    for (const one of all('.cards b, [data-card] .lift')) if (outside(rect(one))) out.push(`outside: ${one.className} ${one.textContent?.slice(0, 9)}`);
    parts.forEach((a, i) => parts.slice(i + 1).forEach((b) => {
      const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      // The number of cards to draw sits on the corner of its pile, beside the color.
      if (wide > 2 && high > 2) out.push(`${a.name} on ${b.name}`);
    }));
    return out;
  });
}

/** One of each kind; `seating.test.ts` lays out every number of people. */
const TABLES: [players: number, cards: number][] = [[2, 1], [3, 7], [4, 30], [6, 7], [7, 30], [9, 7], [10, 1], [10, 30]];

/** Where everything lies. */
const places = (page: Page) => page.evaluate(() => {
  const rounded = (one: Element) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return [left, top, width, height].map(Math.round);
  };
  const parents = [...document.querySelectorAll('.pile, [data-seat], [data-card]')].map((one) => rounded(one.parentElement!));
  // Beside the table the prompt is as high as it needs to be.
  const beside = matchMedia('(max-height: 35rem) and (min-width: 30rem)').matches;
  return [...parents, ...[...document.querySelectorAll(beside ? '.hand' : '.prompt, .hand')].map(rounded)];
});

const COLORS = ['red', 'yellow', 'green', 'blue'] as const;
/** Questions, and a table without one: what shows them, and the game in which they are asked. */
const QUESTIONS: [string, GameView][] = [
  ...['challenge', 'vote', 'new-color'].map((name): [string, GameView] => [`.prompt`, { ...gameOf(4, { phase: scenes[name]!.game!.view.phase }), legal: scenes[name]!.game!.legal }]),
  ['.prompt:not(.mine)', gameOf(4, { phase: { type: 'turn', seat: 2 } }, [])],
  ['.prompt section.colors', gameOf(4, { phase: { type: 'call_color', seat: 0, next: 1 } }, COLORS.map((color) => ({ type: 'call_color' as const, color })))],
];

/** A round that people with long names have finished. */
const finished = {
  lobby: lobbyOf(6, {
    stage: 'scores', may: ['ready', 'chat'], chairs: lobbyOf(6).chairs.map((chair, i) => ({ ...chair, name: NAMES[i]!, ready: i > 0 })),
  }),
  game: gameOf(6, {
    phase: { type: 'round_over' }, hand: MANY, shown: { 1: MANY, 2: [], 3: MANY.slice(3), 4: ['R3'], 5: ['W'] },
    result: { winner: 2, points: [0, 0, 1350, 0, 0, 0] }, scores: [0, 35, 1205, 105, 0, 1],
  }),
};

for (const [name, viewport] of Object.entries(SIZES)) {
  test(`a table fits, whatever happens at it: ${name}`, async ({ person }) => {
    const page = await person({ viewport });
    const mock = await open(page, { lobby: lobbyOf(2), game: gameOf(2) });
    for (const [players, cards] of TABLES) {
      await show(page, mock, { lobby: lobbyOf(players), game: gameOf(players, { hand: MANY.slice(0, cards), phase: { type: 'turn', seat: players - 1 } }) });
      expect(await trouble(page), `${players} players, ${cards} cards`).toEqual([]);
    }

    await test.step('what is asked moves nothing', async () => {
      await show(page, mock, { lobby: lobbyOf(4), game: gameOf(4) });
      const before = await places(page);
      for (const [sign, game] of QUESTIONS) {
        await show(page, mock, { lobby: lobbyOf(4), game });
        await expect(page.locator(sign)).toBeVisible();
        expect(await places(page), sign).toEqual(before);
        expect(await trouble(page), sign).toEqual([]);
      }
    });

    await test.step('open hands hide nothing', async () => {
      const { lobby, game } = scenes['open-hands']!;
      await show(page, mock, { lobby: lobby!, game });
      await expect(page.locator('.open-hands')).toBeVisible();
      expect(await trouble(page)).toEqual([]);
    });

    await test.step('a hint can be asked for', async () => {
      await show(page, mock, { lobby: lobbyOf(4, { may: ['act', 'hint'] }), game: gameOf(4) });
      await page.locator('[data-do-hint]').click({ trial: true });
    });

    await test.step('names of any kind', async () => {
      const { lobby, game } = scenes['names']!;
      await show(page, mock, { lobby: lobby!, game });
      expect(await trouble(page)).toEqual([]);
    });

    await test.step('the scores of people with long names, with menu and chat in reach', async () => {
      await show(page, mock, finished);
      const sheet = page.locator('.sheet');
      const wide = await sheet.evaluate((one) => [one.scrollWidth - one.clientWidth, one.getBoundingClientRect().right - innerWidth]);
      expect(Math.max(...wide)).toBeLessThanOrEqual(1);
      // The keyboard finds the table under the scores as little as a finger does.
      await expect(page.locator('#score-title')).toBeFocused();
      expect(await page.locator('[data-card]').first().evaluate((card) => card.closest('[inert]') !== null)).toBe(true);
      await control(page, 'next').scrollIntoViewIfNeeded();
      await control(page, 'next').click({ trial: true });
      await page.getByRole('button', { name: 'Menu', exact: true }).click();
      await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible();
      await page.keyboard.press('Escape');
      if ((await page.getByRole('button', { name: 'Chat' }).count()) > 0) await page.getByRole('button', { name: 'Chat' }).click();
      await page.getByLabel('Say something').fill('gg');
      await expect(page.getByLabel('Say something')).toHaveValue('gg');
    });
  });
}

test('the table says who is next, whichever way play goes', async ({ page }) => {
  const mock = await open(page, { lobby: lobbyOf(4), game: gameOf(4) });
  const middles = () => page.evaluate(() => {
    const middle = (element: Element) => {
      const box = element.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    const [arrow, ...seats] = [document.querySelector('.next .step')!, ...document.querySelectorAll('[data-seat]')].map(middle);
    return { arrow: arrow!, seats };
  });
  const near = async () => {
    const { arrow, seats } = await middles();
    const far = seats.map(({ x, y }) => Math.hypot(x - arrow.x, y - arrow.y));
    return [...far.keys()].sort((a, b) => far[a]! - far[b]!).slice(0, 2).sort();
  };
  // Seats 1, 2, 3 are the first, second and third around the table from the viewer's left.
  for (const [direction, turn, between] of [['left', 1, [0, 1]], ['left', 2, [1, 2]], ['right', 3, [1, 2]], ['right', 2, [0, 1]]] as const) {
    await show(page, mock, { lobby: lobbyOf(4), game: gameOf(4, { direction, phase: { type: 'turn', seat: turn } }) });
    expect(await near(), `${direction} of ${turn}`).toEqual(between);
  }
});

test('one’s own place is at the table', async ({ page }) => {
  await open(page, { lobby: lobbyOf(3), game: gameOf(3, { dealer: 0, scores: [120, 5, 7] }) });
  const own = page.getByRole('region', { name: 'Your seat' });
  await expect(own).toContainText('Robin');
  await expect(own).toContainText('120 points');
  await expect(own.getByRole('img', { name: 'Dealer' })).toBeVisible();
});

test('a long word in the chat stays on the screen', async ({ person }) => {
  for (const viewport of [SIZES['phone, upright']!, SIZES['phone, sideways']!]) {
    const page = await person({ viewport });
    const chairs = lobbyOf(10).chairs.map((chair, i) => ({ ...chair, person: i, bot: null }));
    const people = chairs.map(({ name }, i) => ({ person: i, name, seat: i, connected: true }));
    const mock = await open(page, { lobby: lobbyOf(10, { chairs, people }), game: gameOf(10) });
    for (let i = 0; i < 10; i++) mock.send({ type: 'update', seq: 2 + i, what: { type: 'chatted', person: i, text: `${'Donaudampfschifffahrt'.repeat(8)} und noch ein paar Wörter`.slice(0, 200) } });
    await expect(page.locator('.bubble')).toHaveCount(10);
    await settled(page);
    const outside = await page.locator('.bubble').evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).filter((box) => box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight).length);
    expect(outside).toBe(0);
  }
});

const plays = (mock: Mock) => mock.requests.flatMap(({ request }) => (request.type === 'act' && request.action.type === 'play' ? [request.action.card] : []));

test('a card is dragged to the pile, by mouse and by finger', async ({ person }) => {
  const page = await person({ viewport: SIZES['phone, sideways']!, hasTouch: true });
  const mock = await open(page, { lobby: lobbyOf(3), game: gameOf(3) });
  await settled(page);
  const middle = async (selector: string) => {
    const box = (await page.locator(selector).boundingBox())!;
    return { x: box.x + box.width / 3, y: box.y + box.height / 3 };
  };
  const pile = await middle('.discard');
  const nowhere = { x: 20, y: 340 };

  const card = await middle('[data-card=R3]');
  await page.mouse.move(card.x, card.y);
  await page.mouse.down();
  await page.mouse.move(nowhere.x, nowhere.y, { steps: 4 });
  await page.mouse.up();
  expect(plays(mock)).toEqual([]);
  await settled(page);
  await page.mouse.move(card.x, card.y);
  await page.mouse.down();
  await page.mouse.move(pile.x, pile.y, { steps: 4 });
  await expect(page.locator('.discard.target')).toHaveCount(1);
  await page.mouse.up();
  await expect.poll(() => plays(mock)).toEqual(['R3']);

  mock.send({ type: 'refused', id: mock.requests.at(-1)!.id, code: 'stale', message: 'again' });
  await page.locator('[data-do=card]').first().waitFor();
  await settled(page);
  const finger = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', point?: { x: number; y: number }) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints: point ? [point] : [] });
  const other = await middle('[data-card=RS]');
  await touch('touchStart', other);
  for (const part of [0.3, 0.6, 1]) await touch('touchMove', { x: other.x + (pile.x - other.x) * part, y: other.y + (pile.y - other.y) * part });
  await touch('touchEnd');
  await expect.poll(() => plays(mock)).toEqual(['R3', 'RS']);
});

test('the hand is sorted as one likes, and stays so', async ({ page }) => {
  await open(page, { lobby: lobbyOf(3), game: gameOf(3, { hand: ['R3', 'R7', 'Y3', 'G7', 'W'] }) });
  const names = () => hand(page).evaluateAll((cards) => cards.map((card) => (card as HTMLElement).dataset['card']));
  expect(await names()).toEqual(['R3', 'R7', 'Y3', 'G7', 'W']);
  await page.getByRole('button', { name: 'Sort by number' }).click();
  await expect.poll(names).toEqual(['R3', 'Y3', 'R7', 'G7', 'W']);
  await page.reload();
  await expect.poll(names).toEqual(['R3', 'Y3', 'R7', 'G7', 'W']);
  await page.getByRole('button', { name: 'Sort by color' }).click();
  await expect.poll(names).toEqual(['R3', 'R7', 'Y3', 'G7', 'W']);
});

/** What a hint must not lie on: where one looks, and what one can press. */
const NEEDED = '.pile, .chip, [data-seat], [data-card], .prompt .button, .tools .button, .play > header .button';

for (const [name, viewport] of Object.entries(SIZES)) {
  test(`why a card does not fit is said on nothing that is needed: ${name}`, async ({ person }) => {
    for (const locale of ['de-DE', 'fr-FR']) {
      const page = await person({ viewport, locale });
      const mock = await open(page, { lobby: lobbyOf(5), game: gameOf(5) });
      for (const [phase, why] of [
        [{ type: 'turn', seat: 2 }, { type: 'not_your_turn', seat: 2 }],
        [{ type: 'turn', seat: 0 }, { type: 'does_not_match', card: 'Y5', top: 'R7', color: 'red' }],
      ] as const) {
        await show(page, mock, { lobby: lobbyOf(5), game: gameOf(5, { phase }, phase.seat === 0 ? undefined : []) });
        const asked = mock.requests.length;
        await page.locator('[data-card=Y5]').click({ position: { x: 12, y: 30 } });
        await expect.poll(() => mock.requests.length).toBe(asked + 1);
        mock.send({ type: 'refused', id: mock.requests.at(-1)!.id, code: why.type, message: 'no', rule: 'T1', why });
        await page.locator('[data-hint] [data-do=why]').waitFor();
        await settled(page);
        const under = await page.evaluate((needed) => {
          const hint = document.querySelector('[data-hint]')!.getBoundingClientRect();
          const meets = (box: DOMRect) => Math.min(box.right, hint.right) - Math.max(box.left, hint.left) > 1 && Math.min(box.bottom, hint.bottom) - Math.max(box.top, hint.top) > 1;
          const found = [...document.querySelectorAll<HTMLElement>(needed)].filter((one) => !one.closest('[data-hint]') && meets(one.getBoundingClientRect()));
          const outside = hint.left < 0 || hint.top < 0 || hint.right > innerWidth || hint.bottom > innerHeight;
          return [...found.map((one) => `${one.className} ${one.dataset['seat'] ?? one.dataset['card'] ?? one.textContent}`), ...(outside ? ['outside'] : [])];
        }, NEEDED);
        expect(under, `${why.type} in ${locale}`).toEqual([]);
      }
      await page.context().close();
    }
  });
}

test('a stray tap out of turn is answered in passing', async ({ page }) => {
  await page.clock.install();
  await enter(page, scenes['stray']!);
  await expect(page.locator('[data-hint]')).toContainText('Hazel');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.clock.fastForward(10_000);
  await expect(page.locator('[data-hint]')).toHaveCount(0);
});

test('a connection that does not answer is noticed within three seconds', async ({ page }) => {
  await page.clock.install();
  const mock = await open(page, { lobby: lobbyOf(3), game: gameOf(3) });
  mock.mute();
  await control(page, 'draw').click();
  // Twice: asking whether it is still there, then no answer to that.
  await page.clock.runFor(1_500);
  await page.clock.runFor(1_500);
  await expect(page.getByRole('status').filter({ hasText: 'No answer from the server.' })).toBeVisible();
});

test('bots can be hurried by a player who is alone with them', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Deal the cards' }).click();
  await expect(hand(page).nth(6)).toBeVisible();
  await expect(control(page, 'pace')).toHaveAccessibleName(/Relaxed/);
  await control(page, 'pace').click();
  await expect(control(page, 'pace')).toHaveAccessibleName(/Fast/);
  await control(page, 'pace').click();
  await expect(control(page, 'pace')).toHaveAccessibleName(/Instant/);
});

test('among people nobody hurries the bots', async ({ page }) => {
  await open(page, { lobby: lobbyOf(3), game: gameOf(3) });
  await expect(control(page, 'sort')).toBeVisible();
  await expect(control(page, 'pace')).toHaveCount(0);
});

test('a quick game is as long and as fast as one likes', async ({ page }) => {
  await playAtServer(page);
  const dealt = async () => {
    await page.getByRole('button', { name: 'Deal the cards' }).click();
    await expect(hand(page).nth(6)).toBeVisible();
    const code = new URL(page.url()).pathname.split('/').at(-1)!;
    return page.evaluate(async (at) => ((await (await fetch(`/api/tables/${at}`)).json()) as { terms: { settings: object } }).terms.settings, code);
  };
  await page.goto('/');
  await control(page, 'options').click();
  await page.getByText('Party', { exact: true }).click();
  expect(await dealt()).toMatchObject({ pace: 'relaxed', rules: { scoring: { type: 'first_to', target: 200 }, house: { seven_zero: true, stacking: 'same' } } });
  await page.goto('/');
  await control(page, 'options').click();
  await page.getByText('Quick', { exact: true }).click();
  await page.getByText('Instant', { exact: true }).click();
  expect(await dealt()).toMatchObject({ pace: 'instant', rules: { scoring: { type: 'single_round' } } });
});

test('on a phone the set-up is short, and a preset sets it up at once', async ({ person }) => {
  const page = await person({ viewport: SIZES['phone, upright']! });
  await page.goto('/');
  await page.getByRole('button', { name: 'Create a table' }).click();
  await expect(page.locator('[data-setting=edition]')).toBeVisible();
  await expect(page.locator('[data-setting=seven_zero]')).toBeHidden();
  await page.locator('[data-setting=preset] [data-value=party]').click();
  await expect(page.locator('[data-setting=preset] .chosen')).toHaveText('Party');
  await page.getByText('House rules', { exact: true }).click();
  await expect(page.locator('[data-setting=seven_zero] input')).toBeChecked();
  await page.locator('[data-setting=seven_zero] input').click();
  await expect(page.locator('[data-setting=preset] .chosen')).toHaveCount(0);
});

test('a device without keys has no list of keys', async ({ person }) => {
  const phone = await person({ viewport: SIZES['phone, upright']!, hasTouch: true, isMobile: true });
  await enter(phone, scenes['menu']!);
  await expect(phone.locator('dialog [data-do=rules]')).toBeVisible();
  await expect(phone.locator('dialog [data-do=keys]')).toHaveCount(0);
  const laptop = await person();
  await enter(laptop, scenes['menu']!);
  await expect(laptop.locator('dialog [data-do=keys]')).toBeVisible();
});

test('buttons without words say what they do', async ({ page }) => {
  await open(page, { lobby: lobbyOf(3), game: gameOf(3) });
  const rules = page.getByRole('button', { name: 'Rules', exact: true });
  const told = () => rules.evaluate((button) => getComputedStyle(button, '::after').content);
  expect(await told()).toBe('none');
  await rules.hover();
  expect(await told()).toContain('Rules');
});

test.describe('with colors of one’s own', () => {
  test.use({ device: { forcedColors: 'active', locale: 'zh-CN' } });
  test('a whole round, in Chinese', async ({ seeded: page }) => {
    await sitDownWith(page, 'normal', { edition: 'original', scoring: { type: 'single_round' } });
    const deeds = await playOn(page, byMouse);
    expect(deeds.get('card')).toBeGreaterThan(3);
  });

  test('whatever is chosen can be told from the rest', async ({ person }) => {
    const page = await person({ forcedColors: 'active' });
    const outlined = (selector: string) => page.locator(selector).evaluateAll((all) => all.map((one) => getComputedStyle(one).outlineStyle !== 'none'));
    await enter(page, scenes['home']!);
    expect(await outlined('.editions label.chosen')).toEqual([true]);
    expect(await outlined('.editions label:not(.chosen)')).toEqual([false, false, false, false]);
    await enter(page, scenes['play']!);
    expect(await outlined('[data-do=card] .lift')).not.toContain(false);
    expect(await outlined('[data-card]:not([data-do]) .lift')).not.toContain(true);
    expect(await outlined('.me.turn .face')).toEqual([true]);
    await enter(page, scenes['color']!);
    expect(await outlined('[data-do=color]')).toEqual([true, true, true, true]);
    const grounds = await page.locator('[data-do=color]').evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
    expect(new Set(grounds).size).toBe(4);
    await enter(page, scenes['scores']!);
    expect(await outlined('.sheet li')).toEqual([true, false, false, false]);
  });
});

test.describe('on a phone held sideways', () => {
  test.use({ device: { viewport: SIZES['phone, sideways']!, hasTouch: true, locale: 'de-DE' } });
  test('a whole round by touch, in German', async ({ seeded: page }) => {
    await sitDownWith(page, 'normal', { edition: 'original', scoring: { type: 'single_round' } });
    const deeds = await playOn(page, byTouch);
    expect(deeds.get('card')).toBeGreaterThan(3);
  });
});
