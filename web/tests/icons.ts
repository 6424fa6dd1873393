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

/** The picture that messengers show beside an invite link. */
const PREVIEW = { width: 1200, height: 630 };

test('preview', async ({ page }) => {
  const mark = readFileSync(`${FOLDER}/favicon.svg`, 'utf8');
  await page.setViewportSize(PREVIEW);
  await page.setContent(`<style>
    body { margin: 0; height: 630px; display: grid; place-items: center; background: #1f4a3b }
    .fan { position: relative; width: 640px; height: 360px; margin-top: -70px }
    .card { position: absolute; left: 245px; top: 40px; width: 150px; height: 230px; border-radius: 20px; border: 10px solid #fff; box-sizing: border-box; transform-origin: 50% 150%; box-shadow: 0 0 0 2px #14241f }
    .card::after { content: ''; position: absolute; inset: 22px 12px; border-radius: 50%; background: #fff; opacity: .92; transform: rotate(24deg) }
    .mark { position: absolute; left: 500px; bottom: 48px; width: 200px; text-align: center }
    .mark svg { width: 150px; height: 150px }
  </style><div class="fan">${['#c8352b', '#e2a51d', '#3c8f4a', '#2f62b5', '#23201f']
    .map((color, i) => `<div class="card" style="background:${color};transform:rotate(${(i - 2) * 16}deg)"></div>`)
    .join('')}</div><div class="mark">${mark}</div>`);
  await page.screenshot({ path: `${FOLDER}/preview.png` });
});

test('icons', async ({ page }) => {
  const drawing = readFileSync(`${FOLDER}/favicon.svg`, 'utf8');
  for (const { name, size, scale, corner } of ICONS) {
    const svg = drawing.replace('scale(0.84)', `scale(${scale})`).replace('rx="24"', `rx="${corner}"`);
    await page.setViewportSize({ width: size, height: size });
    await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg}`);
    await page.screenshot({ path: `${FOLDER}/${name}.png`, omitBackground: true });
  }
});
