import { untrack } from 'svelte';
import { currentLanguage, type Language } from '../index.svelte';
import type { Texts } from './texts';

type Foreign = Exclude<Language, 'en'>;

const loaders: Record<Foreign, () => Promise<Texts>> = {
  es: () => import('./es').then((module) => module.es),
  fr: () => import('./fr').then((module) => module.fr),
  de: () => import('./de').then((module) => module.de),
  pt: () => import('./pt').then((module) => module.pt),
  zh: () => import('./zh').then((module) => module.zh),
};

/** What has been loaded; `null` is a language that could not be. */
let loaded = $state.raw<Partial<Record<Foreign, Texts | null>>>({});

/** The rule book in the language that is shown: `null` for the server's English, `undefined` until it is known. */
export function ruleTexts(): Texts | null | undefined {
  const language = currentLanguage();
  return language === 'en' ? null : loaded[language];
}

/** Loads the rule book of the language that is shown, once. An effect that calls it follows a change of the language. */
export async function loadRuleTexts(): Promise<void> {
  const language = currentLanguage();
  if (language === 'en' || untrack(() => loaded[language])) return;
  const texts = await loaders[language]().catch(() => null);
  loaded = { ...loaded, [language]: texts };
}
