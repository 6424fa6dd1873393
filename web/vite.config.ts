import { svelte } from '@sveltejs/vite-plugin-svelte';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** Where the server is while the page is being worked on. */
const server = process.env['PAGE_SERVER'] ?? 'http://127.0.0.1:8108';
// The server wants requests of its own page: it compares the page's origin with the host that was asked.
const proxy = {
  '/api': { target: server, changeOrigin: false },
  '/ws': { target: server.replace('http', 'ws'), changeOrigin: false, ws: true },
};

/** Puts a compressed copy beside every file that gets smaller by it; the server hands out what a browser takes. */
function compressed(): Plugin {
  let folder = 'dist';
  const each = (at: string) => {
    for (const name of readdirSync(at)) {
      const path = join(at, name);
      if (statSync(path).isDirectory()) each(path);
      else if (!/\.(br|gz|png)$/.test(name)) compress(path);
    }
  };
  const compress = (path: string) => {
    const plain = readFileSync(path);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length };
    const forms = { br: brotliCompressSync(plain, { params }), gz: gzipSync(plain, { level: 9 }) };
    for (const [ending, packed] of Object.entries(forms)) {
      if (packed.length < plain.length) writeFileSync(`${path}.${ending}`, packed);
    }
  };
  return {
    name: 'compressed',
    apply: 'build',
    configResolved: (config) => void (folder = join(config.root, config.build.outDir)),
    writeBundle: (options) => each(options.dir ?? folder),
  };
}

/**
 * The table as WebAssembly: the build of the crate `unum-page` makes it and says where it is. Without it there is no module,
 * and the page plays at the server.
 */
function unumModule(): Plugin {
  const [name, path] = ['virtual:unum-module', process.env['UNUM_WASM']];
  return {
    name: 'unum-module',
    resolveId: (id) => (id === name ? `\0${name}` : null),
    load(id) {
      if (id !== `\0${name}`) return null;
      if (!path) return 'export const moduleUrl = null;';
      if (this.meta.watchMode) return `export const moduleUrl = ${JSON.stringify(`/@fs${resolve(path)}`)};`;
      const file = this.emitFile({ type: 'asset', name: 'unum_web.wasm', source: readFileSync(path) });
      return `export const moduleUrl = import.meta.ROLLUP_FILE_URL_${file};`;
    },
  };
}

/** Files that only others look at: a picture for previews of links, and compressed copies. */
const NOT_KEPT = /(^|\/)preview\.png$|\.(br|gz)$/;

/** Every file below a folder, by its path in it. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

/** Tells the service worker which files this version has, and a name for it that changes with any of them. */
function keptFiles(): Plugin {
  let folder = 'dist';
  return {
    name: 'kept-files',
    apply: 'build',
    configResolved: (config) => void (folder = resolve(config.root, config.build.outDir)),
    writeBundle: {
      // Before the compressed copies are made.
      order: 'pre',
      handler() {
        const worker = join(folder, 'sw.js');
        const files = filesIn(folder).filter((path) => path !== 'sw.js' && !NOT_KEPT.test(path)).sort();
        const hash = createHash('sha256');
        for (const path of files) hash.update(`${path}\0`).update(readFileSync(join(folder, path)));
        const version = JSON.stringify(hash.digest('hex').slice(0, 12));
        const list = JSON.stringify(files.map((path) => (path === 'index.html' ? './' : path)));
        const code = readFileSync(worker, 'utf8').replaceAll('__FILES__', list).replaceAll('__VERSION__', version);
        writeFileSync(worker, code);
      },
    },
  };
}

/** The module that the page begins with. */
const BEGIN = resolve(import.meta.dirname, 'src/main.ts');

/** What is known of the modules of a build. */
type Graph = { getModuleInfo(id: string): { importers: readonly string[] } | null };

/**
 * The chunk of a module that the home screen cannot do without: they are all in one file, because each file costs its headers
 * and a start of its own for the compression. Everything else is split as usual.
 */
function firstChunk(id: string, graph: Graph): string | null {
  const seen = new Set([id]);
  // A set that grows while it is walked through: whatever imports the module, or imports what imports it.
  for (const one of seen) {
    if (one === BEGIN) return 'first';
    for (const importer of graph.getModuleInfo(one)?.importers ?? []) seen.add(importer);
  }
  return null;
}

export default defineConfig({
  plugins: [svelte(), unumModule(), keptFiles(), compressed()],
  base: '/',
  build: {
    target: 'es2022',
    assetsDir: 'assets',
    // Styles in the page's files only: the server forbids inline ones.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: { index: 'index.html', sw: 'src/sw.ts' },
      // The service worker is found by its name, in the folder it answers for.
      output: {
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
        codeSplitting: { groups: [{ name: firstChunk, debugName: 'first' }] },
      },
    },
  },
  // Scripts and styles find each other wherever the page lies; `unum page` sees to the addresses in index.html.
  experimental: { renderBuiltUrl: (_, { hostType }) => (hostType === 'html' ? undefined : { relative: true }) },
  worker: { format: 'es' },
  server: { proxy },
  preview: { proxy },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
});
