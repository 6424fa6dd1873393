import { expect, test } from 'vitest';
import { isolate } from './isolate';

test('names that are read from right to left keep to themselves', () => {
  expect(isolate('Ada')).toBe('Ada');
  expect(isolate('李小龙')).toBe('李小龙');
  for (const name of ['مريم', 'שרה', 'Ada שרה']) expect(isolate(name)).toBe(`\u2068${name}\u2069`);
});
