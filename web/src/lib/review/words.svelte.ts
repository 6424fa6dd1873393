import type { Account, DecisionReview, Opponents, Reason, Standing } from '../../protocol';
import { currentLanguage, fill, pluralForm, t, type Language, type Params } from '../text/i18n/index.svelte';
import { en, type ReviewKey, type ReviewTexts } from './text/en';

const loaders: Record<Language, () => Promise<ReviewTexts>> = {
  en: () => Promise.resolve(en),
  es: () => import('./text/es').then((module) => module.es),
  fr: () => import('./text/fr').then((module) => module.fr),
  de: () => import('./text/de').then((module) => module.de),
  pt: () => import('./text/pt').then((module) => module.pt),
  zh: () => import('./text/zh').then((module) => module.zh),
};

let texts = $state.raw<ReviewTexts>(en);

/** Loads what reviews say in the language that is shown. */
export async function loadReviewTexts(): Promise<void> {
  texts = await loaders[currentLanguage()]();
}

/** A text of a review in the language that is shown. */
export function r(key: ReviewKey, params: Params = {}): string {
  return fill(texts[key], params);
}

/** A number with a fixed number of decimals, as the language writes it. */
export function decimal(value: number, digits = 1): string {
  // Adding nothing turns a negative zero into a plain one.
  const rounded = Number(value.toFixed(digits)) + 0;
  return rounded.toLocaleString(currentLanguage(), { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Hundredths of a round. */
export function points(share: number): string {
  return decimal(share * 100);
}

/** The same with its sign. */
export function signedPoints(share: number): string {
  const text = points(share);
  return share > 0 && !/^[0.,]+$/.test(text) ? `+${text}` : text.replace('-', '−');
}

const percent = (share: number) => Math.round(share * 100);

/** Sentences that address somebody, or name them. */
type Sentence = 'luck.good' | 'luck.bad' | 'luck.even' | 'choices.none' | 'choices.lost' | 'others.gave' | 'fog.good' | 'fog.bad';

/** Below this many points something is not worth a word. */
const TELLING = 0.01;

/** What a round did to somebody: luck first, then what else mattered most. A player who is not addressed is named. */
export function roundSentence(account: Account, judged: boolean, name?: string): string {
  const say = (key: Sentence, params: Params) => (name === undefined ? r(key, params) : r(`${key}.of`, { ...params, name }));
  const about = { points: signedPoints(account.luck), percent: percent(account.percentile) };
  const luck = say(Math.abs(account.luck) < TELLING ? 'luck.even' : account.luck > 0 ? 'luck.good' : 'luck.bad', about);
  if (!judged) return luck;
  const lost = -account.own_errors;
  const others: { size: number; text: () => string }[] = [
    { size: Math.abs(account.fog), text: () => say(account.fog > 0 ? 'fog.good' : 'fog.bad', { points: signedPoints(account.fog) }) },
    { size: account.others_errors, text: () => say('others.gave', { points: points(account.others_errors) }) },
  ];
  const most = others.sort((a, b) => b.size - a.size)[0]!;
  const choices = lost >= TELLING ? say('choices.lost', { points: points(lost) }) : say('choices.none', {});
  return [luck, choices, ...(most.size > 3 * TELLING ? [most.text()] : [])].join(' ');
}

/** Why an action is better, as a sentence. */
export function why(reason: Reason): string {
  switch (reason.type) {
    case 'odds':
      return reason.needed === null
        ? r('reason.odds_alone', { bluff: percent(reason.bluff) })
        : r('reason.odds', { bluff: percent(reason.bluff), needed: percent(reason.needed) });
    case 'next_out':
    case 'next_follows':
      return r(`reason.${reason.type}`, { better: Math.round(reason.better * 10), played: Math.round(reason.played * 10) });
    case 'own_fits':
    case 'own_cards':
    case 'others_draw': {
      const count = (number: number) => decimal(number, Math.abs(number - Math.round(number)) < 0.05 ? 0 : 1);
      const form = pluralForm(Number(reason.better.toFixed(1)));
      return r(`reason.${reason.type}.${form}`, { better: count(reason.better), played: count(reason.played) });
    }
    default:
      return r(`reason.${reason.type}`);
  }
}

/** Where an error rate lies among those of the bots. */
export function standingText(standing: Standing | null): string {
  if (!standing) return '–';
  if (standing.type === 'between' || standing.type === 'range') {
    return r(`standing.${standing.type}`, { from: t(`level.${standing.from}`), to: t(`level.${standing.to}`) });
  }
  return r(`standing.${standing.type}`, { level: t(`level.${standing.level}`) });
}

/** Who the others at a table were. */
export function againstText(opponents: Opponents): string {
  return opponents.type === 'bots' ? t(`level.${opponents.level}`) : r(`season.against.${opponents.type}`);
}

/** How a choice compares with the best one, as an answer to somebody who tried again. */
export function verdict(decision: DecisionReview, chosen: number, told: (place: number) => string): string {
  if (chosen === decision.best) return r('try.best');
  const [best, own] = [decision.actions[decision.best]!, decision.actions[chosen]!];
  const behind = best.value - own.value;
  const unsure = 2 * Math.hypot(best.ahead_error, own.ahead_error);
  if (behind <= 0.005 || behind < unsure) return r('try.close');
  return r('try.worse', { points: points(behind), deed: told(decision.best) });
}
