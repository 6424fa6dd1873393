import { describe, expect, it } from 'vitest';
import type { ChoiceForm } from '../protocol';
import { actionFor, canGoAlong, choicesFor, nextQuestion, playable, unoInReach, withUno } from './choices';

const wild: ChoiceForm[] = ['red', 'yellow', 'green', 'blue'].map((color) => ({ type: 'play', card: 'W', color }));
const olaf: ChoiceForm[] = [[], ['P3'], ['P3', 'PS'], ['Y1']].flatMap((discard) =>
  ['pink', 'blue'].map((color): ChoiceForm => ({ type: 'play', card: 'WO', color, discard })),
);
const legal: ChoiceForm[] = [
  { type: 'play', card: 'R3' },
  ...wild,
  ...olaf,
  { type: 'play', card: 'R7', swap_with: 1 },
  { type: 'play', card: 'R7', swap_with: 2 },
  { type: 'draw' },
];

describe('choices', () => {
  it('come from what the server lists', () => {
    expect([...playable(legal)]).toEqual(['R3', 'W', 'WO', 'R7']);
    expect(choicesFor(legal, 'B1')).toBeNull();
  });

  it('ask nothing for a plain card', () => {
    const choices = choicesFor(legal, 'R3')!;
    expect(nextQuestion(choices, {})).toBeNull();
    expect(actionFor(choices, {})).toEqual({ type: 'play', card: 'R3' });
  });

  it('ask for the color of a wild', () => {
    const choices = choicesFor(legal, 'W')!;
    expect(nextQuestion(choices, {})).toBe('color');
    expect(actionFor(choices, { color: 'green' })).toEqual({ type: 'play', card: 'W', color: 'green' });
  });

  it('ask what Olaf takes along, then the color', () => {
    const choices = choicesFor(legal, 'WO')!;
    expect(nextQuestion(choices, {})).toBe('discard');
    expect(canGoAlong(choices, ['PS', 'P3'])).toBe(true);
    expect(canGoAlong(choices, ['P3', 'Y1'])).toBe(false);
    expect(nextQuestion(choices, { discard: ['P3'] })).toBe('color');
    expect(actionFor(choices, { discard: ['PS', 'P3'], color: 'blue' })).toEqual({
      type: 'play', card: 'WO', color: 'blue', discard: ['P3', 'PS'],
    });
  });

  it('ask whom to swap with', () => {
    const choices = choicesFor(legal, 'R7')!;
    expect(nextQuestion(choices, {})).toBe('swap');
    expect(actionFor(choices, { swap: 2 })).toMatchObject({ swap_with: 2 });
  });
});

describe('UNO', () => {
  it('goes with the play that leaves one card, and with no other', () => {
    expect(withUno({ type: 'play', card: 'R3' }, 2, true)).toEqual({ type: 'play', card: 'R3', uno: true });
    expect(withUno({ type: 'play', card: 'R3' }, 3, true)).not.toHaveProperty('uno');
    expect(withUno({ type: 'play', card: 'R3' }, 2, false)).not.toHaveProperty('uno');
    expect(withUno({ type: 'play', card: 'WO', discard: ['P3', 'PS'] }, 4, true)).toHaveProperty('uno');
    expect(withUno({ type: 'draw' }, 2, true)).not.toHaveProperty('uno');
  });

  it('is in reach when some play leaves one card', () => {
    expect(unoInReach([{ type: 'play', card: 'R3' }], 2)).toBe(true);
    expect(unoInReach([{ type: 'play', card: 'R3' }], 3)).toBe(false);
    expect(unoInReach([{ type: 'discard', count: 3 }], 4)).toBe(false);
  });
});
