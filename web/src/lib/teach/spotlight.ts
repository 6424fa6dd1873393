import type { ActionForm, ColorName } from '../../protocol';

/** How far somebody has got with an action. */
export type Progress = {
  /** Whether the card is chosen and its color is asked for. */
  asking: boolean;
  /** Whether "UNO" goes with the next card. */
  armed: boolean;
};

const color = (deed: string, name: ColorName | undefined) => `[data-do="${deed}"]${name ? `.${name}` : ''}`;

/** Where to tap next to do something: what a selector finds on the table. */
export function spotlight(action: ActionForm, { asking, armed }: Progress, uno: boolean): string {
  switch (action.type) {
    case 'play':
      if (asking && action.color) return color('color', action.color);
      return uno && !armed ? '[data-uno]' : `[data-card="${action.card}"]`;
    case 'call_color':
      return color('call-color', action.color);
    case 'block':
      return asking ? color('color', action.color) : '[data-do="block"]';
    case 'call_uno':
      return '[data-uno]';
    case 'catch':
      return `[data-seat="${action.seat}"] [data-do="catch"]`;
    case 'discard':
      return action.cards.map((card) => `[data-card="${card}"]`).join(', ');
    default:
      return `[data-do="${action.type}"]`;
  }
}
