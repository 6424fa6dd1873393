import type { ActionForm, LessonStep } from '../../protocol';
import { prefs, savePrefs } from '../page/prefs.svelte';
import { nameOf, type TableState } from '../table/table';
import { t } from '../text/i18n/index.svelte';
import { cardName, colorName } from '../text/words';

/** Remembers which table is this device's lesson: its cards are arranged, and only there is that no alarm. */
export function noteLesson(code: string): void {
  prefs.lesson = code;
  savePrefs();
}

/** Whether a table is the lesson that this device has opened. */
export function isLesson(code: string): boolean {
  return code !== '' && prefs.lesson === code;
}

/** Notes that nobody on this device needs the lesson any more. */
export function noteTaught(): void {
  prefs.taught = true;
  savePrefs();
}

/** What a step asks for, in words; `action` is what the table offers. */
export function stepText(step: LessonStep, action: ActionForm | undefined, state: TableState): string {
  const top = cardName(state.game?.view.top ?? '');
  const play = action?.type === 'play' ? action : undefined;
  return t(`teach.step.${step}`, {
    top,
    card: play ? cardName(play.card) : '',
    color: play?.color ? colorName(play.color) : '',
    name: action?.type === 'catch' ? nameOf(state, action.seat) : '',
  });
}
