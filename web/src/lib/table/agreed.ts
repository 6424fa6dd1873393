import type { Setting, Settings, SettingValue } from '../../protocol';
import { isNamed, settingName, valueText, type Named } from '../text/settings';
import { t } from '../text/i18n/index.svelte';
import { applies, effective } from './settings';

/** What was agreed on when the viewer last accepted it, by table, as long as the page is open. */
const accepted = new Map<string, Settings>();

/** Remembers what the viewer accepts. */
export function noteAccepted(code: string, settings: Settings): void {
  accepted.set(code, settings);
}

/** A value in words, those of switches included. */
function words(setting: Named, value: SettingValue): string {
  return typeof value === 'boolean' ? t(value ? 'people.on' : 'people.off') : valueText(setting, value);
}

/** What has changed in the rules since the viewer accepted them, in words; nothing for viewers who have not accepted any. */
export function changesSince(code: string, settings: Settings, all: Setting[]): string[] {
  const before = accepted.get(code);
  if (!before) return [];
  const agreed = all.filter(isNamed).filter((setting) => setting.agreed);
  const there = agreed.filter((setting) => applies(setting, settings, all) || applies(setting, before, all));
  const changed = there.filter((setting) => effective(setting, before) !== effective(setting, settings));
  const told = changed.map((setting) =>
    t('people.change', {
      setting: settingName(setting),
      before: words(setting, effective(setting, before)),
      after: words(setting, effective(setting, settings)),
    }),
  );
  const cards = JSON.stringify(before.rules.custom_cards) !== JSON.stringify(settings.rules.custom_cards);
  return cards ? [...told, t('custom.title')] : told;
}
