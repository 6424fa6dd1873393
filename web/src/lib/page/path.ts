import { CODE_ALPHABET, CODE_GROUP, CODE_LENGTH, CODE_LOOKALIKES, LONG_CODE_LENGTH, USUAL } from '../../ids';

/** What the page shows. */
export type Route =
  | { at: 'home' }
  | { at: 'table'; code: string }
  | { at: 'replay'; id: string; seat: string; step: number; review: boolean }
  | { at: 'rules'; edition: string }
  | { at: 'lost' };

/** Whether a table or a finished game is on this device, and not on a server: its code or id says so. */
export function isLocal(code: string): boolean {
  return code.startsWith('local-');
}

/** A part of a path as it was typed. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** What an address shows. */
export function parseRoute(path: string, query: string): Route {
  const [first, second] = path.split('/').filter(Boolean);
  if (!first) return { at: 'home' };
  if (first === 't' && second) return { at: 'table', code: isLocal(second) ? second : (codeIn(decoded(second)) ?? second) };
  if (first === 'rules') return { at: 'rules', edition: second ?? USUAL.edition };
  if (first === 'g' && second) {
    const params = new URLSearchParams(query);
    return { at: 'replay', id: second, seat: params.get('seat') ?? 'open', step: Number(params.get('step')) || 0, review: params.has('review') };
  }
  return { at: 'lost' };
}

/** What stands between the letters of a code and means nothing. */
const GAPS = /[\s\-_.,\u2010-\u2015]/g;

/**
 * The code of a table in what somebody has typed or pasted: a code or an invite link, in any case, with any spaces and
 * dashes, and with letters that look like those of the code.
 */
export function codeIn(text: string): string | null {
  const link = /.*\/t\/([^?#/]*)/s.exec(text);
  const letters = (link?.[1] ?? text).toLowerCase().replace(GAPS, '');
  const code = [...letters].map((letter) => CODE_LOOKALIKES[letter] ?? letter).join('');
  const fits = [CODE_LENGTH, LONG_CODE_LENGTH].includes(code.length) && [...code].every((letter) => CODE_ALPHABET.includes(letter));
  return fits ? code : null;
}

/** A code in groups that can be said one by one. */
export function showCode(code: string): string {
  return code.match(new RegExp(`.{1,${CODE_GROUP}}`, 'g'))?.join(' ') ?? code;
}
