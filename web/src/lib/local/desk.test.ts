import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bytesToHex } from '@noble/hashes/utils.js';
import { dealAgain, keyOf } from '../../../tests/twin';
import { editions } from '../../cards/words';
import { VERSION } from '../../ids';
import type { Continuation, DealAgain, Level, Request, RulesSpec, Season, ServerMsg } from '../../protocol';
import { commitmentOf, pledgeOf } from '../fair/fair';
import { Witness } from '../fair/witness';
import { Replaced, type Ask, type Batch, type FromWorker, type Journal, type SeasonEntry, type Stored } from './contract';
import { Desk } from './desk';

/** Where the build has left the module; `cargo xtask page` says it. Without one there is nothing to test. */
const path = process.env['UNUM_WASM'];

class Memory implements Journal {
  readonly unsaved = false;
  stored: Stored = { snapshot: null, entries: [], parts: [] };
  records = new Map<string, string>();
  /** What the season keeps, by id. */
  season = new Map<string, SeasonEntry>();
  last = 0;
  /** What goes wrong next. */
  trouble: Error | null = null;

  load(): Promise<Stored | null> {
    return Promise.resolve(this.last > 0 ? this.stored : null);
  }

  async append(_: string, batch: Batch): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (this.trouble) throw this.trouble;
    expect(batch.after).toBe(this.last);
    this.last += batch.entries.length;
    this.stored.entries.push(...batch.entries);
    if (batch.snapshot) {
      const kept = this.last - batch.snapshot.seq;
      this.stored = { ...this.stored, snapshot: batch.snapshot, entries: kept > 0 ? this.stored.entries.slice(-kept) : [] };
    }
    for (const part of batch.parts) {
      if (part.first) this.stored.parts = [];
      this.stored.parts.push(part.body);
      if (part.last) this.stored.parts = [];
    }
    for (const { game, seat, record, figures } of batch.finished) {
      this.records.set(game.id, record);
      this.season.set(game.id, { id: game.id, ended: game.ended, seat: seat!, levels: game.levels, figures: figures! });
    }
  }

  refine(id: string, figures: string): Promise<void> {
    this.season.set(id, { ...this.season.get(id)!, figures });
    return Promise.resolve();
  }

  record(id: string): Promise<string | null> {
    return Promise.resolve(this.records.get(id) ?? null);
  }
}

/** A page that plays through a desk. */
class Page {
  readonly desk: Desk;
  readonly texts: { line: number; msg: ServerMsg; stored: number }[] = [];
  readonly closed: number[] = [];
  #calls = 0;
  #answers = new Map<number, (message: FromWorker) => void>();
  #ids = 0;
  readonly journal: Memory;
  /** Takes part in deals, so that nobody has to wait. */
  readonly #witness = new Witness();

