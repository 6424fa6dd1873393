import type { Edition, Look, Settings, Stage, Why } from '../protocol';

/** What the server says about an error. */
type Told = { code?: string; message?: string; why?: Why };

/** An answer of the server that was no success. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly why?: Why;

  constructor(status: number, { code = 'failed', message = '', why }: Told) {
    super(message);
    this.status = status;
    this.code = code;
    if (why) this.why = why;
  }
}

/** A guest, as the server knows them. */
export type Me = { id: number | string; name: string; look?: Look };
/** A public table. */
export type Listing = {
  code: string;
  title: string;
  edition: Edition;
  people: number;
  bots: number;
  seats: number;
  stage: Stage;
  spectators: boolean;
};
async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(path, {
    method,
    credentials: 'same-origin',
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  let value: unknown = null;
  try {
    value = text ? JSON.parse(text) : null;
  } catch {
    // Not JSON: an error page of something between us and the server.
  }
  if (!response.ok) {
    throw new ApiError(response.status, (value as { error?: Told } | null)?.error ?? {});
  }
  return value as T;
}

/** What the server can be asked over HTTP. */
export const api = {
  me: () => ask<Me>('GET', '/api/me'),
  signIn: (name: string, look: Look) => ask<Me>('POST', '/api/guests', { name, look }),
  changeMe: (change: { name?: string; look?: Look }) => ask<Me>('PATCH', '/api/me', change),
  createTable: (settings: Partial<Settings>) => ask<{ code: string; link?: string }>('POST', '/api/tables', settings),
  tables: () => ask<unknown>('GET', '/api/tables'),
  table: (code: string) => ask<unknown>('GET', `/api/tables/${encodeURIComponent(code)}`),
  putSettings: (code: string, settings: Settings) =>
    ask<unknown>('PUT', `/api/tables/${encodeURIComponent(code)}/settings`, settings),
  games: () => ask<unknown>('GET', '/api/games'),
  replay: (id: string, seat: string) =>
    ask<unknown>('GET', `/api/games/${encodeURIComponent(id)}/replay${seat === 'open' ? '' : `?seat=${seat}`}`),
  game: (id: string) => ask<unknown>('GET', `/api/games/${encodeURIComponent(id)}`),
  editions: () => ask<unknown>('GET', '/api/editions'),
  rules: (edition: Edition) => ask<unknown>('GET', `/api/rules/${edition}`),
};
