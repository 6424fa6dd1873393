import { describe, expect, it } from 'vitest';
import { CODE_ALPHABET, CODE_LENGTH, EXAMPLE_CODE, LONG_CODE_LENGTH } from '../../ids';
import { codeIn, isLocal, parseRoute, showCode } from './path';
import { placeIn } from './site';

/** A row of numbers that is the same every time. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
}

describe('codes', () => {
  it('are read however they are typed', () => {
    const chance = numbers(16);
    const pick = <T>(from: ArrayLike<T>): T => from[Math.floor(chance() * from.length)]!;
    const gaps = ['', '', ' ', '-', '  ', '.', '–'];
    for (let i = 0; i < 3000; i++) {
      const length = chance() < 0.1 ? LONG_CODE_LENGTH : CODE_LENGTH;
      const code = Array.from({ length }, () => pick(CODE_ALPHABET)).join('');
      const typed = [...code]
        .map((letter) => (letter === '0' ? pick('0oO') : letter === '1' ? pick('1iIlL') : pick([letter, letter.toUpperCase()])) + pick(gaps))
        .join('');
      expect(codeIn(typed), typed).toBe(code);
      expect(codeIn(` https://uno.example.org/t/${typed.replaceAll('.', '')}?x=1`), typed).toBe(code);
      expect(codeIn(showCode(code))).toBe(code);
    }
  });

  it('are nothing else', () => {
    for (const text of ['', 'k3m9pqx7', 'k3m9pqx7tt', 'k3m9pqx7u', 'hello there', 'https://uno.example.org/', '../../etc']) {
      expect(codeIn(text), text).toBeNull();
    }
  });

  it('are shown in groups', () => {
    expect(showCode(EXAMPLE_CODE)).toBe('k3m 9pq x7t');
  });
});

describe('addresses', () => {
  it('say what is on this device and what is on a server', () => {
    const local = `local-${EXAMPLE_CODE}`;
    expect(parseRoute(`/t/${local}`, '')).toEqual({ at: 'table', code: local });
    expect([isLocal(local), isLocal(EXAMPLE_CODE)]).toEqual([true, false]);
    expect(parseRoute(`/t/${showCode(EXAMPLE_CODE)}`, '')).toEqual({ at: 'table', code: EXAMPLE_CODE });
  });

  it('stand behind a # on a host of plain files', () => {
    const at = (hash: string) => placeIn({ pathname: '/some/folder/', search: '', hash }, true);
    expect(at('')).toEqual(['/', '']);
    expect(at('#/g/local-7?seat=1')).toEqual(['/g/local-7', '?seat=1']);
    expect(placeIn({ pathname: '/t/x', search: '?a', hash: '#/no' }, false)).toEqual(['/t/x', '?a']);
  });

  it('stand below the path of a server', () => {
    const at = (pathname: string) => placeIn({ pathname, search: '?a', hash: '' }, false, '/games/uno/');
    expect(at('/games/uno/')).toEqual(['/', '?a']);
    expect(at('/games/uno/t/x')).toEqual(['/t/x', '?a']);
    expect(parseRoute(...at('/elsewhere'))).toEqual({ at: 'lost' });
  });
});
