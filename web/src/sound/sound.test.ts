import { afterEach, describe, expect, test, vi } from 'vitest';
import { arm, muted, play, setMuted, setVolume, SOUNDS, volume } from './sound';

test('without any sound in the browser, everything still works', () => {
  const page = new EventTarget();
  const undo = arm(page);
  page.dispatchEvent(new Event('pointerdown'));
  expect(() => play('card')).not.toThrow();
  undo();
});

test('the volume stays between silence and full', () => {
  setVolume(3);
  expect(volume()).toBe(1);
  setVolume(-1);
  expect(volume()).toBe(0);
});

test('muting does not forget the volume', () => {
  setVolume(0.4);
  setMuted(true);
  expect([muted(), volume()]).toEqual([true, 0.4]);
  setMuted(false);
  expect([muted(), volume()]).toEqual([false, 0.4]);
});

/** A number that changes over time, as far as sounds use it. */
class Param {
  value = 0;
  readonly points: [time: number, value: number][] = [];
  setValueAtTime(value: number, time: number) {
    this.points.push([time, value]);
  }
  exponentialRampToValueAtTime(value: number, time: number) {
    this.points.push([time, value]);
  }
  setTargetAtTime(value: number) {
    this.value = value;
  }
  at(time: number): number {
    const next = this.points.findIndex(([when]) => when > time);
    const [from, to] = [this.points[next - 1], this.points[next]];
    if (!from || !to) return 0;
    return from[1] * (to[1] / from[1]) ** ((time - from[0]) / (to[0] - from[0]));
  }
}

/** Keeps what would be heard: how loud each part of a sound is, and when. */
class Recorder {
  static last: Recorder;
  readonly gains: { gain: Param; connect: () => void }[] = [];
  readonly state = 'running';
  readonly currentTime = 0;
  readonly sampleRate = 8;
  constructor() {
    Recorder.last = this;
  }
  createGain() {
    const node = { gain: new Param(), connect: () => undefined };
    this.gains.push(node);
    return node;
  }
  createBuffer() {
    return { getChannelData: () => new Float32Array(8) };
  }
  createBufferSource() {
    return this.#source();
  }
  createOscillator() {
    return this.#source();
  }
  createBiquadFilter() {
    return { Q: new Param(), frequency: new Param(), connect: (to: unknown) => to };
  }
  #source() {
    return { frequency: new Param(), connect: (to: unknown) => to, start: () => undefined, stop: () => undefined };
  }
  /** The most that all parts can add up to at a time: no wave and no noise is larger than 1. */
  loudest(): number {
    const [master, ...parts] = this.gains.map((node) => node.gain);
    const sums = Array.from({ length: 3000 }, (_, i) => parts.reduce((sum, gain) => sum + gain.at(i / 1000), 0));
    return master!.value * Math.max(...sums);
  }
}

describe('at full volume', () => {
  afterEach(() => vi.unstubAllGlobals());

  test.each(SOUNDS)('%s is heard, and cannot be too loud for the speaker', async (sound) => {
    vi.stubGlobal('AudioContext', Recorder);
    vi.resetModules();
    const fresh = await import('./sound');
    const page = new EventTarget();
    fresh.setVolume(1);
    fresh.arm(page);
    page.dispatchEvent(new Event('pointerdown'));
    fresh.play(sound);
    expect(Recorder.last.loudest()).toBeGreaterThan(0.05);
    expect(Recorder.last.loudest()).toBeLessThan(1);
  });
});
