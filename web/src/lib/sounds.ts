/** Sounds by what they stand for. */
export type SoundName =
  | 'deal' | 'play' | 'draw' | 'shuffle' | 'uno' | 'bad' | 'good' | 'win' | 'lose' | 'skip' | 'turn' | 'chat' | 'tick';

/** Makes a sound, if sounds are on. */
export function sound(name: SoundName): void {
  void name;
}
