import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Line } from '../text/story';
import { Banners, LONGEST, SHORTEST } from './banner.svelte';

const line = (text: string, mine = false): Line => ({ text, tone: 'plain', announce: true, mark: 'skip', mine });

describe('banners', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('say marked lines without their full stop, and go', () => {
    const banners = new Banners();
    banners.say([{ text: 'Rosa plays red 7.', tone: 'play', announce: true }, line('Rosa skips you.', true)]);
    expect(banners.now).toMatchObject({ text: 'Rosa skips you', mine: true });
    vi.advanceTimersByTime(LONGEST);
    expect(banners.now).toBeNull();
  });

  it('stay shorter when something follows, and miss nothing', () => {
    const banners = new Banners();
    banners.say([line('one.'), line('two.')]);
    const seen = [banners.now?.text];
    vi.advanceTimersByTime(SHORTEST);
    seen.push(banners.now?.text);
    expect(seen).toEqual(['one', 'two']);
  });

  it('stay longer when there is more to read', () => {
    const banners = new Banners();
    banners.say([line('Olaf! Hazel discards pink 3 and pink Skip too.'), line('two.')]);
    vi.advanceTimersByTime(SHORTEST + 300);
    expect(banners.now?.text).toContain('Olaf');
    vi.advanceTimersByTime(300);
    expect(banners.now?.text).toBe('two');
  });

  it('leave what happens to others to the log when there is too much, never what happens to the viewer', () => {
    const banners = new Banners();
    banners.say([line('shown.')]);
    banners.say(['a.', 'b.', 'c.'].map((text) => line(text)).concat(['d.', 'e.'].map((text) => line(text, true))));
    const seen: string[] = [];
    for (; banners.now; vi.advanceTimersByTime(SHORTEST)) {
      if (seen.at(-1) !== banners.now.text) seen.push(banners.now.text);
    }
    expect(seen).toEqual(['shown', 'd', 'e']);
  });

  it('are silent after they were cleared', () => {
    const banners = new Banners();
    banners.say([line('one.'), line('two.')]);
    banners.clear();
    vi.advanceTimersByTime(LONGEST);
    expect(banners.now).toBeNull();
  });
});
