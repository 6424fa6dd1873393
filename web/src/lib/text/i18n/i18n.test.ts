import { describe, expect, it } from 'vitest';
import { de } from './de';
import { en, type Key, type Messages } from './en';
import { es } from './es';
import { fr } from './fr';
import { pt } from './pt';
import { zh } from './zh';
import { bestLanguage, fill } from './index.svelte';

const languages: Record<string, Messages> = { es, fr, de, pt, zh };
const places = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

/** Texts that are rightly the same in another language. */
const SAME: Record<string, Key[]> = {
  es: [
    'card.flitterific', 'edition.frozen', 'edition.original', 'home.avatar', 'home.avatar.option', 'keys.escape.name',
    'level.normal', 'play.chat', 'setting.chat',
  ],
  fr: [
    'card.flitterific', 'edition.frozen', 'group.table', 'home.avatar', 'home.avatar.option', 'level.expert',
    'level.normal', 'play.chat', 'play.menu', 'points.one', 'points.other', 'quick.length.to', 'replay.pause', 'replay.title',
    'setting.accusations', 'setting.chat', 'settings.volume', 'setup.code',
  ],
  de: [
    'card.flitterific', 'edition.frozen', 'edition.modern', 'edition.original', 'level.normal', 'play.chat', 'quick.preset.party',
    'replay.pause', 'setting.chat', 'setup.code', 'tell.stamp.bluff',
  ],
  pt: [
    'card.flitterific', 'edition.frozen', 'edition.original', 'home.avatar', 'home.avatar.option', 'keys.enter.name',
    'level.normal', 'play.chat', 'play.menu', 'replay.title', 'setting.chat', 'settings.volume',
  ],
  zh: ['card.flitterific'],
};

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
    const hasWords = (text: string) => /[a-z]{4}/i.test(text.replace(/\{\w+\}/g, ''));
    const same = (Object.keys(en) as Key[]).filter((key) => messages[key] === en[key] && hasWords(en[key]));
    expect(same.sort()).toEqual(SAME[language]);
  });
});

it('keeps French signs on the line of their word', () => {
  for (const [key, text] of Object.entries(fr)) expect(text, key).not.toMatch(/ [?!:;»]|« /);
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
