import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { avatars, drawingOf } from './avatars';
import { glyphOf } from './glyphs';
import { lines } from './title';
import { colorsOf, editions, kindsOf, read } from './words';

test('an edition has the kinds of card of its deck', () => {
  const counts = editions.map((edition) => kindsOf(edition).length);
  expect(counts).toEqual([54, 55, 55, 58, 54]);
});

test('names are taken apart', () => {
  expect(read('R7')).toEqual({ color: 'red', face: 'number', number: 7 });
  expect(read('P+2')).toEqual({ color: 'pink', face: 'draw_two', number: null });
  expect(read('GR')).toEqual({ color: 'green', face: 'reverse', number: null });
  expect(read('WC3')).toEqual({ color: null, face: 'customizable', number: 3 });
});

test('what is no card is none', () => {
  for (const name of ['', 'R', 'R10', 'X7', 'W4', 'WC4', 'WC', 'r7', '+2', 'constructor']) expect(read(name)).toBeNull();
});

test('every card of every edition has something written on it', () => {
  for (const edition of editions) {
    for (const name of kindsOf(edition)) {
      const glyph = glyphOf(read(name)!, edition);
      expect(glyph.fill + glyph.lines.join('')).toMatch(/^ ?M[\d. ,\-a-zA-Z()]+$/);
    }
  }
});

test('six and nine cannot be taken for each other', () => {
  for (const edition of editions) {
    for (const name of ['Y6', 'Y9']) expect(glyphOf(read(name)!, edition).lines).toHaveLength(2);
  }
});

test('a title is broken into at most three lines that fit', () => {
  expect(lines('')).toEqual([]);
  expect(lines('Extra turn')).toEqual(['Extra turn']);
  expect(lines('Everybody shows their hand')).toEqual(['Everybody', 'shows their', 'hand']);
  expect(lines('Everybody draws until somebody else has drawn something')).toHaveLength(3);
  expect(lines('Donaudampfschifffahrtsgesellschaft')).toEqual(['Donaudampfsch…']);
  expect(lines('每个人摊开手牌直到下一轮').length).toBeGreaterThan(1);
});

test('an unknown avatar is the first one', () => {
  expect(drawingOf('constructor')).toEqual(drawingOf(avatars[0]!));
  for (const look of avatars) expect(drawingOf(look).layers.every(({ path }) => /^M/.test(path))).toBe(true);
});

// Style sheets are empty under test.
const css = readFileSync(new URL('cards.css', import.meta.url), 'utf8');

/** The tones of the style sheet in one of the themes. */
function tones(theme: 'light' | 'dark'): Map<string, string> {
  const found = css.matchAll(/--([\w-]+): (?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}))/g);
  return new Map([...found].map(([, name, light, dark, both]) => [name!, (theme === 'light' ? light : dark) ?? both!]));
}

function luminance(tone: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => parseInt(tone.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

const colors = new Set(editions.flatMap(colorsOf));

test.each([...colors])('%s has contrast enough on cards and table', (color) => {
  const [dark, light] = [tones('dark'), tones('light')];
  const pairs = [
    [dark.get(`card-${color}`), dark.get(`card-${color}-ink`)],
    [dark.get(`card-${color}-bright`), dark.get('card-black')],
    [dark.get(`card-${color}-bright`), dark.get('card-wild')],
    [dark.get(`table-${color}`), '#14241f'],
    [light.get(`table-${color}`), '#f3ede1'],
  ];
  for (const [one, other] of pairs) expect(contrast(one!, other!)).toBeGreaterThanOrEqual(4.5);
});
