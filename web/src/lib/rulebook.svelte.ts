import type { CustomRule, Edition, Effect } from '../protocol';
import { api } from './api';
import { en, type Key } from './i18n/en';
import { t } from './i18n/index.svelte';
import { loadRuleTexts, ruleTexts } from './i18n/rules/index.svelte';
import type { RuleWords, Texts } from './i18n/rules/texts';

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

/** A book in another language; what that has no text for stays as it was. */
export function translateBook(book: Book, texts: Texts): Book {
  const notes = texts.editions[book.edition];
  const words = texts.rules as Record<string, RuleWords | undefined>;
  const titles = texts.sections as Record<string, string | undefined>;
  return {
    ...book,
    summary: notes.summary,
    special: notes.special,
    rulings: notes.rulings ?? [],
    sections: book.sections.map((section) => ({
      ...section,
      title: titles[section.letter] ?? section.title,
      rules: section.rules.map((rule) => translateRule(rule, words[rule.id], book.edition)),
    })),
  };
}

function translateRule(rule: Rule, words: RuleWords | undefined, edition: Edition): Rule {
  if (!words) return rule;
  const difference = rule.difference ? (words.differences?.[edition] ?? rule.difference) : undefined;
  const { id } = rule;
  return { id, title: words.title, text: words.text, rulings: words.rulings ?? [], ...(difference ? { difference } : {}) };
}

/** A starter in another language, down to the words in its effects. */
export function translateStarter(starter: CustomRule, words: Texts['starters'][number] | undefined): CustomRule {
  if (!words) return starter;
  const left = [...(words.texts ?? [])];
  const { title, text } = words;
  return { title, text, effects: (starter.effects ?? []).map((effect) => withWords(effect, left)) };
}

/** An effect with other words in it, taken from the front of a list. */
function withWords(effect: Effect, words: string[]): Effect {
  const all = (effects: Effect[]) => effects.map((one) => withWords(one, words));
  switch (effect.do) {
    case 'perform': {
      const prompt = words.shift() ?? effect.prompt;
      return { ...effect, prompt, success: all(effect.success), failure: all(effect.failure) };
    }
    case 'dare': {
      const prompt = words.shift() ?? effect.prompt;
      return { ...effect, prompt, refuse: all(effect.refuse) };
    }
    case 'banner':
      return { ...effect, text: words.shift() ?? effect.text };
    default:
      return effect;
  }
}

/** All words in a list of effects, in order. */
function wordsIn(effects: Effect[]): string[] {
  return effects.flatMap((effect) => {
    switch (effect.do) {
      case 'perform':
        return [effect.prompt, ...wordsIn(effect.success), ...wordsIn(effect.failure)];
      case 'dare':
        return [effect.prompt, ...wordsIn(effect.refuse)];
      case 'banner':
        return [effect.text];
      default:
        return [];
    }
  });
}

const books = $state<Partial<Record<Edition, Book>>>({});
// eslint-disable-next-line svelte/prefer-svelte-reactivity
const asked = new Set<Edition>();

/** The rules of an edition in the language that is shown, once they have arrived. */
export function bookOf(edition: Edition): Book | undefined {
  const [book, texts] = [books[edition], ruleTexts()];
  if (!book || texts === undefined) return undefined;
  return texts ? translateBook(book, texts) : book;
}

/** Asks for the rules of an edition, once, and for their translation. */
export async function loadBook(edition: Edition): Promise<void> {
  void loadRuleTexts();
  if (asked.has(edition)) return;
  asked.add(edition);
  try {
    books[edition] = readBook(await api.rules(edition), edition);
  } catch {
    asked.delete(edition);
  }
}

/** What a rule is called in short: its id, or the name of the house rule if the title is another. */
export function ruleLabel(rule: Rule): string {
  const key = `house.${rule.id}`;
  if (!(key in en)) return rule.id;
  const name = t(key as Key);
  return name === rule.title ? '' : name;
}

/** A rule by its id, whatever the case. */
export function findRule(book: Book | undefined, id: string): Rule | undefined {
  return book?.sections.flatMap((section) => section.rules).find((rule) => rule.id.toLowerCase() === id.toLowerCase());
}

const shelf = $state<{ starters: CustomRule[] }>({ starters: [] });
let starting = false;

/** The ten starters in the language that is shown, once they have arrived. */
export function starters(): CustomRule[] {
  const texts = ruleTexts();
  return texts ? shelf.starters.map((starter, i) => translateStarter(starter, texts.starters[i])) : shelf.starters;
}

/** Words that a Customizable card shows, in the language that is shown if they are a starter's. */
export function cardWords(words: string): string {
  const texts = ruleTexts();
  const at = texts ? shelf.starters.findIndex((starter) => wordsIn(starter.effects ?? []).includes(words)) : -1;
  const starter = shelf.starters[at];
  if (!texts || !starter) return words;
  return texts.starters[at]?.texts?.[wordsIn(starter.effects ?? []).indexOf(words)] ?? words;
}

/** Asks for the starters, once, and for their translation. */
export async function loadStarters(): Promise<void> {
  void loadRuleTexts();
  if (starting) return;
  starting = true;
  try {
    const custom = list(await api.editions()).find((edition) => edition['id'] === 'custom');
    shelf.starters = list(custom?.['starters']) as unknown as CustomRule[];
  } catch {
    starting = false;
  }
}
