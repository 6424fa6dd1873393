import { tick } from 'svelte';
import type { Pace } from '../../protocol';

/** A rectangle on the screen. */
export type Rect = { x: number; y: number; width: number; height: number };
/** A card in the air. Without a name it is face down. */
export type Flight = {
  id: number;
  name: string | null;
  from: Rect;
  to: Rect;
  delay: number;
  duration: number;
  /** Turns from its back to its face on the way. */
  flip: boolean;
  landed: () => void;
};

// Looked up when a card flies; nothing is drawn from it.
// eslint-disable-next-line svelte/prefer-svelte-reactivity
const anchors = new Map<string, Element>();
let flown = 0;

/** The cards that are in the air. */
export const air = $state<{ flights: Flight[] }>({ flights: [] });

/** Gives a place on the screen a name that cards can fly from and to. */
export function anchor(name: string) {
  return (element: Element) => {
    anchors.set(name, element);
    return () => {
      if (anchors.get(name) === element) anchors.delete(name);
    };
  };
}

/** Where a named place is now; `null` if it is not on the screen. */
export function whereIs(name: string): Rect | null {
  const box = anchors.get(name)?.getBoundingClientRect();
  return box && box.width > 0 ? { x: box.x, y: box.y, width: box.width, height: box.height } : null;
}

/** Whether somebody has asked the device for less motion. */
export function calm(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** How long flights take, as part of what they usually do: bots in a hurry are not held up by their cards. */
const RATES: Record<Pace, number> = { relaxed: 1, brisk: 0.7, instant: 0.4 };
let rate = 1;

/** Fits the flights to the pace of a table. */
export function keepPace(pace: Pace): void {
  rate = RATES[pace];
}

/** Lets cards fly; ends when all have landed. */
export async function fly(flights: Omit<Flight, 'id' | 'landed'>[]): Promise<void> {
  if (calm() || flights.length === 0) return;
  const hurried = flights.map((flight) => ({ ...flight, delay: flight.delay * rate, duration: flight.duration * rate }));
  const landings = hurried.map(
    (flight) =>
      new Promise<void>((resolve) => {
        const id = ++flown;
        const landed = () => {
          air.flights = air.flights.filter((other) => other.id !== id);
          resolve();
        };
        air.flights.push({ ...flight, id, landed });
        // Whatever happens to the animation, nothing waits forever.
        setTimeout(landed, flight.delay + flight.duration + 400);
      }),
  );
  await tick();
  await Promise.all(landings);
}

/** A rectangle of a card's shape in the middle of another. */
export function cardIn(box: Rect, width: number): Rect {
  const height = width * 1.5;
  return { x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) / 2, width, height };
}
