import { read } from '../../cards/words';
import type { CardName, ColorName, Effect, RulesView, Who } from '../../protocol';
import { formatList, t, tn, type Params } from './i18n/index.svelte';
import type { Key } from './i18n/en';
import { ruleOnCard } from './rulebook.svelte';

/** A color in words. */
export function colorName(color: ColorName): string {
  return t(`color.${color}`);
}

/** The title on a Customizable card, if it has one. */
export function customTitle(card: CardName, rules: RulesView | undefined): string | undefined {
  const rule = rules?.custom.find((custom) => custom.card === card)?.rule;
  return rule ? ruleOnCard(rule).title : undefined;
}

/** A card in words: "red 7", "Wild Draw Four". */
export function cardName(card: CardName, title?: string): string {
  const parts = read(card);
  if (!parts) return card;
  const { color, face, number } = parts;
  if (face === 'customizable') return title ? t('card.customized', { title }) : t('card.customizable', { number: number ?? '' });
  const words = face === 'number' ? String(number) : t(`card.${face}`);
  return color ? t('card.colored', { color: colorName(color), face: words }) : words;
}

/** Several cards in words. */
export function cardNames(cards: CardName[]): string {
  return formatList(cards.map((card) => cardName(card)));
}

/** What an effect of a Customizable card does, in words. */
export function effectWords(effect: Effect): string {
  switch (effect.do) {
    case 'draw':
      return says(effect, { cards: tn('cards', effect.count) });
    case 'draw_until_color':
      return effect.color === 'called'
        ? says({ do: 'draw_until_called', who: effect.who })
        : says(effect, { color: colorName(effect.color) });
    case 'discard_all':
      return says(effect, { match: t(`match.${effect.match}`) });
    case 'level':
    case 'discard_down':
      return says(effect, { cards: tn('cards', effect.to) });
    case 'draw_more':
      return t('says.draw_more', { count: effect.count });
    case 'reveal':
      return says(effect);
    case 'perform':
    case 'dare':
      return t(`says.${effect.do}`, { prompt: effect.prompt });
    case 'banner':
      return says(effect, { text: effect.text, until: t(`until.${effect.until}`) });
    default:
      return t(`says.${effect.do}`);
  }
}

type Said = 'draw' | 'draw_until_color' | 'draw_until_called' | 'discard_all' | 'level' | 'discard_down' | 'reveal' | 'banner';

/** A sentence about one or about many, as the language wants it. */
function says(effect: { do: Said; who: Who }, params: Params = {}): string {
  const form = effect.who === 'next' || effect.who === 'self' ? 'one' : 'many';
  return t(`says.${effect.do}.${form}`, { ...params, who: t(`subject.${effect.who}`) });
}

/** A list of effects in words, nested ones indented by depth. */
export function effectLines(effects: Effect[], depth = 0): { depth: number; text: string }[] {
  return effects.flatMap((effect) => {
    const own = [{ depth, text: effectWords(effect) }];
    const branch = (key: Key, list: Effect[] | undefined) =>
      list?.length ? [{ depth: depth + 1, text: `${t(key)}:` }, ...effectLines(list, depth + 2)] : [];
    if (effect.do === 'perform') {
      return [...own, ...branch('custom.success', effect.success), ...branch('custom.failure', effect.failure)];
    }
    return effect.do === 'dare' ? [...own, ...branch('custom.refuse', effect.refuse)] : own;
  });
}
