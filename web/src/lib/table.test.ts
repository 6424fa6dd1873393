import { describe, expect, it } from 'vitest';
import { gameOf, lobbyOf } from '../../tests/mock';
import type { EventForm } from '../protocol';
import { readPrefs } from './prefs.svelte';
import { openView } from './replay';
import { codeIn, parseRoute } from './path';
import { tellEvent } from './story';
import { apply, isSameTurn, mySeat, othersInOrder, UNKNOWN, type TableState } from './table';

const lobby = lobbyOf(3);
const playing: TableState = [
  { type: 'welcome' as const, version: 1, server: 'unum', table: 'abc', you: 0, last_id: 0 },
  { type: 'snapshot' as const, seq: 1, lobby, game: gameOf(3), chat: [] },
].reduce((state, msg) => apply(state, msg), UNKNOWN);

describe('the state of a table', () => {
  it('follows the messages', () => {
    expect(mySeat(playing)).toBe(0);
    const said = apply(playing, { type: 'update', seq: 2, what: { type: 'chatted', person: 0, text: 'hi' } });
    expect(said.chat).toEqual([{ seq: 2, person: 0, name: 'Robin', text: 'hi' }]);
    expect(said.game).toBe(playing.game);
    const reopened = apply(said, { type: 'update', seq: 3, what: { type: 'reopened' }, lobby: { ...lobby, stage: 'lobby' } });
    expect(reopened.game).toBeNull();
  });

  it('knows when the game is still to come', () => {
    const events: EventForm[] = [{ type: 'played', seat: 0, card: 'R3' }];
    const acted = apply(playing, { type: 'update', seq: 2, what: { type: 'acted', seat: 0, by: 'person' }, events });
    expect(acted.behind).toBe(true);
    const said = apply(acted, { type: 'update', seq: 3, what: { type: 'chatted', person: 0, text: 'hi' } });
    expect(said.behind).toBe(true);
    const whole = apply(said, { type: 'update', seq: 4, what: { type: 'acted', seat: 1, by: 'bot' }, events, game: gameOf(3) });
    expect(whole.behind).toBe(false);
  });

  it('tells a call in between from another turn', () => {
    const seen = gameOf(3);
    const called = { ...seen, at: seen.at + 1, view: { ...seen.view, liable: [] } };
    expect(isSameTurn(seen, called)).toBe(true);
    expect(isSameTurn(seen, seen)).toBe(false);
    expect(isSameTurn(seen, { ...called, round: seen.round + 1 })).toBe(false);
    expect(isSameTurn(seen, { ...called, view: { ...seen.view, top: 'W' } })).toBe(false);
  });

  it('seats the others in order from the left', () => {
    expect(othersInOrder(4, 2)).toEqual([3, 0, 1]);
    expect(othersInOrder(3, null)).toEqual([0, 1, 2]);
  });
});

describe('events in words', () => {
  const tell = (event: EventForm) => tellEvent(event, playing)?.text;

  it('name people and cards', () => {
    expect(tell({ type: 'played', seat: 1, card: 'W', color: 'blue' })).toBe('Pip plays Wild and calls blue.');
    expect(tell({ type: 'played', seat: 1, card: 'WO', color: 'blue', discarded: ['P3'] })).toContain('takes pink 3 along');
    expect(tell({ type: 'drew', seat: 0, reason: 'turn', cards: ['R7'] })).toBe('You drew red 7.');
    expect(tell({ type: 'drew', seat: 2, reason: 'attack', count: 2 })).toBe('Hazel has to draw 2 cards.');
    expect(tell({ type: 'turn_came', seat: 1 })).toBeUndefined();
  });
});

describe('addresses', () => {
  it('lead to screens', () => {
    expect(parseRoute('/', '')).toEqual({ at: 'home' });
    expect(parseRoute('/t/abc', '')).toEqual({ at: 'table', code: 'abc' });
    expect(parseRoute('/g/x', '?seat=2&step=7')).toEqual({ at: 'replay', id: 'x', seat: '2', step: 7 });
  });

  it('of tables are found in what people paste', () => {
    expect(codeIn(' https://uno.example.org/t/k3m9pq?x ')).toBe('k3m9pq');
    expect(codeIn('K3M9-PQ')).toBe('k3m9pq');
    expect(codeIn('?!')).toBeNull();
  });
});

describe('preferences', () => {
  it('survive nonsense', () => {
    expect(readPrefs('{"name":5,"theme":"dark","setup":{"edition":"frozen"}}')).toMatchObject({
      name: '', theme: 'dark', setup: { edition: 'frozen', opponents: 3 },
    });
    expect(readPrefs('nonsense').sounds).toBe(true);
  });
});

describe('a replay with open cards', () => {
  it('shows all hands but the nearest as the others\'', () => {
    const view = openView({ hands: [['R1'], ['B2', 'W']], draw_pile: ['G1'], top: 'R2' }, 0);
    expect(view).toMatchObject({ hand: ['R1'], hand_sizes: [1, 2], shown: { 1: ['B2', 'W'] }, draw_count: 1, top: 'R2' });
  });
});
