import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Editions, Settings } from '../../protocol';
import { api } from '../net/api';
import { isMine, isQuick, openTable, quickTable } from './quick';

const asked: Partial<Settings>[] = [];

beforeEach(() => {
  asked.length = 0;
  const editions = {
    editions: [{ id: 'original', suggested: { edition: 'original' } }],
    presets: [{ id: 'classic', scoring: null, house: {}, pace: 'relaxed' }],
  } as unknown as Editions;
  vi.spyOn(api, 'editions').mockResolvedValue(editions);
  vi.spyOn(api, 'signIn').mockImplementation((guest) => Promise.resolve({ id: 1, token: '', ...guest }));
  vi.spyOn(api, 'createTable').mockImplementation((settings) => {
    asked.push(settings);
    return Promise.resolve({ code: `code${asked.length}`, link: '' });
  });
});

describe('tables that are made in the page', () => {
  it('let a Reverse skip with two players, until a third sits down', async () => {
    const code = await openTable('original');
    const setup = { edition: 'original', preset: 'classic', opponents: 1, level: 'easy', scoring: null, pace: null };
    const quick = await quickTable(setup as unknown as Parameters<typeof quickTable>[0]);
    expect(asked.map((settings) => settings.usual_for_two)).toEqual([true, true]);
    expect(asked[1]).toMatchObject({ seats: 2, clock: null, pace: 'relaxed' });
    expect([isMine(code), isQuick(code), isQuick(quick)]).toEqual([true, false, true]);
  });
});
