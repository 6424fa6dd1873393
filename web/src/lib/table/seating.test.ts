import { describe, expect, it } from 'vitest';
import { BANNER, layTable, type Box } from './seating';

/** What is left for the table on the screens that matter, from a phone held sideways to a large monitor. */
const TABLES: Record<string, [number, number]> = {
  'phone, upright': [344, 400],
  'phone, upright, thirty cards': [344, 330],
  'phone, sideways': [470, 222],
  'large phone, sideways': [560, 250],
  'zoomed to twice its size': [450, 290],
  tablet: [800, 730],
  'tablet, sideways': [850, 510],
  laptop: [1110, 560],
  monitor: [2080, 860],
};
const COUNTS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const over = (a: Box, b: Box) => Math.abs(a.x - b.x) < (a.width + b.width) / 2 - 0.5 && Math.abs(a.y - b.y) < (a.height + b.height) / 2 - 0.5;

describe.each(Object.entries(TABLES))('a table on a %s', (_, [width, height]) => {
  it.each(COUNTS)('has room for %i others', (count) => {
    const { places, seat, middle, portrait, pile } = layTable(width, height, count);
    const boxes: Box[] = [...places.map(({ x, y }) => ({ x, y, ...seat })), middle];
    boxes.forEach((box, i) => boxes.slice(i + 1).forEach((other) => expect(over(box, other), JSON.stringify([box, other])).toBe(false)));
    for (const box of boxes) {
      expect(box.x - box.width / 2).toBeGreaterThanOrEqual(-1);
      expect(box.x + box.width / 2).toBeLessThanOrEqual(width + 1);
      expect(box.y - box.height / 2).toBeGreaterThanOrEqual(-1);
      expect(box.y + box.height / 2).toBeLessThanOrEqual(height + 1);
    }
    expect(portrait).toBeGreaterThanOrEqual(30);
    expect(pile).toBeGreaterThanOrEqual(46);
  });

  it.each(COUNTS)('shows the order of play among %i others', (count) => {
    const { places, steps } = layTable(width, height, count);
    expect(steps).toHaveLength(count + 1);
    // From the viewer's left over the far side to their right: the angle only grows.
    const angles = places.map(({ x, y }) => Math.atan2(x - width / 2, height * 1.01 - y));
    expect(angles).toEqual([...angles].sort((a, b) => a - b));
    if (count === 1) expect(places[0]!.x).toBeCloseTo(width / 2, -1);
  });
});

describe('a table', () => {
  it('leaves room for a banner above the piles where it can', () => {
    for (const [width, height] of [TABLES['phone, upright']!, TABLES['tablet']!, TABLES['laptop']!, TABLES['monitor']!]) {
      for (const count of [1, 2, 3, 4, 5]) expect(layTable(width, height, count).above, `${width} ${count}`).toBeGreaterThanOrEqual(BANNER - 1);
    }
  });

  it('leaves room for a smaller banner on a phone held sideways', () => {
    for (const size of ['phone, sideways', 'large phone, sideways', 'zoomed to twice its size']) {
      const [width, height] = TABLES[size]!;
      for (const count of COUNTS) expect(layTable(width, height, count).above, `${size} ${count}`).toBeGreaterThanOrEqual(40);
    }
  });

  it('uses the room it has', () => {
    const [small, large] = [layTable(344, 400, 3), layTable(2080, 860, 3)];
    expect(large.portrait).toBeGreaterThan(2 * small.portrait);
    expect(large.pile).toBeGreaterThan(2 * small.pile);
    expect(large.places[1]!.name).toBeGreaterThan(200);
  });
});
