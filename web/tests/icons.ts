import { test } from '@playwright/test';
import { readFileSync } from 'node:fs';

/** The icons of the manifest as PNG files, drawn from icons/favicon.svg: `npm run icons` after that has changed. */
const FOLDER = 'public/icons';
const ICONS = [
  { name: 'icon-192', size: 192, scale: 0.84, corner: 24 },
  { name: 'icon-512', size: 512, scale: 0.84, corner: 24 },
  // Systems cut these to a shape of their own: nothing important near the rim, no corners.
  { name: 'apple-touch-icon', size: 180, scale: 0.76, corner: 0 },
  { name: 'maskable-512', size: 512, scale: 0.66, corner: 0 },
];

test('icons', async ({ page }) => {
  const drawing = readFileSync(`${FOLDER}/favicon.svg`, 'utf8');
  for (const { name, size, scale, corner } of ICONS) {
    const svg = drawing.replace('scale(0.84)', `scale(${scale})`).replace('rx="24"', `rx="${corner}"`);
    await page.setViewportSize({ width: size, height: size });
    await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg}`);
    await page.screenshot({ path: `${FOLDER}/${name}.png`, omitBackground: true });
  }
});
