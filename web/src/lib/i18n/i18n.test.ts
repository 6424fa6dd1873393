import { describe, expect, it } from 'vitest';
import { de } from './de';
import { en, type Messages } from './en';
import { es } from './es';
import { fr } from './fr';
import { pt } from './pt';
import { zh } from './zh';
import { bestLanguage, fill } from './index.svelte';

const languages: Record<string, Messages> = { es, fr, de, pt, zh };
const places = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

/** Texts that are rightly the same in another language. */
const SAME_IS_FINE = new Set([
  'play.uno', 'play.one_left', 'common.ok', 'card.flitterific', 'card.colored', 'log.said', 'log.uno_called',
  'edition.original', 'edition.modern', 'edition.frozen', 'edition.fairies', 'play.hand.not', 'play.swap_option', 'play.opponent', 'play.opponent.score',
  'level.normal', 'setup.name.hint', 'home.level', 'react.wow', 'setup.chat', 'play.chat', 'custom.up', 'card.back', 'log.received',
]);

describe.each(Object.entries(languages))('%s', (language, messages) => {
  it('has every text and no other', () => {
    expect(Object.keys(messages).sort()).toEqual(Object.keys(en).sort());
  });

  it('has no empty text', () => {
    for (const [key, text] of Object.entries(messages)) expect(text.trim(), key).not.toBe('');
  });

  it('fills the same places', () => {
    for (const key of Object.keys(en) as (keyof Messages)[]) {
      const [wanted, found] = [places(en[key]), places(messages[key])];
      // A form for one thing may do without its number.
      if (key.endsWith('.one')) expect(wanted, key).toEqual(expect.arrayContaining(found));
      else expect(found, key).toEqual(wanted);
    }
  });

  it('is translated', () => {
    const same = (Object.keys(en) as (keyof Messages)[]).filter((key) => messages[key] === en[key] && /[a-z]{4}/.test(en[key]));
    const suspicious = same.filter((key) => !SAME_IS_FINE.has(key));
    expect(suspicious.length, `${language}: ${suspicious.join(', ')}`).toBeLessThan(12);
  });
});

describe('choosing a language', () => {
  it('takes the first that there is', () => {
    expect(bestLanguage(['nl-NL', 'pt-BR', 'en'])).toBe('pt');
    expect(bestLanguage(['zh-Hant-TW'])).toBe('zh');
    expect(bestLanguage(['xx'])).toBe('en');
  });

  it('fills places, and leaves unknown ones as they are', () => {
    expect(fill('{a} and {b}', { a: 1 })).toBe('1 and {b}');
  });
});
