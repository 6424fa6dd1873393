import { mySeat, type TableState } from '../table/table';
import { t } from './i18n/index.svelte';
import { cardWords } from './rulebook.svelte';

/** What hangs over a seat, in words. */
export function notesOf(state: TableState, seat: number): string[] {
  const { banners, draw_more } = state.game!.view;
  return [
    ...banners.filter((banner) => banner.seat === seat).map((banner) => cardWords(banner.text)),
    ...draw_more.filter((more) => more.seat === seat).map((more) => t('play.must_draw_more', { count: more.count })),
    // The prompt tells viewers that they are away themselves.
    ...(state.lobby?.chairs[seat]?.away && seat !== mySeat(state) ? [t('setup.chair.away')] : []),
  ];
}
