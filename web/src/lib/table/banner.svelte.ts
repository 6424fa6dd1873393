import type { Line, Mark } from '../text/story';
import type { ColorName } from '../../protocol';

/** A sentence in the middle of the table. */
export type Banner = { id: number; text: string; mark: Mark; tone: Line['tone']; mine: boolean; color: ColorName | null };

/** How long a banner stays when nothing follows it, in milliseconds, and how long when something does. */
export const LONGEST = 2200;
export const SHORTEST = 750;
/** A long sentence takes longer to read: how long each further letter does, and what is short. */
const READING = { letters: 20, each: 14 };
/** With more waiting than this, what happens to others is left to the log. */
const MOST_WAITING = 2;

/** The sentence without its full stop: a banner is a headline. */
const headline = (text: string) => text.replace(/[.。]$/u, '');

/** Says one thing after the other: every one long enough to be read, none long after the table has gone on. */
export class Banners {
  now = $state.raw<Banner | null>(null);
  #waiting: Banner[] = [];
  #count = 0;
  #since = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** Says what of the lines is marked to be said. */
  say(lines: readonly Line[]): void {
    for (const { text, mark, tone, mine, color } of lines) {
      if (!mark) continue;
      this.#waiting.push({ id: ++this.#count, text: headline(text), mark, tone, mine: mine ?? false, color: color ?? null });
    }
    while (this.#waiting.length > MOST_WAITING) {
      const other = this.#waiting.findIndex((banner) => !banner.mine);
      if (other < 0) break;
      this.#waiting.splice(other, 1);
    }
    this.#schedule();
  }

  /** Says nothing more. */
  clear(): void {
    this.#waiting = [];
    this.now = null;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #schedule(): void {
    if (!this.now) return this.#next();
    if (this.#timer) clearTimeout(this.#timer);
    const stay = this.#waiting.length > 0 ? SHORTEST + Math.max(0, this.now.text.length - READING.letters) * READING.each : LONGEST;
    this.#timer = setTimeout(() => this.#next(), Math.max(0, this.#since + stay - Date.now()));
  }

  #next(): void {
    this.#timer = null;
    this.now = this.#waiting.shift() ?? null;
    this.#since = Date.now();
    if (this.now) this.#schedule();
  }
}
