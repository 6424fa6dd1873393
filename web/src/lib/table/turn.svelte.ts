import type { ActionForm, CardName, Choice, ColorName, Refusal } from '../../protocol';
import {
  choiceFor, choiceOf, colorOfCard, discardCount, isMyTurn, nextQuestion, questionsFor, questionsForBlock, type Picked,
  type Questions,
} from './choices';
import type { TableSession } from './session.svelte';
import { mySeat } from './table';

/** What a player is about to do: cards picked, questions open, "UNO" armed, and what the server has refused. */
export class Turn {
  /** What is asked before a card can be played. */
  asking = $state.raw<{ questions: Questions; picked: Picked } | null>(null);
  /** Keys of the cards picked to be discarded. */
  picked = $state.raw<readonly string[]>([]);
  /** Whether "UNO" is called with the next play that leaves one card. */
  armed = $state(false);
  /** What the server has refused. */
  refusal = $state.raw<Refusal | null>(null);

  readonly #session: TableSession;
  /** The position in which the viewer has acted and waits for the answer: nothing else can be done in it. */
  #actedAt = $state(-1);

  constructor(session: TableSession) {
    this.#session = session;
  }

  get #game() {
    return this.#session.shown.game!;
  }
  get me(): number | null {
    return mySeat(this.#session.shown);
  }
  get hand(): CardName[] {
    return this.#game.view.hand ?? [];
  }
  get mine(): boolean {
    return isMyTurn(this.#game, this.me);
  }
  /** Whether the page shows what is, nothing is on its way, and the viewer plays for themselves. */
  get #free(): boolean {
    const away = this.me === null || this.#session.shown.lobby?.chairs[this.me]?.away;
    return this.#session.settled && this.#actedAt !== this.#game.at && !away;
  }
  /** What can be done now. */
  get legal(): Choice[] {
    return this.#session.settled && this.#actedAt !== this.#game.at ? this.#game.legal : [];
  }
  /** How many cards have to be discarded. */
  get toDiscard(): number {
    return discardCount(this.#game.view, this.me);
  }

  /** A new position: what was being chosen may no longer make sense. */
  begin(): void {
    this.asking = null;
    this.picked = [];
    this.refusal = null;
    if (!this.canArm) this.armed = false;
  }

  /** Whether "UNO" could go with the next card: by what is legal during the turn, by the number of cards before it. */
  get canArm(): boolean {
    return this.mine ? this.#game.legal.some((choice) => choice.uno) : this.hand.length === this.#session.shown.terms?.rules.uno_from;
  }

  /** Does something that the server lists. A race does not belong to the position somebody has looked at. */
  async act(action: ActionForm, { uno = false }: { uno?: boolean | undefined } = {}): Promise<void> {
    const race = choiceOf(this.#game.legal, action.type)?.race ?? false;
    const at = this.#game.at;
    const whole = uno && this.armed ? { ...action, uno: true } : action;
    if (uno) this.armed = false;
    if (!race) this.#actedAt = at;
    await this.#ask(whole, race ? undefined : at);
    if (this.#actedAt === at) this.#actedAt = -1;
  }

  /** Does something of which there is one kind; whether it was possible. */
  do(type: 'draw' | 'keep' | 'take' | 'challenge' | 'call_uno'): boolean {
    const legal = choiceOf(this.legal, type) !== undefined;
    if (legal) void this.act({ type });
    return legal;
  }

  /** Draws, or asks the server why not. */
  draw(): void {
    if (!this.do('draw')) void this.#askWhyNot({ type: 'draw' });
  }

  /** Somebody has picked a card of the hand. */
  pick(card: CardName, key: string): void {
    if (this.toDiscard > 0) return this.#toggle(key);
    const questions = questionsFor(this.legal, card);
    if (questions) return this.answer(questions, {});
    // A wild needs a color before anything else can be wrong with it.
    const color = colorOfCard(card) ? undefined : this.#session.shown.terms?.rules.colors[0];
    void this.#askWhyNot({ type: 'play', card, ...(color ? { color } : {}) });
  }

  block(): void {
    const questions = questionsForBlock(this.legal);
    if (questions) this.answer(questions, {});
  }

  /** Goes on to the next question, or plays the card when all is said. */
  answer(questions: Questions, picked: Picked): void {
    this.asking = nextQuestion(questions, picked) ? { questions, picked } : null;
    const choice = this.asking ? undefined : choiceFor(questions, picked);
    if (choice) void this.act(choice.action, choice);
  }

  callColor(color: ColorName): void {
    void this.act({ type: 'call_color', color });
  }

  discard(): void {
    const cards = this.picked.map((key) => key.split('#')[0]!);
    void this.act({ type: 'discard', cards }, choiceOf(this.legal, 'discard'));
  }

  /** Calls "UNO" if it is due, else arms it for the next play. */
  uno(): void {
    if (!this.do('call_uno') && this.me !== null) this.armed = !this.armed && this.canArm;
  }

  #toggle(key: string): void {
    if (this.picked.includes(key)) this.picked = this.picked.filter((other) => other !== key);
    else if (this.picked.length < this.toDiscard) this.picked = [...this.picked, key];
  }

  /** Asks the server for what it does not list, to hear from it why not. */
  async #askWhyNot(action: ActionForm): Promise<void> {
    if (this.#free) await this.#ask(action, this.#game.at);
  }

  async #ask(action: ActionForm, at: number | undefined): Promise<void> {
    const answer = await this.#session.request({ type: 'act', action, ...(at === undefined ? {} : { at }) });
    if (!answer.ok) this.refusal = answer.refusal;
  }
}
