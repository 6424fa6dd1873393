import { afterAll, describe, expect, it } from 'vitest';
import { API_CODES, BYE_CODES } from '../codes';
import { DEEDS, GAME_CODES, OBSTACLES, REASONS, TABLE_CODES } from '../ids';
import type { Why } from '../protocol';
import { en } from './i18n/en';
import { t, useLanguage } from './i18n/index.svelte';
import { UNKNOWN } from './table';
import { codeText, refusalText, TECHNICAL, whyText } from './why';

const has = (key: string) => key in en;

describe('a refusal', () => {
  afterAll(() => useLanguage('en'));

  it('has a text for every reason, for what was tried and for what stands in the way', () => {
    expect(REASONS.filter((reason) => !has(`why.${reason}`))).toEqual([]);
    expect(DEEDS.filter((deed) => !has(`deed.${deed}`))).toEqual([]);
    expect(OBSTACLES.filter((obstacle) => !has(`obstacle.${obstacle}`))).toEqual([]);
  });

  it('has a text for every code that people can meet', () => {
    const codes = [...TABLE_CODES, ...BYE_CODES, ...API_CODES];
    expect(codes.filter((code) => !has(`code.${code}`) && !TECHNICAL.has(code))).toEqual([]);
  });

  it('knows no code that the server does not', () => {
    const codes = new Set<string>([...GAME_CODES, ...TABLE_CODES, ...BYE_CODES, ...API_CODES]);
    const told = Object.keys(en).filter((key) => key.startsWith('code.')).map((key) => key.slice('code.'.length));
    expect([...told, ...TECHNICAL].filter((code) => !codes.has(code))).toEqual(['technical']);
  });

  it('leaves no place of its sentence open, whatever the reason', () => {
    const all = { seat: 1, players: 3, what: 'play', obstacle: 'turn', card: 'R7', top: 'B3', color: 'blue', count: 2, given: 1, left: 4, most: 9, hand_size: 7, deck: 108 };
    for (const type of REASONS) expect(refusalText({ code: 'x', why: { ...all, type } as unknown as Why }, UNKNOWN), type).not.toMatch(/[{}]/);
  });

  it('is told in the language of the page', async () => {
    // The language is written into the page.
    Object.assign(globalThis, { document: { documentElement: { lang: '' } } });
    await useLanguage('de');
    expect(refusalText({ code: 'does_not_match', why: { type: 'does_not_match', card: 'R7', top: 'B3', color: 'blue' } })).toContain('Rot 7 passt nicht auf Blau 3');
    expect(refusalText({ code: 'wrong_phase', why: { type: 'wrong_phase', what: 'draw', obstacle: 'attack' } })).toBe('Ziehen geht jetzt nicht: Zuerst muss auf den Angriff geantwortet werden.');
    expect(codeText('too_fast')).toBe('Zu schnell. Warte einen Moment und versuch es noch einmal.');
    expect(codeText('bad_request')).toContain('(bad_request)');
    expect(whyText({ code: 'over' }, UNKNOWN)).toBe(t('why.moment'));
  });
});
