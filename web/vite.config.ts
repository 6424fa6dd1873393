import { svelte } from '@sveltejs/vite-plugin-svelte';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

export default defineConfig({
  plugins: [svelte(), compressed()],
  base: '/',
  build: {
    target: 'es2022',
    assetsDir: 'assets',
    // Styles in the page's files only: the server forbids inline ones.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy },
  preview: { proxy },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
});
