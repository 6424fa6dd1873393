import { describe, expect, it } from 'vitest';
import { NAME_COUNT, someName } from './names';

describe('names for people who have none', () => {
  it('are many enough that two at a table rarely have the same', () => {
    const pairs = (10 * 9) / 2;
    expect(pairs / NAME_COUNT).toBeLessThan(0.02);
  });

  it('fit where names have to fit', () => {
    for (let i = 0; i < 48; i++) expect(someName(() => i / 48).length).toBeLessThanOrEqual(16);
  });
});
