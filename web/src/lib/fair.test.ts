import { describe, expect, it } from 'vitest';
import { commitmentOf, deckOf, Seeded, sha256, toHex } from './fair';

const text = (words: string) => new TextEncoder().encode(words);

describe('SHA-256', () => {
  it('gives the published hashes', () => {
    expect(toHex(sha256([text('')]))).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(toHex(sha256([text('a'), text('bc')]))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(toHex(sha256([text('a'.repeat(1000))]))).toBe('41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3');
  });
});

describe('the generator', () => {
  /** The key of a seed that is a number. */
  const key = (seed: number) => Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? seed : 0));

  it('gives the numbers that the rules publish', () => {
    const chance = new Seeded(key(7));
    expect(Array.from({ length: 8 }, () => chance.below(1000))).toEqual([172, 764, 916, 465, 447, 5, 58, 301]);
  });

  it('shuffles as the rules do', () => {
    const cards = Array.from({ length: 10 }, (_, i) => i);
    new Seeded(key(7)).shuffle(cards);
    expect(cards).toEqual([5, 9, 8, 4, 0, 2, 3, 7, 6, 1]);
  });
});

describe('decks', () => {
  it('have the number of cards on the sheet', () => {
    const sizes = (['original', 'fairies', 'frozen', 'custom', 'modern'] as const).map((edition) => deckOf(edition).length);
    expect(sizes).toEqual([108, 112, 112, 112, 112]);
  });
});

describe('a commitment', () => {
  it('is the hash of the secret with its prefix', () => {
    const secret = '00'.repeat(32);
    const expected = toHex(sha256([text('unum deal 1 commit\n'), new Uint8Array(32)]));
    expect(commitmentOf({ secret, entropy: [] })).toBe(expected);
  });
});
