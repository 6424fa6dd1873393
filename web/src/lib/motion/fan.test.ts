import { describe, expect, it } from 'vitest';
import { keyed, layFan } from './fan';

describe('a hand on a small screen', () => {
  it.each([1, 7, 12, 20, 30])('shows a strip of every one of %i cards', (count) => {
    const fan = layFan(count, 344, 58, 87);
    expect(fan.places).toHaveLength(count);
    for (const place of fan.places) {
      expect(place.x).toBeGreaterThanOrEqual(0);
      expect(place.x + 58).toBeLessThanOrEqual(344.01);
    }
    const rows = new Map<number, number[]>();
    for (const place of fan.places) rows.set(Math.round(place.y / 10), [...(rows.get(Math.round(place.y / 10)) ?? []), place.x]);
    if (fan.rows > 1) {
      for (const xs of rows.values()) xs.slice(1).forEach((x, i) => expect(x - xs[i]!).toBeGreaterThanOrEqual(24));
    }
  });

  it('takes three rows for thirty cards', () => {
    expect(layFan(30, 344, 58, 87).rows).toBe(3);
    expect(layFan(30, 344, 58, 87).height).toBeLessThan(190);
  });
});

describe('keys', () => {
  it('tell equal cards apart', () => {
    expect(keyed(['R1', 'R1', 'W']).map(({ key }) => key)).toEqual(['R1#0', 'R1#1', 'W#0']);
  });
});
