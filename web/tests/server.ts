import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The program. */
export const BIN = process.env['PAGE_TEST_BIN'] ?? '../target/release/unum';
/** One machine plays everybody, so the limits that keep strangers apart are out of the way. */
const LIMITS = ['--requests-per-minute', '100000', '--new-guests-per-minute', '10000', '--new-tables-per-minute', '10000', '--new-guests-in-all-per-minute', '10000', '--new-tables-in-all-per-minute', '10000', '--wrong-codes-per-minute', '10000'];
/** How long a server may take to start on a busy machine. */
const PATIENCE = 60_000;

/**
 * A server on a port that was free. One with a folder of its own goes on where it was when it is killed and started again;
 * one with a seed deals the same cards every time; one below a path has everything there.
 */
export class OwnServer {
  #port = 0;
  #process: ChildProcess | null = null;
  readonly #data: string | null;
  readonly #seed: number | undefined;
  readonly #below: string;
  readonly #token: string | undefined;
  /** Where operators reach it, if it has a token for them. */
  desk = '';

  constructor({ lasting = false, seed, below = '', token }: { lasting?: boolean; seed?: number; below?: string; token?: string } = {}) {
    this.#seed = seed;
    this.#below = below;
    this.#token = token;
    this.#data = lasting ? mkdtempSync(join(tmpdir(), 'unum-page-')) : null;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}${this.#below}`;
  }

  /** Starts it: on any free port at first, on the same one afterwards. */
  async start(): Promise<void> {
    const kept = this.#data ? ['--data', this.#data] : ['--ephemeral'];
    const seeded = this.#seed === undefined ? [] : ['--seed', String(this.#seed)];
    const placed = this.#below ? ['--public-url', `http://127.0.0.1${this.#below}`] : [];
    const args = ['serve', '--listen', '127.0.0.1', '--port', String(this.#port), ...kept, ...seeded, ...placed, '--config', '/dev/null'];
    const desk = this.#token === undefined ? [] : ['--admin', '0'];
    const env = this.#token === undefined ? process.env : { ...process.env, UNUM_ADMIN_TOKEN: this.#token };
    const child = spawn(BIN, [...args, ...desk, ...LIMITS], { stdio: ['ignore', 'pipe', 'inherit'], env });
    this.#process = child;
    // Whatever becomes of the test, no server stays behind.
    const end = () => child.kill('SIGKILL');
    process.once('exit', end);
    child.once('exit', () => process.off('exit', end));
    const printed = await printedBy(child, this.#token === undefined ? HERE : OPERATORS);
    this.#port = Number(HERE.exec(printed)![1]);
    this.desk = OPERATORS.exec(printed)?.[1] ?? '';
  }

  /** Stops the server without a word, as a power cut would. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }

  /** Stops it for good. */
  async remove(): Promise<void> {
    await this.kill();
    if (this.#data) rmSync(this.#data, { recursive: true, force: true });
  }
}

/** The lines in which the server says where it is, once it listens. */
const HERE = /http:\/\/127\.0\.0\.1:(\d+)\s/;
const OPERATORS = /operators +(http:\/\/127\.0\.0\.1:\d+)\s/;

/** What a server has printed, with a line that says where it is. */
function printedBy(child: ChildProcess, line: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const timer = setTimeout(() => reject(new Error(`the server has not started: ${printed}`)), PATIENCE);
    child.once('error', (error) => reject(new Error(`${BIN} cannot be started: ${error.message}`)));
    child.once('exit', (code) => reject(new Error(`the server ends at once (${code}): ${printed}`)));
    child.stdout!.on('data', (text) => {
      printed += String(text);
      if (!line.test(printed)) return;
      clearTimeout(timer);
      resolve(printed);
    });
  });
}
