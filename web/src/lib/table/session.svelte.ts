import type { Happened, HintView, Past, Reaction, Request, ServerMsg } from '../../protocol';
import { isMisdealt, type Dealt } from '../fair/cards';
import { recall, store, unfair, type Verdict, type Witness } from '../fair/witness';
import { Link, type Answer, type LinkState, type Socket } from '../net/link';
import { isLocal } from '../page/path';
import { fileAt } from '../page/site';
import { isLesson } from '../teach/lesson';
import { apply, isSameTurn, UNKNOWN, type Change, type TableState } from './table';
import { play } from '../../sound/sound';
import { Banners } from './banner.svelte';
import { lastPlayer, tellChange, type Line } from '../text/story';

/** A line of the log with a number of its own. */
export type LogLine = Line & { id: number };
/** A reaction that hovers over a seat for a moment. */
export type Bubble = { id: number; seat: number | null; reaction?: Reaction; text?: string };
/** Shows a change: calls `commit` at the moment when the new state should appear. */
export type Performer = (change: Change, told: Line[], commit: () => void) => Promise<void>;

const LOG_KEPT = 300;
/** Announcements that wait to be read. */
const ANNOUNCED = 5;
/** What can have happened about a deal without the lobby being told. */
const DEALING = new Set<Happened['type']>(['dealt', 'part_opened', 'withheld']);
/** With more changes than this waiting, the page catches up without showing each. */
const TOO_FAR_BEHIND = 6;
/** After this long without a change nobody is waiting for the next moment, in milliseconds. */
const STILL_WATCHED = 3 * 60_000;
/** How long the screen of a game may take to open; after that the deal is not shown any more. In milliseconds. */
const LONGEST_OPENING = 500;

/** A table as the page shows it: connected, remembered, and told in order. */
export class TableSession {
  /** All that has arrived. */
  latest = $state.raw<TableState>(UNKNOWN);
  /** What is shown: the same, or a moment behind while cards fly. */
  shown = $state.raw<TableState>(UNKNOWN);
  link = $state.raw<LinkState>({ type: 'connecting', again: false });
  log = $state.raw<LogLine[]>([]);
  bubbles = $state.raw<Bubble[]>([]);
  /** What is said in the middle of the table. */
  readonly banners = new Banners();
  /** What whoever runs the server has said, until it is read. */
  announcements = $state.raw<{ id: number; text: string }[]>([]);
  /** How many chat lines arrived while nobody looked. */
  unread = $state(0);
  /** Counts up with every reconnection, for a quiet notice. */
  returns = $state(0);

  /** What this page has found about the last deal. */
  verdict = $state.raw<Verdict | null>(null);
  /** What it has found against this table: not forgotten as long as the table is open. */
  alarm = $state.raw<Verdict | null>(null);

  /** The last hint, which is about the position it names. */
  hint = $state.raw<HintView | null>(null);

  onChange: ((change: Change) => void) | null = null;

  /** The code of the table, which can be renewed. */
  code = $state('');
  readonly #link: Link;
  readonly #witness: Witness;
  #queue: Change[] = [];
  #running = false;
  #lines = 0;
  /** The number of the last change in the log, and whose card it left on top. */
  #logged = 0;
  #topBy: number | null = null;
  #performer: Performer | null = null;
  #onPerformer: (() => void) | null = null;
  /** When something has happened last. */
  #changed = 0;

