import type { DecisionReview, LinePoint, Review, ReviewProgress, RoundReview, ServedReview } from '../../protocol';
import { ApiError } from '../net/api';

/** How long to wait before a review is asked for again. */
const AGAIN = 1000;

/** Asks for a review until it is done, or nobody looks any more. */
export function follow(
  load: () => Promise<ServedReview>, tell: (served: ServedReview) => void, fail: (why: string) => void, again = AGAIN,
): () => void {
  let watched = true;
  const wait = (time: number) => new Promise((resolve) => setTimeout(resolve, time));
  async function run() {
    while (watched) {
      try {
        const served = await load();
        if (!watched) return;
        tell(served);
        if (served.progress === 'done') return;
        await wait(again);
      } catch (error) {
        if (!watched) return;
        // Many may ask at the same time: then it takes a little longer.
        if (!(error instanceof ApiError) || error.status !== 429) return fail(error instanceof Error ? error.message : '');
        await wait(2 * again);
      }
    }
  }
  void run();
  return () => (watched = false);
}

/** Whether choices have been judged by now, and not luck alone. */
export function isJudged(review: Review, progress: ReviewProgress): boolean {
  return progress === 'done' || review.worlds > 0;
}

/** The moments of a seat, the dearest first. */
export function momentsOf(review: Review, seat: number): DecisionReview[] {
  return review.decisions.filter((one) => one.seat === seat).sort((a, b) => b.error - a.error);
}

/** A point of a line: where it is drawn, and what is there. */
export type Point = { x: number; y: number; chance: number; point: LinePoint };

/** The chances of a seat after every move, in a box: with all cards open, or where the seat decided as it saw them. */
export function lineOf(round: RoundReview, seat: number, seen: boolean, [width, height]: [number, number]): Point[] {
  const last = Math.max(1, round.line.length - 1);
  return round.line.flatMap((point, at) => {
    const chance = seen ? (point.seat === seat ? point.seen : null) : (point.open[seat] ?? null);
    return chance === null ? [] : [{ x: (at / last) * width, y: (1 - chance) * height, chance, point }];
  });
}

/** The path of a line. */
export function pathOf(points: Point[]): string {
  return points.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join(' ');
}
