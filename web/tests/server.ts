import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BIN = process.env['PAGE_TEST_BIN'] ?? '../target/release/unum';

/** A server with a folder of its own that can be stopped and started again. */
export class OwnServer {
  readonly url: string;
  readonly #port: number;
  readonly #data = mkdtempSync(join(tmpdir(), 'unum-page-'));
  #process: ChildProcess | null = null;

  constructor(port: number) {
    this.#port = port;
    this.url = `http://127.0.0.1:${port}`;
  }

  async start(): Promise<void> {
    const args = ['serve', '--listen', '127.0.0.1', '--port', String(this.#port), '--data', this.#data, '--config', '/dev/null'];
    const child = spawn(BIN, args, { stdio: 'ignore' });
    this.#process = child;
    // Whatever becomes of the test, no server stays behind.
    process.once('exit', () => child.kill('SIGKILL'));
    for (let i = 0; i < 100; i++) {
      if (child.exitCode !== null) throw new Error(`the server ends at once; is port ${this.#port} taken?`);
      const ready = await fetch(`${this.url}/readyz`).then((answer) => answer.ok, () => false);
      if (ready) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error('the server does not start');
  }

  /** Stops the server without a word, as a power cut would. */
  async kill(): Promise<void> {
    const process = this.#process;
    if (!process || process.exitCode !== null) return;
    const gone = new Promise((resolve) => process.once('exit', resolve));
    process.kill('SIGKILL');
    await gone;
  }
}
