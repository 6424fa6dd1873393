import { CODE_LENGTH } from '../../ids';

/** Where one is in the page. */
export type Route =
  | { at: 'home' }
  | { at: 'table'; code: string }
  | { at: 'replay'; id: string; seat: string; step: number }
  | { at: 'rules'; edition: string }
  | { at: 'lost' };

/** What an address shows. */
export function parseRoute(path: string, query: string): Route {
  const [first, second] = path.split('/').filter(Boolean);
  if (!first) return { at: 'home' };
  if (first === 't' && second) return { at: 'table', code: second };
  if (first === 'rules') return { at: 'rules', edition: second ?? 'original' };
  if (first === 'g' && second) {
    const params = new URLSearchParams(query);
    return { at: 'replay', id: second, seat: params.get('seat') ?? 'open', step: Number(params.get('step')) || 0 };
  }
  return { at: 'lost' };
}

/** What a code of a table looks like; a test of the protocol checks its form. */
export const EXAMPLE_CODE = 'k3m9pqx7t2w8hv5d';

/** The code of a table in what somebody has typed or pasted: a code, or an invite link. */
export function codeIn(text: string): string | null {
  const link = /\/t\/([0-9a-z]+)/i.exec(text);
  const code = (link?.[1] ?? text).trim().toLowerCase().replace(/[\s-]/g, '');
  return /^[0-9a-z]+$/.test(code) && code.length === CODE_LENGTH ? code : null;
}
