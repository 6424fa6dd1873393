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

/** Settings with what a preset says in place of theirs. */
export function withPreset(settings: Settings, { scoring, house, pace }: Preset): Settings {
  const rules: RulesSpec = { ...settings.rules, house };
  if (scoring) rules.scoring = scoring;
  else delete rules.scoring;
  return { ...settings, rules, pace };
}
