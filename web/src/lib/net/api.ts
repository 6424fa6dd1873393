import type {
  Analysis, Edition, Editions, Empty, ErrorBody, Export, Games, Guest, GuestChange, Listing, NewGuest, Opened, Refusal, Replay, RuleBook,
  Season, ServedReview, Settings, SignedIn, TableSummary,
} from '../../protocol';

/** An answer that was no success: the server's refusal, or `null` if something else answered. */
export class ApiError extends Error {
  readonly status: number;
  readonly refusal: Refusal | null;

  constructor(status: number, refusal: Refusal | null) {
    super(refusal?.message ?? `HTTP ${status}`);
    this.status = status;
    this.refusal = refusal;
  }
}

/** With the cache `no-cache`, the browser asks whether what it has is still the same, and is spared the rest if so. */
async function ask<T>(method: string, path: string, body?: unknown, cache: RequestCache = 'default'): Promise<T> {
  const response = await fetch(path, {
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

const part = encodeURIComponent;
const steps = (seat: number | null, from: number) => `from=${from}${seat === null ? '' : `&seat=${seat}`}`;

/** What the server can be asked over HTTP. */
export const api = {
  me: () => ask<Guest>('GET', '/api/me'),
  signIn: (guest: NewGuest) => ask<SignedIn>('POST', '/api/guests', guest),
  changeMe: (change: GuestChange) => ask<Guest>('PATCH', '/api/me', change),
  createTable: (settings: Partial<Settings>) => ask<Opened>('POST', '/api/tables', settings),
  tables: () => ask<Listing[]>('GET', '/api/tables', undefined, 'no-cache'),
  table: (code: string) => ask<TableSummary>('GET', `/api/tables/${part(code)}`),
  putSettings: (code: string, settings: Settings) => ask<Empty>('PUT', `/api/tables/${part(code)}/settings`, settings),
  games: () => ask<Games>('GET', '/api/games'),
  replay: (id: string, seat: number | null, from: number) => ask<Replay>('GET', `/api/games/${part(id)}/replay?${steps(seat, from)}`),
  rounds: (code: string, seat: number | null, from: number) =>
    ask<Replay>('GET', `/api/tables/${part(code)}/replay?${steps(seat, from)}`),
  review: (id: string) => ask<ServedReview>('GET', `/api/games/${part(id)}/review`),
  roundReview: (code: string, round: number) => ask<ServedReview>('GET', `/api/tables/${part(code)}/review?round=${round}`),
  analysis: (id: string, step: number) => ask<Analysis>('GET', `/api/games/${part(id)}/analysis?step=${step}`),
  roundAnalysis: (code: string, step: number) => ask<Analysis>('GET', `/api/tables/${part(code)}/analysis?step=${step}`),
  season: () => ask<Season>('GET', '/api/me/season'),
  changeSeason: (on: boolean) => ask<Empty>('PUT', '/api/me/season', { on }),
  forgetSeason: () => ask<Empty>('DELETE', '/api/me/season'),
  export: () => ask<Export>('GET', '/api/me/export'),
  newToken: () => ask<SignedIn>('POST', '/api/me/token', {}),
  deleteMe: () => ask<Empty>('DELETE', '/api/me'),
  editions: () => ask<Editions>('GET', '/api/editions'),
  rules: (edition: Edition) => ask<RuleBook>('GET', `/api/rules/${edition}`),
};
