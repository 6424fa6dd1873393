import { describe, expect, it } from 'vitest';
import { termsOf } from '../../../tests/mock';
import type { Setting } from '../../protocol';
import { applies, chosen, differs, effective, usual, withValue } from './settings';

const base = { group: 'house', agreed: true } as const;
const scoring: Setting = {
  ...base, id: 'scoring', type: 'choice', values: ['first_to', 'single_round'], unset: 'printed', path: ['rules', 'scoring', 'type'],
  defaults: { original: 'first_to', modern: 'single_round' },
};
const target: Setting = {
  ...base, id: 'target', type: 'number', least: 1, most: 10_000, step: 50, path: ['rules', 'scoring', 'target'],
  only: { setting: 'scoring', values: ['first_to'] }, defaults: { original: 500 },
};
const clock: Setting = { ...base, id: 'clock', type: 'number', least: 5, most: 600, step: 5, unset: 'none', path: ['clock'], defaults: { original: 30 } };
const cards: Setting = { ...base, id: 'cards', type: 'number', least: 0, most: 3, step: 1, path: ['rules', 'custom_cards', 'length'], defaults: { custom: 3 } };
const all = [scoring, target, clock, cards];

describe('settings', () => {
  it('are found where the list says, or are as the edition prints them', () => {
    const { settings } = termsOf({ edition: 'modern' });
    expect([chosen(scoring, settings), effective(scoring, settings)]).toEqual([null, 'single_round']);
    expect(effective(cards, termsOf({ edition: 'custom' }).settings)).toBe(3);
    expect(chosen(cards, termsOf({ edition: 'custom', custom_cards: [1, null] }).settings)).toBe(2);
  });

  it('can be switched off where there is nothing printed', () => {
    const { settings } = termsOf({}, { clock: null });
    expect([effective(clock, settings), usual(clock, settings)]).toEqual([null, 30]);
    expect(differs(clock, settings)).toBe(true);
    expect(differs(clock, termsOf().settings)).toBe(false);
  });

  it('exist beside the values they need', () => {
    expect(applies(target, termsOf().settings, all)).toBe(false);
    expect(applies(target, termsOf({ scoring: { type: 'first_to', target: 100 } }).settings, all)).toBe(true);
    expect(applies(clock, termsOf().settings, all)).toBe(true);
  });

  it('are changed in a copy', () => {
    const { settings } = termsOf({ edition: 'custom', custom_cards: [1, null] });
    expect(withValue(settings, ['rules', 'custom_cards', '1'], 7).rules.custom_cards).toEqual([1, 7]);
    expect(settings.rules.custom_cards).toEqual([1, null]);
  });
});
