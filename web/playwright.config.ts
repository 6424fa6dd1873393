import { defineConfig } from '@playwright/test';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

export default defineConfig({
  testDir: 'tests',
  projects: [
    { name: 'tests', testMatch: '*.spec.ts' },
    { name: 'screenshots', testMatch: 'screenshots.ts' },
    { name: 'strip', testMatch: 'strip.ts' },
    { name: 'measure', testMatch: 'measure.ts' },
    { name: 'icons', testMatch: 'icons.ts' },
  ],
  // Generous: a machine may be slow, and nothing here is about how fast it is.
  timeout: 900_000,
  expect: { timeout: 60_000 },
  fullyParallel: true,
  workers: 2,
  // A test that passes at the second try is named as flaky.
  retries: 1,
  reporter: [['list']],
  use: {
    locale: 'en-US',
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    launchOptions: {
      executablePath: CHROMIUM,
      args: [
        '--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update',
        '--disable-sync', '--no-first-run',
      ],
    },
  },
});
