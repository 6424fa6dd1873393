import { chacha8 } from '@noble/ciphers/chacha.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { colorsOf } from '../src/cards/words';
import type { CardName, Edition, FairDeal } from '../src/protocol';

/** Deals worked out without the rules' code, from docs/fairness.md alone: an independent test of it. */

/** A generator of the numbers that decide a deal: ChaCha with 8 rounds, nonce 0, the key being the seed. */
export class Seeded {
  readonly #key: Uint8Array;
  #block = new DataView(new ArrayBuffer(0));
  #blocks = 0;
  #at = 0;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** The next 32 bits. */
  next(): number {
    if (this.#at === this.#block.byteLength) {
      const bytes = chacha8(this.#key, new Uint8Array(12), new Uint8Array(64), undefined, this.#blocks++);
      [this.#block, this.#at] = [new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0];
    }
    this.#at += 4;
    return this.#block.getUint32(this.#at - 4, true);
  }

  /** A number below a bound, by Lemire's method. */
  below(bound: number): number {
    const threshold = 2 ** 32 % bound;
    for (;;) {
      const product = BigInt(this.next()) * BigInt(bound);
      if (Number(product & 0xffff_ffffn) >= threshold) return Number(product >> 32n);
    }
  }

  /** Fisher and Yates, from the last place down. */
  shuffle<T>(cards: T[]): void {
    for (let last = cards.length - 1; last >= 1; last--) {
      const other = this.below(last + 1);
      [cards[last], cards[other]] = [cards[other]!, cards[last]!];
    }
  }
}

/** The key of the deal. */
export function keyOf(deal: FairDeal): Uint8Array {
  const parts = deal.entropy.flatMap((part) => (part ? [Uint8Array.of(1), hexToBytes(part)] : [Uint8Array.of(0)]));
  return sha256(concatBytes(utf8ToBytes('unum deal 2 seed\n'), hexToBytes(deal.secret), Uint8Array.of(deal.attempt ?? 1), ...parts));
}

/** All cards of a deck, sorted as the rules sort them. */
export function deckOf(edition: Edition, customizable = 3): CardName[] {
  const faces = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'S', 'R', '+2'];
  const copies = (face: string) => (face === '0' && edition !== 'modern' ? 1 : 2);
  const colored = colorsOf(edition).flatMap((color) =>
    faces.flatMap((face) => Array<CardName>(copies(face)).fill(color.charAt(0).toUpperCase() + face)),
  );
  const four = (card: CardName) => Array<CardName>(4).fill(card);
  const own: Record<Edition, CardName[]> = {
    original: [],
    fairies: four('WF'),
    frozen: four('WO'),
    custom: ['WH', ...['WC1', 'WC2', 'WC3'].slice(0, customizable)],
    modern: [],
  };
  return [...colored, ...four('W'), ...four('W+4'), ...own[edition]];
}

/** What is needed to deal a round again. */
export type DealFacts = {
  key: Uint8Array;
  edition: Edition;
  players: number;
  /** Who deals; `null` in the first round of a match, where chance decides that too. */
  dealer: number | null;
  handSize: number;
  customizable: number;
};

/** Deals a round again: who dealt, and the hands by seat, unsorted. */
export function dealAgain(facts: DealFacts): { dealer: number; hands: CardName[][] } {
  const { players, handSize } = facts;
  const chance = new Seeded(facts.key);
  const deck = deckOf(facts.edition, facts.customizable);
  const dealer = facts.dealer ?? chooseDealer(chance, deck, facts.edition, players);
  const pile = [...deck];
  chance.shuffle(pile);
  const hands: CardName[][] = Array.from({ length: players }, () => []);
  for (let card = 0; card < handSize * players; card++) {
    hands[(dealer + 1 + card) % players]!.push(pile.pop()!);
  }
  return { dealer, hands };
}

/** D1: the highest number deals; in the modern edition any seat. */
function chooseDealer(chance: Seeded, deck: CardName[], edition: Edition, players: number): number {
  if (edition === 'modern') return chance.below(players);
  let pile: CardName[] = [];
  let contenders = Array.from({ length: players }, (_, seat) => seat);
  while (contenders.length > 1) {
    if (pile.length < contenders.length) {
      pile = [...deck];
      chance.shuffle(pile);
    }
    const drawn = contenders.map((seat) => ({ seat, number: Number(pile.pop()!.match(/^[RPYGB](\d)$/)?.[1] ?? 0) }));
    const best = Math.max(...drawn.map(({ number }) => number));
    contenders = drawn.filter(({ number }) => number === best).map(({ seat }) => seat);
  }
  return contenders[0]!;
}
