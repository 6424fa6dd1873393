import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEEDS, GAME_CODES, OBSTACLES, REASONS, SERVER_CODES, TABLE_CODES } from '../../ids';
import type { Code, Refusal, Why } from '../../protocol';
import { UNKNOWN } from '../table/table';
import { en } from './i18n/en';
import { t, useLanguage } from './i18n/index.svelte';
import { codeText, refusalText, TECHNICAL } from './why';

/** The names of all texts that begin in some way, without that beginning. */
const told = (prefix: string) => Object.keys(en).filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length)).sort();
const refusal = (why: Why): Refusal => ({ code: 'wrong_phase', message: 'English', why });

describe('a refusal', () => {
  // The language is written into the page.
  beforeAll(() => void Object.assign(globalThis, { document: { documentElement: { lang: '' } } }));
  afterAll(() => useLanguage('en'));

  it('has a text for every reason, for what was tried and for what stands in the way, and no other', () => {
    expect(told('why.')).toEqual([...REASONS, 'does_not_match.any', 'moment', 'rule', 'title'].sort());
    expect(told('deed.')).toEqual([...DEEDS].sort());
    expect(told('obstacle.')).toEqual([...OBSTACLES].sort());
  });

  it('has a text for every code that people can meet, and no other', () => {
    const technical = new Set<Code>(TECHNICAL);
    const codes = [...TABLE_CODES, ...SERVER_CODES].filter((code) => !technical.has(code));
    expect(told('code.')).toEqual([...codes, 'technical'].sort());
    for (const code of [...GAME_CODES, ...TABLE_CODES, ...SERVER_CODES]) expect(codeText(code), code).not.toMatch(/[{}]/);
  });

  it('fills every place of its sentence, with words of the language where there are some', async () => {
    await useLanguage('de');
    const all = { seat: 1, players: 3, what: 'play', obstacle: 'turn', card: 'R7', top: 'B3', color: 'blue', count: 2, given: 1, left: 4, most: 9, hand_size: 7, deck: 108 };
    for (const type of REASONS) expect(refusalText(refusal({ ...all, type } as unknown as Why), UNKNOWN), type).not.toMatch(/[{}]|R7|B3|blue/);
    expect(refusalText(refusal({ type: 'not_liable', seat: 1 }), UNKNOWN)).toContain('#2');
  });

  it('is told in the language of the page', async () => {
    await useLanguage('de');
    expect(refusalText(refusal({ type: 'does_not_match', card: 'R7', top: 'B3', color: 'blue' }))).toContain('Rot 7 passt nicht auf Blau 3');
    expect(refusalText(refusal({ type: 'wrong_phase', what: 'draw', obstacle: 'attack' }))).toBe('Ziehen geht jetzt nicht: Zuerst muss auf die Ziehkarte geantwortet werden.');
    expect(codeText('too_fast')).toBe('Zu schnell. Warte einen Moment und versuch es noch einmal.');
    expect(codeText('bad_request')).toContain('(bad_request)');
    expect(codeText('over')).toBe(t('why.moment'));
  });
});
