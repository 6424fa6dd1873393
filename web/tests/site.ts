import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { BIN } from './server';

const TYPES: Record<string, string> = {
  '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.wasm': 'application/wasm',
  '.woff2': 'font/woff2', '.png': 'image/png', '.webmanifest': 'application/manifest+json',
};

/** Runs the program, and gives what it prints. */
export function unum(...args: string[]): string {
  return execFileSync(BIN, args, { encoding: 'utf8' });
}

/** Whether the program carries a page that plays by itself. On CI it has to. */
export function hasModule(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'unum-site-'));
  try {
    unum('page', '--out', join(folder, 'site'));
    return true;
  } catch (error) {
    if (process.env['CI'] === 'true') throw error;
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The site that `unum page` writes, on a host that knows nothing but files: what is no file is not found, and nothing is said
 * about caching or safety.
 */
export class PlainSite {
  readonly folder = mkdtempSync(join(tmpdir(), 'unum-site-'));
  readonly #path: string;
  #server: Server | null = null;
  /** Whether it answers at all. */
  answers = true;

  constructor(path: string) {
    this.#path = path;
    unum('page', '--out', join(this.folder, 'now'));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server!.address() as AddressInfo).port}${this.#path}`;
  }

  async start(): Promise<void> {
    this.#server = createServer((request, response) => {
      const { pathname } = new URL(request.url!, 'http://x');
      const inside = pathname.startsWith(this.#path) ? pathname.slice(this.#path.length) || 'index.html' : null;
      const file = inside && join(this.folder, 'now', normalize(inside));
      if (!this.answers) return void response.destroy();
      if (!file || !existsSync(file)) return void response.writeHead(404).end();
      response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file));
    });
    await new Promise<void>((resolve) => this.#server!.listen(0, '127.0.0.1', resolve));
  }

  /** Puts a newer version there: the module has another name, as after a change, and so has the version of the files. */
  update(): void {
    const now = join(this.folder, 'now');
    const worker = join(now, 'sw.js');
    const text = readFileSync(worker, 'utf8');
    const module = /assets\/(unum_web-[\w-]+)\.wasm/.exec(text)![1]!;
    cpSync(join(now, `assets/${module}.wasm`), join(now, `assets/${module}x.wasm`));
    rmSync(join(now, `assets/${module}.wasm`));
    const scripts = [...text.matchAll(/assets\/[\w.-]+\.js/g)].map(([path]) => path);
    for (const path of ['sw.js', ...scripts]) {
      const code = readFileSync(join(now, path), 'utf8');
      writeFileSync(join(now, path), code.replaceAll(`${module}.wasm`, `${module}x.wasm`).replace(/(unum-`\+|")[0-9a-f]{12}(?=["`])/, '$10123456789ab'));
    }
  }

  /** The name of the module that the site has now. */
  get module(): string {
    return /unum_web-[\w-]+\.wasm/.exec(readFileSync(join(this.folder, 'now/sw.js'), 'utf8'))![0];
  }

  async remove(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
    rmSync(this.folder, { recursive: true, force: true });
  }
}
