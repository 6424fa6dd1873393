import { defineConfig } from '@playwright/test';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

export default defineConfig({
  testDir: 'tests',
  projects: [
    { name: 'play', testMatch: '*.spec.ts' },
    { name: 'screenshots', testMatch: 'screenshots.ts' },
    { name: 'live', testMatch: 'live.ts' },
  ],
  timeout: 120_000,
  expect: { timeout: 15_000 },
  fullyParallel: false,
  workers: 1,
  reporter: [['list']],
  use: {
    baseURL: process.env['UNUM_URL'] ?? 'http://127.0.0.1:4173',
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
