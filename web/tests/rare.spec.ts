import type { CustomRule, Level, RulesSpec } from '../src/protocol';
import { byMouse, playOn } from './player';
import { sitDownWith } from './tables';
import { expect, test } from './world';

// What comes up now and then is played for against the real server, round after round, until it has come up. The same
// moments are in states.spec.ts against a scripted server, where every choice of them can be looked at.

const sing: CustomRule = { title: 'Sing', effects: [{ do: 'perform', prompt: 'sing a song', success: [], failure: [{ do: 'draw', who: 'self', count: 2 }] }] };
const dare: CustomRule = { title: 'Dare', effects: [{ do: 'dare', who: 'next', prompt: 'stand on one leg', refuse: [{ do: 'draw', who: 'next', count: 2 }] }] };
const give: CustomRule = { title: 'Away with it', effects: [{ do: 'discard_down', who: 'all', to: 3 }] };

type Rarity = { rules: RulesSpec; level?: Level; prefer?: 'first' | 'last'; deed: string; told: RegExp };
const rarities: Record<string, Rarity> = {
  'a challenge': { rules: { edition: 'original' }, deed: 'challenge', told: /challenges .*: it was/ },
  'a block': { rules: { edition: 'fairies' }, prefer: 'first', deed: 'block', told: /blocks with Flitterific! and calls/ },
  'cards that Olaf takes along': { rules: { edition: 'frozen' }, deed: 'answer “Which cards go along?”', told: /takes .* along/ },
  'shuffled hands': { rules: { edition: 'custom' }, deed: 'name the color of new cards', told: /shuffles all hands and deals them anew/ },
  'somebody caught without UNO': { rules: { edition: 'original' }, level: 'easy', deed: 'catch', told: /catches .* without UNO/ },
  'a vote on a performance': { rules: { edition: 'custom', custom_cards: [sing, sing, sing] }, deed: 'well done', told: /votes yes/ },
  'a dare': { rules: { edition: 'custom', custom_cards: [dare, dare, dare] }, deed: 'i do it', told: /accepts the dare/ },
  'discards of one’s own choice': { rules: { edition: 'custom', custom_cards: [give, give, give] }, deed: 'discard', told: /discards/ },
  'a swap of hands': { rules: { edition: 'original', house: { seven_zero: true } }, deed: 'answer “With whom do you swap hands?”', told: /swaps hands with/ },
};

for (const [name, { rules, level = 'normal', prefer = 'last', deed, told }] of Object.entries(rarities)) {
  test(`comes up in a real game: ${name}`, async ({ page }) => {
    await sitDownWith(page, level, rules);
    const deeds = await playOn(page, byMouse, { prefer, until: { deed, told } });
    expect([...deeds.keys()]).toContain(deed);
  });
}
