import { beforeAll, describe, expect, it, vi } from 'vitest';
import { gameOf, lobbyOf, termsOf } from '../../../tests/mock';
import type { GameView, Request } from '../../protocol';
import type { Socket } from '../net/link';
import { TableSession } from './session.svelte';

beforeAll(() => void vi.stubGlobal('document', { hidden: false }));

/** A session at a table where a round is played, and the server's end of it. */
function atTable(game: GameView) {
  const sent: { id: number; request: Request }[] = [];
  const socket: Socket = { send: (text) => void sent.push(JSON.parse(text)), close: () => undefined, onopen: null, onmessage: null, onclose: null };
  const session = new TableSession('abc', () => socket);
  const say = (msg: object) => socket.onmessage?.({ data: JSON.stringify(msg) });
  session.open();
  socket.onopen?.();
  say({ type: 'welcome', version: 1, server: 'unum', table: 'abc', you: 0, last_id: 0 });
  say({ type: 'snapshot', seq: 1, terms: termsOf(), lobby: lobbyOf(3), own: { may: [], muted: [], kicked: [] }, game, chat: [] });
  return { session, sent, say, socket };
}

const refused = (id: number) => ({ type: 'refused', id, code: 'stale', message: 'look again' });
const called = { type: 'acted', seat: 1, by: 'bot' };

describe('a table with a new code', () => {
  it('is found by it when the connection breaks', () => {
    const { session, sent, say, socket } = atTable(gameOf(3));
    say({ type: 'update', seq: 2, what: { type: 'code_renewed', code: 'def' }, lobby: { ...lobbyOf(3), code: 'def' } });
    expect(session.code).toBe('def');
    session.close();
    session.open();
    socket.onopen?.();
    expect(sent.at(-1)).toMatchObject({ hello: { table: 'def' } });
    session.close();
  });
});

describe('a move that comes too late', () => {
  it('is made again if nothing has changed for the player who makes it', async () => {
    const game = gameOf(3);
    const { session, sent, say } = atTable(game);
    const answer = session.request({ type: 'act', action: { type: 'draw' }, at: game.at });
    say({ type: 'update', seq: 2, what: called, game: { ...game, at: game.at + 1 } });
    say(refused(sent.at(-1)!.id));
    await Promise.resolve();
    await Promise.resolve();
    expect(sent.at(-1)!.request).toMatchObject({ type: 'act', at: game.at + 1 });
    say({ type: 'update', seq: 3, id: sent.at(-1)!.id, what: { type: 'acted', seat: 0, by: 'person' } });
    expect(await answer).toEqual({ ok: true });
  });

  it('is refused if something has', async () => {
    const game = gameOf(3);
    const { session, sent, say } = atTable(game);
    const answer = session.request({ type: 'act', action: { type: 'draw' }, at: game.at });
    say({ type: 'update', seq: 2, what: called, game: { ...game, at: game.at + 1, view: { ...game.view, top: 'W' } } });
    say(refused(sent.at(-1)!.id));
    expect(await answer).toMatchObject({ ok: false, refusal: { code: 'stale' } });
  });
});

describe('an announcement', () => {
  it('stays until it is read, and changes nothing at the table', () => {
    const { session, say } = atTable(gameOf(3));
    const shown = session.shown;
    for (const text of ['one', 'two']) say({ type: 'announcement', text });
    expect(session.announcements.map(({ text }) => text)).toEqual(['one', 'two']);
    expect(session.shown).toBe(shown);
    session.heard(session.announcements[0]!.id);
    expect(session.announcements.map(({ text }) => text)).toEqual(['two']);
    for (let number = 0; number < 20; number++) say({ type: 'announcement', text: String(number) });
    expect(session.announcements.length).toBeLessThan(10);
    session.close();
  });
});
