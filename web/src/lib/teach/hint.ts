import type { HintView } from '../../protocol';
import { nameOf, type TableState } from '../table/table';
import { deed } from '../text/deed';
import { t } from '../text/i18n/index.svelte';

/** A hint in words: what to do, and why. */
export function hintText({ action, reason }: HintView, state: TableState): { deed: string; why: string } {
  return { deed: deed(action, (seat) => nameOf(state, seat), state.terms?.rules), why: t(`hint.why.${reason}`) };
}
