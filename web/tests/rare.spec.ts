import type { CustomRule, Level, RulesSpec } from '../src/protocol';
import { byMouse, playOn } from './player';
import { sitDownWith } from './tables';
import { expect, test } from './world';

// Moments that come up now and then, in games at a real server whose cards are always the same. The same moments are in
// states.spec.ts against a scripted server, where every choice of them can be looked at.

const sing: CustomRule = { title: 'Sing', effects: [{ do: 'perform', prompt: 'sing a song', success: [], failure: [{ do: 'draw', who: 'self', count: 2 }] }] };
const dare: CustomRule = { title: 'Dare', effects: [{ do: 'dare', who: 'next', prompt: 'stand on one leg', refuse: [{ do: 'draw', who: 'next', count: 2 }] }] };
const give: CustomRule = { title: 'Away with it', effects: [{ do: 'discard_down', who: 'all', to: 8 }] };

/** With large hands special cards come up sooner, with small ones the last card does. */
const [LARGE, SMALL] = [{ hand_size: 20 }, { hand_size: 2 }];

/** Each has a seed with which it comes up within ten clicks. With others, or when bots play otherwise, it comes up later. */
type Rarity = { rules: RulesSpec; seed: number; level?: Level; prefer?: 'first' | 'last'; deed: string };
const rarities: Record<string, Rarity> = {
  'a challenge': { rules: { edition: 'original', house: LARGE }, seed: 45, deed: 'challenge' },
  'a block': { rules: { edition: 'fairies', house: LARGE }, prefer: 'first', seed: 6, deed: 'block' },
  'cards that Olaf takes along': { rules: { edition: 'frozen', house: LARGE }, seed: 2, deed: 'go-along' },
  'shuffled hands': { rules: { edition: 'custom', custom_cards: [], house: LARGE }, seed: 3, deed: 'call-color' },
  'somebody caught without UNO': { rules: { edition: 'original', house: SMALL }, level: 'easy', seed: 3, deed: 'catch' },
  'a vote on a performance': { rules: { edition: 'custom', custom_cards: [sing, sing, sing], house: LARGE }, seed: 29, deed: 'vote' },
  'a dare': { rules: { edition: 'custom', custom_cards: [dare, dare, dare], house: LARGE }, seed: 29, deed: 'dare' },
  'discards of one’s own choice': { rules: { edition: 'custom', custom_cards: [give, give, give], house: { hand_size: 12 } }, seed: 1, deed: 'discard' },
  'a swap of hands': { rules: { edition: 'original', house: { seven_zero: true } }, seed: 9, deed: 'swap' },
};

for (const [name, { rules, seed, level = 'normal', prefer = 'last', deed }] of Object.entries(rarities)) {
  test.describe(() => {
    test.use({ seed });
    test(`comes up in a game: ${name}`, async ({ seeded: page }) => {
      await sitDownWith(page, level, rules);
      const deeds = await playOn(page, byMouse, { prefer, until: deed });
      expect([...deeds.keys()]).toContain(deed);
    });
  });
}
