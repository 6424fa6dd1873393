import type {
  Analysis, Ask, Continuation, DealAgain, Editions, ErrorBody, More, Named, Played, Refusal, Replay, RuleBook, Season, ServedReview, Step,
  TableSummary, Text, Verified,
} from '../../protocol';

/** What the module answers, by what it is asked. */
type Answers = {
  open: Step;
  restore: Step;
  arrive: Step;
  send: Step;
  leave: Step;
  settings: Step;
  stored: Step;
  give_up: Step;
  tick: Step;
  think: Step;
  table: TableSummary;
  hand_over: Continuation;
  editions: Editions;
  rules: RuleBook;
  name: Named;
  replay: Replay;
  review: ServedReview;
  review_more: More;
  figures: Text;
  season: Season;
  look: More;
  look_more: More;
  analysis: Analysis;
  record: Text;
  verify: Verified;
  deal: DealAgain;
  bench: Played;
};

type Name = keyof Answers;
type Tagged<Tag extends Name> = Extract<Ask, Record<Tag, unknown>>;
type Arguments<Tag extends Name> = Tagged<Tag>[Tag & keyof Tagged<Tag>];

/** The functions of the module: see crates/unum-web/src/abi.rs. */
type Exports = {
  memory: WebAssembly.Memory;
  unum_room(length: number): number;
  unum_ask(now: number): number;
  unum_answer(): number;
};

/** How many random bytes come before a question. */
const RANDOM = 32;
/** What people have typed: its letters are composed here (Unicode NFC), with the tables that a browser has. */
const TYPED = new Set<Name>(['open', 'arrive', 'send', 'settings', 'name']);

/** The module has said no. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** The module has stopped because of a bug, and cannot be asked any more. */
export class Crashed extends Error {}

/** What the module takes from outside with every question. */
export type Outside = {
  /** Milliseconds since 1970; never goes back. */
  now: () => number;
  /** Fills it with bytes that nobody can guess. */
  random: (bytes: Uint8Array<ArrayBuffer>) => void;
};

/** This device's clock and random numbers. */
export const here: Outside = {
  now: () => performance.timeOrigin + performance.now(),
  random: (bytes) => void crypto.getRandomValues(bytes),
};

/** Loads the code of the module. */
export async function compile(address: string): Promise<WebAssembly.Module> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  // A plain file server may not know the type that compiling while loading insists on.
  const streams = response.headers.get('content-type') === 'application/wasm';
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/** The module: the rules, tables, bots, reviews and checks, in Rust. What it is asked it answers at once. */
export class Module {
  readonly #exports: Exports;
  readonly #outside: Outside;
  #crashed = false;

  constructor(code: WebAssembly.Module, outside: Outside = here) {
    this.#exports = new WebAssembly.Instance(code).exports as unknown as Exports;
    this.#outside = outside;
  }

  /**
   * Asks something.
   * @throws Refused when the module says no, Crashed when it has failed.
   */
  ask<Tag extends Name>(name: Tag, given: Arguments<Tag>): Answers[Tag] {
    const question = JSON.stringify({ [name]: given });
    const answer = JSON.parse(this.#exchange(TYPED.has(name) ? question.normalize() : question)) as { answer: Answers[Tag] } | ErrorBody;
    if ('error' in answer) throw new Refused(answer.error);
    return answer.answer;
  }

  #exchange(question: string): string {
    if (this.#crashed) throw new Crashed('the module has stopped');
    try {
      const asked = new TextEncoder().encode(question);
      const { memory, unum_room, unum_ask, unum_answer } = this.#exports;
      const room = unum_room(RANDOM + asked.length);
      if (room === 0) throw new RangeError(`a question of ${asked.length} bytes is too long`);
      const random = new Uint8Array(RANDOM);
      this.#outside.random(random);
      // Memory may grow in every call, so addresses are looked up again.
      const there = new Uint8Array(memory.buffer);
      there.set(random, room);
      there.set(asked, room + RANDOM);
      const length = unum_ask(this.#outside.now());
      return new TextDecoder().decode(new Uint8Array(memory.buffer, unum_answer(), length));
    } catch (error) {
      if (error instanceof RangeError && !(error instanceof WebAssembly.RuntimeError)) throw error;
      this.#crashed = true;
      throw new Crashed(error instanceof Error ? error.message : String(error));
    }
  }
}
