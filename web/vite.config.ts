import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

/** Where the server is while the page is being worked on. */
const server = process.env['UNUM_SERVER'] ?? 'http://127.0.0.1:8108';

export default defineConfig({
  plugins: [svelte()],
  base: '/',
  build: {
    target: 'es2022',
    assetsDir: 'assets',
    // Styles in the page's files only: the server forbids inline ones.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    proxy: { '/api': server, '/ws': { target: server.replace('http', 'ws'), ws: true } },
  },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
});
