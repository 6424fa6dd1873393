/**
 * The sounds of the table, made on the spot: no files. Browsers allow sound only after somebody touched the page, so
 * `arm` waits for that; until then, and where there is no sound at all, `play` does nothing.
 */

/** What there is to hear. */
export type Sound =
  | 'deal'
  | 'draw'
  | 'card'
  | 'yourTurn'
  | 'uno'
  | 'caught'
  | 'challenge'
  | 'shuffle'
  | 'win'
  | 'lose'
  | 'tick'
  | 'chat'
  | 'refused'
  | 'skip'
  | 'reverse'
  | 'color'
  | 'hit'
  | 'heavy'
  | 'olaf'
  | 'magic'
  | 'block'
  | 'guilty'
  | 'honest'
  | 'out'
  | 'match'
  | 'react';

interface Output<Context extends BaseAudioContext = BaseAudioContext> {
  context: Context;
  master: GainNode;
  /** A second of noise, from which paper is made. */
  noise: AudioBuffer;
}

let output: Output<AudioContext> | null = null;
let loudness = 0.6;
let silent = false;

/** When each sound was last heard, to keep a flurry of the same one from getting loud. */
const heard = new Map<Sound, number>();
const APART = 0.03;
/** The table stays quiet at most. */
const LOUDEST = 0.8;

/** From 0 to 1; what is outside counts as the nearer end. */
export function setVolume(volume: number): void {
  loudness = Math.min(1, Math.max(0, volume));
  level();
}

/** From 0 to 1, whether muted or not. */
export function volume(): number {
  return loudness;
}

/** Silence without forgetting the volume. */
export function setMuted(muted: boolean): void {
  silent = muted;
  level();
}

/** Whether there is silence. */
export function muted(): boolean {
  return silent;
}

function level(): void {
  if (!output) return;
  // The ear hears loudness by powers.
  const gain = silent ? 0 : loudness ** 2 * LOUDEST;
  output.master.gain.setTargetAtTime(gain, output.context.currentTime, 0.02);
}

/** What sounds are made with, silent at first: for the speaker, or for a context that only works them out. */
function outputOf<Context extends BaseAudioContext>(context: Context): Output<Context> {
  const master = context.createGain();
  master.gain.value = 0;
  master.connect(context.destination);
  const noise = context.createBuffer(1, context.sampleRate, context.sampleRate);
  const samples = noise.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  return { context, master, noise };
}

function open(): Output<AudioContext> | null {
  if (typeof AudioContext === 'undefined') return null;
  try {
    return outputOf(new AudioContext({ latencyHint: 'interactive' }));
  } catch {
    return null;
  }
}

function wake(): void {
  if (!output) {
    output = open();
    level();
  }
  // Phones put sound to sleep behind one's back, so every touch wakes it again.
  if (output && output.context.state !== 'running') void output.context.resume().catch(() => undefined);
}

/** Makes sound possible from the first touch or key on. Returns how to undo that. */
export function arm(target: EventTarget = window): () => void {
  const kinds = ['pointerdown', 'keydown', 'touchend'];
  for (const kind of kinds) target.addEventListener(kind, wake, { passive: true, capture: true });
  return () => {
    for (const kind of kinds) target.removeEventListener(kind, wake, { capture: true });
  };
}

/** A loudness that rises at once and dies away by `end`. */
function fading(out: Output, start: number, attack: number, end: number, peak: number): GainNode {
  const gain = out.context.createGain();
  gain.gain.setValueAtTime(0.0001, start);
  gain.gain.exponentialRampToValueAtTime(peak, start + attack);
  gain.gain.exponentialRampToValueAtTime(0.0001, end);
  gain.connect(out.master);
  return gain;
}

/** Paper on felt: noise through a filter that moves from one pitch to another. */
function paper(out: Output, delay: number, length: number, from: number, to: number, peak: number): void {
  const start = out.context.currentTime + delay;
  const source = out.context.createBufferSource();
  source.buffer = out.noise;
  const filter = out.context.createBiquadFilter();
  filter.type = 'bandpass';
  filter.Q.value = 0.9;
  filter.frequency.setValueAtTime(from, start);
  filter.frequency.exponentialRampToValueAtTime(to, start + length);
  source.connect(filter).connect(fading(out, start, Math.min(0.012, length / 4), start + length, peak));
  source.start(start, Math.random() * 0.5, length + 0.02);
}

