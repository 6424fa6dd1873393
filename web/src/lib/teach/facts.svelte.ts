import { read } from '../../cards/words';
import type { CardFact, CardName, DeckCard, Edition, RulesView } from '../../protocol';
import { catalog, editionOf } from '../table/catalog.svelte';
import { t, tn } from '../text/i18n/index.svelte';
import type { Key } from '../text/i18n/en';
import { ruleOnCard } from '../text/rulebook.svelte';
import { sentence } from '../text/sentence';
import { cardName, colorName, effectLines } from '../text/words';

let inForce = $state.raw<RulesView | null>(null);

/** Says which rules are in force at the table that is open; `null` when none is. */
export function useRules(rules: RulesView | null): void {
  inForce = rules;
}

/** The rules a card is explained by: the table's, or those an edition begins with. */
export function rulesFor(edition: Edition): RulesView | undefined {
  if (inForce?.edition === edition) return inForce;
  const known = catalog();
  return known ? editionOf(known, edition).rules : undefined;
}

/** What the table says about a kind of card. */
export function kindOf(card: CardName, rules: RulesView | undefined): DeckCard | undefined {
  return rules?.deck.find((kind) => kind.card === card);
}

function factText(fact: CardFact): string | null {
  switch (fact.type) {
    case 'draw':
      return t('help.draw', { cards: tn('cards', fact.count) });
    case 'along':
      return t('help.along', { most: fact.most });
    case 'custom':
      return null;
    default:
      return t(`help.${fact.type}` satisfies Key);
  }
}

/** What a colored card goes on. */
function fitText(card: CardName): string | null {
  const parts = read(card);
  if (!parts?.color) return null;
  const color = colorName(parts.color);
  return parts.face === 'number'
    ? t('help.number', { color, number: parts.number ?? '' })
    : t('help.symbol', { color, face: t(`card.${parts.face}` as Key) });
}

/** What is on a Customizable card: its own words, then what happens. */
function customTexts(card: CardName, rules: RulesView | undefined): string[] {
  const rule = rules?.custom.find((custom) => custom.card === card)?.rule;
  if (!rule) return [];
  const { text, effects } = ruleOnCard(rule);
  const lines = effectLines(effects ?? []).map(({ text: line }) => line);
  return [...(text ? [`“${text}”`] : []), ...(lines.length > 0 ? lines : [t('custom.honor')])];
}

/** What happens when a card is played, sentence by sentence. */
export function effectTexts(card: CardName, rules: RulesView | undefined): string[] {
  const facts = (kindOf(card, rules)?.does ?? []).map(factText).filter((text) => text !== null);
  return [...facts, ...customTexts(card, rules)];
}

/** What a card goes on and does, sentence by sentence. */
export function cardTexts(card: CardName, rules: RulesView | undefined): string[] {
  const fits = fitText(card);
  return [...(fits ? [sentence(fits)] : []), ...effectTexts(card, rules)];
}

/** What a card counts, if anything. */
export function pointsText(card: CardName, rules: RulesView | undefined): string | null {
  const points = kindOf(card, rules)?.points;
  const counts = points !== undefined && rules?.scoring.type !== 'single_round';
  return counts ? t('help.points', { points: tn('points', points) }) : null;
}

/** What a card is called, with the title on it. */
export function fullName(card: CardName, rules: RulesView | undefined): string {
  const rule = rules?.custom.find((custom) => custom.card === card)?.rule;
  return sentence(cardName(card, rule ? ruleOnCard(rule).title : undefined));
}

/** What all cards of a kind are called, whatever their color. */
export function kindName(card: CardName, rules: RulesView | undefined): string {
  const parts = read(card);
  if (!parts?.color) return fullName(card, rules);
  return parts.face === 'number' ? String(parts.number) : t(`card.${parts.face}` as Key);
}

/** One card of every kind that is more than a number, in the order of the deck. */
export function specialCards(rules: RulesView): CardName[] {
  const seen: string[] = [];
  const kinds = rules.deck.filter(({ card, does }) => {
    const parts = read(card);
    const face = parts ? `${parts.face}${parts.face === 'customizable' || parts.face === 'number' ? parts.number : ''}` : card;
    const isFirst = !seen.includes(face);
    if (isFirst) seen.push(face);
    return isFirst && (parts?.face !== 'number' || (does ?? []).some(({ type }) => type === 'swap' || type === 'pass_hands'));
  });
  return kinds.map(({ card }) => card);
}
