import type { CustomRule, Level, RulesSpec } from '../src/protocol';
import { byMouse, playOn } from './player';
import { sitDownWith } from './tables';
import { expect, test } from './world';

// Moments that come up now and then, in games at a real server whose cards are always the same. The same moments are in
// states.spec.ts against a scripted server, where every choice of them can be looked at.

const sing: CustomRule = { title: 'Sing', effects: [{ do: 'perform', prompt: 'sing a song', success: [], failure: [{ do: 'draw', who: 'self', count: 2 }] }] };
const dare: CustomRule = { title: 'Dare', effects: [{ do: 'dare', who: 'next', prompt: 'stand on one leg', refuse: [{ do: 'draw', who: 'next', count: 2 }] }] };
const give: CustomRule = { title: 'Away with it', effects: [{ do: 'discard_down', who: 'all', to: 3 }] };

/** With large hands special cards come up sooner, with small ones the last card does. */
const [LARGE, SMALL] = [{ hand_size: 20 }, { hand_size: 2 }];

type Rarity = { rules: RulesSpec; level?: Level; prefer?: 'first' | 'last'; deed: string };
const rarities: Record<string, Rarity> = {
  'a challenge': { rules: { edition: 'original', house: LARGE }, deed: 'challenge' },
  'a block': { rules: { edition: 'fairies', house: LARGE }, prefer: 'first', deed: 'block' },
  'cards that Olaf takes along': { rules: { edition: 'frozen', house: LARGE }, deed: 'go-along' },
  'shuffled hands': { rules: { edition: 'custom', custom_cards: [], house: LARGE }, deed: 'call-color' },
  'somebody caught without UNO': { rules: { edition: 'original', house: SMALL }, level: 'easy', deed: 'catch' },
  'a vote on a performance': { rules: { edition: 'custom', custom_cards: [sing, sing, sing], house: LARGE }, deed: 'vote' },
  'a dare': { rules: { edition: 'custom', custom_cards: [dare, dare, dare], house: LARGE }, deed: 'dare' },
  'discards of one’s own choice': { rules: { edition: 'custom', custom_cards: [give, give, give], house: LARGE }, deed: 'discard' },
  'a swap of hands': { rules: { edition: 'original', house: { seven_zero: true } }, deed: 'swap' },
};

for (const [name, { rules, level = 'normal', prefer = 'last', deed }] of Object.entries(rarities)) {
  test(`comes up in a game: ${name}`, async ({ seeded: page }) => {
    await sitDownWith(page, level, rules);
    const deeds = await playOn(page, byMouse, { prefer, until: deed });
    expect([...deeds.keys()]).toContain(deed);
  });
}
