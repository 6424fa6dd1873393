import { describe, expect, it } from 'vitest';
import { sorted } from './sorting';

const HAND = ['R0', 'R7', 'R+2', 'Y3', 'Y7', 'GS', 'B3', 'B7', 'W', 'W+4'];

describe('a hand', () => {
  it('lies by color as the table sends it', () => {
    expect(sorted(HAND, 'color')).toEqual(HAND);
  });

  it('lies by number, with wilds at the end and nothing lost', () => {
    expect(sorted(HAND, 'number')).toEqual(['R0', 'Y3', 'B3', 'R7', 'Y7', 'B7', 'GS', 'R+2', 'W', 'W+4']);
  });

  it('knows pink', () => {
    expect(sorted(['P9', 'P1', 'Y1', 'WO'], 'number')).toEqual(['P1', 'Y1', 'P9', 'WO']);
  });
});
