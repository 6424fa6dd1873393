import { read } from '../../cards/words';
import type { ActionForm, CardName, Choice, ColorName, GameView, PhaseForm, ViewForm } from '../../protocol';

/** An action that may need answers first: a play, or a block. */
type Asking = Extract<ActionForm, { type: 'play' | 'block' }>;
/** A choice of such an action. */
export type AskingChoice = Choice & { action: Asking };

/** What has to be chosen before a card can be played. All of it comes from what the server lists as legal. */
export type Questions = {
  colors: ColorName[];
  swaps: number[];
  /** The sets of cards that may go along (Olaf's Summertime), the empty one included. */
  discards: CardName[][];
  choices: AskingChoice[];
};

/** The color of a card by its name; none for wilds. */
export function colorOfCard(card: CardName): ColorName | null {
  return read(card)?.color ?? null;
}

/** How many cards of each color there are. */
export function colorCounts(cards: CardName[]): Partial<Record<ColorName, number>> {
  const counts: Partial<Record<ColorName, number>> = {};
  for (const color of cards.map(colorOfCard)) if (color) counts[color] = (counts[color] ?? 0) + 1;
  return counts;
}

const isAsking = (choice: Choice): choice is AskingChoice => choice.action.type === 'play' || choice.action.type === 'block';

/** The cards that can be played now. */
export function playable(legal: Choice[]): Set<CardName> {
  return new Set(legal.flatMap(({ action }) => (action.type === 'play' ? [action.card] : [])));
}

function distinct<T>(values: T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

const alongWith = (action: Asking): CardName[] => (action.type === 'play' ? (action.discard ?? []) : []);
const swapOf = (action: Asking): number | undefined => (action.type === 'play' ? action.swap_with : undefined);

function questions(choices: AskingChoice[]): Questions | null {
  if (choices.length === 0) return null;
  const actions = choices.map(({ action }) => action);
  return {
    colors: distinct(actions.flatMap(({ color }) => color ?? [])),
    swaps: distinct(actions.flatMap((action) => swapOf(action) ?? [])),
    discards: distinct(actions.map((action) => [...alongWith(action)].sort())),
    choices,
  };
}

/** What there is to choose for a card; `null` if it cannot be played. */
export function questionsFor(legal: Choice[], card: CardName): Questions | null {
  return questions(legal.filter(isAsking).filter(({ action }) => action.type === 'play' && action.card === card));
}

/** What there is to choose for a block; `null` if there is nothing to block. */
export function questionsForBlock(legal: Choice[]): Questions | null {
  return questions(legal.filter(isAsking).filter(({ action }) => action.type === 'block'));
}

/** What a player has picked so far. */
export type Picked = { color?: ColorName; swap?: number; discard?: CardName[] };

/** The next thing to be asked before the card can be played; `null` when all is said. */
export function nextQuestion({ discards, colors, swaps }: Questions, picked: Picked): 'discard' | 'color' | 'swap' | null {
  if (discards.length > 1 && picked.discard === undefined) return 'discard';
  if (colors.length > 0 && picked.color === undefined) return 'color';
  if (swaps.length > 0 && picked.swap === undefined) return 'swap';
  return null;
}

const sameCards = (a: CardName[], b: CardName[]) => [...a].sort().join() === [...b].sort().join();

/** Whether the cards picked so far can still become (or are) a set that may go along. */
export function canGoAlong({ discards }: Questions, picked: CardName[]): boolean {
  return discards.some((set) => sameCards(set, picked));
}

/** What was picked, as the server listed it. */
export function choiceFor({ choices }: Questions, picked: Picked): AskingChoice | undefined {
  return choices.find(
    ({ action }) =>
      (action.color === undefined || action.color === picked.color) &&
      (swapOf(action) === undefined || swapOf(action) === picked.swap) &&
      sameCards(alongWith(action), picked.discard ?? []),
  );
}

/** What the server lists of one type: the first, if there are several. */
export function choiceOf(legal: Choice[], type: ActionForm['type']): Choice | undefined {
  return legal.find(({ action }) => action.type === type);
}

/** The seats that can be caught. */
export function catchable(legal: Choice[]): number[] {
  return legal.flatMap(({ action }) => (action.type === 'catch' ? [action.seat] : []));
}

/** Who has to do something in this phase. */
export function waitedFor(phase: PhaseForm): number[] {
  if (phase.type === 'vote') return phase.waiting;
  return 'seat' in phase ? [phase.seat] : [];
}

/** Whether the viewer has to do something. */
export function isMyTurn(game: GameView | null, me: number | null): boolean {
  return game !== null && me !== null && waitedFor(game.view.phase).includes(me);
}

/** How many cards the viewer has to discard by choice, if so. */
export function discardCount(view: ViewForm, me: number | null): number {
  return view.phase.type === 'discard' && view.phase.seat === me ? view.phase.count : 0;
}
