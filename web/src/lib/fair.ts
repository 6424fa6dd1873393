import type { CardName, Edition, FairDeal } from '../protocol';
import { colorsOf } from './choices';

/** A generator of the numbers that decide a deal: ChaCha with 8 rounds, nonce 0, the key being the seed. */
export class Seeded {
  readonly #state: Uint32Array;
  #block = new Uint32Array(16);
  #at = 16;

  constructor(key: Uint8Array) {
    const words = new DataView(key.buffer, key.byteOffset, 32);
    this.#state = new Uint32Array(16);
    this.#state.set([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]);
    for (let i = 0; i < 8; i++) this.#state[4 + i] = words.getUint32(4 * i, true);
  }

  /** The next 32 bits. */
  next(): number {
    if (this.#at === 16) this.#refill();
    return this.#block[this.#at++]!;
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

  #refill(): void {
    const x = this.#state.slice();
    const turn = (a: number, b: number, c: number, d: number) => {
      const rotate = (at: number, bits: number) => (x[at] = (x[at]! << bits) | (x[at]! >>> (32 - bits)));
      x[a]! += x[b]!; x[d]! ^= x[a]!; rotate(d, 16);
      x[c]! += x[d]!; x[b]! ^= x[c]!; rotate(b, 12);
      x[a]! += x[b]!; x[d]! ^= x[a]!; rotate(d, 8);
      x[c]! += x[d]!; x[b]! ^= x[c]!; rotate(b, 7);
    };
    for (let round = 0; round < 4; round++) {
      turn(0, 4, 8, 12); turn(1, 5, 9, 13); turn(2, 6, 10, 14); turn(3, 7, 11, 15);
      turn(0, 5, 10, 15); turn(1, 6, 11, 12); turn(2, 7, 8, 13); turn(3, 4, 9, 14);
    }
    this.#block = x.map((word, i) => word + this.#state[i]!);
    this.#at = 0;
    this.#state[12]! += 1;
    if (this.#state[12] === 0) this.#state[13]! += 1;
  }
}

const text = (words: string) => new TextEncoder().encode(words);

/** Bytes from hex digits. */
export function fromHex(digits: string): Uint8Array {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** Bytes as hex digits. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The first 32 bits of the fractional parts of roots of the first primes, from which SHA-256 takes its constants. */
function rootBits(count: number, power: number): Uint32Array {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return Uint32Array.from(primes, (prime) => {
    const root = prime ** power;
    return Math.floor((root - Math.floor(root)) * 2 ** 32);
  });
}

const ROUNDS = rootBits(64, 1 / 3);
const FIRST = rootBits(8, 1 / 2);

/** SHA-256. The browser's own is missing where the page comes over a local network without encryption. */
export function sha256(parts: Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const bytes = new Uint8Array(Math.ceil((length + 9) / 64) * 64);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  bytes[length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 4, length * 8);
  const hash = FIRST.slice();
  for (let block = 0; block < bytes.length; block += 64) digest(hash, view, block);
  const out = new DataView(new ArrayBuffer(32));
  hash.forEach((word, i) => out.setUint32(4 * i, word));
  return new Uint8Array(out.buffer);
}

function digest(hash: Uint32Array, view: DataView, block: number): void {
  const right = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits));
  const w = new Uint32Array(64);
  for (let i = 0; i < 16; i++) w[i] = view.getUint32(block + 4 * i);
  for (let i = 16; i < 64; i++) {
    const [near, far] = [w[i - 2]!, w[i - 15]!];
    const s0 = right(far, 7) ^ right(far, 18) ^ (far >>> 3);
    const s1 = right(near, 17) ^ right(near, 19) ^ (near >>> 10);
    w[i] = w[i - 16]! + s0 + w[i - 7]! + s1;
  }
  const x = hash.slice();
  for (let i = 0; i < 64; i++) {
    const [a, b, c, d, e, f, g, h] = x as unknown as [number, number, number, number, number, number, number, number];
    const s1 = right(e, 6) ^ right(e, 11) ^ right(e, 25);
    const t1 = h + s1 + ((e & f) ^ (~e & g)) + ROUNDS[i]! + w[i]!;
    const s0 = right(a, 2) ^ right(a, 13) ^ right(a, 22);
    const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    x.set([t1 + t2, a, b, c, d + t1, e, f, g]);
  }
  x.forEach((word, i) => (hash[i]! += word));
}

/** The fingerprint that was to be published before the deal. */
export function commitmentOf(deal: FairDeal): string {
  return toHex(sha256([text('unum deal 1 commit\n'), fromHex(deal.secret)]));
}

/** The key of the deal. */
export function keyOf(deal: FairDeal): Uint8Array {
  const parts = deal.entropy.flatMap((part) => (part ? [Uint8Array.of(1), fromHex(part)] : [Uint8Array.of(0)]));
  return sha256([text('unum deal 1 seed\n'), fromHex(deal.secret), ...parts]);
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
