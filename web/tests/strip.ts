import { mkdirSync } from 'node:fs';
import { begin, MOMENTS } from './moments';
import { test } from './world';

/**
 * Eight pictures each of moments that move, made by `cargo xtask screenshots`: what happens between two states cannot be
 * seen in one picture.
 */
const OUT = process.env['SHOTS'] ?? 'screenshots';
const DEVICES = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } };

for (const [name, moment] of Object.entries(MOMENTS)) {
  for (const [device, viewport] of Object.entries(DEVICES)) {
    test(`${name} on a ${device}`, async ({ person, browser }) => {
      const page = await person({ viewport, colorScheme: 'dark', reducedMotion: 'no-preference' });
      await begin(page, moment);
      const began = Date.now();
      const frames: string[] = [];
      for (const at of moment.frames) {
        await page.waitForTimeout(Math.max(0, began + at - Date.now()));
        frames.push((await page.screenshot({ type: 'jpeg', quality: 80 })).toString('base64'));
      }
      const across = device === 'phone' ? 8 : 4;
      const sheet = await browser.newPage({ viewport: { width: across * (device === 'phone' ? 240 : 480), height: 400 } });
      await sheet.setContent(`<style>body{margin:0;display:grid;grid-template-columns:repeat(${across},1fr);gap:4px}img{width:100%}</style>${frames.map((frame) => `<img src="data:image/jpeg;base64,${frame}">`).join('')}`);
      mkdirSync(OUT, { recursive: true });
      await sheet.screenshot({ path: `${OUT}/strip-${name}-${device}.png`, fullPage: true });
      await sheet.close();
    });
  }
}
