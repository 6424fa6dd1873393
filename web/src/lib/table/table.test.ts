import { describe, expect, it } from 'vitest';
import { gameOf, lobbyOf, termsOf } from '../../../tests/mock';
import type { EventForm, OwnView, Position, Replay, ServerMsg } from '../../protocol';
import { readPrefs } from '../page/prefs.svelte';
import { dealtHands, missing, openView, withPage } from './replay';
import { parseRoute } from '../page/path';
import { tellEvents } from '../text/story';
import { apply, isSameTurn, may, mySeat, othersInOrder, UNKNOWN, type TableState } from './table';

const lobby = lobbyOf(3);
const own: OwnView = { may: ['chat'], muted: [], kicked: [] };
const messages: ServerMsg[] = [
  { type: 'welcome', version: 1, server: 'unum', table: 'abc', you: 0, last_id: 0 },
  { type: 'snapshot', seq: 1, terms: termsOf(), lobby, own, game: gameOf(3), chat: [] },
];
const playing: TableState = messages.reduce((state, msg) => apply(state, msg), UNKNOWN);

describe('the state of a table', () => {
  it('follows the messages', () => {
    expect(mySeat(playing)).toBe(0);
    const said = apply(playing, { type: 'update', seq: 2, what: { type: 'chatted', person: 0, text: 'hi' } });
    expect(said.chat).toEqual([{ seq: 2, person: 0, name: 'Robin', text: 'hi' }]);
    expect(said.game).toBe(playing.game);
    const terms = termsOf({ edition: 'frozen' });
    const changed = apply(said, { type: 'update', seq: 3, what: { type: 'settings_changed' }, terms });
    expect([said.terms, changed.terms]).toEqual([playing.terms, terms]);
    const reopened = apply(said, { type: 'update', seq: 3, what: { type: 'reopened' }, lobby: { ...lobby, stage: 'lobby' } });
    expect(reopened.game).toBeNull();
  });

  it('knows what concerns the viewer alone', () => {
    expect([may(playing, 'chat'), may(playing, 'start')]).toEqual([true, false]);
    const muted = apply(playing, { type: 'update', seq: 2, what: { type: 'muted', person: 2, muted: true }, own: { ...own, muted: [2] } });
    expect(muted.own.muted).toEqual([2]);
    const gone = apply(muted, { type: 'presence', people: [], own: { ...own, may: ['start'] } });
    expect([may(gone, 'start'), may(gone, 'chat'), gone.lobby?.people]).toEqual([true, false, []]);
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
  const tell = (event: EventForm) => tellEvents([event], playing).map((line) => line.text).join(' ') || undefined;

  it('name people and cards', () => {
    expect(tell({ type: 'played', seat: 1, card: 'W', color: 'blue' })).toBe('Pip plays Wild and calls blue.');
    expect(tell({ type: 'played', seat: 1, card: 'WO', color: 'blue', discarded: ['P3'] })).toContain('Olaf! Pip discards pink 3 too.');
    expect(tell({ type: 'drew', seat: 0, reason: 'turn', cards: ['R7'] })).toBe('You drew red 7.');
    expect(tell({ type: 'drew', seat: 2, reason: 'attack', count: 2 })).toBe('Hazel has to draw 2 cards.');
    expect(tell({ type: 'turn_came', seat: 1 })).toBeUndefined();
  });
});

describe('addresses', () => {
  it('lead to screens', () => {
    expect(parseRoute('/', '')).toEqual({ at: 'home' });
    expect(parseRoute('/t/abc', '')).toEqual({ at: 'table', code: 'abc' });
    expect(parseRoute('/t/K3M-9PQ%20X7T', '')).toEqual({ at: 'table', code: 'k3m9pqx7t' });
    expect(parseRoute('/t/%E0%A4', '')).toEqual({ at: 'table', code: '%E0%A4' });
    expect(parseRoute('/g/x', '?seat=2&step=7')).toEqual({ at: 'replay', id: 'x', review: false, seat: '2', step: 7 });
    expect(parseRoute('/g/x', '?review')).toMatchObject({ at: 'replay', id: 'x', review: true });
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
    const view = openView({ hands: [['R1'], ['B2', 'W']], draw_pile: ['G1'], top: 'R2' } as unknown as Position, 0);
    expect(view).toMatchObject({ hand: ['R1'], hand_sizes: [1, 2], shown: { 1: ['B2', 'W'] }, draw_count: 1, top: 'R2' });
  });
});

describe('a replay that comes in pages', () => {
  const all = Array.from({ length: 300 }, (_, number) => ({
    round: number < 150 ? 1 : 2,
    number,
    seat: null,
    move: '',
    events: number % 150 === 0 ? [{ type: 'dealt' as const, seat: 0, cards: [`R${number % 7}`] }] : [],
  }));
  const page = (from: number, count: number) =>
    ({ names: ['Ann'], total: 300, rounds: [0, 150], from, deals: [], steps: all.slice(from, from + count) }) as unknown as Replay;

  it('is asked for what is looked at and what comes next, and for nothing twice', () => {
    expect(missing(null, [0])).toBe(0);
    expect(missing(null, [100])).toBe(80);
    let loaded = withPage(null, page(80, 50));
    expect(missing(loaded, [90])).toBe(null);
    expect(missing(loaded, [120])).toBe(130);
    expect(missing(loaded, [30])).toBe(10);
    loaded = withPage(loaded, page(130, 170));
    expect(missing(loaded, [299])).toBe(null);
    expect(loaded.steps[85]?.number).toBe(85);
    expect(loaded.steps[5]).toBe(undefined);
  });

  it('knows the hands of a round once its deal is there', () => {
    const later = withPage(null, page(200, 50));
    expect(dealtHands(later, 2)).toEqual([null]);
    expect(missing(later, [205, 150])).toBe(130);
    expect(dealtHands(withPage(later, page(130, 50)), 2)).toEqual([['R3']]);
  });
});
