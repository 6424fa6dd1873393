import type { ActionForm, CardName, ChoiceForm, ColorName, Edition, GameView, PhaseForm, ViewForm } from '../protocol';
import type { Seat } from './kinds';

type Play = Extract<ActionForm, { type: 'play' }>;

/** What has to be chosen before a card can be played. All of it comes from what the server lists as legal. */
export type CardChoices = {
  card: CardName;
  colors: ColorName[];
  swaps: Seat[];
  /** The sets of cards that may go along (Olaf's Summertime), the empty one included. */
  discards: CardName[][];
  plays: Play[];
};

/** The colors of a deck, in order. */
export function colorsOf(edition: Edition): ColorName[] {
  return [edition === 'frozen' ? 'pink' : 'red', 'yellow', 'green', 'blue'];
}

/** The color of a card by its name; none for wilds. */
export function colorOfCard(card: CardName): ColorName | null {
  const colors: Record<string, ColorName> = { R: 'red', P: 'pink', Y: 'yellow', G: 'green', B: 'blue' };
  return colors[card.charAt(0)] ?? null;
}

function plays(legal: ChoiceForm[]): Play[] {
  return legal.filter((choice): choice is Play => choice.type === 'play');
}

/** The cards that can be played now. */
export function playable(legal: ChoiceForm[]): Set<CardName> {
  return new Set(plays(legal).map((play) => play.card));
}

function distinct<T>(values: T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** What there is to choose for a card; `null` if it cannot be played. */
export function choicesFor(legal: ChoiceForm[], card: CardName): CardChoices | null {
  const fitting = plays(legal).filter((play) => play.card === card);
  if (fitting.length === 0) return null;
  return {
    card,
    colors: distinct(fitting.flatMap((play) => (play.color ? [play.color as ColorName] : []))),
    swaps: distinct(fitting.flatMap((play) => (play.swap_with == null ? [] : [play.swap_with]))),
    discards: distinct(fitting.map((play) => [...(play.discard ?? [])].sort())),
    plays: fitting,
  };
}

/** What a player has picked so far. */
export type Picked = { color?: ColorName; swap?: Seat; discard?: CardName[] };

/** The next thing to be asked before the card can be played; `null` when all is said. */
export function nextQuestion(choices: CardChoices, picked: Picked): 'discard' | 'color' | 'swap' | null {
  if (choices.discards.length > 1 && picked.discard === undefined) return 'discard';
  if (choices.colors.length > 0 && picked.color === undefined) return 'color';
  if (choices.swaps.length > 0 && picked.swap === undefined) return 'swap';
  return null;
}

const sameCards = (a: CardName[], b: CardName[]) => [...a].sort().join() === [...b].sort().join();

/** Whether the cards picked so far can still become (or are) a set that may go along. */
export function canGoAlong(choices: CardChoices, picked: CardName[]): boolean {
  return choices.discards.some((set) => sameCards(set, picked));
}

/** The action for what was picked, as the server listed it. */
export function actionFor(choices: CardChoices, picked: Picked): Play | null {
  const found = choices.plays.find(
    (play) =>
      (play.color == null || play.color === picked.color) &&
      (play.swap_with == null || play.swap_with === picked.swap) &&
      sameCards(play.discard ?? [], picked.discard ?? []),
  );
  return found ?? null;
}

/** How many cards an action takes out of the hand. */
export function cardsGone(action: ActionForm): number {
  if (action.type === 'play') return 1 + (action.discard?.length ?? 0);
  if (action.type === 'block') return 1;
  return action.type === 'discard' ? action.cards.length : 0;
}

/** The action with the call of "UNO", if it is armed and has its place. */
export function withUno<A extends ActionForm>(action: A, hand: number, armed: boolean): A {
  const calls = action.type === 'play' || action.type === 'block' || action.type === 'discard';
  return armed && calls && hand - cardsGone(action) === 1 ? { ...action, uno: true } : action;
}

/** Whether some legal action leaves one card, so that "UNO" should be armed. */
export function unoInReach(legal: ChoiceForm[], hand: number): boolean {
  return legal.some((choice) => !('count' in choice) && hand - cardsGone(choice) === 1);
}

/** Whether an action of that type is legal. */
export function can(legal: ChoiceForm[], type: ChoiceForm['type']): boolean {
  return legal.some((choice) => choice.type === type);
}

/** The seats that can be caught. */
export function catchable(legal: ChoiceForm[]): Seat[] {
  return legal.flatMap((choice) => (choice.type === 'catch' ? [choice.seat] : []));
}

/** Who has to do something in this phase. */
export function waitedFor(phase: PhaseForm): Seat[] {
  if (phase.type === 'vote') return phase.waiting;
  return 'seat' in phase ? [phase.seat] : [];
}

/** Whether the viewer has to do something. */
export function isMyTurn(game: GameView | null, me: Seat | null): boolean {
  return game !== null && me !== null && waitedFor(game.view.phase).includes(me);
}

/** How many cards the viewer has to discard by choice, if so. */
export function discardCount(view: ViewForm, me: Seat | null): number {
  return view.phase.type === 'discard' && view.phase.seat === me ? view.phase.count : 0;
}
