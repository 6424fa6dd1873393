import { VERSION } from '../../ids';
import type { ClientMsg, Code, Refusal, Request, ServerMsg } from '../../protocol';

/** How things stand with the server. */
export type LinkState =
  | { type: 'connecting'; again: boolean }
  | { type: 'open' }
  /** Connected, but what was asked stays without an answer. */
  | { type: 'silent' }
  /** The connection is lost; the page tries again by itself. */
  | { type: 'waiting'; attempt: number; code?: Code }
  /** The same guest plays in another tab. */
  | { type: 'elsewhere' }
  /** Over for good, and why. */
  | { type: 'closed'; code: Code };

/** What became of a request; a refusal of `null` means that the table was left before there was an answer. */
export type Answer = { ok: true } | { ok: false; refusal: Refusal | null };

/** The part of a WebSocket that is used, so that tests can bring their own. */
export type Socket = {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
};

/** What a link needs from outside. */
export type LinkOptions = {
  table: string;
  connect: () => Socket;
  onMessage: (msg: ServerMsg) => void;
  onState: (state: LinkState) => void;
  /** Whether people watch something that goes on, so that silence has to be noticed soon. */
  watched?: () => boolean;
  random?: () => number;
};

/** A request that waits for its answer; it gets its number when it is first sent. */
type Pending = { id: number | null; request: Request; answer: (answer: Answer) => void };

const FIRST_WAIT = 400;
const LONGEST_WAIT = 10_000;
/**
 * How long nothing may arrive before the server is asked whether it is still there: while people watch a game, otherwise
 * (a device can sleep in between), and after a request.
 */
const PING_WATCHED = 1_500;
const PING_UNWATCHED = 15_000;
const PING_AFTER_REQUEST = 1_000;
/** How long it may then take to say so before people are told, and before the connection is given up. */
const SILENCE = 1_400;
const PATIENCE = 8_000;
/** On a slow network people are told later, or they would be told again and again: at most after this time. */
const LONGEST_SILENCE = 5_000;

/** How long to wait before an attempt: doubling, with a spread so that not everybody comes at once. */
export function backOff(attempt: number, random: number): number {
  const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(attempt, 10));
  return Math.round(wait * (0.6 + 0.4 * random));
}

/**
 * A connection to one table that mends itself: it says hello with the number of the last change it has, notices
 * gaps and silence, waits longer after each failure, and sends again what was not acknowledged.
 */
