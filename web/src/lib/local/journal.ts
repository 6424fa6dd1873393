import { Replaced, type Batch, type Finished, type Journal, type Listed, type SeasonEntry, type Stored, type TroubleKind } from './contract';

/**
 * The write-ahead journal of games on this device, in IndexedDB: snapshots, the entries after them, finished matches, and
 * what the season keeps of each.
 * A worker appends to it; the page lists it and deletes from it. A game belongs to the worker that has loaded it last: every
 * load raises the game's epoch, and a batch of an older epoch is not stored (a fencing token, as the server's leases have).
 */

const NAME = 'unum';
const STORES = ['games', 'entries', 'snapshots', 'parts', 'finished', 'season', 'choices'] as const;
/** Raised when there is another store. */
const VERSION = 2;
/** How many games are kept; the ones that were left alone for longest go first. */
export const MOST_KEPT = { open: 50, finished: 100, season: 1_000 };
/** Tells other tabs which games were taken over or deleted. */
const CHANNEL = 'unum.games';

/** The head of a game. */
type Head = { code: string; epoch: number; last: number; summary: Listed };
/** A finished match. */
type Kept = Omit<Finished, 'figures'> & { id: string; ended: number };
type News = { code: string; epoch: number };

/** What the worker is given: a journal, and whether it forgets everything with the tab. */
export type OwnJournal = Journal & { readonly unsaved: boolean };

const done = (request: IDBRequest | IDBTransaction) =>
  new Promise<void>((resolve, reject) => {
    const fail = () => reject(request.error ?? new Error('storing was broken off'));
    if ('oncomplete' in request) [request.oncomplete, request.onabort] = [() => resolve(), fail];
    else [request.onsuccess, request.onerror] = [() => resolve(), fail];
  });

async function value<T>(request: IDBRequest<T>): Promise<T> {
  await done(request);
  return request.result;
}

/** All rows of one game in a store whose keys begin with its code. */
const allOf = (code: string, to: number | [] = []) => IDBKeyRange.bound([code], [code, to]);

let opening: Promise<IDBDatabase> | null = null;

/** The database; it is opened again when the browser has closed it. */
function database(): Promise<IDBDatabase> {
  opening ??= open().catch((error: unknown) => {
    opening = null;
    throw error;
  });
  return opening;
}

async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, VERSION);
  request.onupgradeneeded = ({ oldVersion }) => {
    const made = request.result;
    if (oldVersion < 1) {
      made.createObjectStore('games', { keyPath: 'code' });
      for (const name of ['entries', 'snapshots', 'parts']) made.createObjectStore(name);
      made.createObjectStore('finished', { keyPath: 'id' }).createIndex('ended', 'ended');
    }
    if (oldVersion < 2) {
      made.createObjectStore('season', { keyPath: 'id' }).createIndex('ended', 'ended');
      made.createObjectStore('choices');
    }
  };
  const database = await value(request);
  const forget = () => (opening = null);
  database.onclose = forget;
  // A later version of the page wants to change it.
  database.onversionchange = () => {
    database.close();
    forget();
  };
  return database;
}

/** Does something to the database in one transaction, which is stored as a whole or not at all. */
async function transact<T>(mode: IDBTransactionMode, work: (store: (name: (typeof STORES)[number]) => IDBObjectStore) => Promise<T>): Promise<T> {
  const transaction = (await database()).transaction(STORES, mode);
  const stored = done(transaction);
  try {
    const result = await work((name) => transaction.objectStore(name));
    await stored;
    return result;
  } catch (error) {
    // What went wrong first is the reason; the rest is taken back.
    stored.catch(() => undefined);
    try {
      transaction.abort();
    } catch {
      // It is over already.
    }
    throw transaction.error ?? error;
  }
}

/** Why something cannot be stored, as people are told it. */
function kindOf(error: unknown): TroubleKind {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'QuotaExceededError') return 'full';
  return name === 'SecurityError' || name === 'InvalidStateError' ? 'denied' : 'other';
}

function channel(): BroadcastChannel | null {
  return typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL);
}

type Asked = (code: string, kind: TroubleKind) => Promise<'retry' | 'unsaved'>;

/** The journal in IndexedDB, for one worker. */
class Lasting implements OwnJournal {
  readonly unsaved = false;
  readonly #ask: Asked;
  readonly #epochs = new Map<string, number>();
  /** Games that are played on although nothing more of them can be stored. */
  readonly #forgetful = new Set<string>();
  readonly #news = channel();