/** A tone, from one pitch to another. */
function tone(out: Output, delay: number, length: number, from: number, to: number, peak: number, type: OscillatorType = 'sine'): void {
  const start = out.context.currentTime + delay;
  const source = out.context.createOscillator();
  source.type = type;
  source.frequency.setValueAtTime(from, start);
  if (to !== from) source.frequency.exponentialRampToValueAtTime(to, start + length);
  source.connect(fading(out, start, 0.008, start + length, peak));
  source.start(start);
  source.stop(start + length + 0.02);
}

/** A small wooden bell: a tone with two soft overtones. */
function bell(out: Output, delay: number, pitch: number, peak = 0.3, length = 0.7): void {
  tone(out, delay, length, pitch, pitch, peak);
  tone(out, delay, length * 0.5, pitch * 2, pitch * 2, peak * 0.25);
  tone(out, delay, length * 0.18, pitch * 3.9, pitch * 3.9, peak * 0.12);
}

/** A knuckle on the table. */
function knock(out: Output, delay: number, pitch: number, peak: number): void {
  tone(out, delay, 0.12, pitch, pitch * 0.55, peak);
  paper(out, delay, 0.03, pitch * 6, pitch * 3, peak * 0.5);
}

const A4 = 440;
/** The pitch that many half steps above the A of a tuning fork. */
const pitch = (steps: number): number => A4 * 2 ** (steps / 12);

