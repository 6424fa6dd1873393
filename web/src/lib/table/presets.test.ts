import { describe, expect, it } from 'vitest';
import type { Editions, Preset, Settings } from '../../protocol';
import { chosenIn, withPreset } from './presets';

const presets: Preset[] = [
  { id: 'official', scoring: null, house: {}, pace: 'relaxed' },
  { id: 'party', scoring: { type: 'first_to', target: 200 }, house: { stacking: 'same', seven_zero: true }, pace: 'relaxed' },
  { id: 'quick', scoring: { type: 'single_round' }, house: {}, pace: 'brisk' },
];
const settings = { title: 'Ours', rules: { edition: 'custom', custom_cards: [1, 2, 3] }, pace: 'relaxed' } as unknown as Settings;
const setup = { edition: 'original', level: 'normal', opponents: 3, preset: 'party', scoring: null, pace: null } as const;

describe('a preset', () => {
  it.each(presets)('takes the place of rules and pace, and of nothing else: $id', ({ id, ...preset }) => {
    const { scoring, house, pace } = preset;
    expect(withPreset(settings, { id, ...preset })).toEqual({
      title: 'Ours', rules: { edition: 'custom', custom_cards: [1, 2, 3], house, ...(scoring ? { scoring } : {}) }, pace,
    });
  });

  it('takes a length and a pace of one\u2019s own', () => {
    const editions = { presets } as Editions;
    expect(chosenIn(editions, setup)).toMatchObject({ scoring: { target: 200 }, pace: 'relaxed', house: { seven_zero: true } });
    expect(chosenIn(editions, { ...setup, scoring: { type: 'single_round' }, pace: 'brisk' })).toMatchObject({
      scoring: { type: 'single_round' }, pace: 'brisk', house: { seven_zero: true },
    });
  });
});