  constructor(ask: Asked, onReplaced: (code: string) => void) {
    this.#ask = ask;
    this.#news?.addEventListener('message', ({ data }: MessageEvent<News>) => {
      const own = this.#epochs.get(data.code);
      if (own === undefined || own >= data.epoch) return;
      this.#epochs.delete(data.code);
      onReplaced(data.code);
    });
  }

  async load(code: string): Promise<Stored | null> {
    this.#forgetful.delete(code);
    const found = await transact('readwrite', async (store) => {
      const head = await value<Head | undefined>(store('games').get(code));
      if (!head) return null;
      const epoch = head.epoch + 1;
      store('games').put({ ...head, epoch } satisfies Head);
      const snapshot = await value<Stored['snapshot'] | undefined>(store('snapshots').get([code]));
      const entries = await value<string[]>(store('entries').getAll(allOf(code)));
      const parts = await value<string[]>(store('parts').getAll(allOf(code)));
      return { epoch, stored: { snapshot: snapshot ?? null, entries, parts } };
    });
    if (!found) return null;
    this.#hold(code, found.epoch);
    return found.stored;
  }

  #hold(code: string, epoch: number): void {
    this.#epochs.set(code, epoch);
    this.#news?.postMessage({ code, epoch } satisfies News);
  }

  async append(code: string, batch: Batch): Promise<void> {
    while (!this.#forgetful.has(code)) {
      try {
        return await this.#store(code, batch);
      } catch (error) {
        if (error instanceof Replaced) throw error;
        if ((await this.#ask(code, kindOf(error))) === 'unsaved') this.#forgetful.add(code);
      }
    }
  }

  async #store(code: string, batch: Batch): Promise<void> {
    const begins = batch.after === 0 && !this.#epochs.has(code);
    await transact('readwrite', async (store) => {
      const head = await value<Head | undefined>(store('games').get(code));
      if (begins ? head : head?.epoch !== this.#epochs.get(code) || head?.last !== batch.after) throw new Replaced();
      const last = batch.after + batch.entries.length;
      batch.entries.forEach((entry, i) => store('entries').put(entry, [code, batch.after + i + 1]));
      if (batch.snapshot) {
        store('snapshots').put(batch.snapshot, [code]);
        store('entries').delete(allOf(code, batch.snapshot.seq));
      }
      for (const part of batch.parts) {
        if (part.first) store('parts').delete(allOf(code));
        const next = (await value<number>(store('parts').count(allOf(code)))) + 1;
        store('parts').put(part.body, [code, next]);
      }
      for (const match of batch.finished) {
        store('parts').delete(allOf(code));
        const { figures, ...kept } = match;
        const { id, ended, levels } = match.game;
        store('finished').put({ ...kept, id, ended } satisfies Kept);
        if (figures === null || match.seat === null || (await isOff(store))) continue;
        store('season').put({ id, ended, seat: match.seat, levels, figures } satisfies SeasonEntry);
      }
      if (batch.closed) remove(store, code);
      else store('games').put({ code, epoch: head?.epoch ?? 1, last, summary: batch.summary } satisfies Head);
      if (begins || batch.finished.length > 0) await makeRoom(store, code);
    });
    if (begins) this.#hold(code, 1);
  }

  record(id: string): Promise<string | null> {
    return recordOf(id);
  }

  async refine(id: string, figures: string): Promise<void> {
    await transact('readwrite', async (store) => {
      const counted = await value<SeasonEntry | undefined>(store('season').get(id));
      if (counted) store('season').put({ ...counted, figures } satisfies SeasonEntry);
    });
  }
}

type Store = (name: (typeof STORES)[number]) => IDBObjectStore;

/** Takes everything of a game that is not finished out of the journal. */
function remove(store: Store, code: string): void {
  store('games').delete(code);
  for (const name of ['entries', 'snapshots', 'parts'] as const) store(name).delete(allOf(code));
}

/** Deletes what is beyond the number of games that are kept. */
async function makeRoom(store: Store, current: string): Promise<void> {
  const open = await value<Head[]>(store('games').getAll());
  const old = open.filter(({ code }) => code !== current).sort((a, b) => b.summary.touched - a.summary.touched);
  for (const { code } of old.slice(MOST_KEPT.open - 1)) remove(store, code);
  const finished = await value(store('finished').index('ended').getAllKeys());
  for (const id of finished.slice(0, -MOST_KEPT.finished)) store('finished').delete(id);
  const counted = await value(store('season').index('ended').getAllKeys());
  for (const id of counted.slice(0, -MOST_KEPT.season)) store('season').delete(id);
}

/** A journal that lasts as long as its worker, where the browser lets nothing be stored. */
class Passing implements OwnJournal {
  readonly unsaved = true;
  readonly #games = new Map<string, Stored>();
  readonly #records = new Map<string, string>();

  async load(code: string): Promise<Stored | null> {
    return this.#games.get(code) ?? null;
  }

  async append(code: string, batch: Batch): Promise<void> {
    const before = this.#games.get(code) ?? { snapshot: null, entries: [], parts: [] };
    const known = before.snapshot?.seq ?? 0;
    const all = [...before.entries, ...batch.entries];
    const snapshot = batch.snapshot ?? before.snapshot;
    let parts = before.parts;
    for (const part of batch.parts) parts = [...(part.first ? [] : parts), part.body];
    if (batch.finished.length > 0) parts = [];
    for (const { game, record } of batch.finished) this.#records.set(game.id, record);
    if (batch.closed) this.#games.delete(code);
    else this.#games.set(code, { snapshot, entries: all.slice((snapshot?.seq ?? 0) - known), parts });
  }

  async record(id: string): Promise<string | null> {
    return this.#records.get(id) ?? null;
  }

  async refine(): Promise<void> {
    // A season lasts, or there is none.
  }
}

/**
 * Opens the journal for a worker: in IndexedDB, or in memory where that cannot be. `ask` is called when a batch cannot be
 * stored, `onReplaced` when another worker has taken a game over.
 */
export async function openJournal(ask: Asked, onReplaced: (code: string) => void = () => undefined): Promise<OwnJournal> {
  try {
    await database();
    return new Lasting(ask, onReplaced);
  } catch {
    return new Passing();
  }
}

/** The games on this device that are not closed, the latest first. */
export async function listGames(): Promise<Listed[]> {
  const heads = await transact('readonly', (store) => value<Head[]>(store('games').getAll()));
  return heads.map(({ summary }) => summary).sort((a, b) => b.touched - a.touched);
}

/** The matches that were finished on this device, the latest first. */
export async function listFinished(): Promise<Finished['game'][]> {
  const kept = await transact('readonly', (store) => value<Kept[]>(store('finished').index('ended').getAll()));
  return kept.map(({ game }) => game).reverse();
}

/** The record of a finished match, as JSON; `null` if there is none. */
export async function recordOf(id: string): Promise<string | null> {
  const kept = await transact('readonly', (store) => value<Kept | undefined>(store('finished').get(id)));
  return kept?.record ?? null;
}

/** Where the person sat in a finished match; `null` if that is not known. */
export async function seatIn(id: string): Promise<number | null> {
  const kept = await transact('readonly', (store) => value<Kept | undefined>(store('finished').get(id)));
  return kept?.seat ?? null;
}

/** The choice not to count games to come, in the store of choices. */
const SEASON_OFF = 'season-off';

async function isOff(store: Store): Promise<boolean> {
  return (await value<number>(store('choices').count(SEASON_OFF))) > 0;
}

/** What the season on this device counts. */
export async function listSeason(): Promise<{ on: boolean; games: SeasonEntry[] }> {
  return transact('readonly', async (store) => ({
    on: !(await isOff(store)),
    games: await value<SeasonEntry[]>(store('season').getAll()),
  }));
}

/** Switches the season on this device on or off, for games to come. */
export async function changeSeason(on: boolean): Promise<void> {
  await transact('readwrite', (store) => done(on ? store('choices').delete(SEASON_OFF) : store('choices').put(true, SEASON_OFF)));
}

/** Deletes the season on this device. The games stay. */
export async function forgetSeason(): Promise<void> {
  await transact('readwrite', (store) => done(store('season').clear()));
}

/** Deletes a game that is not finished. A tab that plays it is told. */
export async function deleteGame(code: string): Promise<void> {
  await transact('readwrite', async (store) => remove(store, code));
  const news = channel();
  news?.postMessage({ code, epoch: Infinity } satisfies News);
  news?.close();
}

/** Deletes a finished match. */
export async function deleteFinished(id: string): Promise<void> {
  await transact('readwrite', (store) => done(store('finished').delete(id)));
}
