import { describe, expect, it } from 'vitest';
import { avatars } from '../../cards/avatars';
import { backs } from '../../cards/backs';
import { avatarFor, avatarOf, avatarsAround } from './looks';

describe('looks', () => {
  it('have ids that the server takes', () => {
    for (const id of [...avatars, ...backs]) expect(id).toMatch(/^[a-z0-9_]{1,12}$/);
  });

  it('are what people have chosen, for everybody at the table', () => {
    const chairs = [{ name: 'Ann', look: { avatar: 'fox' } }, { name: 'Bob', look: { avatar: 'ghost', back: 'night' } }];
    expect(avatarsAround(chairs, null, '')).toEqual(['fox', 'ghost']);
    expect(avatarsAround(chairs, 0, 'ghost')).toEqual(['ghost', 'ghost']);
  });

  it('are found by the name where nothing, or something unknown, was chosen', () => {
    expect(avatarOf({ name: 'Ann' })).toBe(avatarFor('Ann'));
    expect(avatarOf({ name: 'Ann', look: { avatar: 'no_such_one' } })).toBe(avatarFor('Ann'));
  });

  it('are different as far as there are enough', () => {
    const names = ['Ann', 'Ann 2', 'Bob', 'Cid', 'Dee', 'Eve', 'Fay', 'Gus', 'Hal'].map((name) => ({ name }));
    const look = avatarFor('Ann');
    const around = avatarsAround([...names, { name: 'Ivy', look: { avatar: look } }], null, '');
    expect(around.at(-1)).toBe(look);
    expect(new Set(around).size).toBe(Math.min(avatars.length, around.length));
  });
});
