import { describe, expect, it } from 'vitest';
import type { Choice, ColorName } from '../../protocol';
import { canGoAlong, choiceFor, choiceOf, colorCounts, nextQuestion, playable, questionsFor, questionsForBlock } from './choices';

const colors: ColorName[] = ['red', 'yellow', 'green', 'blue'];
const legal: Choice[] = [
  { action: { type: 'play', card: 'R3' }, uno: true },
  ...colors.map((color): Choice => ({ action: { type: 'play', card: 'W', color } })),
  ...[[], ['P3'], ['P3', 'PS'], ['Y1']].flatMap((discard) =>
    (['pink', 'blue'] as const).map((color): Choice => ({ action: { type: 'play', card: 'WO', color, discard } })),
  ),
  { action: { type: 'play', card: 'R7', swap_with: 1 } },
  { action: { type: 'play', card: 'R7', swap_with: 2 } },
  { action: { type: 'block', color: 'green' }, uno: true },
  { action: { type: 'draw' }, draws: 3 },
];

describe('choices', () => {
  it('come from what the server lists', () => {
    expect([...playable(legal)]).toEqual(['R3', 'W', 'WO', 'R7']);
    expect(questionsFor(legal, 'B1')).toBeNull();
    expect(questionsForBlock([])).toBeNull();
    expect(choiceOf(legal, 'draw')?.draws).toBe(3);
    expect(choiceOf(legal, 'keep')).toBeUndefined();
  });

  it('ask nothing for a plain card, and keep what is at stake', () => {
    const questions = questionsFor(legal, 'R3')!;
    expect(nextQuestion(questions, {})).toBeNull();
    expect(choiceFor(questions, {})).toEqual({ action: { type: 'play', card: 'R3' }, uno: true });
  });

  it('ask for the color of a wild, and of a block', () => {
    const wild = questionsFor(legal, 'W')!;
    expect(nextQuestion(wild, {})).toBe('color');
    expect(choiceFor(wild, { color: 'green' })?.action).toEqual({ type: 'play', card: 'W', color: 'green' });
    const block = questionsForBlock(legal)!;
    expect(block.colors).toEqual(['green']);
    expect(choiceFor(block, { color: 'green' })).toEqual({ action: { type: 'block', color: 'green' }, uno: true });
  });

  it('ask what Olaf takes along, then the color', () => {
    const questions = questionsFor(legal, 'WO')!;
    expect(nextQuestion(questions, {})).toBe('discard');
    expect(canGoAlong(questions, ['PS', 'P3'])).toBe(true);
    expect(canGoAlong(questions, ['P3', 'Y1'])).toBe(false);
    expect(nextQuestion(questions, { discard: ['P3'] })).toBe('color');
    expect(choiceFor(questions, { discard: ['PS', 'P3'], color: 'blue' })?.action).toEqual({
      type: 'play', card: 'WO', color: 'blue', discard: ['P3', 'PS'],
    });
  });

  it('ask whom to swap with', () => {
    const questions = questionsFor(legal, 'R7')!;
    expect(nextQuestion(questions, {})).toBe('swap');
    expect(choiceFor(questions, { swap: 2 })?.action).toMatchObject({ swap_with: 2 });
  });
});

describe('a hand', () => {
  it('is counted by color', () => {
    expect(colorCounts(['R3', 'R7', 'B1', 'W'])).toEqual({ red: 2, blue: 1 });
  });
});
