import type {
  Analysis, BlockedPerson, Continuation, Edition, Editions, Empty, ErrorBody, Export, Games, Guest, GuestChange, Listing, NewGuest, Opened, Replay, RuleBook, Season,
  ServedReview, Settings, SignedIn, TableSummary,
} from '../../protocol';
import { call } from '../local/client.svelte';
import { ownSeat } from '../local/files';
import { isLocal } from '../page/path';
import { FILES_ONLY, fileAt } from '../page/site';
import { ApiError } from './error';

export { ApiError };

/** With the cache `no-cache`, the browser asks whether what it has is still the same, and is spared the rest if so. */
async function ask<T>(method: string, path: string, body?: unknown, cache: RequestCache = 'default'): Promise<T> {
  const response = await fetch(fileAt(path.slice(1)), {
    method,
    cache,
    credentials: 'same-origin',
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.ok) return (await response.json()) as T;
  // Something between us and the server may answer with a page of its own.
  const told = (await response.json().catch(() => null)) as ErrorBody | null;
  throw new ApiError(response.status, told?.error ?? null);
}

/** Asks the server, or the module on this device if the server cannot be reached. */
async function either<T>(served: () => Promise<T>, local: () => Promise<T>): Promise<T> {
  if (FILES_ONLY) return local();
  try {
    return await served();
  } catch (error) {
    return await local().catch(() => {
      throw error;
    });
  }
}

const part = encodeURIComponent;
const steps = (seat: number | null, from: number) => `from=${from}${seat === null ? '' : `&seat=${seat}`}`;

/** What can be asked: the server, over HTTP; and, about tables and games on this device, the module. */
export const api = {
  me: () => ask<Guest>('GET', '/api/me'),
  signIn: (guest: NewGuest) => ask<SignedIn>('POST', '/api/guests', guest),
  changeMe: (change: GuestChange) => ask<Guest>('PATCH', '/api/me', change),
  createTable: (settings: Partial<Settings>) => ask<Opened>('POST', '/api/tables', settings),
  continueTable: (match: Continuation) => ask<Opened>('POST', '/api/tables/continued', match),
  tables: () => ask<Listing[]>('GET', '/api/tables', undefined, 'no-cache'),
  table: (code: string) => ask<TableSummary>('GET', `/api/tables/${part(code)}`),
  putSettings: (code: string, settings: Settings) => ask<Empty>('PUT', `/api/tables/${part(code)}/settings`, settings),
  games: () => ask<Games>('GET', '/api/games'),
  replay: (id: string, seat: number | null, from: number) =>
    isLocal(id) ? call('replay', { id, seat, from }) : ask<Replay>('GET', `/api/games/${part(id)}/replay?${steps(seat, from)}`),
  rounds: (code: string, seat: number | null, from: number) =>
    isLocal(code) ? call('replay', { table: code, seat, from }) : ask<Replay>('GET', `/api/tables/${part(code)}/replay?${steps(seat, from)}`),
  review: (id: string) => (isLocal(id) ? ownSeat(id).then((seat) => call('review', { id, seat })) : ask<ServedReview>('GET', `/api/games/${part(id)}/review`)),
  roundReview: (code: string, round: number) =>
    isLocal(code) ? call('review', { table: code, round }) : ask<ServedReview>('GET', `/api/tables/${part(code)}/review?round=${round}`),
  analysis: (id: string, step: number) =>
    isLocal(id) ? call('analysis', { id, step }) : ask<Analysis>('GET', `/api/games/${part(id)}/analysis?step=${step}`),
  roundAnalysis: (code: string, step: number) =>
    isLocal(code) ? call('analysis', { table: code, step }) : ask<Analysis>('GET', `/api/tables/${part(code)}/analysis?step=${step}`),
  season: () => ask<Season>('GET', '/api/me/season'),
  changeSeason: (on: boolean) => ask<Empty>('PUT', '/api/me/season', { on }),
  forgetSeason: () => ask<Empty>('DELETE', '/api/me/season'),
  blocked: () => ask<BlockedPerson[]>('GET', '/api/me/blocked'),
  unblock: (id: number) => ask<Empty>('DELETE', `/api/me/blocked/${id}`),
  export: () => ask<Export>('GET', '/api/me/export'),
  newToken: () => ask<SignedIn>('POST', '/api/me/token', {}),
  deleteMe: () => ask<Empty>('DELETE', '/api/me'),
  editions: () => either(() => ask<Editions>('GET', '/api/editions'), () => call('editions', {})),
  rules: (edition: Edition) => either(() => ask<RuleBook>('GET', `/api/rules/${edition}`), () => call('rules', { edition })),
};
