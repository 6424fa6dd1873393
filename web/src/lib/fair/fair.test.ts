import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deckOf, keyOf, Seeded } from '../../../tests/twin';
import { editions } from '../../cards/words';
import { commitmentOf, pledgeOf } from './fair';

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
    const sizes = editions.map((edition) => deckOf(edition).length);
    expect(sizes).toEqual([108, 112, 112, 112, 112]);
  });
});

describe('a deal', () => {
  const deal = { secret: '00'.repeat(32), entropy: [null, '11'.repeat(32)] };

  it('is bound to the hash of its secret, and dealt from the hash of all parts', () => {
    const hash = (...parts: (string | Buffer)[]) => parts.reduce((sum, part) => sum.update(part), createHash('sha256')).digest('hex');
    const [secret, part] = [Buffer.alloc(32), Buffer.alloc(32, 0x11)];
    expect(commitmentOf(deal)).toBe(hash('unum deal 2 commit\n', secret));
    expect(Buffer.from(keyOf(deal)).toString('hex')).toBe(hash('unum deal 2 seed\n', secret, Buffer.of(1), Buffer.of(0), Buffer.of(1), part));
    const commitment = commitmentOf(deal);
    const place = [Buffer.from(commitment, 'hex'), Buffer.of(2, 1)];
    expect(pledgeOf(commitment, 2, 1, deal.entropy[1]!)).toBe(hash('unum deal 2 part\n', ...place, part));
  });
});
