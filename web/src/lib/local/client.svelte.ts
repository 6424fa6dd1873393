import { moduleUrl } from 'virtual:unum-module';
import type { Look } from '../../protocol';
import { ApiError } from '../net/error';
import type { Socket } from '../net/link';
import { prefs } from '../page/prefs.svelte';
import { FILES_ONLY, sparesData } from '../page/site';
import type { Ask, CallName, Calls, FromWorker, ToWorker, TroubleKind } from './contract';

/**
 * The page's half of tables on this device: it starts the worker that holds the module, asks it, and plays over lines that
 * look like sockets. A worker that dies is started again, and games go on from the journal.
 */

/** Something that could not be stored, and the table that waits for a decision about it. */
export type Trouble = { trouble: number; code: string; kind: TroubleKind };

/** How long the worker may take to have the module ready, on a slow network, in milliseconds. */
const LONGEST_START = 60_000;
/** How long a game waits for the module before it is played at the server instead: about as long as that takes. */
const LONGEST_WAIT = 800;

/** Whether this browser could run the module, and there is one. */
const POSSIBLE = moduleUrl !== null && typeof Worker === 'function' && typeof WebAssembly === 'object';

type Waiting = { resolve: (value: unknown) => void; reject: (error: unknown) => void };
type Helper = { worker: Worker; calls: Map<number, Waiting>; lines: Map<number, Socket> };

let helper: Promise<Helper> | null = null;
let numbers = 0;

const seen = $state({ state: (POSSIBLE ? 'idle' : 'none') as 'none' | 'idle' | 'starting' | 'ready' | 'failed', troubles: [] as Trouble[] });

/** How things stand with the module: `none` if there is none, or this browser is too old for it. */
export function moduleState(): typeof seen.state {
  return seen.state;
}

/** What could not be stored of a table. */
export function troubleOf(code: string): Trouble | undefined {
  return seen.troubles.find((trouble) => trouble.code === code);
}

/** Decides about something that could not be stored: try again, or go on without. */
export async function settle(trouble: Trouble, way: 'retry' | 'unsaved'): Promise<void> {
  seen.troubles = seen.troubles.filter((one) => one.trouble !== trouble.trouble);
  // The number 0 is for what nothing can be done about.
  if (trouble.trouble > 0) post(await start(), { settle: { trouble: trouble.trouble, way } });
}

/** Starts the worker, once, and waits until the module is ready. */
export function start(): Promise<Helper> {
  helper ??= launch().then(
    (started) => {
      seen.state = 'ready';
      return started;
    },
    (error: unknown) => {
      seen.state = 'failed';
      helper = null;
      throw error;
    },
  );
  return helper;
}

function launch(): Promise<Helper> {
  if (!POSSIBLE) return Promise.reject(new Error('this browser cannot run the module'));
  seen.state = 'starting';
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    const made: Helper = { worker, calls: new Map(), lines: new Map() };
    const timer = setTimeout(() => fail('the module does not start'), LONGEST_START);
    const fail = (why: string) => {
      clearTimeout(timer);
      end(made, why);
      reject(new Error(why));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      fail(event.message || 'the worker has died');
    };
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if ('failed' in data) return fail(data.failed);
      if ('started' in data) {
        clearTimeout(timer);
        resolve(made);
      } else hear(made, data);
    };
    post(made, { start: { module: new URL(moduleUrl!, location.href).href } });
  });
}

/** The worker is gone: those who wait for it are told, and the next call starts another. */
function end(gone: Helper, why: string): void {
  gone.worker.terminate();
  helper = null;
  seen.state = 'failed';
  for (const call of gone.calls.values()) call.reject(new Error(why));
  for (const line of gone.lines.values()) line.onclose?.();
  gone.calls.clear();
  gone.lines.clear();
}

function post({ worker }: Helper, message: ToWorker): void {
  worker.postMessage(message);
}

function hear(from: Helper, data: FromWorker): void {
  if ('trouble' in data) {
    seen.troubles = [...seen.troubles.filter(({ code }) => code !== data.trouble.code), data.trouble];
  } else if ('call' in data) {
    const waiting = from.calls.get(data.call);
    from.calls.delete(data.call);
    if ('ok' in data) waiting?.resolve(data.ok);
    else waiting?.reject(new ApiError(400, data.refusal));
  } else if ('line' in data) {
    const line = from.lines.get(data.line);
    if ('text' in data) return line?.onmessage?.({ data: data.text });
    from.lines.delete(data.line);
    line?.onclose?.();
  }
}

/** Asks the module for something. */
export async function call<Name extends CallName>(name: Name, given: Calls[Name][0]): Promise<Calls[Name][1]> {
  const to = await start();
  return new Promise((resolve, reject) => {
    const number = ++numbers;
    to.calls.set(number, { resolve: resolve as (value: unknown) => void, reject });
    // What the page watches for changes cannot be handed to a worker as it is.
    post(to, { call: number, ask: { name, with: $state.snapshot(given) } as Ask });
  });
}

/** A line to the tables on this device, for somebody of that look, as a `Link` wants it. */
export function connectLocal(look: Look): Socket {
  const line = ++numbers;
  let to: Helper | null = null;
  let closed = false;
  const socket: Socket = {
    send: (text) => to && post(to, { line, text }),
    close: () => {
      closed = true;
      if (to?.lines.delete(line)) post(to, { line, close: true });
    },
    onopen: null,
    onmessage: null,
    onclose: null,
  };
  start().then(
    (started) => {
      if (closed) return;
      to = started;
      to.lines.set(line, socket);
      post(to, { line, open: { name: prefs.name, look } });
      socket.onopen?.();
    },
    () => socket.onclose?.(),
  );
  return socket;
}

/** Whether games against bots are played on this device; waits a moment for the module if it is on its way. */
export async function playsHere(): Promise<boolean> {
  if (!POSSIBLE || (prefs.bots === 'server' && !FILES_ONLY)) return false;
  const started = start().then(() => true, () => false);
  if (FILES_ONLY || !navigator.onLine) return started;
  return Promise.race([started, new Promise<boolean>((resolve) => setTimeout(resolve, LONGEST_WAIT, false))]);
}

/** Fetches the module while nobody waits for it, unless the visitor wants to save data. */
export function prepare(): void {
  if (!POSSIBLE || sparesData() || (prefs.bots === 'server' && !FILES_ONLY)) return;
  const begin = () => void start().catch(() => undefined);
  if ('requestIdleCallback' in globalThis) requestIdleCallback(begin, { timeout: 4_000 });
  else setTimeout(begin, 1_000);
}
