import type {
  Analysis, CardName, Edition, Editions, FairDeal, FinishedGame, GameSummary, Look, Opened, Refusal, Replay, Request, RuleBook, RulesSpec,
  ServedReview, ServerMsg, Settings, TableSummary,
} from '../../protocol';

/**
 * What the page and its worker tell each other. The worker holds the module (`crates/unum-web`), which runs tables, and the
 * journal, which keeps them. A line carries the very messages of a socket, as text; a call is answered once.
 */
export type ToWorker =
  /** The address of the module, and whether it runs tables here or is only asked. Comes first, once. */
  | { start: { module: string } }
  /** Somebody connects: the first text on the line is a `hello` that names the table. */
  | { line: number; open: { name: string; look: Look } }
  | { line: number; text: string }
  | { line: number; close: true }
  | { call: number; ask: Ask }
  /** What to do about something that could not be stored. */
  | { settle: { trouble: number; way: 'retry' | 'unsaved' } };

export type FromWorker =
  /** The module is there, and what it is; or why there is none. */
  | { started: { version: string } }
  | { failed: string }
  | { line: number; text: string }
  /** The line is at its end; the last text was a `bye`, unless the page has closed it itself. */
  | { line: number; closed: true }
  | { call: number; ok: unknown }
  | { call: number; refusal: Refusal }
  /** Something could not be stored, and the table waits for a `settle`. */
  | { trouble: { trouble: number; code: string; kind: TroubleKind } };

export type TroubleKind = 'full' | 'denied' | 'other';

/** What a finished match is found by: the id of its record in the journal, or its text. */
export type Source = { id: string } | { record: string } | { table: string };

/** What can be asked, by name: its arguments, and its answer. */
export type Calls = {
  /** `GET /api/editions`. */
  editions: [Record<never, never>, Editions];
  /** `GET /api/rules/{edition}`. */
  rules: [{ edition: Edition }, RuleBook];
  /** `POST /api/tables`, on this device. */
  create: [{ settings: Partial<Settings> }, Opened];
  /** `GET /api/tables/{code}`. */
  table: [{ table: string }, TableSummary];
  /** `PUT /api/tables/{code}/settings`. */
  settings: [{ table: string; settings: Settings }, Record<never, never>];
  /** `GET …/replay`: of a finished match, or of the rounds of a running one that are over. */
  replay: [Source & { seat: number | null; from: number }, Replay];
  /** `GET …/review`: to be asked again until it is done. `round` for one round alone; `seat`: whose it is. */
  review: [Source & { round?: number; seat?: number }, ServedReview];
  /** `GET …/analysis`. */
  analysis: [Source & { step: number }, Analysis];
  /** A finished match as text that `unum verify` and `unum replay` read, or as JSON. */
  record: [Source & { format: 'json' | 'text' }, { text: string }];
  /** Plays a record again, and says whether every card follows from the deals and the moves. */
  verify: [Source, Verified];
  /** Everything that follows from a deal: what had to be published before, and the cards. */
  deal: [DealFacts, DealAgain];
  /** A name as a table would have it; refused if it can be none. */
  name: [{ name: string }, { name: string }];
  /** Looks at what a table has said, for a page that plays there. `kept` begins anew with what an earlier page has kept. */
  hear: [{ table: string; kept?: string | null; message: ServerMsg }, Heard];
  /** Puts this page's pledge into a request that carries one. */
  prepare: [{ table: string; request: Request }, { request: Request; kept: string }];
  /** Rounds per second, as `unum bench` counts them. */
  bench: [{ edition: Edition; players: number; seconds: number }, { rounds_per_second: number; rounds: number }];
};

export type CallName = keyof Calls;
export type Ask = { [Name in CallName]: { name: Name; with: Calls[Name][0] } }[CallName];

/** What a round was dealt from, and by which rules. `dealer`: who dealt, unless it was the first round of a match. */
export type DealFacts = { deal: FairDeal; rules: RulesSpec; dealer: number | null };

/** What follows from it. Without players enough, or with rules that cannot be, there are no hands. */
export type DealAgain = {
  commitment: string;
  key: string;
  /** By seat. */
  pledges: (string | null)[];
  dealer: number | null;
  /** By seat, sorted. */
  hands: CardName[][];
};

/** What a record proves. */
export type Verified = {
  /** Whether there was a secret and a commitment for every round, or a plain seed. */
  fair: boolean;
  rounds: number;
  moves: number;
  /** The rounds to which nobody added anything, from 1. */
  unaided: number[];
  /** The digest of the last state. */
  final: string;
};

/** What a message led to. */
export type Heard = {
  /** To be sent now, in this order. */
  requests: Request[];
  verdict: Verdict | null;
  /** What a page that is loaded again needs to know. */
  kept: string;
};

/** What was found about a deal. */
export type Verdict = { type: 'fair' | 'unfair' | 'not_compared'; round?: number; findings: Finding[] };
export type Finding = 'secret' | 'parts' | 'own' | 'cards' | 'hidden';

/** What has to be stored, in one transaction, before anybody is told. Texts are opaque: they are given back as they are. */
export type Batch = {
  /** The number of the last entry before. Entries are numbered from 1, without gaps. */
  after: number;
  entries: string[];
  /** The table just after entry `seq`: entries up to that one, and earlier snapshots, are no longer needed. */
  snapshot?: { seq: number; body: string };
  /** Parts of the match that is being played, to be kept in order until it is finished. */
  parts: Part[];
  /** Matches that have come to their end: their parts are no longer needed. */
  finished: Finished[];
  /** The table as a list shows it. */
  summary: Listed;
  /** Whether the table is closed for good: nothing of it is needed but its finished matches. */
  closed: boolean;
};

/** A part of a match. With `first`, what was kept before belongs to a match that was broken off. */
export type Part = { number: number; first: boolean; last: boolean; body: string };

/** A finished match. `id` is that of its record, `game.id`; the record is JSON. */
export type Finished = { number: number; game: FinishedGame; record: string };

/** A game in a list. */
export type Listed = Omit<GameSummary, 'ended' | 'rounds'> & {
  code: string;
  title: string;
  stage: TableSummary['stage'];
  /** The number of the current or last round; 0 before the first. */
  round: number;
  lesson: boolean;
  /** When something last happened, in milliseconds since 1970. */
  touched: number;
};

/** What is kept of a table: the last snapshot, every entry after it, and the parts of the match that is being played. */
export type Stored = { snapshot: { seq: number; body: string } | null; entries: string[]; parts: string[] };

/** Where tables and finished matches are kept. */
export interface Journal {
  /** Everything of a table that is open; `null` if there is none. From then on, other workers cannot append to it. */
  load(code: string): Promise<Stored | null>;
  /**
   * Stores a batch; one that begins a table has `after` 0. Resolved once it is durable. Rejected with `Replaced` if another
   * worker has taken the table over; any other rejection means that it could not be stored.
   */
  append(code: string, batch: Batch): Promise<void>;
  /** The record of a finished match, as JSON. */
  record(id: string): Promise<string | null>;
}

/** Why a batch is not stored: another worker runs the table. */
export class Replaced extends Error {}
