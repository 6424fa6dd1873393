import { beforeEach, describe, expect, it, vi } from 'vitest';
import { lobbyOf, termsOf } from '../../../tests/mock';
import { dealAgain, keyOf } from '../../../tests/twin';
import type { DealAgain, FairDeal, FairView, LobbyView, OwnView, Refusal, Request, ServerMsg } from '../../protocol';
import type { Calls } from '../local/contract';
import { ApiError } from '../net/error';
import type { Socket } from '../net/link';
import { TableSession } from '../table/session.svelte';
import { commitmentOf, pledgeOf } from './fair';
import { Witness } from './witness';

const NOTHING_OWN: OwnView = { may: [], muted: [], kicked: [] };
const SECRET = '01'.repeat(32);
const OTHER = '09'.repeat(32);
const THEIRS = '07'.repeat(32);
const bound = (secret: string) => commitmentOf({ secret, entropy: [] });
const FACTS = { edition: 'original', players: 2, dealer: null, handSize: 7, customizable: 0 } as const;

/** Changes what a message says, as a table that lies would. */
type Lie = (msg: ServerMsg) => void;
const fairOf = (msg: ServerMsg): FairView | undefined => ('lobby' in msg ? msg.lobby?.fair : undefined);
/** A lie about what is revealed. */
const revealed = (change: (deal: FairDeal, fair: FairView, msg: ServerMsg) => void): Lie => (msg) => {
  const fair = fairOf(msg);
  if (fair?.revealed) change(fair.revealed, fair, msg);
};

/** A lie about the cards of this page. */
const SWAPPED: Lie = (msg) => {
  for (const event of msg.type === 'update' ? (msg.events ?? []) : []) Object.assign(event, { cards: Array(7).fill('W') });
};

/** A table at which this page sits in seat 0 and somebody else in seat 1. */
class Table {
  readonly requests: Request[] = [];
  session!: TableSession;
  #socket!: Socket;
  #seq = 1;
  readonly #lie: Lie;
  #pledge = '';

  constructor(lie: Lie = () => undefined) {
    this.#lie = lie;
    this.load();
  }

  /** The page is loaded, or loaded again. */
  load(): void {
    const send = (text: string) => {
      const msg = JSON.parse(text) as { request?: Request };
      if (msg.request) this.requests.push(msg.request);
    };
    this.#socket = { send, close: () => undefined, onopen: null, onmessage: null, onclose: null };
    this.session = new TableSession('abc', () => this.#socket);
    this.session.open();
    this.#socket.onopen?.();
    this.#say({ type: 'welcome', version: 1, server: 'unum', table: 'abc', you: 0, last_id: 0 });
  }

  #say(msg: ServerMsg): void {
    const copy = structuredClone(msg);
    this.#lie(copy);
    this.#socket.onmessage?.({ data: JSON.stringify(copy) });
  }