  constructor(code: string, connect: () => Socket) {
    this.code = code;
    this.#witness = recall(code);
    this.#link = new Link({
      table: code,
      connect,
      onMessage: (msg) => this.#receive(msg),
      watched: () => this.#isWatched(),
      onState: (state) => {
        if (state.type === 'open' && this.link.type === 'connecting' && this.link.again) this.returns += 1;
        this.link = state;
      },
    });
  }

  /** Who shows changes: a screen sets it while it is there. */
  set performer(performer: Performer | null) {
    this.#performer = performer;
    if (performer) this.#onPerformer?.();
  }

  open(): void {
    this.#link.open();
  }

  close(): void {
    this.banners.clear();
    this.#link.close();
  }

  /** An announcement has been read. */
  heard(id: number): void {
    this.announcements = this.announcements.filter((one) => one.id !== id);
  }

  nudge(): void {
    this.#link.nudge();
  }

  /** Whether the table is on this device. */
  get local(): boolean {
    return isLocal(this.code);
  }

  /** Asks for something. A move that was too late only because somebody called or was caught meanwhile is made again. */
  async request(request: Request): Promise<Answer> {
    const seen = this.latest.game;
    const prepared = this.#witness.prepare(request);
    if (prepared !== request) store(this.code, this.#witness);
    const answer = await this.#link.request(prepared);
    const now = this.latest.game;
    const late = !answer.ok && answer.refusal?.code === 'stale' && request.type === 'act' && request.at === seen?.at;
    return late && seen && now && isSameTurn(seen, now) ? this.request({ ...request, at: now.at }) : answer;
  }

  /** Whether everything that has happened has arrived and is on the screen. */
  get settled(): boolean {
    return this.latest === this.shown && !this.latest.behind;
  }

  /** Adds a line to the log that did not come from the server. */
  say(text: string): void {
    this.#write([{ text, tone: 'plain', announce: true }]);
  }

  /** Takes part in deals, and checks them. Most messages are not about one. */
  #bearWitness(msg: ServerMsg): void {
    const about = msg.type === 'welcome' || msg.type === 'snapshot' || (msg.type === 'update' && (msg.lobby || DEALING.has(msg.what.type)));
    if (!about) return;
    const { requests, verdict, dealt } = this.#witness.hear(msg);
    store(this.code, this.#witness);
    for (const request of requests) void this.#link.request(request);
    // The cards of a lesson are arranged, and the page says so.
    if (isLesson(this.code)) return;
    if (verdict) this.#judge(verdict);
    if (dealt) void this.#examine(dealt);
  }

  /** Whether the cards follow from what was revealed. */
  async #examine(dealt: Dealt): Promise<void> {
    if (await isMisdealt(dealt)) this.#judge(unfair(['cards'], dealt.round));
  }

  #judge(verdict: Verdict): void {
    this.verdict = verdict;
    if (verdict.type !== 'unfair') return;
    const before = this.alarm?.findings ?? [];
    this.alarm = { ...verdict, findings: [...before, ...verdict.findings.filter((finding) => !before.includes(finding))] };
  }

  #receive(msg: ServerMsg): void {
    if (msg.type === 'announcement') {
      this.announcements = [...this.announcements, { id: ++this.#lines, text: msg.text }].slice(-ANNOUNCED);
      return;
    }
    this.#bearWitness(msg);
    if (msg.type === 'hint') this.hint = msg.hint;
    this.latest = apply(this.latest, msg, Date.now());
    if (msg.type === 'update' || msg.type === 'snapshot') this.#changed = Date.now();
    if (msg.type === 'update') {
      if (msg.what.type === 'code_renewed') this.#renew(msg.what.code);
      this.#queue.push({ seq: msg.seq, what: msg.what, events: msg.events ?? [], state: this.latest });
      void this.#run();
    } else if (msg.type === 'presence' && this.#running) {
      // Comes with the next change.
    } else {
      if (msg.type === 'snapshot') {
        this.#queue = [];
        this.#recall(msg.past ?? []);
      }
      this.shown = this.latest;
    }
  }

  /** Whether somebody looks at a table where something goes on. */
  #isWatched(): boolean {
    return !document.hidden && Date.now() - this.#changed < STILL_WATCHED;
  }

  /** From now on the table is found by another code. */
  #renew(code: string): void {
    this.code = code;
    this.#link.table = code;
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    for (let change = this.#queue.shift(); change; change = this.#queue.shift()) await this.#show(change);
    this.#running = false;
    this.shown = this.latest;
  }

  async #show(change: Change): Promise<void> {
    const { state, what } = change;
    const told = this.#tell(change, state);
    if (what.type === 'chatted') {
      this.unread += 1;
      if (what.person !== state.you) play('chat');
    }
    this.#bubble(change);
    this.onChange?.(change);
    let written = false;
    const commit = () => {
      this.shown = state;
      // A verdict is not in the log before it is seen.
      if (!written) this.#write(told);
      written = true;
    };
    if (!this.#performer && change.events.some((event) => event.type === 'dealt')) {
      // The deal is what opens the screen of the game: let it, then show the deal there.
      commit();
      await this.#aPerformer();
    }
    if (this.#performer && this.#queue.length < TOO_FAR_BEHIND && !document.hidden) {
      await this.#performer(change, told, commit).catch(commit);
    } else {
      this.banners.say(told);
    }
    commit();
  }

  /** A change in words, for the log, the banner and screen readers alike. */
  #tell(change: Past | Change, state: TableState): Line[] {
    const told = tellChange({ what: change.what, events: change.events ?? [] }, state, this.#topBy);
    this.#topBy = lastPlayer(change.events ?? [], this.#topBy);
    this.#logged = change.seq;
    return told;
  }

  /** What happened before this page came (back): part of the log, and no news. */
  #recall(past: readonly Past[]): void {
    const missed = past.filter(({ seq }) => seq > this.#logged);
    const told = missed.flatMap((change) => this.#tell(change, this.latest));
    this.#write(told.map((line) => ({ ...line, announce: false })));
  }

  /** Waits until a screen shows changes, or has taken too long to open. */
  #aPerformer(): Promise<void> {
    return new Promise((resolve) => {
      this.#onPerformer = resolve;
      setTimeout(resolve, LONGEST_OPENING);
    });
  }

  #write(lines: Line[]): void {
    if (lines.length === 0) return;
    const numbered = lines.map((line) => ({ ...line, id: ++this.#lines }));
    this.log = [...this.log, ...numbered].slice(-LOG_KEPT);
  }

  #bubble({ what, state }: Change): void {
    if (what.type !== 'reacted' && what.type !== 'chatted' && what.type !== 'bot_reacted') return;
    const person = what.type === 'bot_reacted' ? null : state.lobby?.people.find((other) => other.person === what.person);
    if (person === undefined || (person && state.own.muted.includes(person.person))) return;
    const id = ++this.#lines;
    const seat = what.type === 'bot_reacted' ? what.seat : (person?.seat ?? null);
    const said = what.type === 'chatted' ? { text: what.text } : { reaction: what.reaction };
    this.bubbles = [...this.bubbles, { id, seat, ...said }];
    setTimeout(() => (this.bubbles = this.bubbles.filter((bubble) => bubble.id !== id)), 3500);
  }
}

/** A socket to the server the page came from. */
export function connectHere(): Socket {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  return new WebSocket(`${scheme}://${location.host}${fileAt('ws')}`) as unknown as Socket;
}
