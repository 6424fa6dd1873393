import type {
  Analysis, Batch, Continuation, DealAgain, Edition, Editions, FairDeal, Finished, Listed, Look, Named, Opened, Part, RecordFormat, Refusal, Replay,
  RuleBook, RulesSpec, Saved, Season, SeasonEntry, ServedReview, Settings, TableSummary, Text, Verified,
} from '../../protocol';

export type { Batch, DealAgain, Finished, Listed, Part, Saved, SeasonEntry, Verified };

/**
 * What the page and its worker tell each other. The worker holds the module (`crates/unum-web`), which runs tables, and the
 * journal, which keeps them. A line carries the very messages of a socket, as text; a call is answered once.
 */
export type ToWorker =
  /** The address of the module. Comes first, once. */
  | { start: { module: string } }
  /** Somebody connects: the first text on the line is a `hello` that names the table. */
  | { line: number; open: { name: string; look: Look } }
  | { line: number; text: string }
  | { line: number; close: true }
  | { call: number; ask: Ask }
  /** What to do about something that could not be stored. */
  | { settle: { trouble: number; way: Way } };

export type FromWorker =
  /** The module is there, or why there is none. */
  | { started: true }
  | { failed: string }
  | { line: number; text: string }
  /** The line is at its end; the last text was a `bye`, unless the page has closed it itself. */
  | { line: number; closed: true }
  | { call: number; ok: unknown }
  | { call: number; refusal: Refusal }
  /** Something could not be stored, and the table waits for a `settle`; with number 0 it is told and nothing waits. */
  | { trouble: { trouble: number; code: string; kind: TroubleKind } };

export type TroubleKind = 'full' | 'denied' | 'other';
export type Way = 'retry' | 'unsaved';

/**
 * What is looked at: a finished match, by the id of its record in the journal or as the text of a record, or the rounds of a
 * table's match that are over.
 */
export type Source = { id: string } | { record: string } | { table: string };

/** What can be asked, by name: its arguments, and its answer. */
export type Calls = {
  /** `GET /api/editions`. */
  editions: [Record<never, never>, Editions];
  /** `GET /api/rules/{edition}`. */
  rules: [{ edition: Edition }, RuleBook];
  /** `POST /api/tables`, on this device: `link` is empty. */
  create: [{ settings: Partial<Settings> }, Opened];
  /** `GET /api/tables/{code}`. */
  table: [{ table: string }, TableSummary];
  /** The match between two rounds, as a server can go on with it. */
  hand_over: [{ table: string }, Continuation];
  /** `PUT /api/tables/{code}/settings`. */
  settings: [{ table: string; settings: Settings }, Record<never, never>];
  /** `GET …/replay`. */
  replay: [Source & { seat: number | null; from: number }, Replay];
  /** `GET …/review`: to be asked again until it is done. `round` for one round alone; `seat`: whose it is. */
  review: [Source & { round?: number; seat?: number | null }, ServedReview];
  /** `GET /api/me/season`, from what is kept on this device. */
  season: [{ on: boolean; games: SeasonEntry[] }, Season];
  /** `GET …/analysis`. */
  analysis: [Source & { step: number }, Analysis];
  /** A record as `unum verify` and `unum replay` read it, in either form. */
  record: [({ id: string } | { record: string }) & { format: RecordFormat }, Text];
  /** Plays a record again: refused if a card or a state does not follow from the deals and the moves. */
  verify: [{ id: string } | { record: string }, Verified];
  /** What follows from a deal: what had to be published before, and the cards. `dealer` in every round but the first. */
  deal: [{ deal: FairDeal; rules: RulesSpec; dealer: number | null }, DealAgain];
  /** A name as a table would have it; refused if it can be none. */
  name: [{ name: string }, Named];
  /** Rounds per second, as `unum bench` counts them. */
  bench: [{ edition: Edition; players: number; seconds: number }, { rounds_per_second: number; rounds: number }];
};

export type CallName = keyof Calls;
export type Ask = { [Name in CallName]: { name: Name; with: Calls[Name][0] } }[CallName];

/** What is kept of a table: the last snapshot, every entry after it, and the bodies of the parts of the match being played. */
export type Stored = { snapshot: Saved | null; entries: string[]; parts: string[] };

/** Where tables and finished matches are kept. Texts are opaque: they are given back as they are. */
export interface Journal {
  /** Whether nothing outlives this page. */
  readonly unsaved: boolean;
  /** Everything of a table that is open; `null` if there is none. From then on, other workers cannot append to it. */
  load(code: string): Promise<Stored | null>;
  /**
   * Stores a batch in one transaction; the first of a table has `after` 0. Resolved once it is durable. Rejected with
   * `Replaced` if another worker has taken the table over; any other rejection means that it could not be stored.
   */
  append(code: string, batch: Batch): Promise<void>;
  /** The record of a finished match, as JSON. */
  record(id: string): Promise<string | null>;
  /** The season keeps this of a finished match from now on, if it counts the match at all. */
  refine(id: string, figures: string): Promise<void>;
}

/** Why a batch is not stored: another worker runs the table. */
export class Replaced extends Error {}