  #lobby(stage: LobbyView['stage'], fair: Partial<FairView> = {}): LobbyView {
    const chair = { name: 'Pip', person: 1, bot: null, accepted: true, ready: true };
    const lobby = lobbyOf(1, { stage, may: [] });
    return { ...lobby, chairs: [...lobby.chairs, chair], fair: { next: bound(SECRET), attempt: 1, ...fair } };
  }

  #update(what: { type: string; [field: string]: unknown }, lobby: LobbyView, more: object = {}): void {
    this.#say({ type: 'update', seq: ++this.#seq, what, lobby, ...more } as ServerMsg);
  }

  #snapshot(lobby: LobbyView, more: object = {}): void {
    this.#say({ type: 'snapshot', seq: this.#seq, terms: termsOf(), lobby, own: NOTHING_OWN, chat: [], ...more } as ServerMsg);
  }

  /** The steps before a deal. */
  prepare(): FairDeal {
    this.#snapshot(this.#lobby('lobby'));
    void this.session.request({ type: 'start' });
    this.#pledge = (this.requests.at(-1) as { pledge?: string }).pledge ?? '';
    const pledges = [this.#pledge, pledgeOf(bound(SECRET), 1, 1, THEIRS)];
    this.#update({ type: 'pledges_closed' }, this.#lobby('lobby', { pledges, dealing: { step: 'open', waiting: [0, 1], left: 5000 } }));
    const opened = this.requests.findLast((request) => request.type === 'open');
    this.#update({ type: 'part_opened', seat: 0 }, this.#lobby('lobby', { pledges, dealing: { step: 'open', waiting: [1], left: 4000 } }));
    return { secret: SECRET, entropy: [opened?.type === 'open' ? opened.part : '00'.repeat(32), THEIRS] };
  }

  deal(deal: FairDeal): void {
    const { hands, dealer } = dealAgain({ ...FACTS, key: keyOf(deal) });
    const game = { round: 1, at: 0, view: { players: 2, dealer, hand: hands[0] }, legal: [] };
    const events = [{ type: 'dealt', seat: 0, cards: hands[0] }];
    this.#update({ type: 'dealt', round: 1 }, this.#lobby('playing', { dealt: bound(SECRET) }), { game, events });
  }

  end(deal: FairDeal, stage: LobbyView['stage'] = 'scores'): void {
    this.#update({ type: 'committed' }, this.#lobby(stage, { next: bound(OTHER), dealt: bound(SECRET), revealed: deal }));
  }

  /** Comes back in the middle of the round. */
  comeBack(deal: FairDeal): void {
    this.load();
    const { hands, dealer } = dealAgain({ ...FACTS, key: keyOf(deal) });
    const game = { round: 1, at: 3, view: { players: 2, dealer, hand: hands[0] }, legal: [] };
    this.#snapshot(this.#lobby('playing', { dealt: bound(SECRET) }), { game });
  }

  play(): TableSession {
    const deal = this.prepare();
    this.deal(deal);
    this.end(deal);
    return this.session;
  }
}

/** The storage of a browser, as far as it is needed. */
const storage = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => storage.get(key) ?? null,
  setItem: (key: string, value: string) => storage.set(key, value),
});
vi.stubGlobal('document', { hidden: true });

/** The module, which has to say what follows from a deal. */
const module = vi.hoisted(() => ({ state: 'ready', asked: 0 }));
vi.mock('../local/client.svelte', () => ({
  moduleState: () => module.state,
  call: (_: 'deal', { deal, rules, dealer }: Calls['deal'][0]): Promise<Pick<DealAgain, 'dealer' | 'hands'>> => {
    module.asked += 1;
    if (deal.entropy.length > 10) return Promise.reject(new ApiError(400, { code: 'bad_settings', message: '' } as Refusal));
    const { edition, house, custom_cards } = rules;
    return Promise.resolve(dealAgain({ key: keyOf(deal), edition, players: deal.entropy.length, dealer, handSize: house!.hand_size!, customizable: custom_cards?.length ?? 0 }));
  },
}));
/** Until what was revealed is examined. */
const examined = () => new Promise((resolve) => setTimeout(resolve));
beforeEach(() => {
  storage.clear();
  Object.assign(module, { state: 'ready', asked: 0 });
});