export class Link {
  readonly #options: LinkOptions;
  /** The code of the table: with a new one, the next hello asks for that. */
  table: string;
  #socket: Socket | null = null;
  #seq: number | null = null;
  #nextId = 1;
  #pending: Pending[] = [];
  #attempt = 0;
  #welcomed = false;
  /** Nothing is tried before it is opened, nor after it has come to its end. */
  #ended = true;
  #wasOpen = false;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #ping: ReturnType<typeof setTimeout> | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #silent = false;
  /** When the server was asked, and how long it may take. */
  #asked = 0;
  #tolerated = SILENCE;
  #hurry: number | undefined;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.table = options.table;
  }

  /** The number of the last change that arrived. */
  get seq(): number | null {
    return this.#seq;
  }

  /** Connects, or connects at once instead of later. */
  open(): void {
    clearTimeout(this.#retry);
    this.#ended = false;
    this.#drop();
    this.#options.onState({ type: 'connecting', again: this.#wasOpen });
    const socket = this.#options.connect();
    this.#socket = socket;
    this.#welcomed = false;
    socket.onopen = () => {
      const after = this.#seq === null ? {} : { after: this.#seq };
      send(socket, { hello: { version: VERSION, table: this.table, ...after } });
      this.#expect(PATIENCE);
    };
    socket.onmessage = (event) => {
      if (socket === this.#socket) this.#receive(String(event.data));
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#lost();
    };
  }

  /** Ends the connection for good. */
  close(): void {
    this.#ended = true;
    clearTimeout(this.#retry);
    this.#drop();
    for (const pending of this.#pending) pending.answer({ ok: false, refusal: null });
    this.#pending = [];
  }

  /** Asks for something. The answer comes when the server has answered, however often the connection breaks. */
  request(request: Request): Promise<Answer> {
    return new Promise((answer) => {
      const pending: Pending = { id: null, request, answer };
      this.#pending.push(pending);
      if (this.#welcomed) this.#send(pending);
    });
  }

  /** The device has woken up or the network is back: look whether the server is still there. */
  nudge(): void {
    if (this.#ended) return;
    if (this.#socket && this.#welcomed) this.#sendPing();
    else if (!this.#socket) this.open();
  }

  #receive(text: string): void {
    const msg = parse(text);
    if (!msg) return;
    this.#heard();
    this.#expectMore();
    const socket = this.#socket;
    for (const one of unfold(msg)) if (socket === this.#socket) this.#take(one);
  }

  #take(msg: ServerMsg): void {
    switch (msg.type) {
      case 'welcome':
        this.#welcome(msg.last_id);
        break;
      case 'snapshot':
        this.#seq = msg.seq;
        break;
      case 'update':
        if (this.#seq !== null && msg.seq <= this.#seq) return;
        if (this.#seq === null || msg.seq !== this.#seq + 1) {
          // Something is missing: start over with a whole snapshot.
          this.#seq = null;
          this.open();
          return;
        }
        this.#seq = msg.seq;
        break;
      case 'bye':
        this.#bye(msg.code, msg.retry);
        return;
      default:
    }
    this.#options.onMessage(msg);
    // What was told decides how soon the next sign of life has to come.
    this.#expectMore();
    if (msg.type === 'update' && msg.id !== undefined) this.#answer(msg.id, { ok: true });
    if (msg.type === 'done' || msg.type === 'hint') this.#answer(msg.id, { ok: true });
    if (msg.type === 'refused' && msg.id !== undefined) this.#answer(msg.id, { ok: false, refusal: msg });
  }

  #welcome(lastId: number): void {
    this.#welcomed = true;
    this.#wasOpen = true;
    this.#attempt = 0;
    const isDone = (pending: Pending) => pending.id !== null && pending.id <= lastId;
    const done = this.#pending.filter(isDone);
    this.#pending = this.#pending.filter((pending) => !isDone(pending));
    this.#nextId = Math.max(this.#nextId, lastId + 1);
    for (const pending of done) pending.answer({ ok: true });
    this.#options.onState({ type: 'open' });
    for (const pending of this.#pending) this.#send(pending);
  }

  #send(pending: Pending): void {
    pending.id ??= this.#nextId++;
    if (!this.#socket) return;
    send(this.#socket, { id: pending.id, request: pending.request });
    if (!this.#silence) this.#expect(PING_AFTER_REQUEST);
  }

  #answer(id: number, answer: Answer): void {
    const found = this.#pending.find((pending) => pending.id === id);
    this.#pending = this.#pending.filter((pending) => pending.id !== id);
    found?.answer(answer);
  }

  #bye(code: Code, retry: number | undefined): void {
    if (code === 'replaced') {
      this.#end({ type: 'elsewhere' });
    } else if (retry === undefined) {
      this.#end({ type: 'closed', code });
    } else {
      this.#hurry = retry;
      this.#lost(code);
    }
  }

  #end(state: LinkState): void {
    this.#ended = true;
    clearTimeout(this.#retry);
    this.#drop();
    this.#options.onState(state);
  }

  #lost(code?: Code): void {
    this.#drop();
    if (this.#ended) return;
    const wait = Math.max(this.#hurry ?? 0, backOff(this.#attempt, (this.#options.random ?? Math.random)()));
    this.#hurry = undefined;
    this.#attempt += 1;
    this.#options.onState({ type: 'waiting', attempt: this.#attempt, ...(code ? { code } : {}) });
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.open(), wait);
  }

  #drop(): void {
    clearTimeout(this.#ping);
    this.#hush();
    const socket = this.#socket;
    this.#socket = null;
    this.#welcomed = false;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  /** The server has been heard, and has to be heard again in a while. */
  #expectMore(): void {
    if (this.#socket) this.#expect(this.#options.watched?.() ? PING_WATCHED : PING_UNWATCHED);
  }

  /** Something has to arrive within that time, else the server is asked, and then given up. */
  #expect(within: number): void {
    clearTimeout(this.#ping);
    this.#ping = setTimeout(() => (this.#welcomed ? this.#sendPing() : this.#lost()), within);
  }

  #sendPing(): void {
    if (this.#socket) send(this.#socket, { ping: {} });
    clearTimeout(this.#ping);
    this.#ping = setTimeout(() => this.#lost(), PATIENCE);
    if (this.#silence) return;
    this.#asked = Date.now();
    this.#silence = setTimeout(() => {
      this.#silent = true;
      this.#options.onState({ type: 'silent' });
    }, this.#tolerated);
  }

  /** A sign of life. */
  #heard(): void {
    if (this.#silent) this.#options.onState({ type: 'open' });
    if (this.#silence) this.#tolerated = Math.max(SILENCE, Math.min(LONGEST_SILENCE, 2 * (Date.now() - this.#asked)));
    this.#hush();
  }

  /** Nothing is waited for any more. */
  #hush(): void {
    clearTimeout(this.#silence);
    [this.#silence, this.#silent] = [undefined, false];
  }
}

function send(socket: Socket, msg: ClientMsg): void {
  socket.send(JSON.stringify(msg));
}

/** Changes that were told together, one by one: only the last has what they led to. */
function unfold(msg: ServerMsg): ServerMsg[] {
  if (msg.type !== 'update' || !msg.earlier) return [msg];
  const { earlier, ...last } = msg;
  return [...earlier.map((past) => ({ type: 'update' as const, ...past })), last];
}

function parse(text: string): ServerMsg | null {
  try {
    return JSON.parse(text) as ServerMsg;
  } catch {
    return null;
  }
}
