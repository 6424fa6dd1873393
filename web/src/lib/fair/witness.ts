import { bytesToHex } from '@noble/hashes/utils.js';
import type { CardName, FairDeal, FairView, GameView, Happened, LobbyView, Request, RulesSpec, ServerMsg } from '../../protocol';
import type { Dealt } from './cards';
import { dealtBy } from './dealt';
import { commitmentOf, pledgeOf } from './fair';

/** What a fair table does not do. */
export type Finding = 'secret' | 'own' | 'parts' | 'cards' | 'hidden';
/** What came of checking a deal. */
export type Verdict = { type: 'fair' | 'not_compared' | 'unfair'; round: number | null; findings: Finding[] };
/** What a message led to. `dealt` is what the verdict does not cover: whether the cards follow from what was revealed. */
export type Heard = { requests: Request[]; verdict: Verdict | null; dealt: Dealt | null };

type Place = { commitment: string; attempt: number; seat: number };
type Own = { place: Place; part: string; published: boolean; sent: boolean; opened: boolean };
/** What was published when parts were opened. */
type Seen = {
  commitment: string;
  attempt: number;
  pledges: (string | null)[];
  own: { seat: number; part: string } | null;
  /** Whether the table has confirmed the part. */
  heard: boolean;
  /** Whether another attempt may have been missed since. */
  gap: boolean;
};
type Round = { number: number; commitment: string; seen: Seen | null; seat: number | null; hand: CardName[] | null; dealer: number; rules: RulesSpec | null };

/** Everything that outlives a reload. */
type Kept = {
  rules: RulesSpec | null;
  next: { commitment: string; attempt: number } | null;
  own: Own | null;
  seen: Seen | null;
  hand: CardName[] | null;
  round: Round | null;
  last: { number: number; dealer: number } | null;
  used: string[];
};

const NOTHING: Kept = { rules: null, next: null, own: null, seen: null, hand: null, round: null, last: null, used: [] };
const USED_KEPT = 64;

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
export const unfair = (findings: Finding[], round: number | null = null): Verdict => ({ type: 'unfair', round, findings: [...new Set(findings)] });
const pledgeIn = (fair: FairView, seat: number): string | null => fair.pledges?.[seat] ?? null;
const randomPart = () => bytesToHex(crypto.getRandomValues(new Uint8Array(32)));

/**
 * Watches a table for this page: makes its part of every deal, pledges and opens it, keeps what was published before, and
 * compares that with what the table reveals when a round is over or broken off. It believes nothing that comes later.
 */
export class Witness {
  #kept: Kept;
  #you: number | null = null;
  #seat: number | null = null;
  #mayBeReady = false;
  /** Whether something may have been missed since the last look. */
  #gap = true;

