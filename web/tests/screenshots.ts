import { enter, scenes, settled } from './scenes';
import { test } from './world';

/**
 * Pictures of every screen and dialog, made by `cargo xtask screenshots`: in five sizes, dark and light. `ONLY`, `SIZES` and
 * `SCHEMES` choose some of them.
 */
const OUT = process.env['SHOTS'] ?? 'screenshots';
const some = (name: string) => process.env[name]?.split(',');
const ONLY = some('ONLY');
const SCHEMES = (some('SCHEMES') ?? ['dark', 'light']) as ('dark' | 'light')[];
/** Pictures for the documentation are JPEG: a fifth of the size. */
const FORMAT = process.env['FORMAT'] === 'jpeg' ? ({ type: 'jpeg', quality: 88 } as const) : ({ type: 'png' } as const);
const SIZES = {
  phone: { width: 360, height: 740 },
  sideways: { width: 740, height: 360 },
  tablet: { width: 820, height: 1180 },
  desktop: { width: 1440, height: 900 },
  large: { width: 2560, height: 1300 },
};

for (const [name, scene] of Object.entries(scenes)) {
  if (ONLY && !ONLY.includes(name)) continue;
  test(name, async ({ person, finished }) => {
    for (const [size, viewport] of Object.entries(SIZES)) {
      if (some('SIZES')?.includes(size) === false) continue;
      const page = await person({ viewport, locale: process.env['LOCALE'] ?? 'en-US' }, /404|WebSocket connection/);
      await enter(page, scene, finished);
      if (scene.full) {
        const height = await page.evaluate(() => document.documentElement.scrollHeight);
        await page.setViewportSize({ width: viewport.width, height: Math.max(viewport.height, height) });
      }
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await settled(page);
        const ending = FORMAT.type === 'jpeg' ? 'jpg' : 'png';
        await page.screenshot({ path: `${OUT}/${name}-${size}-${colorScheme}.${ending}`, ...FORMAT });
      }
      await page.context().close();
    }
  });
}
