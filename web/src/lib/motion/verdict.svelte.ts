import type { CardName } from '../../protocol';

/** A challenge as a scene: who doubts whom, a moment of suspense, the verdict, and the hand, for those who may see it. */
export type Scene = {
  challenger: number;
  challenged: number;
  guilty: boolean;
  /** The sentences, as they will be in the log. */
  question: string;
  answer: string;
  hand: CardName[];
  /** Whether the viewer is one of the two: among others it goes faster. */
  mine: boolean;
  /** Whether the table goes on meanwhile, as where less motion is wanted. */
  still: boolean;
  revealed: boolean;
};

const SUSPENSE = 1300;
const ANSWER = 1500;
const AMONG_OTHERS = 0.55;
/** A hand takes time to read. */
const HAND = 3200;

export const court = $state<{ scene: Scene | null }>({ scene: null });
let goOn: (() => void) | null = null;

const wait = (milliseconds: number) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    goOn = () => {
      clearTimeout(timer);
      resolve();
    };
  });

/** Plays the scene; `reveal` is called when the verdict falls. */
export async function tryCase(scene: Omit<Scene, 'revealed'>, reveal: () => void): Promise<void> {
  const pace = scene.mine ? 1 : AMONG_OTHERS;
  court.scene = { ...scene, revealed: scene.still };
  if (!scene.still) await wait(SUSPENSE * pace);
  reveal();
  court.scene = { ...scene, revealed: true };
  await wait(scene.hand.length > 0 ? HAND : ANSWER * pace);
  court.scene = null;
}

/** Somebody has seen enough. */
export function hurry(): void {
  goOn?.();
}
