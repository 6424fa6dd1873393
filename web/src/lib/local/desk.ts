import type { Look, Opened, Refusal, ServerCode, ServerMsg, Settings, Step } from '../../protocol';
import { Replaced, type Ask, type Calls, type FromWorker, type Journal, type Source, type ToWorker, type TroubleKind, type Way } from './contract';
import { Crashed, Module, Refused, type Outside } from './module';

/** How long to think before others get a turn, in milliseconds. */
const SLICE = 8;
/** How long a review that nobody asks about is still worked on, in milliseconds. */
const PATIENCE = 15_000;
/** Rounds that are played at a time to measure. */
const ROUNDS = 500;
/** Timers cannot wait longer, in milliseconds. */
const LONGEST = 2_000_000_000;

/** What a desk needs from outside. */
export type DeskOptions = {
  code: WebAssembly.Module;
  outside: Outside;
  journal: Journal;
  post: (message: FromWorker) => void;
};

type Line = { number: number; open: { name: string; look: Look } };

/** Runs one table at a time for a page: messages in, journal first, then messages out. */
export class Desk {
  readonly #options: DeskOptions;
  #module: Module;
  /** The code of the table that the module runs. */
  #table: string | null = null;
  /** Who has connected and not said hello yet. */
  #waiting = new Map<number, Line>();
  /** The line of the person at the table. */
  #line: number | null = null;
  #alarm: ReturnType<typeof setTimeout> | undefined;
  #thinking = false;
  /** How long the last moment of thinking took. */
  #spent = 0;
  /** When the review was last asked for, and whether it is being worked on. */
  #asked = 0;
  #reviewing = false;
  /** One thing after the other: what comes while something is stored waits. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: DeskOptions) {
    this.#options = options;
    this.#module = new Module(options.code, options.outside);
  }

  /** Takes a message of the page. */
  receive(message: ToWorker): void {
    if ('call' in message) {
      void this.#call(message.call, message.ask);
    } else if ('line' in message) {
      if ('open' in message) this.#waiting.set(message.line, { number: message.line, open: message.open });
      else if ('text' in message) void this.#inTurn(() => this.#hear(message.line, message.text));
      else void this.#inTurn(() => this.#close(message.line));
    }
  }

