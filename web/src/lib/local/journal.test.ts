import { describe, expect, it } from 'vitest';
import type { Batch, Finished } from './contract';
import { openJournal } from './journal';

const batch = (after: number, entries: string[], more: Partial<Batch> = {}): Batch => ({
  after, entries, parts: [], finished: [], closed: false, summary: {} as Batch['summary'], ...more,
});
const part = (body: string, first = false) => ({ number: 1, first, last: false, body });
const open = () => openJournal(() => Promise.reject(new Error('nobody is asked')));

// Without IndexedDB, as here, a journal lasts as long as its worker; the one in IndexedDB is in tests/local.spec.ts.
describe('a journal in memory', () => {
  it('says that nothing lasts', async () => {
    expect((await open()).unsaved).toBe(true);
  });

  it('gives back entries after the last snapshot, and the parts of the match', async () => {
    const journal = await open();
    expect(await journal.load('a')).toBeNull();
    await journal.append('a', batch(0, ['1', '2', '3']));
    await journal.append('a', batch(3, ['4', '5'], { snapshot: { seq: 4, body: 'four' }, parts: [part('x', true), part('y')] }));
    expect(await journal.load('a')).toEqual({ snapshot: { seq: 4, body: 'four' }, entries: ['5'], parts: ['x', 'y'] });
    await journal.append('a', batch(5, ['6'], { parts: [part('z', true)] }));
    expect(await journal.load('a')).toEqual({ snapshot: { seq: 4, body: 'four' }, entries: ['5', '6'], parts: ['z'] });
  });

  it('keeps records when their table is gone', async () => {
    const journal = await open();
    const finished: Finished[] = [{ game: { id: 'g' } as Finished['game'], seat: 0, record: '{}', figures: null }];
    await journal.append('a', batch(0, ['1'], { finished, closed: true }));
    expect(await journal.load('a')).toBeNull();
    expect([await journal.record('g'), await journal.record('other')]).toEqual(['{}', null]);
  });
});
