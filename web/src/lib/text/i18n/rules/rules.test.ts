import { describe, expect, it } from 'vitest';
import { EDITIONS, RULES, SECTIONS, SECTIONS_ENGLISH, STARTERS } from '../../../../ids';
import type { Edition, EditionView, RuleView } from '../../../../protocol';
import { translateBook, translateStarter } from '../../rulebook.svelte';
import { de as dePage } from '../de';
import type { Messages } from '../en';
import { es as esPage } from '../es';
import { fr as frPage } from '../fr';
import { pt as ptPage } from '../pt';
import { zh as zhPage } from '../zh';
import { de } from './de';
import { ENGLISH } from './english';
import { es } from './es';
import { fr } from './fr';
import { pt } from './pt';
import type { RuleWords, Texts } from './texts';
import { zh } from './zh';

const languages: Record<string, Texts> = { es, fr, de, pt, zh };
const messages: Record<string, Messages> = { es: esPage, fr: frPage, de: dePage, pt: ptPage, zh: zhPage };
/** How a house rule is introduced by its name. */
const HOUSE: Record<string, RegExp> = {
  es: /reglas? de la casa «([^»]+)»(?: y «([^»]+)»)?/g, fr: /règles? maison «\s([^»]+)\s»(?: et «\s([^»]+)\s»)?/g,
  de: /Hausregeln? „([^“]+)“(?: und „([^“]+)“)?/g, pt: /regras? da casa “([^”]+)”(?: e “([^”]+)”)?/g,
  zh: /自定规则“([^”]+)”(?:和“([^”]+)”)?/g,
};
/** The ids such as W2 in a text. */
const named = (texts: string[]) => [...new Set(texts.join(' ').match(/\b[A-Z][0-9]\b/g) ?? [])].sort();
const wordsOf = (rule: RuleWords) => [rule.title, rule.text, ...(rule.rulings ?? []), ...Object.values(rule.differences ?? {})];

function everyText(texts: Texts): string[] {
  const editions = Object.values(texts.editions).flatMap((notes) => [notes.summary, ...notes.special, ...(notes.rulings ?? [])]);
  const starters = texts.starters.flatMap((starter) => [starter.title, starter.text, ...(starter.texts ?? [])]);
  return [...Object.values(texts.sections), ...Object.values(texts.rules).flatMap(wordsOf), ...editions, ...starters];
}

describe.each(Object.entries(languages))('the rules in %s', (language, texts) => {
  it('have every section and no other', () => {
    expect(Object.keys(texts.sections).sort()).toEqual([...SECTIONS].sort());
  });

  it.each(Object.entries(RULES))('explain %s as the English text does', (id, shape) => {
    const rule = (texts.rules as Record<string, RuleWords | undefined>)[id];
    expect(rule, 'is missing').toBeDefined();
    expect(rule!.rulings ?? []).toHaveLength(shape.rulings);
    expect(Object.keys(rule!.differences ?? {}).sort()).toEqual([...shape.differences].sort());
    expect(named(wordsOf(rule!))).toEqual([...shape.refers].sort());
  });

  it('explain no other rule', () => {
    expect(Object.keys(texts.rules).sort()).toEqual(Object.keys(RULES).sort());
  });

  it.each(Object.entries(EDITIONS))('describe the edition %s', (id, shape) => {
    const notes = texts.editions[id as Edition];
    expect(notes.special).toHaveLength(shape.differences);
    expect(notes.rulings ?? []).toHaveLength(shape.rulings);
    expect(named([notes.summary, ...notes.special, ...(notes.rulings ?? [])])).toEqual([...shape.refers].sort());
  });

  it('have every starter', () => {
    expect(texts.starters.map((starter) => starter.texts?.length ?? 0)).toEqual(STARTERS.map((starter) => starter.texts));
    // What a card may have written on it.
    for (const starter of texts.starters) {
      expect([...starter.title].length).toBeLessThanOrEqual(60);
      for (const text of [starter.text, ...(starter.texts ?? [])]) expect([...text].length).toBeLessThanOrEqual(300);
    }
  });

  it('call house rules by the names they have in the settings', () => {
    const quoted = everyText(texts).flatMap((text) => [...text.matchAll(HOUSE[language]!)].flatMap((found) => found.slice(1).filter(Boolean)));
    expect(quoted.length).toBeGreaterThan(3);
    const names = Object.entries(messages[language]!).filter(([key]) => key.startsWith('setting.')).map(([, name]) => name);
    for (const name of quoted) expect(names).toContain(name);
  });

  it('have no empty or ragged text', () => {
    for (const text of everyText(texts)) expect(text).toMatch(/^\S(?:(?! {2}).)*\S$/);
  });
});

describe('translations', () => {
  it('are of the English as it is', () => {
    const now = {
      sections: SECTIONS_ENGLISH,
      ...Object.fromEntries(Object.entries(RULES).map(([id, rule]) => [id, rule.english])),
      ...Object.fromEntries(Object.entries(EDITIONS).map(([id, notes]) => [id, notes.english])),
      ...Object.fromEntries(STARTERS.map((starter, i) => [`starter ${i + 1}`, starter.english])),
    };
    expect(ENGLISH).toEqual(now);
  });

  it('take the place of the book’s texts', () => {
    const english = { title: 'English', text: 'English', editions: [] };
    const rule: RuleView = { ...english, id: 'W2', own: false, rulings: ['English', 'English'], places: [0, 1], differences: [{ edition: 'modern', text: 'English' }] };
    const unknown: RuleView = { ...english, id: 'Z9', own: false, rulings: [], places: [], differences: [] };
    const edition = { id: 'modern', summary: 'English', differences: [], rulings: [] } as unknown as EditionView;
    const book = translateBook({ edition, sections: [{ letter: 'W', title: 'English', rules: [rule, unknown] }] }, de);
    expect(book.edition).toMatchObject({ summary: de.editions.modern.summary, differences: de.editions.modern.special });
    expect(book.sections[0]!.title).toBe('Farbwahl +4');
    const { title, text, rulings, differences } = de.rules.W2;
    expect(book.sections[0]!.rules[0]).toMatchObject({ title, text, rulings, differences: [{ edition: 'modern', text: differences!.modern }] });
    expect(book.sections[0]!.rules[1]).toEqual(unknown);
    // Where an edition has words of its own, they come instead; of the rulings, those that concern it.
    const own: RuleView = { ...unknown, id: 'D1', own: true, rulings: ['English'], places: [2] };
    const [translated] = translateBook({ edition, sections: [{ letter: 'D', title: 'English', rules: [own] }] }, de).sections[0]!.rules;
    expect(translated).toMatchObject({ text: de.rules.D1.differences!.modern, rulings: [de.rules.D1.rulings![2]], differences: [] });
  });

  it('reach into the effects of a starter', () => {
    const starter = { title: 'Stand-up', text: 'English', effects: [{ do: 'perform' as const, prompt: 'English', success: [], failure: [] }] };
    expect(translateStarter(starter, zh.starters[7])).toEqual({
      title: '登台', text: zh.starters[7]!.text, effects: [{ do: 'perform', prompt: zh.starters[7]!.texts![0], success: [], failure: [] }],
    });
  });
});
