import { readFileSync } from 'node:fs';
import ts from 'typescript';
import type { Page } from '@playwright/test';
import { expect, test } from './world';

/** What can be measured of a sound at full volume. */
type Heard = {
  name: string;
  peak: number;
  /** The mean loudness from its beginning to its end. */
  rms: number;
  /** When the last of it can be heard, in seconds. */
  ends: number;
  /** The mean pitch, weighed by strength, in hertz. */
  center: number;
  /** How much of its strength a small speaker can play: what is above 250 hertz. */
  small: number;
  /** How strong each of a few bands is in each of a few moments: what it sounds like. */
  shape: number[];
};

/** Has the page's own module work out every sound in the browser. */
async function listen(page: Page): Promise<Heard[]> {
  const source = readFileSync(new URL('../src/sound/sound.ts', import.meta.url), 'utf8');
  const module = ts.transpile(source, { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 });
  await page.goto('about:blank');
  return page.evaluate(async (code) => {
    const { SOUNDS, rendered } = (await import(`data:text/javascript;base64,${btoa(unescape(encodeURIComponent(code)))}`)) as {
      SOUNDS: string[];
      rendered: (name: string) => Promise<Float32Array>;
    };
    const RATE = 44_100;
    const FRAME = 2048;
    /** Bands an octave wide, from 60 hertz up. */
    const BANDS = Array.from({ length: 9 }, (_, i) => 60 * 2 ** i);

    /** The strength of each frequency in a frame, by the sums of its definition, on every eighth of an octave. */
    const pitches = Array.from({ length: 72 }, (_, i) => 60 * 2 ** (i / 8));
    const spectrum = (samples: Float32Array, from: number) =>
      pitches.map((pitch) => {
        let [real, imaginary] = [0, 0];
        for (let i = 0; i < FRAME; i++) {
          const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / FRAME);
          const angle = (2 * Math.PI * pitch * i) / RATE;
          real += (samples[from + i] ?? 0) * window * Math.cos(angle);
          imaginary += (samples[from + i] ?? 0) * window * Math.sin(angle);
        }
        return real * real + imaginary * imaginary;
      });

    const measured: Heard[] = [];
    for (const name of SOUNDS) {
      const samples = await rendered(name);
      const peak = samples.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
      const last = samples.findLastIndex((one) => Math.abs(one) > 0.002);
      const rms = Math.sqrt(samples.slice(0, last + 1).reduce((sum, one) => sum + one * one, 0) / (last + 1));
      const frames = Array.from({ length: 24 }, (_, i) => spectrum(samples, i * FRAME));
      const total = pitches.map((_, i) => frames.reduce((sum, frame) => sum + frame[i]!, 0));
      const center = total.reduce((sum, one, i) => sum + one * pitches[i]!, 0) / total.reduce((sum, one) => sum + one, 0);
      const above = total.reduce((sum, one, i) => sum + (pitches[i]! > 250 ? one : 0), 0);
      const small = above / total.reduce((sum, one) => sum + one, 0);
      const shape = frames.flatMap((frame) =>
        BANDS.map((low) => Math.sqrt(frame.reduce((sum, one, i) => sum + (pitches[i]! >= low && pitches[i]! < low * 2 ? one : 0), 0))),
      );
      measured.push({ name, peak, rms, ends: last / RATE, center, small, shape });
    }
    return measured;
  }, module);
}

/** How alike two sounds are: 1 if one is the other, louder or quieter. */
function likeness(one: Heard, other: Heard): number {
  const product = (a: number[], b: number[]) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
  return product(one.shape, other.shape) / Math.sqrt(product(one.shape, one.shape) * product(other.shape, other.shape));
}

test('every sound can be heard, hurts nobody, and is like no other', async ({ page }) => {
  const sounds = await listen(page);
  for (const { name, peak, rms, ends, center, small } of sounds) {
    if (process.env['SOUNDS']) console.log(name.padEnd(10), `peak ${peak.toFixed(2)} rms ${rms.toFixed(3)} ends ${ends.toFixed(2)} s center ${center.toFixed(0)} Hz small ${small.toFixed(2)}`);
    expect(peak, `${name} is heard`).toBeGreaterThan(0.02);
    expect(peak, `${name} is not clipped`).toBeLessThan(0.98);
    expect(rms, `${name} is heard`).toBeGreaterThan(0.004);
    expect(rms * Math.sqrt(small), `${name} is heard from a phone`).toBeGreaterThan(0.01);
    expect(ends, `${name} is no click`).toBeGreaterThan(0.02);
    expect(ends, `${name} ends`).toBeLessThan(3.9);
    // Where ears are most sensitive, a sound that has its weight there is shrill.
    expect(center, `${name} is not shrill`).toBeLessThan(3500);
  }
  const pairs = sounds.flatMap((one, i) => sounds.slice(i + 1).map((other) => ({ of: `${one.name} and ${other.name}`, likeness: likeness(one, other) })));
  if (process.env['SOUNDS']) console.log(pairs.sort((a, b) => b.likeness - a.likeness).slice(0, 12).map((pair) => `${pair.of} ${pair.likeness.toFixed(3)}`).join('\n'));
  for (const pair of pairs) expect(pair.likeness, pair.of).toBeLessThan(0.95);
});
