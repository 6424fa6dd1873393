import type { Edition, Stage } from '../protocol';
import type { Listing } from './api';

/** A game of one's own. */
export type GameRow = {
  id: string;
  table: string;
  title: string;
  edition: Edition;
  finished: boolean;
  winners: string[];
  won: boolean;
};

type Loose = Record<string, unknown>;
const rows = (value: unknown, name: string): Loose[] => {
  const list = Array.isArray(value) ? value : (value as Loose | null)?.[name];
  return Array.isArray(list) ? (list as Loose[]) : [];
};
const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
const number = (value: unknown) => (typeof value === 'number' ? value : 0);

/** Reads the list of public tables. */
export function readListings(value: unknown): Listing[] {
  return rows(value, 'tables').map((row) => ({
    code: text(row['code']),
    title: text(row['title']),
    edition: (text(row['edition']) || 'original') as Edition,
    people: number(row['people']),
    bots: number(row['bots']),
    seats: number(row['seats']),
    stage: (text(row['stage']) || 'lobby') as Stage,
    spectators: row['spectators'] !== false,
  }));
}

/** Reads the list of one's own games, finished and unfinished. */
export function readGames(value: unknown): GameRow[] {
  const read = (row: Loose, finished: boolean): GameRow => ({
    id: text(row['id']),
    table: text(row['table']) || text(row['code']),
    title: text(row['title']),
    edition: (text(row['edition']) || 'original') as Edition,
    finished,
    winners: Array.isArray(row['winners']) ? row['winners'].map(text) : [],
    won: row['won'] === true,
  });
  const both = value as Loose | null;
  return [
    ...rows(both?.['unfinished'], 'unfinished').map((row) => read(row, false)),
    ...rows(both?.['finished'], 'finished').map((row) => read(row, true)),
  ];
}
