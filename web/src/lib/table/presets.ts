import type { Editions, House, Pace, Preset, RulesSpec, Scoring, Settings } from '../../protocol';
import type { Prefs } from '../page/prefs.svelte';

/** What a quick game is played by: a preset, with another length or pace if somebody has chosen one. */
export function chosenIn({ presets }: Editions, setup: Prefs['setup']): { scoring: Scoring | null; pace: Pace; house: House } {
  const preset = presets.find(({ id }) => id === setup.preset) ?? presets[0]!;
  return { scoring: setup.scoring ?? preset.scoring, pace: setup.pace ?? preset.pace, house: preset.house };
}

const same = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** Whether matches are equally long. */
export const isSameLength = (one: Scoring | null | undefined, other: Scoring | null | undefined): boolean =>
  one?.type === other?.type && same('target' in (one ?? {}) ? one : null, 'target' in (other ?? {}) ? other : null);

/** Whether house rules are the same. The table itself decides what a Reverse does with two players. */
function isSameHouse(one: House, other: House): boolean {
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])] as (keyof House)[];
  return keys.every((key) => key === 'reverse_skips_with_two' || same(one[key], other[key]));
}

/** The preset that settings come to, if they do. */
export function presetOf(presets: Preset[], { rules, pace }: Settings): Preset | undefined {
  return presets.find(
    (preset) => preset.pace === pace && isSameHouse(preset.house, rules.house ?? {}) && isSameLength(preset.scoring, rules.scoring),
  );
}

/** Settings with what a preset says in place of theirs. */
export function withPreset(settings: Settings, { scoring, house, pace }: Preset): Settings {
  const rules: RulesSpec = { ...settings.rules, house };
  if (scoring) rules.scoring = scoring;
  else delete rules.scoring;
  return { ...settings, rules, pace };
}
