import type { CardName, Edition } from '../../protocol';

/** A card that is explained, and where it is on the screen. */
export type Tip = { card: CardName; edition: Edition; place: DOMRect; owner: Element | null };

/** Something that shows or names a card: a drawing, or a line of the log. */
type Shown = HTMLElement | SVGElement;

/** How long a pointer rests on a card, a finger holds it, or the keyboard stays on it before it is explained, in milliseconds. */
const PAUSE = { mouse: 550, touch: 420, focus: 900 } as const;
/** How far a finger may move while it holds a card, in pixels. */
const STEADY = 10;
/** What somebody can press that shows a card. */
const CONTROL = 'button, a, [tabindex]';
/** The id of the explanation, to be named by what it explains. */
export const TIP_ID = 'card-tip';

/** The card that something on the screen shows, if it is there to be read and no mere decoration. */
export function faceAt(target: EventTarget | null): Shown | null {
  const face = target instanceof Element ? target.closest<Shown>('[data-face]') : null;
  return face?.parentElement?.closest('[aria-hidden="true"], label, [data-mute]') ? null : face;
}

/** The card that a control shows. */
function faceIn(target: EventTarget | null): Shown | null {
  return target instanceof Element && target.matches(CONTROL) ? faceAt(target.querySelector('[data-face]')) : null;
}

/** Which card is explained, and when: by hovering over it, holding it, or moving the focus to it. */
export class Tips {
  tip = $state.raw<Tip | null>(null);

  #timer: ReturnType<typeof setTimeout> | undefined;
  #held: { x: number; y: number } | null = null;
  /** Whether to ignore the click that ends the hold. */
  #swallow = false;
  /** What the mouse has pressed: it is known, and its explanation would lie on the answer. */
  #pressed: Element | null = null;

  /** Where the mouse is, and what came to lie under it without its moving: that is no question. */
  #mouse = { x: -1, y: -1 };
  #unasked: Shown | null = null;
  /** What is explained, or will be in a moment. */
  #asked: Shown | null = null;

  /** Whether keys were used last: a focus that came otherwise is not a question. */
  #byKeys = false;

  /** Explains a card at once. */
  show(face: Shown): void {
    this.hide();
    const { face: card, edition } = face.dataset;
    const owner = face.closest(CONTROL);
    if (!card || !edition) return;
    this.#asked = face;
    this.tip = { card, edition: edition as Edition, place: face.getBoundingClientRect(), owner };
    owner?.setAttribute('aria-describedby', TIP_ID);
  }

  /** Explains the card of the control that has the focus, or another one. */
  explain(fallback: string): void {
    const face = faceIn(document.activeElement) ?? faceAt(document.querySelector(fallback));
    if (face) this.show(face);
  }

  hide(): void {
    clearTimeout(this.#timer);
    this.#asked = null;
    this.tip?.owner?.removeAttribute('aria-describedby');
    this.tip = null;
  }

  #later(face: Shown, after: number): void {
    clearTimeout(this.#timer);
    this.#asked = face;
    this.#timer = setTimeout(() => face.isConnected && this.show(face), after);
  }

  over(event: PointerEvent): void {
    if (event.pointerType !== 'mouse') return;
    const rests = event.clientX === this.#mouse.x && event.clientY === this.#mouse.y;
    this.#mouse = { x: event.clientX, y: event.clientY };
    const face = event.buttons === 0 ? faceAt(event.target) : null;
    if (face && (this.#pressed?.contains(face) || (rests && face === this.#asked))) return;
    this.#pressed = null;
    this.#unasked = rests ? face : null;
    if (face && !rests) this.#later(face, PAUSE.mouse);
    else this.hide();
  }

  /** A key was pressed. */
  key(): void {
    this.#byKeys = true;
  }

  down(event: PointerEvent): void {
    this.hide();
    this.#byKeys = false;
    this.#swallow = false;
    this.#pressed = event.pointerType === 'mouse' && event.target instanceof Element ? event.target.closest(CONTROL) : null;
    const face = event.pointerType === 'mouse' ? null : faceAt(event.target);
    if (!face) return;
    this.#held = { x: event.clientX, y: event.clientY };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (!this.#held || !face.isConnected) return;
      this.#swallow = true;
      this.show(face);
    }, PAUSE.touch);
  }

  move(event: PointerEvent): void {
    if (event.pointerType === 'mouse') this.#moveMouse(event);
    if (this.#held && Math.hypot(event.clientX - this.#held.x, event.clientY - this.#held.y) > STEADY) this.up();
  }

  #moveMouse({ clientX: x, clientY: y }: PointerEvent): void {
    const rests = x === this.#mouse.x && y === this.#mouse.y;
    this.#mouse = { x, y };
    if (rests || !this.#unasked) return;
    this.#later(this.#unasked, PAUSE.mouse);
    this.#unasked = null;
  }

  /** The finger is gone. What is explained stays to be read until the next touch. */
  up(): void {
    this.#held = null;
    if (!this.tip) clearTimeout(this.#timer);
  }

  /** A card that was held is not played. */
  click(event: MouseEvent): void {
    if (!this.#swallow) return;
    this.#swallow = false;
    event.preventDefault();
    event.stopPropagation();
  }

  focus(event: FocusEvent): void {
    const asked = this.#byKeys && event.target instanceof Element && event.target.matches(':focus-visible');
    const face = asked ? faceIn(event.target) : null;
    if (face) this.#later(face, PAUSE.focus);
    else if (this.tip?.owner !== event.target) this.hide();
  }
}

/** The one that all screens share. */
export const tips = new Tips();