  /** Another worker has taken a table over. */
  replaced(table: string): void {
    void this.#inTurn(() => {
      if (this.#table === table) this.#giveUp('replaced');
    });
  }

  /** Does something once everything before it is done. */
  #inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    // The caller hears of a failure; later calls do not.
    this.#last = done.catch((error: unknown) => this.#recover(error));
    return done;
  }

  /** After a bug, there is another module; the person at the table comes back, and finds what was stored. */
  #recover(error: unknown): void {
    if (!(error instanceof Crashed)) return;
    this.#module = new Module(this.#options.code, this.#options.outside);
    this.#reviewing = false;
    this.#end({ type: 'bye', code: 'crashed', message: 'Something went wrong at this table.', retry: 1_000 });
    this.#forget();
  }

  async #hear(number: number, text: string): Promise<void> {
    const line = this.#waiting.get(number);
    if (line) {
      this.#waiting.delete(number);
      await this.#enter(line, text);
    } else if (number === this.#line) {
      await this.#advance(this.#module.ask('send', { text }));
    }
  }

  async #enter({ number, open }: Line, hello: string): Promise<void> {
    const table = tableOf(hello);
    // The same person in another part of the page.
    this.#end({ type: 'bye', code: 'replaced', message: 'You play this game elsewhere on this page.' });
    this.#line = number;
    if (table === null || !(await this.#load(table))) {
      this.#end({ type: 'bye', code: 'no_table', message: 'There is no such game on this device.' });
      return;
    }
    if (this.#options.journal.unsaved) this.#options.post({ trouble: { trouble: 0, code: table, kind: 'denied' } });
    await this.#advance(this.#module.ask('arrive', { hello, ...open }));
  }

  async #close(number: number): Promise<void> {
    this.#waiting.delete(number);
    if (number !== this.#line) return;
    this.#line = null;
    if (this.#table !== null) await this.#advance(this.#module.ask('leave', {}));
  }

  /** Lets the module run a table, and says whether it exists. */
  async #load(table: string): Promise<boolean> {
    if (this.#table === table) return true;
    const stored = await this.#options.journal.load(table);
    if (!stored) return false;
    this.#forget();
    try {
      const step = this.#module.ask('restore', stored);
      this.#table = table;
      await this.#advance(step);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#end({ type: 'bye', code: error.refusal.code, message: error.refusal.message });
      return false;
    }
    return true;
  }

  /** Stores what must be stored, sends what may be sent, and keeps the table going. */
  async #advance(first: Step): Promise<void> {
    let step = first;
    for (;;) {
      this.#tell(step);
      if (!step.batch) break;
      try {
        await this.#options.journal.append(step.code, step.batch);
      } catch (error) {
        this.#giveUp(error instanceof Replaced ? 'replaced' : 'storage');
        return;
      }
      if (step.batch.closed) {
        // The last words, and then there is no such table.
        this.#tell(this.#module.ask('stored', {}));
        this.#forget();
        return;
      }
      step = this.#module.ask('stored', {});
    }
    this.#setAlarm(step.wake);
    if (step.thinks) this.#think();
  }

  #tell({ told, ended }: Step): void {
    if (this.#line === null) return;
    for (const text of told) this.#options.post({ line: this.#line, text });
    if (ended) {
      this.#options.post({ line: this.#line, closed: true });
      this.#line = null;
    }
  }

  /** The last word to the connected page. */
  #end(bye: ServerMsg & { type: 'bye' }): void {
    if (this.#line === null) return;
    this.#options.post({ line: this.#line, text: JSON.stringify(bye) });
    this.#options.post({ line: this.#line, closed: true });
    this.#line = null;
  }

  /** The table cannot go on here. */
  #giveUp(code: ServerCode): void {
    this.#tell(this.#module.ask('give_up', { code }));
    this.#forget();
  }

  #forget(): void {
    clearTimeout(this.#alarm);
    this.#table = null;
  }

  #setAlarm(wake: number | null): void {
    clearTimeout(this.#alarm);
    if (wake === null) return;
    const wait = Math.min(LONGEST, Math.max(0, wake - this.#options.outside.now()));
    const table = this.#table;
    const ring = () => this.#inTurn(() => (this.#table === table ? this.#advance(this.#module.ask('tick', {})) : undefined));
    this.#alarm = setTimeout(() => void ring().catch(() => undefined), Math.ceil(wait));
  }

  /** Lets a bot think, slice by slice, with everything else in between. */
  #think(): void {
    if (this.#thinking) return;
    this.#thinking = true;
    const table = this.#table;
    const slice = () =>
      this.#inTurn(async () => {
        this.#thinking = false;
        if (this.#table !== table || table === null) return;
        await this.#advance(this.#slice());
      });
    setTimeout(() => void slice().catch(() => undefined), 0);
  }

  #slice(): Step {
    const { now } = this.#options.outside;
    const begun = now();
    for (let before = begun; ;) {
      const step = this.#module.ask('think', { spent: this.#spent });
      const after = now();
      this.#spent = after - before;
      before = after;
      if (!step.thinks || step.batch || step.told.length > 0 || step.ended || after - begun >= SLICE) return step;
    }
  }

  /** Thinks about a review as long as somebody asks about it. */
  #review(): void {
    if (this.#reviewing) return;
    this.#reviewing = true;
    const { now } = this.#options.outside;
    const slice = () =>
      this.#inTurn(() => {
        const begun = now();
        let more = this.#reviewing && begun - this.#asked < PATIENCE;
        while (more && now() - begun < SLICE) more = this.#module.ask('review_more', {}).more;
        this.#reviewing = more;
        if (more) again();
      });
    const again = () => setTimeout(() => void slice().catch(() => undefined), 0);
    again();
  }

  async #call(call: number, ask: Ask): Promise<void> {
    try {
      const ok = ask.name === 'bench' ? await this.#bench(ask.with) : await this.#answer(ask);
      this.#options.post({ call, ok });
    } catch (error) {
      const refusal: Refusal = error instanceof Refused ? error.refusal : { code: 'crashed', message: String(error) };
      this.#options.post({ call, refusal });
    }
  }

  async #answer(ask: Exclude<Ask, { name: 'bench' }>): Promise<unknown> {
    if (ask.name === 'analysis') return this.#analyze(ask.with);
    return this.#inTurn(async () => {
      switch (ask.name) {
        case 'create':
          return this.#create(ask.with.settings);
        case 'table':
          await this.#need(ask.with.table);
          return this.#module.ask('table', {});
        case 'hand_over':
          await this.#need(ask.with.table);
          return this.#module.ask('hand_over', {});
        case 'settings':
          await this.#need(ask.with.table);
          await this.#advance(this.#module.ask('settings', { settings: ask.with.settings }));
          return {};
        case 'replay': {
          const { seat, from } = ask.with;
          return this.#module.ask('replay', { record: await this.#record(ask.with), seat, from });
        }
        case 'review': {
          const { round = null, seat = null } = ask.with;
          const record = await this.#record(ask.with);
          const key = `${JSON.stringify('record' in ask.with ? ask.with.record : ask.with)} ${round}`;
          const review = this.#module.ask('review', { key, record, round, seat });
          this.#asked = this.#options.outside.now();
          if (review.progress !== 'done') this.#review();
          else if ('id' in ask.with && round === null) await this.#options.journal.refine(ask.with.id, this.#module.ask('figures', {}).text);
          return review;
        }
        case 'record': {
          const record = (await this.#record(ask.with)) ?? '';
          return this.#module.ask('record', { record, format: ask.with.format });
        }
        case 'verify':
          return this.#module.ask('verify', { record: (await this.#record(ask.with)) ?? '' });
        case 'season':
          return this.#module.ask('season', ask.with);
        case 'editions':
          return this.#module.ask('editions', {});
        case 'rules':
          return this.#module.ask('rules', ask.with);
        case 'deal':
          return this.#module.ask('deal', ask.with);
        case 'name':
          return this.#module.ask('name', ask.with);
      }
    });
  }

  async #create(settings: Partial<Settings>): Promise<Opened> {
    // The table that somebody has left is stored.
    const step = this.#module.ask('open', { settings });
    this.#end({ type: 'bye', code: 'replaced', message: 'Another game has begun on this page.' });
    this.#forget();
    this.#table = step.code;
    await this.#advance(step);
    if (this.#table !== step.code) throw new Refused({ code: 'storage', message: 'This device cannot store the game.' });
    return { code: step.code, link: '' };
  }

  /** Makes sure that the module runs a table. One that somebody plays at is not put away for another. */
  async #need(table: string): Promise<void> {
    const there = this.#table === table || (this.#line === null && (await this.#load(table)));
    if (!there) throw new Refused({ code: 'no_table', message: 'there is no such game on this device' });
  }

  /** The text of a record; `null` for what the module knows of the table. */
  async #record(source: Source): Promise<string | null> {
    if ('record' in source) return source.record;
    if ('table' in source) {
      await this.#need(source.table);
      return null;
    }
    const record = await this.#options.journal.record(source.id);
    if (record === null) throw new Refused({ code: 'not_found', message: 'there is no finished game with that id on this device' });
    return record;
  }

  async #analyze(asked: Source & { step: number }): Promise<unknown> {
    const { now } = this.#options.outside;
    let { more } = await this.#inTurn(async () => this.#module.ask('look', { record: await this.#record(asked), step: asked.step }));
    while (more) {
      await pause();
      more = await this.#inTurn(() => {
        const begun = now();
        let goesOn = true;
        while (goesOn && now() - begun < SLICE) goesOn = this.#module.ask('look_more', {}).more;
        return goesOn;
      });
    }
    return this.#inTurn(() => this.#module.ask('analysis', {}));
  }

  async #bench({ edition, players, seconds }: Calls['bench'][0]): Promise<Calls['bench'][1]> {
    const { now } = this.#options.outside;
    let [rounds, spent] = [0, 0];
    while (spent < seconds * 1000) {
      await this.#inTurn(() => {
        const begun = now();
        rounds += this.#module.ask('bench', { edition, players, rounds: ROUNDS }).rounds;
        spent += now() - begun;
      });
      await pause();
    }
    return { rounds, rounds_per_second: rounds / (spent / 1000) };
  }
}

/** Lets everything else have its turn. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** The table that a hello names. */
function tableOf(hello: string): string | null {
  try {
    const { hello: said } = JSON.parse(hello) as { hello?: { table?: unknown } };
    return typeof said?.table === 'string' ? said.table : null;
  } catch {
    return null;
  }
}

/** Questions to the page about what could not be stored, until they are settled. */
export class Troubles {
  readonly #post: (message: FromWorker) => void;
  readonly #open = new Map<number, (way: Way) => void>();
  #count = 0;

  constructor(post: (message: FromWorker) => void) {
    this.#post = post;
  }

  ask(code: string, kind: TroubleKind): Promise<Way> {
    return new Promise((resolve) => {
      this.#count += 1;
      this.#open.set(this.#count, resolve);
      this.#post({ trouble: { trouble: this.#count, code, kind } });
    });
  }

  settle({ trouble, way }: { trouble: number; way: Way }): void {
    this.#open.get(trouble)?.(way);
    this.#open.delete(trouble);
  }
}
