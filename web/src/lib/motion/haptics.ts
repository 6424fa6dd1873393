import { muted } from '../../sound/sound';
import { calm } from './flights.svelte';

/** What can be felt: milliseconds of shaking and of rest, in turn. */
const PATTERNS = {
  turn: [18],
  hit: [40, 50, 40],
  heavy: [70, 40, 70, 40, 120],
  skip: [90],
  caught: [30, 30, 30, 30, 160],
  good: [25, 60, 60],
  win: [40, 60, 40, 60, 40, 60, 220],
};

/** Something that can be felt. */
export type Feel = keyof typeof PATTERNS;

/** Shakes the device, if it can and nobody minds: not with sounds off, and not where less motion is wanted. */
export function feel(what: Feel): void {
  if (muted() || calm() || typeof navigator.vibrate !== 'function') return;
  navigator.vibrate(PATTERNS[what]);
}