  constructor(kept: string | null = null) {
    this.#kept = { ...NOTHING, ...(kept ? (JSON.parse(kept) as Partial<Kept>) : {}) };
    if (this.#kept.own) Object.assign(this.#kept.own, { published: false, sent: false, opened: false });
  }

  /** What a page that is loaded again needs to know. */
  toString(): string {
    return JSON.stringify(this.#kept);
  }

  /** Puts the pledge into a request that carries one. */
  prepare(request: Request): Request {
    const pledges = request.type === 'start' || (request.type === 'ready' && request.ready);
    if (!pledges || !this.#kept.next || this.#seat === null) return request;
    // A round was dealt with that: what comes next is not published yet, and the table asks for the pledge then.
    if (this.#kept.used.includes(this.#kept.next.commitment)) return request;
    return { ...request, pledge: this.#pledge(this.#own({ ...this.#kept.next, seat: this.#seat })) };
  }

  /** The own part for a deal: made once, so that all pledges of it are the same. */
  #own(place: Place): Own {
    if (!same(this.#kept.own?.place, place)) {
      this.#kept.own = { place, part: randomPart(), published: false, sent: false, opened: false };
    }
    return this.#kept.own!;
  }

  #pledge({ place, part }: Own): string {
    return pledgeOf(place.commitment, place.attempt, place.seat, part);
  }

  /** Looks at a message. What cannot even be read is not fair. */
  hear(msg: ServerMsg): Heard {
    try {
      return this.#hear(msg);
    } catch {
      return { requests: [], verdict: unfair(['parts']), dealt: null };
    }
  }

  #hear(msg: ServerMsg): Heard {
    const heard: Heard = { requests: [], verdict: null, dealt: null };
    if (msg.type === 'welcome') {
      [this.#you, this.#gap] = [msg.you, true];
      // Another match may have been played meanwhile, whose dealers are others, and so may another deal.
      [this.#kept.last, this.#kept.hand] = [null, null];
      if (this.#kept.own) this.#kept.own.published = false;
    }
    if ('own' in msg && msg.own) this.#mayBeReady = msg.own.may.includes('ready');
    if (msg.type !== 'snapshot' && msg.type !== 'update') return heard;
    if (msg.type === 'update') heard.verdict = this.#note(msg.what, msg);
    if (msg.type === 'snapshot') this.#kept.rules = dealtBy(msg.terms.rules);
    if (msg.lobby) this.#look(msg.lobby, msg.game, heard);
    // What is agreed on for the next round is not what the last one was dealt by.
    if (msg.terms) this.#kept.rules = dealtBy(msg.terms.rules);
    return heard;
  }

  #note(what: Happened, { events = [] }: ServerMsg & { type: 'update' }): Verdict | null {
    const { seen } = this.#kept;
    if (what.type === 'dealt') {
      const own = events?.findLast((event) => event.type === 'dealt' && event.seat === this.#seat && 'cards' in event);
      this.#kept.hand = own && 'cards' in own ? (own.cards as CardName[]) : null;
    } else if (what.type === 'stood_in' && what.seat === this.#seat) {
      // A bot plays there from now on, and nobody waits for a part of theirs.
      this.#kept.own = null;
    } else if (what.type === 'part_opened' && what.seat === this.#seat && seen) {
      seen.heard = seen.own !== null;
    } else if (what.type === 'withheld' && this.#seat !== null && what.seats.includes(this.#seat)) {
      const unasked = !this.#gap && this.#kept.own?.published && !this.#kept.own.opened;
      if (seen?.heard || unasked) return unfair(['own']);
    }
    return null;
  }

  #look(lobby: LobbyView, game: GameView | undefined, heard: Heard): void {
    const chair = lobby.chairs.findIndex(({ person }) => person !== null && person === this.#you);
    this.#seat = chair === -1 ? null : chair;
    const plays = this.#seat !== null && !lobby.chairs[this.#seat]?.away;
    const playing = lobby.stage === 'playing';
    // A part is for one seat, and for somebody who plays there.
    if (!plays || this.#kept.own?.place.seat !== this.#seat) this.#kept.own = null;
    heard.verdict ??= this.#conclude(lobby, plays, heard);
    heard.verdict ??= this.#breakOff(lobby);
    if (playing && !this.#kept.round && game && lobby.fair.dealt) heard.verdict ??= this.#begin(lobby.fair.dealt, game, plays);
    // Cards of a round that was over before anything else was told of it.
    if (!playing) this.#kept.hand = null;
    if (!playing) heard.verdict ??= this.#takePart(lobby, heard.requests);
    this.#kept.next = { commitment: lobby.fair.next, attempt: lobby.fair.attempt };
    this.#gap = false;
  }

  /** Compares what is revealed of a round that is over. */
  #conclude({ fair, stage }: LobbyView, plays: boolean, heard: Heard): Verdict | null {
    const { round } = this.#kept;
    if (!round || (stage === 'playing' && fair.dealt === round.commitment)) return null;
    this.#kept.round = null;
    const known = fair.dealt === round.commitment;
    // After a gap, what is told may be about another match, in which this was not the round before.
    this.#kept.last = known || !this.#gap ? { number: round.number, dealer: round.dealer } : null;
    if (stage !== 'playing' && fair.revealed && (known || !this.#gap)) {
      const { number, dealer, seat, hand, rules } = round;
      if (rules) heard.dealt = { deal: fair.revealed, rules, round: number, dealer, seat, hand };
      const findings = [...(known ? [] : (['secret'] as const)), ...check(round, fair.revealed)];
      if (findings.length > 0) return unfair(findings, round.number);
      const compared = round.seen && isAbout(round.seen, fair.revealed);
      return { type: compared ? 'fair' : 'not_compared', round: round.number, findings: [] };
    }
    // While a bot plays, or one looks on, the next round may have begun in the same moment.
    return this.#gap || stage === 'closed' || !plays ? null : unfair(['hidden'], round.number);
  }

  /** Compares what is revealed of a deal that was broken off before any card was dealt. */
  #breakOff({ fair, stage }: LobbyView): Verdict | null {
    const { seen } = this.#kept;
    if (!seen || fair.dealing || stage === 'playing') return null;
    this.#kept.seen = null;
    // After a gap it may have been dealt in another attempt, and the round be over.
    seen.gap = this.#gap;
    if (fair.revealed && fair.dealt === seen.commitment) {
      const findings = comparePledges(seen, fair.revealed, true);
      if (commitmentOf(fair.revealed) !== seen.commitment) findings.push('secret');
      return findings.length > 0 ? unfair(findings) : null;
    }
    return this.#gap || stage === 'closed' ? null : unfair(['hidden']);
  }

  /** A round begins, or this page comes in the middle of it. */
  #begin(commitment: string, { round: number, view }: GameView, plays: boolean): Verdict | null {
    const { own, hand, next, last, rules, used } = this.#kept;
    const nothingPledged = next && !this.#gap ? { ...next, attempt: 1, pledges: [], own: null, heard: false, gap: false } : null;
    let seen: Seen | null = this.#kept.seen ?? nothingPledged;
    const findings: Finding[] = [];
    if (used.includes(commitment) && !this.#gap) findings.push('secret');
    if (seen && seen.commitment !== commitment) {
      if (seen.own && !this.#gap) findings.push('secret');
      seen = null;
    }
    if (seen) seen.gap = this.#gap;
    const skipped = own?.published && !own.opened && own.place.commitment === commitment;
    if (skipped && plays && !this.#gap) findings.push('own');
    if (last && last.number + 1 === number && (last.dealer + 1) % view.players !== view.dealer) findings.push('cards');
    const round = { number, commitment, seen, seat: this.#seat, hand, dealer: view.dealer, rules };
    this.#kept = { ...this.#kept, own: null, seen: null, hand: null, round, used: [...used, commitment].slice(-USED_KEPT) };
    return findings.length > 0 ? unfair(findings, number) : null;
  }

  #takePart(lobby: LobbyView, requests: Request[]): Verdict | null {
    const { fair } = lobby;
    const [seat, own] = [this.#seat, this.#kept.own];
    if (own && own.place.commitment === fair.next && pledgeIn(fair, own.place.seat) === this.#pledge(own)) own.published = true;
    const place = seat === null ? null : { commitment: fair.next, attempt: fair.attempt, seat };
    if (!fair.dealing) {
      if (place) this.#replaceLostPledge(lobby, place, requests);
      return null;
    }
    const awaited = place !== null && fair.dealing.waiting.includes(place.seat);
    if (fair.dealing.step === 'pledge') {
      this.#kept.seen = null;
      const mine = awaited ? this.#own(place) : null;
      if (mine && !mine.sent) requests.push({ type: 'pledge', pledge: this.#pledge(mine) });
      if (mine) mine.sent = true;
      return null;
    }
    const now: Seen = { commitment: fair.next, attempt: fair.attempt, pledges: fair.pledges ?? [], own: null, heard: false, gap: false };
    const known = this.#kept.seen;
    if (known?.commitment !== now.commitment || known.attempt !== now.attempt) this.#kept.seen = now;
    else if (!same(known.pledges, now.pledges)) return unfair(['parts']);
    return awaited ? this.#open(fair, place, requests) : null;
  }

  /** Opens the own part, if what the table has published is what it was pledged for. */
  #open(fair: FairView, place: Place, requests: Request[]): Verdict | null {
    const { own, seen } = this.#kept;
    if (!own || !seen) return null;
    if (same(own.place, place) && pledgeIn(fair, place.seat) === this.#pledge(own)) {
      seen.own = { seat: place.seat, part: own.part };
      if (!own.opened) requests.push({ type: 'open', part: own.part });
      own.opened = true;
      return null;
    }
    const kept = own.published || pledgeIn(fair, place.seat) === this.#pledge(own);
    return kept ? unfair([same(own.place, place) ? 'parts' : 'secret']) : null;
  }

  /** Pledges again after the part was lost, as by a reload without storage, as long as there is time. */
  #replaceLostPledge({ chairs, fair }: LobbyView, place: Place, requests: Request[]): void {
    const lost = pledgeIn(fair, place.seat) !== null && !same(this.#kept.own?.place, place);
    if (!lost || !chairs[place.seat]?.ready || !this.#mayBeReady) return;
    requests.push({ type: 'ready', ready: true, pledge: this.#pledge(this.#own(place)) });
  }
}

/** Compares what was published of a round that is over with what is revealed. */
function check({ commitment, seen }: Round, deal: FairDeal): Finding[] {
  const findings: Finding[] = commitmentOf(deal) === commitment ? [] : ['secret'];
  return seen ? [...findings, ...comparePledges(seen, deal, false)] : findings;
}

/** Whether it is about the attempt that a deal came from, as far as the page can know. */
function isAbout(seen: Seen, deal: FairDeal): boolean {
  return (deal.attempt ?? 1) === seen.attempt || !seen.gap;
}

/** Compares parts with the pledges that were seen. Of a deal that was broken off, not all parts were opened. */
function comparePledges(seen: Seen, deal: FairDeal, brokenOff: boolean): Finding[] {
  if (!isAbout(seen, deal)) return [];
  const attempt = deal.attempt ?? 1;
  const pledges = attempt === seen.attempt ? seen.pledges : [];
  const fits = deal.entropy.every((part, seat) => {
    const pledge = pledges[seat] ?? null;
    if (part) return pledgeOf(seen.commitment, attempt, seat, part) === pledge;
    return pledge === null || brokenOff || (deal.withheld ?? []).includes(seat);
  });
  const dropped = seen.heard && seen.own && attempt === seen.attempt && deal.entropy[seen.own.seat] !== seen.own.part;
  return [...(dropped ? (['own'] as const) : []), ...(fits ? [] : (['parts'] as const))];
}

const STORED = 'unum.deals';
const TABLES_KEPT = 12;

/** What was stored about a table, if anything was. */
export function recall(code: string): Witness {
  try {
    return new Witness(stored().find(([other]) => other === code)?.[1] ?? null);
  } catch {
    return new Witness();
  }
}

/** Stores it, so that a reload does not lose it. Where nothing can be stored, a deal is "not compared" after one. */
export function store(code: string, witness: Witness): void {
  try {
    const others = stored().filter(([other]) => other !== code);
    localStorage.setItem(STORED, JSON.stringify([[code, String(witness)], ...others].slice(0, TABLES_KEPT)));
  } catch {
    // Private windows may have no storage.
  }
}

function stored(): [string, string][] {
  return JSON.parse(localStorage.getItem(STORED) ?? '[]') as [string, string][];
}