const sounds: Readonly<Record<Sound, (out: Output) => void>> = {
  deal: (out) => paper(out, 0, 0.07, 2600, 1500, 0.6),
  draw: (out) => paper(out, 0, 0.16, 900, 2800, 0.75),
  card: (out) => {
    paper(out, 0, 0.06, 3200, 1400, 0.9);
    tone(out, 0.01, 0.08, 320, 170, 0.22);
  },
  shuffle: (out) => {
    for (let i = 0; i < 11; i++) paper(out, i * 0.036 + Math.random() * 0.01, 0.045, 2000 + i * 90, 1500, 0.4 + i * 0.02);
    paper(out, 0.46, 0.14, 1200, 700, 0.6);
  },
  yourTurn: (out) => {
    bell(out, 0, pitch(7), 0.24);
    bell(out, 0.13, pitch(12), 0.26, 0.9);
  },
  uno: (out) => {
    for (const [i, step] of [3, 7, 10, 15].entries()) bell(out, i * 0.07, pitch(step), 0.26, 0.6);
  },
  caught: (out) => {
    tone(out, 0, 0.16, pitch(6), pitch(4), 0.22, 'triangle');
    tone(out, 0.15, 0.34, pitch(3), pitch(-4), 0.24, 'triangle');
  },
  challenge: (out) => {
    knock(out, 0, 220, 0.5);
    knock(out, 0.16, 220, 0.5);
    tone(out, 0.32, 0.5, pitch(-7), pitch(-7), 0.24, 'triangle');
    tone(out, 0.32, 0.5, pitch(-1), pitch(-1), 0.2, 'triangle');
  },
  win: (out) => {
    for (const [i, step] of [-9, -5, -2, 3, 7].entries()) bell(out, i * 0.11, pitch(step), 0.26, 0.9);
    for (const step of [3, 7, 10]) bell(out, 0.62, pitch(step), 0.16, 1.5);
  },
  lose: (out) => {
    for (const [i, step] of [0, -4, -7].entries()) bell(out, i * 0.19, pitch(step), 0.2, 0.8);
  },
  tick: (out) => tone(out, 0, 0.035, 1500, 1100, 0.16),
  chat: (out) => {
    tone(out, 0, 0.09, 520, 780, 0.2);
    tone(out, 0.08, 0.1, 780, 900, 0.12);
  },
  skip: (out) => {
    tone(out, 0, 0.09, pitch(10), pitch(10), 0.2, 'triangle');
    tone(out, 0.1, 0.22, pitch(3), pitch(-9), 0.24, 'triangle');
  },
  reverse: (out) => {
    paper(out, 0, 0.18, 700, 3600, 0.5);
    paper(out, 0.17, 0.2, 3600, 600, 0.5);
    tone(out, 0.02, 0.34, pitch(-5), pitch(7), 0.12);
  },
  color: (out) => {
    for (const [i, step] of [0, 4, 7, 11].entries()) bell(out, i * 0.045, pitch(step + 5), 0.13, 0.5);
  },
  hit: (out) => {
    knock(out, 0, 150, 0.5);
    paper(out, 0, 0.09, 1400, 500, 0.6);
    tone(out, 0.03, 0.3, pitch(-5), pitch(-19), 0.34, 'triangle');
  },
  heavy: (out) => {
    knock(out, 0, 120, 0.5);
    knock(out, 0.13, 100, 0.5);
    paper(out, 0.13, 0.3, 1500, 350, 0.7);
    tone(out, 0.16, 0.5, pitch(-8), pitch(-26), 0.4, 'triangle');
    tone(out, 0.16, 0.5, pitch(-2), pitch(-20), 0.2, 'triangle');
  },
  olaf: (out) => {
    paper(out, 0, 0.7, 500, 3200, 0.4);
    for (const [i, step] of [24, 19, 22, 17, 19, 12].entries()) bell(out, 0.06 + i * 0.08, pitch(step), 0.1, 0.6);
  },
  magic: (out) => {
    for (let i = 0; i < 7; i++) bell(out, i * 0.05, pitch(-1 + i * 2), 0.14, 0.35);
    tone(out, 0.3, 0.5, pitch(13), pitch(25), 0.08);
  },
  block: (out) => {
    bell(out, 0, pitch(15), 0.3, 0.35);
    bell(out, 0.05, pitch(22), 0.22, 0.8);
    knock(out, 0, 240, 0.35);
  },
  guilty: (out) => {
    knock(out, 0, 170, 0.5);
    for (const step of [-9, -3, 3]) tone(out, 0.05, 0.55, pitch(step), pitch(step - 1), 0.2, 'triangle');
  },
  honest: (out) => {
    knock(out, 0, 220, 0.5);
    for (const [i, step] of [3, 7, 10].entries()) bell(out, 0.06 + i * 0.05, pitch(step), 0.2, 0.8);
  },
  out: (out) => {
    paper(out, 0, 0.5, 500, 5200, 0.45);
    for (const [i, step] of [-2, 3, 7, 10, 15].entries()) bell(out, 0.1 + i * 0.07, pitch(step), 0.18, 0.8);
  },
  match: (out) => {
    const theme: readonly (readonly [number, number])[] = [[0, -2], [0.16, -2], [0.32, -2], [0.48, 3], [0.8, 0], [0.96, 3], [1.12, 7]];
    for (const [at, step] of theme) bell(out, at, pitch(step), 0.26, 0.8);
    for (const step of [-9, -5, -2, 3, 7, 10, 15]) bell(out, 1.44, pitch(step), 0.12, 2.2);
  },
  react: (out) => {
    tone(out, 0, 0.05, 1100, 1500, 0.14);
    tone(out, 0.07, 0.1, 880, 1760, 0.16);
  },
  refused: (out) => {
    tone(out, 0, 0.1, 300, 220, 0.3, 'triangle');
    tone(out, 0.12, 0.14, 250, 170, 0.3, 'triangle');
  },
};

/** All there is to hear. */
export const SOUNDS = Object.keys(sounds) as readonly Sound[];

/** Works a sound out at full volume, as samples from -1 to 1, without playing it. */
export async function rendered(sound: Sound, seconds = 4, rate = 44_100): Promise<Float32Array> {
  const context = new OfflineAudioContext(1, seconds * rate, rate);
  const out = outputOf(context);
  out.master.gain.value = LOUDEST;
  sounds[sound](out);
  return (await context.startRendering()).getChannelData(0);
}

/** Plays a sound, if there can be one. */
export function play(sound: Sound): void {
  if (!output || silent || loudness === 0 || output.context.state !== 'running') return;
  const now = output.context.currentTime;
  if (now - (heard.get(sound) ?? -1) < APART) return;
  heard.set(sound, now);
  sounds[sound](output);
}
