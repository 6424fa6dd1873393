import { currentLanguage } from './i18n/index.svelte';

/** A text that begins like a sentence: what stands in front may be the name of a card or of a color. */
export function sentence(text: string): string {
  const [first = ''] = text;
  return first.toLocaleUpperCase(currentLanguage()) + text.slice(first.length);
}
