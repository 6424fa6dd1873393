import { USUAL } from '../../ids';
import type { Edition, Level, Pace, PresetId, Scoring } from '../../protocol';
import type { Sorting } from '../table/sorting';

/** What the page remembers on this device. */
export type Prefs = {
  name: string;
  avatar: string;
  back: string;
  theme: 'auto' | 'light' | 'dark';
  language: string;
  sounds: boolean;
  volume: number;
  /** What "play now" was set to; without a length or a pace, those of the preset. */
  setup: { edition: Edition; level: Level; opponents: number; preset: PresetId; scoring: Scoring | null; pace: Pace | null };
  /** Whether a server has taken us in as a guest before: its cookie is not for scripts to see. */
  guest: boolean;
  /** Whether single letters do things in a game. */
  shortcuts: boolean;
  /** The order of the player's own cards. */
  sorting: Sorting;
  /** Whether they know the game, or have taken the lesson. */
  taught: boolean;
  /** The code of the lesson that was opened here last. */
  lesson: string;
  /** Where games against bots are played, as far as there is a choice. */
  bots: 'device' | 'server';
};

const KEY = 'unum.prefs';

const DEFAULTS: Prefs = {
  name: '',
  avatar: '',
  back: 'lattice',
  theme: 'auto',
  language: '',
  sounds: true,
  volume: 0.6,
  setup: { edition: USUAL.edition, level: USUAL.level, opponents: USUAL.players - 1, preset: USUAL.preset, scoring: null, pace: null },
  guest: false,
  shortcuts: true,
  sorting: 'color',
  taught: false,
  lesson: '',
  bots: 'device',
};

/** What is stored, with defaults for what is missing or of another kind. */
export function readPrefs(text: string | null): Prefs {
  let stored: Record<string, unknown> = {};
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    if (value && typeof value === 'object') stored = value as Record<string, unknown>;
  } catch {
    // What cannot be read is forgotten.
  }
  const known = Object.entries(DEFAULTS).map(([key, usual]) => {
    const value = stored[key];
    return [key, typeof value === typeof usual && value !== null ? value : usual];
  });
  const prefs = Object.fromEntries(known) as Prefs;
  return { ...prefs, setup: { ...DEFAULTS.setup, ...prefs.setup } };
}

function load(): Prefs {
  try {
    return readPrefs(localStorage.getItem(KEY));
  } catch {
    return { ...DEFAULTS };
  }
}

/** The preferences on this device. */
export const prefs = $state(load());

/** Keeps the preferences, as far as the browser allows it. */
export function savePrefs(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(prefs));
  } catch {
    // Without storage they last until the page is closed.
  }
}
