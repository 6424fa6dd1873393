import { describe, expect, it, vi } from 'vitest';
import type { Review, RoundReview, ServedReview } from '../../protocol';
import { ApiError } from '../net/api';
import { follow, lineOf, momentsOf, pathOf } from './review';
import { de } from './text/de';
import { en } from './text/en';
import { es } from './text/es';
import { fr } from './text/fr';
import { pt } from './text/pt';
import { zh } from './text/zh';
import { againstText, why } from './words.svelte';

const placesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();

describe('the texts of a review', () => {
  it.each(Object.entries({ de, es, fr, pt, zh }))('in %s have the same places as in English', (_, texts) => {
    expect(Object.keys(texts).sort()).toEqual(Object.keys(en).sort());
    for (const [key, text] of Object.entries(texts)) {
      expect(placesIn(text), key).toEqual(placesIn(en[key as keyof typeof en]));
    }
  });
});

it('speaks of one card, and of several', () => {
  expect(why({ type: 'own_cards', better: 1, played: 2 })).toBe('It leaves 1 card in hand instead of 2.');
  // What is shown as a whole number is counted as one.
  expect(why({ type: 'own_fits', better: 0.98, played: 0.5 })).toBe('It leaves 1 card that fits next, instead of 0.5.');
  expect(why({ type: 'others_draw', better: 1.5, played: 1 })).toBe('Others would draw 1.5 cards, not 1.');
});

it('names the opponents of a season', () => {
  const told = [{ type: 'bots', level: 'hard' }, { type: 'mixed' }, { type: 'people' }, { type: 'unknown' }] as const;
  expect(told.map(againstText)).toEqual(['Hard', 'mixed bots', 'people', 'not known']);
});

const line = [
  { number: 0, seat: null, text: '', cause: 'deal', open: [0.5, 0.5], seen: null },
  { number: 1, seat: 1, text: '', cause: 'play', open: [0.4, 0.6], seen: 0.55 },
  { number: 2, seat: 0, text: '', cause: 'luck', open: [1, 0], seen: 0.3 },
] as RoundReview['line'];

describe('the line of chances', () => {
  it('shows all cards open after every move', () => {
    const points = lineOf({ line } as RoundReview, 0, false, [100, 10]);
    expect(points.map(({ x, y }) => [x, y])).toEqual([[0, 5], [50, 6], [100, 0]]);
    expect(pathOf(points)).toBe('M0.0 5.0 L50.0 6.0 L100.0 0.0');
  });
  it('shows what a seat saw where it decided, and nothing else', () => {
    expect(lineOf({ line } as RoundReview, 0, true, [100, 10]).map(({ x, chance }) => [x, chance])).toEqual([[100, 0.3]]);
  });
});

it('tells the dearest moments of a seat first', () => {
  const decisions = [{ seat: 0, error: 0.1 }, { seat: 1, error: 0.9 }, { seat: 0, error: 0.3 }];
  expect(momentsOf({ decisions } as Review, 0).map((one) => one.error)).toEqual([0.3, 0.1]);
});

describe('a review on its way', () => {
  const served = (progress: ServedReview['progress']) => ({ progress, seat: 0, review: null }) as ServedReview;

  it('is asked for until it is done', async () => {
    vi.useFakeTimers();
    const [told, failed] = [vi.fn(), vi.fn()];
    const busy = new ApiError(429, null);
    const load = vi.fn<() => Promise<ServedReview>>();
    load.mockResolvedValueOnce(served('waiting')).mockRejectedValueOnce(busy).mockResolvedValueOnce(served('done'));
    follow(load, told, failed);
    await vi.runAllTimersAsync();
    expect(told.mock.calls.map(([one]) => (one as ServedReview).progress)).toEqual(['waiting', 'done']);
    expect(load).toHaveBeenCalledTimes(3);
    expect(failed).not.toHaveBeenCalled();
    vi.useRealTimers();
  });

  it('is not asked for any more when nobody looks', async () => {
    vi.useFakeTimers();
    const load = vi.fn(() => Promise.resolve(served('thinking')));
    const stop = follow(load, () => undefined, () => undefined);
    await vi.advanceTimersByTimeAsync(2500);
    stop();
    const before = load.mock.calls.length;
    await vi.advanceTimersByTimeAsync(5000);
    expect(before).toBe(3);
    expect(load).toHaveBeenCalledTimes(before);
    vi.useRealTimers();
  });
});
