import { defineConfig } from '@playwright/test';

const PORT = process.env['PAGE_TEST_PORT'] ?? '8199';
const BIN = process.env['PAGE_TEST_BIN'] ?? '../target/release/unum';
const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

export default defineConfig({
  testDir: 'tests',
  projects: [
    { name: 'screens', testMatch: 'states.spec.ts' },
    { name: 'matches', testMatch: ['match.spec.ts', 'lasting.spec.ts'] },
    { name: 'screenshots', testMatch: 'screenshots.ts' },
    { name: 'measure', testMatch: 'measure.ts' },
  ],
  timeout: 120_000,
  expect: { timeout: 15_000 },
  fullyParallel: false,
  workers: 1,
  reporter: [['list']],
  // A server of its own, with a memory only as long as the tests take, unless one is given by PAGE_TEST_URL.
  ...(process.env['PAGE_TEST_URL']
    ? {}
    : {
        webServer: {
          command: `${BIN} serve --ephemeral --listen 127.0.0.1 --port ${PORT} --requests-per-minute 100000 --new-guests-per-minute 10000 --new-tables-per-minute 10000 --config /dev/null`,
          url: `http://127.0.0.1:${PORT}/healthz`,
          reuseExistingServer: false,
        },
      }),
  use: {
    baseURL: process.env['PAGE_TEST_URL'] ?? `http://127.0.0.1:${PORT}`,
    locale: 'en-US',
    actionTimeout: 8_000,
    navigationTimeout: 15_000,
    launchOptions: {
      executablePath: CHROMIUM,
      args: [
        '--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update',
        '--disable-sync', '--no-first-run',
      ],
    },
  },
});
