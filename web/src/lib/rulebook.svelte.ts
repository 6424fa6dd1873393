import type { CustomRule, Edition } from '../protocol';
import { api } from './api';

/** One rule in words, as it is played in one edition. */
export type Rule = { id: string; title: string; text: string; rulings: string[]; difference?: string };
/** A group of rules on one subject. */
export type Section = { letter: string; title: string; rules: Rule[] };
/** All that can be read about an edition. */
export type Book = {
  edition: Edition;
  title: string;
  summary: string;
  special: string[];
  rulings: string[];
  sections: Section[];
  /** What each card counts when it is left in a hand. */
  points: Record<string, number>;
  cards: number;
};

type Loose = Record<string, unknown>;
const list = (value: unknown): Loose[] => (Array.isArray(value) ? (value as Loose[]) : []);
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.filter((text) => typeof text === 'string') : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function readRule(value: Loose): Rule {
  const difference = text(value['difference']);
  return {
    id: text(value['id']),
    title: text(value['title']),
    text: text(value['text']),
    rulings: texts(value['rulings']),
    ...(difference ? { difference } : {}),
  };
}

/** Reads what the server says about the rules of an edition. */
export function readBook(value: unknown, edition: Edition): Book {
  const book = (value ?? {}) as Loose;
  const notes = (book['edition'] ?? {}) as Loose;
  const deck = list(notes['deck']).map((kind): [string, number] => [text(kind['card']), Number(kind['points']) || 0]);
  return {
    edition,
    title: text(notes['title']) || edition,
    summary: text(notes['summary']),
    special: texts(notes['differences']),
    rulings: texts(notes['rulings']),
    points: Object.fromEntries(deck),
    cards: Number(notes['cards']) || 0,
    sections: list(book['sections']).map((section) => ({
      letter: text(section['letter']),
      title: text(section['title']),
      rules: list(section['rules']).map(readRule),
    })),
  };
}

const books = $state<Partial<Record<Edition, Book>>>({});
// eslint-disable-next-line svelte/prefer-svelte-reactivity
const asked = new Set<Edition>();

/** The rules of an edition, once they have arrived. */
export function bookOf(edition: Edition): Book | undefined {
  return books[edition];
}

/** Asks for the rules of an edition, once. */
export async function loadBook(edition: Edition): Promise<void> {
  if (asked.has(edition)) return;
  asked.add(edition);
  try {
    books[edition] = readBook(await api.rules(edition), edition);
  } catch {
    asked.delete(edition);
  }
}

/** A rule by its id, whatever the case. */
export function findRule(book: Book | undefined, id: string): Rule | undefined {
  return book?.sections.flatMap((section) => section.rules).find((rule) => rule.id.toLowerCase() === id.toLowerCase());
}

const shelf = $state<{ starters: CustomRule[] }>({ starters: [] });
let starting = false;

/** The ten starters, once they have arrived. */
export function starters(): CustomRule[] {
  return shelf.starters;
}

/** Asks for the starters, once. */
export async function loadStarters(): Promise<void> {
  if (starting) return;
  starting = true;
  try {
    const custom = list(await api.editions()).find((edition) => edition['id'] === 'custom');
    shelf.starters = list(custom?.['starters']) as unknown as CustomRule[];
  } catch {
    starting = false;
  }
}
