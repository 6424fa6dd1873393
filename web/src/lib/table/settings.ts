import type { Setting, Settings, SettingValue } from '../../protocol';

/** The value that was chosen for a setting; `null` if none was. */
export function chosen(setting: Setting, settings: Settings): SettingValue {
  const step = (value: unknown, key: string) => (value as Record<string, unknown> | null | undefined)?.[key];
  return (setting.path.reduce<unknown>(step, settings) ?? null) as SettingValue;
}

/** What is in force when nothing is chosen. */
export function usual(setting: Setting, settings: Settings): SettingValue {
  return setting.defaults[settings.rules.edition] ?? null;
}

/** What is in force. */
export function effective(setting: Setting, settings: Settings): SettingValue {
  return chosen(setting, settings) ?? (setting.unset === 'none' ? null : usual(setting, settings));
}

/** Whether there is such a setting beside the others. */
export function applies(setting: Setting, settings: Settings, all: Setting[]): boolean {
  const { only } = setting;
  const other = all.find(({ id }) => id === only?.setting);
  return !only || (other !== undefined && only.values.includes(chosen(other, settings)));
}

/** Whether something else is in force than the edition prints. */
export function differs(setting: Setting, settings: Settings): boolean {
  return effective(setting, settings) !== usual(setting, settings);
}

/** Settings with another value at a place in them. */
export function withValue(settings: Settings, path: string[], value: SettingValue): Settings {
  const changed = structuredClone(settings);
  const place = path.slice(0, -1).reduce<unknown>((inside, key) => (inside as Record<string, unknown>)[key], changed);
  (place as Record<string, unknown>)[path.at(-1)!] = value;
  return changed;
}
