import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ServerMsg } from '../../protocol';
import { backOff, Link, type LinkState, type Socket } from './link';

class FakeSocket implements Socket {
  sent: Record<string, unknown>[] = [];
  closed = false;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;

  send(text: string) {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close() {
    this.closed = true;
  }
  says(msg: unknown) {
    this.onmessage?.({ data: JSON.stringify(msg) });
  }
}

const welcome = (last_id = 0) => ({ type: 'welcome', version: 1, server: 'unum', table: 'abc', you: 0, last_id });
const snapshot = (seq: number) => ({ type: 'snapshot', seq, terms: {}, lobby: {}, chat: [] });
const update = (seq: number, id?: number) => ({ type: 'update', seq, what: { type: 'hidden' }, ...(id ? { id } : {}) });

function start(watched = false) {
  const sockets: FakeSocket[] = [];
  const messages: ServerMsg[] = [];
  const states: LinkState[] = [];
  const link = new Link({
    table: 'abc',
    connect: () => {
      sockets.push(new FakeSocket());
      return sockets.at(-1)!;
    },
    onMessage: (msg) => messages.push(msg),
    onState: (state) => states.push(state),
    watched: () => watched,
    random: () => 1,
  });
  link.open();
  const socket = () => sockets.at(-1)!;
  const enter = (seq: number, lastId = 0) => {
    socket().onopen?.();
    socket().says(welcome(lastId));
    socket().says(snapshot(seq));
  };
  return { link, sockets, messages, states, socket, enter };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a link', () => {
  it('does not connect by itself before it is opened', () => {
    const connect = vi.fn(() => new FakeSocket());
    new Link({ table: 'abc', connect, onMessage: () => undefined, onState: () => undefined }).nudge();
    expect(connect).not.toHaveBeenCalled();
  });

  it('says hello, then goes on from where it was', () => {
    const { sockets, socket, enter } = start();
    enter(3);
    expect(sockets[0]!.sent[0]).toEqual({ hello: { version: 1, table: 'abc' } });
    socket().says(update(4));
    socket().onclose?.();
    vi.advanceTimersByTime(60_000);
    socket().onopen?.();
    expect(socket().sent[0]).toEqual({ hello: { version: 1, table: 'abc', after: 4 } });
  });

  it('starts over when a number is missing', () => {
    const { sockets, messages, socket, enter } = start();
    enter(3);
    socket().says(update(5));
    expect(sockets).toHaveLength(2);
    expect(messages.filter((msg) => msg.type === 'update')).toHaveLength(0);
    socket().onopen?.();
    expect(socket().sent[0]).not.toHaveProperty('hello.after');
  });

  it('passes over what it has already', () => {
    const { messages, socket, enter } = start();
    enter(3);
    socket().says(update(3));
    expect(messages.filter((msg) => msg.type === 'update')).toHaveLength(0);
  });

  it('sends again what was not acknowledged, with the same number', async () => {
    const { link, socket, enter } = start();
    enter(1);
    const answer = link.request({ type: 'sit' });
    expect(socket().sent.at(-1)).toEqual({ id: 1, request: { type: 'sit' } });
    socket().onclose?.();
    vi.advanceTimersByTime(60_000);
    enter(1);
    expect(socket().sent.at(-1)).toEqual({ id: 1, request: { type: 'sit' } });
    socket().says(update(2, 1));
    await expect(answer).resolves.toEqual({ ok: true });
  });

  it('takes what was carried out meanwhile as done', async () => {
    const { link, socket, enter } = start();
    enter(1);
    const answer = link.request({ type: 'sit' });
    socket().onclose?.();
    vi.advanceTimersByTime(60_000);
    enter(2, 1);
    await expect(answer).resolves.toEqual({ ok: true });
    expect(socket().sent.filter((msg) => 'request' in msg)).toHaveLength(0);
  });

  it('numbers requests above those of another tab', () => {
    const { link, socket, enter } = start();
    void link.request({ type: 'sit' });
    enter(1, 41);
    expect(socket().sent.at(-1)).toEqual({ id: 42, request: { type: 'sit' } });
  });

  it('passes refusals on', async () => {
    const { link, socket, enter } = start();
    enter(1);
    const answer = link.request({ type: 'act', action: { type: 'draw' } });
    socket().says({ type: 'refused', id: 1, code: 'must_play', message: 'play', rule: 'force_play' });
    await expect(answer).resolves.toMatchObject({ ok: false, refusal: { code: 'must_play', message: 'play', rule: 'force_play' } });
  });

  it('stays away when another tab has taken over, until it is asked back', () => {
    const { link, sockets, states, socket, enter } = start();
    enter(1);
    socket().says({ type: 'bye', code: 'replaced', message: 'elsewhere' });
    expect(states.at(-1)).toEqual({ type: 'elsewhere' });
    vi.advanceTimersByTime(600_000);
    expect(sockets).toHaveLength(1);
    link.open();
    expect(sockets).toHaveLength(2);
  });

  it('waits as long as the server wishes', () => {
    const { sockets, socket, enter } = start();
    enter(1);
    socket().says({ type: 'bye', code: 'stopping', message: 'soon', retry: 5000 });
    vi.advanceTimersByTime(4999);
    expect(sockets).toHaveLength(1);
    vi.advanceTimersByTime(2);
    expect(sockets).toHaveLength(2);
  });

  it('gives a silent server up and comes back', () => {
    const { sockets, socket, enter } = start();
    enter(1);
    vi.advanceTimersByTime(15_001);
    expect(socket().sent.at(-1)).toEqual({ ping: {} });
    vi.advanceTimersByTime(8_001);
    vi.advanceTimersByTime(10_001);
    expect(sockets.length).toBeGreaterThan(1);
  });

  it('says within three seconds that a request has no answer, and takes it back', () => {
    const { link, states, socket, sockets, enter } = start();
    enter(1);
    void link.request({ type: 'sit' });
    vi.advanceTimersByTime(1_001);
    expect(socket().sent.at(-1)).toEqual({ ping: {} });
    vi.advanceTimersByTime(1_999);
    expect(states.at(-1)).toEqual({ type: 'silent' });
    socket().says({ type: 'pong' });
    expect(states.at(-1)).toEqual({ type: 'open' });
    expect(sockets).toHaveLength(1);
  });

  it('is not worried by a table that takes its time while the server answers', () => {
    const { link, states, socket, enter } = start();
    enter(1);
    void link.request({ type: 'sit' });
    for (let i = 0; i < 20; i++) {
      vi.advanceTimersByTime(1_001);
      if (socket().sent.some((msg) => 'ping' in msg)) socket().says({ type: 'pong' });
    }
    expect(states.map(({ type }) => type)).not.toContain('silent');
  });

  it('says within three seconds that nothing arrives at all, while people watch', () => {
    const { states, enter } = start(true);
    enter(1);
    vi.advanceTimersByTime(3_000);
    expect(states.at(-1)).toEqual({ type: 'silent' });
  });

  it('asks seldom when nobody watches, and never twice at once', () => {
    const pings = (watched: boolean, seconds: number) => {
      const { socket, enter } = start(watched);
      enter(1);
      let answered = 0;
      const asked = () => socket().sent.filter((msg) => 'ping' in msg).length;
      for (let i = 0; i < seconds * 10; i++) {
        vi.advanceTimersByTime(100);
        for (; answered < asked(); answered++) socket().says({ type: 'pong' });
      }
      return asked();
    };
    expect(pings(true, 60)).toBeLessThanOrEqual(40);
    expect(pings(false, 60)).toBeLessThanOrEqual(4);
  });

  it('does not say again and again that a slow network is slow', () => {
    const { states, socket, enter } = start(true);
    enter(1);
    for (let i = 0; i < 10; i++) {
      vi.advanceTimersByTime(1_501);
      vi.advanceTimersByTime(2_000);
      socket().says({ type: 'pong' });
    }
    expect(states.filter(({ type }) => type === 'silent')).toHaveLength(1);
  });

  it('waits longer after each failure, within bounds', () => {
    const waits = [0, 1, 2, 3, 10, 100].map((attempt) => backOff(attempt, 1));
    expect(waits).toEqual([400, 800, 1600, 3200, 10_000, 10_000]);
    expect(backOff(0, 0)).toBeGreaterThan(0);
  });
});
