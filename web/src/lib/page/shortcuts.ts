import type { Key } from '../text/i18n/en';

/** What a letter does during a game. */
export type Deed = 'draw' | 'keep' | 'challenge' | 'block' | 'uno' | 'catch' | 'status' | 'log' | 'chat' | 'rules' | 'hint' | 'explain';

/** The letters. */
export const SHORTCUTS: readonly { key: string; deed: Deed }[] = [
  { key: 'd', deed: 'draw' },
  { key: 'k', deed: 'keep' },
  { key: 'c', deed: 'challenge' },
  { key: 'b', deed: 'block' },
  { key: 'u', deed: 'uno' },
  { key: 'x', deed: 'catch' },
  { key: 's', deed: 'status' },
  { key: 'l', deed: 'log' },
  { key: 'm', deed: 'chat' },
  { key: 'r', deed: 'rules' },
  { key: 'h', deed: 'hint' },
  { key: 'i', deed: 'explain' },
];

/** Opens the list of all keys, whether letters are switched on or not. */
export const HELP_KEY = '?';

/** What the other keys do, and what they are called: by a text, or as they are. */
export const OTHER_KEYS: readonly { name: { text: Key } | string; does: Key }[] = [
  { name: { text: 'keys.arrows.names' }, does: 'keys.arrows' },
  { name: { text: 'keys.enter.name' }, does: 'keys.enter' },
  { name: '1–4', does: 'keys.colors' },
  { name: HELP_KEY, does: 'keys.help' },
  { name: { text: 'keys.escape.name' }, does: 'keys.escape' },
];