describe('a table that deals fairly', () => {
  it('is not accused', async () => {
    const session = new Table().play();
    await examined();
    expect([session.verdict?.type, session.alarm, module.asked]).toEqual(['fair', null, 1]);
  });

  it('is not asked about cards where there is no module', async () => {
    module.state = 'none';
    const session = new Table(SWAPPED).play();
    await examined();
    expect([session.verdict?.type, session.alarm, module.asked]).toEqual(['fair', null, 0]);
  });

  it('gets a part that fits the pledge, and only when all pledges are there', () => {
    const table = new Table();
    const deal = table.prepare();
    const pledge = (table.requests.find((request) => request.type === 'start') as { pledge: string }).pledge;
    expect(pledgeOf(bound(SECRET), 1, 0, deal.entropy[0]!)).toBe(pledge);
    expect(table.requests.map(({ type }) => type)).toEqual(['start', 'open']);
  });

  it('is compared after a reload', () => {
    const table = new Table();
    const deal = table.prepare();
    table.deal(deal);
    table.comeBack(deal);
    table.end(deal);
    expect(table.session.verdict?.type).toBe('fair');
  });

  it('is not compared when nothing could be stored', () => {
    const table = new Table();
    const deal = table.prepare();
    table.deal(deal);
    storage.clear();
    table.comeBack(deal);
    table.end(deal);
    expect(table.session.verdict).toMatchObject({ type: 'not_compared', round: 1 });
  });

  it('asks for another pledge when somebody has withheld their part', () => {
    const witness = new Witness();
    const lobby = (fair: Partial<FairView>): ServerMsg => ({ type: 'snapshot', seq: 1, terms: termsOf(), own: NOTHING_OWN, chat: [], lobby: lobbyOf(2, { stage: 'lobby', fair: { next: bound(SECRET), attempt: 2, ...fair } }) });
    witness.hear({ type: 'welcome', version: 1, server: '', table: '', you: 0, last_id: 0 });
    const { requests } = witness.hear(lobby({ dealing: { step: 'pledge', waiting: [0], left: 5000 } }));
    expect(requests.map(({ type }) => type)).toEqual(['pledge']);
    expect(witness.hear(lobby({ dealing: { step: 'pledge', waiting: [0], left: 4000 } })).requests).toEqual([]);
  });

  it('does not owe a part to somebody who left before the pledges were closed', () => {
    const witness = new Witness();
    let seq = 1;
    const told = (what: object, stage: LobbyView['stage'], fair: Partial<FairView>, away?: 'left'): ServerMsg => {
      const lobby = lobbyOf(2, { stage, fair: { next: bound(SECRET), attempt: 1, ...fair } });
      const [own, ...others] = lobby.chairs;
      const chairs = [away ? { ...own!, away } : own!, ...others];
      const game = { round: 1, at: 0, view: { players: 2, dealer: 1, hand: [] }, legal: [] };
      return { type: 'update', seq: ++seq, what, lobby: { ...lobby, chairs }, ...(stage === 'playing' ? { game } : {}) } as unknown as ServerMsg;
    };
    witness.hear({ type: 'welcome', version: 1, server: '', table: '', you: 0, last_id: 0 });
    witness.hear(told({ type: 'renamed' }, 'lobby', {}));
    const { pledge } = witness.prepare({ type: 'ready', ready: true }) as { pledge: string };
    const dealing: FairView['dealing'] = { step: 'pledge', waiting: [1], left: 5000 };
    witness.hear(told({ type: 'deal_begun' }, 'lobby', { pledges: [pledge, null], dealing }));
    witness.hear(told({ type: 'stood_in', seat: 0, why: 'left' }, 'lobby', { pledges: [null, null], dealing }, 'left'));
    const dealt = told({ type: 'sat', person: 0, seat: 0 }, 'playing', { dealt: bound(SECRET) });
    expect(witness.hear(dealt).verdict).toBeNull();
  });
});

describe('a table that lies is caught', () => {
  const found = async (lie: Lie) => {
    const session = new Table(lie).play();
    await examined();
    return session.alarm?.findings ?? [];
  };

  it.each<[string, string, Lie]>([
    ['another secret', 'secret', revealed((deal) => (deal.secret = OTHER))],
    ['a late commitment', 'secret', revealed((deal, fair) => ([deal.secret, fair.dealt] = [OTHER, bound(OTHER)]))],
    ['a commitment that changes before parts are opened', 'secret', (msg) => {
      const fair = fairOf(msg);
      if (fair?.dealing) fair.next = bound(OTHER);
    }],
    ['a dropped part', 'own', revealed((deal) => (deal.entropy[0] = null))],
    ['a dropped part whose player is named', 'own', revealed((deal) => Object.assign(deal, { entropy: [null, THEIRS], withheld: [0] }))],
    ['another part', 'parts', revealed((deal) => (deal.entropy[1] = OTHER))],
    ['pledges that change', 'parts', (msg) => {
      const fair = fairOf(msg);
      if (fair?.dealing?.waiting.length === 1) fair.pledges = [fair.pledges![0]!, OTHER];
    }],
    ['swapped cards', 'cards', SWAPPED],
    ['more players than can be', 'cards', revealed((deal) => (deal.entropy = [...deal.entropy, ...Array<null>(9).fill(null)]))],
    ['a round that is broken off and not revealed', 'hidden', (msg) => {
      if ('lobby' in msg && msg.lobby?.fair.revealed) Object.assign(msg.lobby, { stage: 'lobby', fair: { next: bound(OTHER), attempt: 1 } });
    }],
    ['a deal without asking', 'own', (msg) => {
      const fair = fairOf(msg);
      if (fair) delete fair.dealing;
    }],
  ])('%s', async (_, finding, lie) => {
    expect(await found(lie)).toContain(finding);
  });
});
