import { expect, test } from 'vitest';
import { arm, muted, play, setMuted, setVolume, volume } from './sound';

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