  constructor(journal = new Memory()) {
    this.journal = journal;
    const code = new WebAssembly.Module(readFileSync(path!));
    const outside = { now: () => performance.timeOrigin + performance.now(), random: (bytes: Uint8Array<ArrayBuffer>) => void crypto.getRandomValues(bytes) };
    this.desk = new Desk({ code, outside, journal, post: (message) => this.#receive(message) });
  }

  #receive(message: FromWorker): void {
    if ('call' in message) this.#answers.get(message.call)?.(message);
    else if ('text' in message) this.#hear(message.line, JSON.parse(message.text) as ServerMsg);
    else if ('closed' in message) this.closed.push(message.line);
  }

  #hear(line: number, msg: ServerMsg): void {
    this.texts.push({ line, msg, stored: this.journal.last });
    if (msg.type === 'welcome') this.#ids = Math.max(this.#ids, msg.last_id);
    for (const request of this.#witness.hear(msg).requests) this.request(line, request);
  }

  call<T>(ask: Ask): Promise<T> {
    const call = ++this.#calls;
    return new Promise((resolve, reject) => {
      this.#answers.set(call, (message) => {
        if ('ok' in message) resolve(message.ok as T);
        else if ('refusal' in message) reject(new Error(message.refusal.code));
      });
      this.desk.receive({ call, ask });
    });
  }

  enter(line: number, table: string): void {
    this.desk.receive({ line, open: { name: 'Ann', look: {} } });
    this.desk.receive({ line, text: JSON.stringify({ hello: { version: VERSION, table } }) });
  }

  request(line: number, request: Request): void {
    this.desk.receive({ line, text: JSON.stringify({ id: ++this.#ids, request: this.#witness.prepare(request) }) });
  }

  async until(line: number, wanted: (msg: ServerMsg) => boolean): Promise<ServerMsg> {
    for (let tries = 0; tries < PATIENCE / 2; tries++) {
      const found = this.texts.find((text) => text.line === line && wanted(text.msg));
      if (found) return found.msg;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    throw new Error('it never comes');
  }

  /** A match of bots, played at once. */
  async play(level: Level = 'easy'): Promise<string> {
    const rules = { edition: 'original', scoring: { type: 'single_round' } } as const;
    const { code } = await this.call<{ code: string }>({ name: 'create', with: { settings: { rules, seats: 2, pace: 'instant' } as never } });
    this.enter(1, code);
    await this.until(1, (msg) => msg.type === 'snapshot');
    this.request(1, { type: 'add_bot', level });
    this.request(1, { type: 'start' });
    await this.until(1, (msg) => msg.type === 'update' && msg.what.type === 'dealt');
    this.request(1, { type: 'autopilot', on: true });
    return code;
  }
}

const ends = (msg: ServerMsg) => msg.type === 'update' && msg.lobby?.stage === 'over';

/** More than a busy machine needs. */
const PATIENCE = 60_000;

describe.skipIf(!path)('a table in a worker', { timeout: PATIENCE }, () => {
  it('is handed over between two rounds, and stays where it is', async () => {
    const page = new Page();
    const rules = { edition: 'original', scoring: { type: 'first_to', target: 2_000 } } as const;
    const { code } = await page.call<{ code: string }>({ name: 'create', with: { settings: { rules, seats: 2, pace: 'relaxed' } as never } });
    page.enter(1, code);
    await page.until(1, (msg) => msg.type === 'snapshot');
    const handOver = () => page.call<Continuation>({ name: 'hand_over', with: { table: code } });
    await expect(handOver()).rejects.toThrow('wrong_stage');
    page.request(1, { type: 'add_bot', level: 'easy' });
    page.request(1, { type: 'start' });
    await page.until(1, (msg) => msg.type === 'update' && msg.what.type === 'dealt');
    page.request(1, { type: 'pace', pace: 'instant' });
    page.request(1, { type: 'autopilot', on: true });
    let given: Continuation | null = null;
    for (let tries = 0; tries < PATIENCE / 2 && !given; tries++) {
      given = await handOver().catch(() => null);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect(given?.bots).toEqual([null, 'easy']);
    expect(given?.record).toContain('[Deal1 ');
    expect((await page.call<{ round: number }>({ name: 'table', with: { table: code } })).round).toBeGreaterThan(0);
  });

  it('is played to its end, and nobody is told what is not stored', async () => {
    const page = new Page();
    const code = await page.play();
    await page.until(1, ends);
    for (const { msg, stored } of page.texts) {
      if (msg.type === 'update' || msg.type === 'snapshot') expect(msg.seq).toBeLessThanOrEqual(stored);
    }
    const id = `${code}-1`;
    const luck = page.journal.season.get(id)!.figures;
    const verified = await page.call<{ fair: boolean }>({ name: 'verify', with: { id } });
    expect(verified.fair).toBe(true);
    const replay = await page.call<{ total: number }>({ name: 'replay', with: { id, seat: null, from: 0 } });
    expect(replay.total).toBeGreaterThan(1);
    let review = await page.call<{ progress: string }>({ name: 'review', with: { id, seat: 0 } });
    for (let tries = 0; tries < 2_000 && review.progress !== 'done'; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      review = await page.call({ name: 'review', with: { id, seat: 0 } });
    }
    expect(review.progress).toBe('done');
    // A review that is done tells more than luck.
    expect(page.journal.season.get(id)!.figures).not.toBe(luck);
    const games = [...page.journal.season.values()];
    const season = await page.call<Season>({ name: 'season', with: { on: true, games } });
    expect(season).toMatchObject({ on: true, games: 1, rounds: 1, sizes: [{ players: 2, against: { type: 'bots', level: 'easy' } }] });
    const damaged = games.map((game) => ({ ...game, figures: 'what?' }));
    expect(await page.call<Season>({ name: 'season', with: { on: false, games: damaged } })).toMatchObject({ on: false, games: 0 });
  });

  it.each(editions)('deals as docs/fairness.md says: %s', async (edition) => {
    const page = new Page();
    const hex = (number: number) => number.toString(16).padStart(2, '0').repeat(32);
    for (const [number, players] of [2, 3, 7, 10].entries()) {
      const entropy = Array.from({ length: players }, (_, seat) => (seat === 1 ? null : hex(seat)));
      const deal = { secret: hex(40 + number), entropy };
      const [dealer, handSize] = [number > 1 ? number - 1 : null, 7 - number];
      const custom = edition === 'custom' ? { custom_cards: [null, null] } : {};
      const again = await page.call<DealAgain>({ name: 'deal', with: { deal, dealer, rules: { edition, house: { hand_size: handSize }, ...custom } as RulesSpec } });
      const alone = dealAgain({ key: keyOf(deal), edition, players, dealer, handSize, customizable: 2 });
      expect([again.commitment, again.key]).toEqual([commitmentOf(deal), bytesToHex(keyOf(deal))]);
      expect(again.pledges).toEqual(entropy.map((part, seat) => part && pledgeOf(again.commitment, 1, seat, part)));
      expect(again.dealer).toBe(alone.dealer);
      expect(again.hands.map((hand) => [...hand].sort())).toEqual(alone.hands.map((hand) => [...hand].sort()));
    }
  });

  it('goes on in another worker where it was', async () => {
    const page = new Page();
    const code = await page.play();
    await page.until(1, (msg) => msg.type === 'update' && msg.what.type === 'dealt');
    const other = new Page(page.journal);
    page.desk.replaced(code);
    await page.until(1, (msg) => msg.type === 'bye' && msg.code === 'replaced');
    other.enter(7, code);
    await other.until(7, (msg) => msg.type === 'snapshot' || msg.type === 'bye');
    other.request(7, { type: 'autopilot', on: true });
    await other.until(7, (msg) => ends(msg) || (msg.type === 'snapshot' && msg.lobby.stage === 'over'));
  });

  it('ends the line when nothing can be stored, and when another has the table', async () => {
    for (const [trouble, code] of [[new Error('full'), 'storage'], [new Replaced(), 'replaced']] as const) {
      const page = new Page();
      const table = await page.play();
      page.journal.trouble = trouble;
      await page.until(1, (msg) => msg.type === 'bye' && msg.code === code);
      expect(page.closed).toContain(1);
      page.journal.trouble = null;
      page.enter(2, table);
      await page.until(2, (msg) => msg.type === 'snapshot');
    }
  });

  it('has no table that is not stored', async () => {
    const page = new Page();
    page.enter(1, 'local-000000000');
    await page.until(1, (msg) => msg.type === 'bye' && msg.code === 'no_table');
    await expect(page.call({ name: 'table', with: { table: 'local-000000000' } })).rejects.toThrow('no_table');
    await expect(page.call({ name: 'verify', with: { id: 'x' } })).rejects.toThrow('not_found');
    await expect(page.call({ name: 'verify', with: { record: 'x' } })).rejects.toThrow('damaged');
  });

  it('answers while an expert thinks', async () => {
    const page = new Page();
    await page.play('expert');
    await page.until(1, (msg) => msg.type === 'update' && msg.what.type === 'acted');
    page.desk.receive({ line: 1, text: JSON.stringify({ ping: {} }) });
    await page.until(1, (msg) => msg.type === 'pong');
    // Not only when all thinking is over.
    expect(page.texts.some(({ msg }) => ends(msg))).toBe(false);
    await page.until(1, ends);
  });
});
