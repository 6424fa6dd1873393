import type { CustomRule, Edition, EditionView, Effect, RuleBook, RuleView, SectionView } from '../../protocol';
import { api } from '../net/api';
import { catalog, loadCatalog } from '../table/catalog.svelte';
import { en, type Key } from './i18n/en';
import { t } from './i18n/index.svelte';
import { loadRuleTexts, ruleTexts } from './i18n/rules/index.svelte';
import type { RuleWords, Texts } from './i18n/rules/texts';

/** All that can be read about one edition. */
export type Book = { edition: EditionView; sections: SectionView[] };

/** A book in another language; what that has no text for stays as it was. */
export function translateBook({ edition, sections }: Book, texts: Texts): Book {
  const notes = texts.editions[edition.id];
  const words = texts.rules as Record<string, RuleWords | undefined>;
  const titles = texts.sections as Record<string, string | undefined>;
  return {
    edition: { ...edition, summary: notes.summary, differences: notes.special, rulings: notes.rulings ?? [] },
    sections: sections.map((section) => ({
      ...section,
      title: titles[section.letter] ?? section.title,
      rules: section.rules.map((rule) => translateRule(rule, words[rule.id], edition.id)),
    })),
  };
}

function translateRule(rule: RuleView, words: RuleWords | undefined, own: Edition): RuleView {
  if (!words) return rule;
  const text = (rule.own && words.differences?.[own]) || words.text;
  const rulings = rule.places.map((place, i) => words.rulings?.[place] ?? rule.rulings[i]!);
  const differences = rule.differences.map(({ edition, text }) => ({ edition, text: words.differences?.[edition] ?? text }));
  return { ...rule, title: words.title, text, rulings, differences };
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

/** The ids of house rules in a text: those that are no plain words. */
const IDS = /\b[a-z]+(?:_[a-z]+)+\b/g;

/** A text of the server with the names of house rules in place of their ids. */
export function withNames(text: string): string {
  return text.replace(IDS, (id) => (`setting.${id}` in en ? `“${t(`setting.${id}` as Key)}”` : id.replaceAll('_', ' ')));
}

/** A book as people read it: with names in place of ids. */
export function nameSettings({ edition, sections }: Book): Book {
  const rule = (one: RuleView): RuleView => ({
    ...one,
    text: withNames(one.text),
    rulings: one.rulings.map(withNames),
    differences: one.differences.map((difference) => ({ ...difference, text: withNames(difference.text) })),
  });
  return {
    edition: { ...edition, summary: withNames(edition.summary), differences: edition.differences.map(withNames), rulings: edition.rulings.map(withNames) },
    sections: sections.map((section) => ({ ...section, rules: section.rules.map(rule) })),
  };
}

/** The rules of an edition in the language that is shown, once they have arrived. */
export function bookOf(edition: Edition): Book | undefined {
  const [book, texts] = [books[edition], ruleTexts()];
  if (!book || texts === undefined) return undefined;
  return texts ? translateBook(book, texts) : nameSettings(book);
}

const asBook = ({ editions, sections }: RuleBook): Book => ({ edition: editions[0]!, sections });

/** Asks for the rules of an edition, once, and for their translation. */
export async function loadBook(edition: Edition): Promise<void> {
  void loadRuleTexts();
  if (asked.has(edition)) return;
  asked.add(edition);
  try {
    books[edition] = asBook(await api.rules(edition));
  } catch {
    asked.delete(edition);
  }
}

/** What a rule is called in short: its id, or the name of the house rule if the title is another. */
export function ruleLabel(rule: RuleView): string {
  const key = `setting.${rule.id}`;
  if (!(key in en)) return rule.id;
  const name = t(key as Key);
  return name === rule.title ? '' : name;
}

/** A rule by its id, whatever the case. */
export function findRule(book: Book | undefined, id: string): RuleView | undefined {
  return book?.sections.flatMap((section) => section.rules).find((rule) => rule.id.toLowerCase() === id.toLowerCase());
}

/** The starters as the server knows them, once they have arrived. */
function printed(): CustomRule[] {
  return catalog()?.editions.flatMap((edition) => edition.starters) ?? [];
}

/** The starters in the language that is shown. */
export function starters(): CustomRule[] {
  const texts = ruleTexts();
  return texts ? printed().map((starter, i) => translateStarter(starter, texts.starters[i])) : printed();
}

/** What a Customizable card carries, in the language that is shown if it is a starter. */
export function ruleOnCard(rule: CustomRule): CustomRule {
  return starters()[printed().findIndex((starter) => starter.title === rule.title)] ?? rule;
}

/** Words that a Customizable card shows, in the language that is shown if they are a starter's. */
export function cardWords(words: string): string {
  const texts = ruleTexts();
  const inside = printed().map((starter) => wordsIn(starter.effects ?? []));
  const at = inside.findIndex((all) => all.includes(words));
  return texts?.starters[at]?.texts?.[inside[at]!.indexOf(words)] ?? words;
}

/** Asks for the starters and for their translation. */
export function loadStarters(): void {
  void loadRuleTexts();
  loadCatalog().catch(() => undefined);
}
