import type { CardName, ColorName } from '../../protocol';
import type { Rect } from './flights.svelte';

/** A short play of its own for what a card does; each kind has its motion in Effects.svelte. */
export type Effect = {
  id: number;
  kind: 'skip' | 'reverse' | 'color' | 'hit' | 'block' | 'heavy' | 'uno' | 'caught' | 'shuffle' | 'olaf' | 'magic' | 'out';
  /** Where its middle is. */
  x: number;
  y: number;
  size: number;
  color: ColorName | null;
  /** What is written on it. */
  text: string;
  card: CardName | null;
  /** Which way a reverse turns. */
  left: boolean;
};

/** How long each is shown, in milliseconds. */
const LASTS: Record<Effect['kind'], number> = {
  skip: 950, reverse: 850, color: 800, hit: 900, heavy: 1100, olaf: 1100, magic: 950, block: 950, uno: 1100, caught: 1000, shuffle: 900, out: 1500,
};

/** What is shown now. */
export const stage = $state<{ effects: Effect[] }>({ effects: [] });
let shown = 0;

/** Shows an effect around the middle of a place; ends when it is over. */
export function show(kind: Effect['kind'], at: Rect | null, rest: Partial<Effect> = {}): Promise<void> {
  if (!at) return Promise.resolve();
  const id = ++shown;
  const size = Math.max(at.width, at.height);
  stage.effects.push({
    kind, x: at.x + at.width / 2, y: at.y + at.height / 2, size, color: null, text: '', card: null, left: false, ...rest, id,
  });
  return new Promise((resolve) => {
    setTimeout(() => {
      stage.effects = stage.effects.filter((effect) => effect.id !== id);
      resolve();
    }, LASTS[kind]);
  });
}
