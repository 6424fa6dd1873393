import type { Season } from '../../protocol';
import { call, moduleState } from '../local/client.svelte';
import * as journal from '../local/journal';
import { api } from '../net/api';
import { prefs } from '../page/prefs.svelte';

/** Where a season is kept: on this device for games that are played here, at the server with the guest for the others. */
export type Place = 'here' | 'server';

/** A season, and which of its games can still be watched. */
export type Counted = { season: Season; watchable: (game: string) => boolean };

type Keeper = {
  load: () => Promise<Counted>;
  /** Switches it on or off, for games to come. */
  change: (on: boolean) => Promise<unknown>;
  /** Deletes it. The games stay. */
  forget: () => Promise<unknown>;
};

export const keepers: Record<Place, Keeper> = {
  here: {
    load: async () => {
      const [counted, finished] = await Promise.all([journal.listSeason(), journal.listFinished()]);
      const ids = new Set(finished.map(({ id }) => id));
      return { season: await call('season', counted), watchable: (game) => ids.has(game) };
    },
    change: journal.changeSeason,
    forget: journal.forgetSeason,
  },
  server: {
    load: async () => ({ season: await api.season(), watchable: () => true }),
    change: api.changeSeason,
    forget: api.forgetSeason,
  },
};

/** The places where this visitor can have a season. */
export function places(): Place[] {
  const here: Place[] = moduleState() === 'none' ? [] : ['here'];
  return prefs.guest ? [...here, 'server'] : here;
}
