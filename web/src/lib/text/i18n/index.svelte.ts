import { en, type Key, type Messages } from './en';

/** The languages of the page, by their own names. */
export const LANGUAGES = {
  en: 'English',
  es: 'Español',
  fr: 'Français',
  de: 'Deutsch',
  pt: 'Português',
  zh: '中文',
} as const;

/** A language of the page. */
export type Language = keyof typeof LANGUAGES;

const loaders: Record<Language, () => Promise<Messages>> = {
  en: () => Promise.resolve(en),
  es: () => import('./es').then((module) => module.es),
  fr: () => import('./fr').then((module) => module.fr),
  de: () => import('./de').then((module) => module.de),
  pt: () => import('./pt').then((module) => module.pt),
  zh: () => import('./zh').then((module) => module.zh),
};

let messages = $state.raw<Messages>(en);
let language = $state<Language>('en');

/** The language that is shown. */
export function currentLanguage(): Language {
  return language;
}

/** The first of the wished languages that there is. */
export function bestLanguage(wished: readonly string[]): Language {
  const known = wished.map((tag) => tag.toLowerCase().split('-')[0]).find((tag) => tag && tag in LANGUAGES);
  return (known as Language | undefined) ?? 'en';
}

/** Shows another language. */
export async function useLanguage(wished: Language): Promise<void> {
  messages = await loaders[wished]();
  language = wished;
  document.documentElement.lang = wished;
}

/** What can be filled into a text. */
export type Params = Record<string, string | number>;

/** Fills the places `{like}` `{this}` of a text. */
export function fill(text: string, params: Params): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(params[name] ?? place));
}

/** A text in the language that is shown. */
export function t(key: Key, params: Params = {}): string {
  return fill(messages[key], params);
}

type Counted = 'cards' | 'points' | 'seconds' | 'people.free' | 'people.onlookers' | 'award.times' | 'win.rounds';

/** The form that the language wants beside a number. */
export function pluralForm(count: number): 'one' | 'other' {
  // The data for Portuguese count nothing as one; people in Brazil and Portugal say "0 pontos".
  return new Intl.PluralRules(language === 'pt' ? 'pt-PT' : language).select(count) === 'one' ? 'one' : 'other';
}

/** A text with a number, in the form that the language wants for it. */
export function tn(key: Counted, count: number): string {
  return t(`${key}.${pluralForm(count)}`, { count: formatNumber(count) });
}

/** A number as the language writes it. */
export function formatNumber(value: number): string {
  return value.toLocaleString(language);
}

/** Names in a list, as the language writes it. */
export function formatList(names: string[]): string {
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(names);
}
