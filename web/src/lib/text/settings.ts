import type { Edition, Setting, SettingId, SettingValue } from '../../protocol';
import { en, type Key } from './i18n/en';
import { formatNumber, t } from './i18n/index.svelte';

/** A setting with a name of its own; what Customizable cards carry is shown in another way. */
export type Named = Setting & { id: Exclude<SettingId, 'card1' | 'card2' | 'card3'> };

/** Whether a setting has a name. */
export function isNamed(setting: Setting): setting is Named {
  return setting.type !== 'card';
}

/** What a setting is called. */
export function settingName({ id }: Named): string {
  return t(`setting.${id}`);
}

/** The line that explains a setting, if there is one. */
export function settingLine({ id }: Named): string | undefined {
  const key = `setting.${id}.line`;
  return key in en ? t(key as Key) : undefined;
}

/** A value of a setting in words; nothing for what is on. */
export function valueText(setting: Named, value: SettingValue): string {
  if (value === null) return setting.unset ? t(`setting.unset.${setting.unset}`) : '';
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value !== 'string') return '';
  if (setting.id === 'edition') return t(`edition.${value as Edition}`);
  return setting.type === 'choice' ? t(`setting.${setting.id}.${value}` as Key) : value;
}
