import { describe, expect, it } from 'vitest';
import type { Editions, Preset, Settings } from '../../protocol';
import { chosenIn, presetOf, withPreset } from './presets';

const presets: Preset[] = [
  { id: 'official', scoring: null, house: {}, pace: 'relaxed' },
  { id: 'party', scoring: { type: 'first_to', target: 200 }, house: { stacking: 'same', seven_zero: true }, pace: 'relaxed' },
  { id: 'quick', scoring: { type: 'single_round' }, house: {}, pace: 'brisk' },
];
const settings = { title: 'Ours', rules: { edition: 'custom', custom_cards: [1, 2, 3] }, pace: 'relaxed' } as unknown as Settings;
const setup = { edition: 'original', level: 'normal', opponents: 3, preset: 'party', scoring: null, pace: null } as const;

describe('a preset', () => {
  it.each(presets)('is what settings come to: $id', (preset) => {
    const changed = withPreset(settings, preset);
    expect(presetOf(presets, changed)?.id).toBe(preset.id);
    expect(changed).toMatchObject({ title: 'Ours', rules: { edition: 'custom', custom_cards: [1, 2, 3] } });
  });

  it('is none of them as soon as one rule differs', () => {
    const party = withPreset(settings, presets[1]!);
    expect(presetOf(presets, { ...party, rules: { ...party.rules, house: { seven_zero: true } } })).toBeUndefined();
    expect(presetOf(presets, { ...party, pace: 'instant' })).toBeUndefined();
    expect(presetOf(presets, { ...party, rules: { ...party.rules, scoring: { type: 'first_to', target: 300 } } })).toBeUndefined();
  });

  it('does not care what the table decides about two players', () => {
    const party = withPreset(settings, presets[1]!);
    const two = { ...party, rules: { ...party.rules, house: { ...party.rules.house, reverse_skips_with_two: true } } };
    expect(presetOf(presets, two)?.id).toBe('party');
  });

  it('takes a length and a pace of one\u2019s own', () => {
    const editions = { presets } as Editions;
    expect(chosenIn(editions, setup)).toMatchObject({ scoring: { target: 200 }, pace: 'relaxed', house: { seven_zero: true } });
    expect(chosenIn(editions, { ...setup, scoring: { type: 'single_round' }, pace: 'brisk' })).toMatchObject({
      scoring: { type: 'single_round' }, pace: 'brisk', house: { seven_zero: true },
    });
  });
});
