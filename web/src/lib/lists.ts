import type { Edition, Stage } from '../protocol';
import { api, type Listing } from './api';

/** A finished game of one's own. */
export type GameRow = { id: string; edition: Edition; players: string[]; winners: string[]; ended: Date | null };

type Loose = Record<string, unknown>;
const list = (value: unknown): Loose[] => (Array.isArray(value) ? (value as Loose[]) : []);
const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
const number = (value: unknown) => (typeof value === 'number' ? value : 0);

/** Reads what is said about a table to those who are not at it. */
export function readListing(row: Loose): Listing {
  return {
    code: text(row['code']),
    title: text(row['title']),
    edition: (text(row['edition']) || 'original') as Edition,
    people: number(row['people']),
    bots: number(row['bots']),
    seats: number(row['seats']),
    stage: (text(row['stage']) || 'lobby') as Stage,
    spectators: row['spectators'] !== false,
  };
}

/** Reads the list of public tables. */
export function readListings(value: unknown): Listing[] {
  return list(value).map(readListing);
}

/** Reads the finished ones of one's own games. */
export function readFinished(value: unknown): GameRow[] {
  return list((value as Loose | null)?.['finished']).map((row) => {
    const summary = (row['summary'] ?? {}) as Loose;
    const players = Array.isArray(summary['players']) ? summary['players'].map(text) : [];
    const winners = Array.isArray(summary['winners']) ? (summary['winners'] as number[]) : [];
    return {
      id: text(row['id']),
      edition: (text(summary['edition']) || 'original') as Edition,
      players,
      winners: winners.map((seat) => players[seat] ?? ''),
      ended: typeof summary['ended'] === 'number' ? new Date(summary['ended']) : null,
    };
  });
}

/** Looks up the tables one is at and whose games are not over, the latest first. */
export async function unfinished(value: unknown): Promise<Listing[]> {
  const rows = list((value as Loose | null)?.['open']).sort((a, b) => number(b['touched']) - number(a['touched']));
  const found = await Promise.all(
    rows.slice(0, 6).map((row) => api.table(text(row['table'])).then((table) => readListing(table as Loose), () => null)),
  );
  return found.filter((table) => table !== null && table.stage !== 'over' && table.stage !== 'closed') as Listing[];
}
