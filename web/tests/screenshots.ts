import { enter, scenes } from './scenes';
import { test } from './world';

/** Pictures of every screen and dialog, made by `cargo xtask screenshots`: phone and desktop, dark and light. */
const OUT = process.env['SHOTS'] ?? 'screenshots';
const ONLY = process.env['ONLY']?.split(',');
const SCHEMES = (process.env['SCHEMES'] ?? 'dark,light').split(',') as ('dark' | 'light')[];
/** Pictures for the documentation are JPEG: a fifth of the size. */
const FORMAT = process.env['FORMAT'] === 'jpeg' ? ({ type: 'jpeg', quality: 88 } as const) : ({ type: 'png' } as const);
const DEVICES = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } };

for (const [name, scene] of Object.entries(scenes)) {
  if (ONLY && !ONLY.includes(name)) continue;
  test(name, async ({ person, finished }) => {
    for (const [device, viewport] of Object.entries(DEVICES)) {
      for (const colorScheme of SCHEMES) {
        const page = await person({ viewport, colorScheme, locale: process.env['LOCALE'] ?? 'en-US' }, /404|WebSocket connection/);
        await enter(page, scene, finished);
        if (scene.full) {
          const height = await page.evaluate(() => document.documentElement.scrollHeight);
          await page.setViewportSize({ width: viewport.width, height: Math.max(viewport.height, height) });
        }
        const ending = FORMAT.type === 'jpeg' ? 'jpg' : 'png';
        await page.screenshot({ path: `${OUT}/${name}-${device}-${colorScheme}.${ending}`, ...FORMAT });
        await page.context().close();
      }
    }
  });
}
