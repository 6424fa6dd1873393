import type { CardName, ColorName, EventForm, Happened } from '../../protocol';
import { t, tn, formatList } from './i18n/index.svelte';
import type { Key } from './i18n/en';
import { isolate } from './isolate';
import { cardWords } from './rulebook.svelte';
import { sentence } from './sentence';
import { cardName, colorName, customTitle } from './words';
import { mySeat, nameOf, type TableState } from '../table/table';

/** What a sentence is about, for the banner in the middle of the table: each has a look of its own. */
export type Mark =
  | 'skip' | 'reverse' | 'color' | 'attack' | 'challenge' | 'bluff' | 'honest' | 'uno' | 'caught' | 'block' | 'shuffle' | 'effect'
  | 'vote' | 'people' | 'out';
/** A line of the log. What is not news to a screen reader is not announced; what has a mark is shown as a banner, too. */
export type Line = {
  text: string;
  tone: 'plain' | 'play' | 'bad' | 'good' | 'round';
  announce: boolean;
  mark?: Mark;
  /** Whether it happens to the viewer. */
  mine?: boolean;
  color?: ColorName;
  /** The card it is about, to be explained. */
  card?: CardName;
};

type Told = Omit<Line, 'text' | 'tone' | 'announce'>;
const line = (text: string, tone: Line['tone'] = 'plain', told: Told & { announce?: boolean } = {}): Line => ({
  text: sentence(text), tone, announce: true, ...told,
});


type Hidden = { cards: CardName[] } | { count: number };
const countOf = (event: Hidden) => ('cards' in event ? event.cards.length : event.count);

/** Who does something to whom, in words: `you` and `me` are the forms in which the viewer does it and has it done. */
type Forms = { plain: Key; you?: Key; me?: Key };

/** Tells the events of one change in order, with what of them belongs together. */
class Teller {
  readonly lines: Line[] = [];
  readonly #state: TableState;
  readonly #me: number | null;
  /** Whose card the rest follows from. */
  #by: number | null;
  readonly #round: number | undefined;
  /** Who has just drawn for an attack: that the turn is lost with it is part of the same news. */
  #hit: number | null = null;

  constructor(state: TableState, by: number | null, round: number | undefined) {
    this.#state = state;
    this.#me = mySeat(state);
    this.#by = by;
    this.#round = round;
  }

  #card(card: CardName): string {
    return cardName(card, customTitle(card, this.#state.terms?.rules));
  }

  #cards(cards: CardName[]): string {
    return formatList(cards.map((card) => this.#card(card)));
  }

  /** A sentence about one seat, or about one and another. */
  #says(forms: Forms, seat: number, params: Record<string, string | number> = {}, other?: number): string {
    const names = { name: nameOf(this.#state, seat), ...(other === undefined ? {} : { other: nameOf(this.#state, other) }) };
    const form = seat === this.#me ? forms.you : other === this.#me ? forms.me : undefined;
    return t(form ?? forms.plain, { ...names, ...params });
  }

  #say(text: string, tone?: Line['tone'], told?: Told & { announce?: boolean }): void {
    this.lines.push(line(text, tone, told));
  }

  /** Something that happens to a seat: bad if it is the viewer's. */
  #befalls(seat: number, mark: Mark, text: string, told: Told = {}): void {
    const mine = seat === this.#me;
    this.#say(text, mine ? 'bad' : 'plain', { mark, mine, ...told });
  }

  tell(events: readonly EventForm[]): Line[] {
    events.forEach((event, i) => this.#event(event, events.slice(i + 1)));
    return this.lines;
  }

  /** What somebody draws right after something, because of it. */
  #drawn(rest: readonly EventForm[], seat: number, reason: string): string {
    const drew = rest.find((event) => event.type === 'drew' && event.reason === reason && event.seat === seat);
    return tn('cards', drew?.type === 'drew' ? countOf(drew) : 0);
  }

  #event(event: EventForm, rest: readonly EventForm[]): void {
    switch (event.type) {
      case 'drew_for_dealer':
        return this.#say(this.#says({ plain: 'log.drew_for_dealer', you: 'tell.drew_for_dealer' }, event.seat, { card: this.#card(event.card) }), 'plain', { announce: false });
      case 'dealer_chosen':
        return this.#say(this.#says({ plain: 'log.dealer_chosen', you: 'tell.dealer_chosen' }, event.seat));
      case 'dealt':
        this.#by = null;
        if (event.seat === 0) this.#say(this.#round ? t('tell.dealt', { number: this.#round }) : t('log.dealt'), 'round');
        return;
      case 'dealt_again':
      case 'round_blocked':
        return this.#say(t(`log.${event.type}`), 'plain', { mark: 'effect' });
      case 'hands_passed':
        return this.#say(t('log.hands_passed'), 'plain', { mark: 'shuffle', mine: this.#me !== null });
      case 'turned_up':
        return this.#say(t(`log.turned_up.${event.turned}`, { card: this.#card(event.card) }), 'play', { card: event.card });
      case 'played':
        return this.#played(event);
      case 'drew':
        return this.#drew(event);
      case 'color_called':
        return this.#say(this.#says({ plain: 'log.color_called', you: 'tell.color_called' }, event.seat, { color: colorName(event.color) }), 'play', { mark: 'color', color: event.color });
      case 'reshuffled':
        return this.#say(t('log.reshuffled', { cards: tn('cards', event.count) }));
      case 'reversed':
        return this.#say(t(`log.reversed.${event.direction}`), 'plain', { mark: 'reverse' });
      case 'skipped':
        return this.#skipped(event.seat);
      case 'challenged':
        return this.#challenged(event, rest);
      case 'hand_shown':
        return this.#say(this.#says({ plain: 'log.hand_shown', you: 'tell.hand_shown.you', me: 'tell.hand_shown.me' }, event.seat, {}, event.to));
      case 'blocked':
        return this.#say(this.#says({ plain: 'log.blocked', you: 'tell.blocked' }, event.seat, { color: colorName(event.color) }), 'good', { mark: 'block', color: event.color });
      case 'uno_called':
        return this.#say(this.#says({ plain: 'log.uno_called', you: 'tell.uno_called' }, event.seat), 'good', { mark: 'uno' });
      case 'caught': {
        const cards = this.#drawn(rest, event.seat, 'caught');
        const text = event.by === this.#me
          ? t('tell.caught.by', { name: nameOf(this.#state, event.seat), cards })
          : this.#says({ plain: 'tell.caught', you: 'tell.caught.you' }, event.seat, { cards });
        return this.#befalls(event.seat, 'caught', text);
      }
      case 'hands_swapped': {
        const mine = event.seat === this.#me || event.with === this.#me;
        const text = this.#says({ plain: 'log.hands_swapped', you: 'tell.hands_swapped.you', me: 'tell.hands_swapped.me' }, event.seat, {}, event.with);
        return this.#say(text, event.with === this.#me ? 'bad' : 'plain', { mark: 'shuffle', mine });
      }
      case 'hands_shuffled':
        return this.#say(this.#says({ plain: 'log.hands_shuffled', you: 'tell.hands_shuffled' }, event.seat), 'bad', { mark: 'shuffle', mine: this.#me !== null });
      case 'received':
        if ('cards' in event && event.seat === this.#me) this.#say(t('log.received', { cards: this.#cards(event.cards) }));
        return;
      case 'discarded':
        return this.#say(this.#says({ plain: 'log.discarded', you: 'tell.discarded' }, event.seat, { cards: this.#cards(event.cards) }), 'play', { mark: 'effect' });
      case 'must_draw_more':
        return this.#befalls(event.seat, 'effect', this.#says({ plain: 'log.must_draw_more', you: 'tell.must_draw_more' }, event.seat, { count: event.count }));
      case 'banner_raised':
        return this.#befalls(event.seat, 'effect', this.#says({ plain: 'log.banner_raised', you: 'tell.banner_raised' }, event.seat, { text: cardWords(event.text) }));
      case 'performance_began':
      case 'dared':
        return this.#befalls(event.seat, 'effect', this.#says({ plain: `log.${event.type}`, you: `tell.${event.type}` }, event.seat, { prompt: cardWords(event.prompt) }));
      case 'voted':
        return this.#say(this.#says(event.yes ? { plain: 'log.voted.yes', you: 'tell.voted.yes' } : { plain: 'log.voted.no', you: 'tell.voted.no' }, event.seat));
      case 'performance_ended': {
        const forms: Forms = event.success
          ? { plain: 'log.performance_ended.yes', you: 'tell.performance_ended.yes' }
          : { plain: 'log.performance_ended.no', you: 'tell.performance_ended.no' };
        return this.#say(this.#says(forms, event.seat), event.success ? 'good' : 'plain', { mark: 'effect' });
      }
      case 'dare_answered': {
        const forms: Forms = event.accept
          ? { plain: 'log.dare_answered.yes', you: 'tell.dare_answered.yes' }
          : { plain: 'log.dare_answered.no', you: 'tell.dare_answered.no' };
        return this.#say(this.#says(forms, event.seat), 'plain', { mark: 'effect' });
      }
      case 'turn_came':
        if (event.seat === this.#me) this.#say(t('log.turn_came'), 'good');
        return;
      case 'went_out':
        return this.#say(this.#says({ plain: 'log.went_out', you: 'tell.went_out' }, event.seat), 'round', { mark: 'out' });
      case 'round_scored':
        return this.#say(event.winner === null ? t('log.round_drawn') : this.#says({ plain: 'log.round_won', you: 'tell.round_won' }, event.winner), 'round');
      case 'match_won':
        return this.#say(matchWon(event.winners, this.#state), 'round');
      case 'penalized':
        return this.#befalls(event.seat, 'vote', this.#says({ plain: 'log.penalized', you: 'tell.penalized' }, event.seat));
      case 'kept':
        return this.#say(this.#says({ plain: 'log.kept', you: 'tell.kept' }, event.seat));
      case 'extra_turn':
      case 'faced_up':
        return this.#befalls(event.seat, 'effect', this.#says({ plain: `log.${event.type}`, you: `tell.${event.type}` }, event.seat));
      default:
        event satisfies never;
    }
  }

  #played(event: Extract<EventForm, { type: 'played' }>): void {
    this.#by = event.seat;
    const params = { card: this.#card(event.card), color: event.color ? colorName(event.color) : '' };
    const forms: Forms = event.color
      ? { plain: 'log.played.color', you: 'tell.played.color' }
      : event.jumped_in
        ? { plain: 'log.played.jumped', you: 'tell.played.jumped' }
        : { plain: 'log.played', you: 'tell.played' };
    const told: Told = event.color ? { mark: 'color', color: event.color } : event.card.startsWith('WC') ? { mark: 'effect' } : {};
    this.#say(this.#says(forms, event.seat, params), 'play', { ...told, card: event.card });
    if (!event.discarded?.length) return;
    const along = this.#says({ plain: 'tell.along', you: 'tell.along.you' }, event.seat, { cards: this.#cards(event.discarded) });
    this.#say(along, 'play', { mark: 'effect' });
  }

  #drew(event: Extract<EventForm, { type: 'drew' }>): void {
    const cards = tn('cards', countOf(event));
    if (['attack', 'challenge', 'start'].includes(event.reason)) this.#hit = event.seat;
    switch (event.reason) {
      case 'turn': {
        if ('cards' in event && event.seat === this.#me) return this.#say(t('log.drew.own', { cards: this.#cards(event.cards) }));
        return this.#say(this.#says({ plain: 'tell.drew', you: 'tell.drew.you' }, event.seat, { cards }));
      }
      // Told by what they were drawn for.
      case 'challenge':
      case 'caught':
        return;
      case 'start':
        return this.#befalls(event.seat, 'attack', this.#says({ plain: 'tell.drew.start', you: 'tell.drew.start.you' }, event.seat, { cards }));
      case 'attack':
        if (this.#by !== null && this.#by !== event.seat) {
          return this.#befalls(event.seat, 'attack', this.#says({ plain: 'tell.hits', you: 'tell.hits.you', me: 'tell.hits.me' }, this.#by, { cards }, event.seat));
        }
        return this.#befalls(event.seat, 'attack', this.#says({ plain: 'log.drew.attack', you: 'tell.drew.you' }, event.seat, { cards }));
      case 'suggestion':
      case 'effect':
        return this.#befalls(event.seat, 'attack', this.#says({ plain: 'tell.drew', you: 'tell.drew.you' }, event.seat, { cards }));
    }
  }

  #skipped(seat: number): void {
    const by = this.#by;
    if (this.#hit === seat) return this.#say(this.#says({ plain: 'log.skipped', you: 'tell.skipped' }, seat));
    const text = by === null || by === seat
      ? this.#says({ plain: 'log.skipped', you: 'tell.skipped' }, seat)
      : this.#says({ plain: 'tell.skips', you: 'tell.skips.you', me: 'tell.skips.me' }, by, {}, seat);
    this.#befalls(seat, 'skip', text);
  }

  #challenged(event: Extract<EventForm, { type: 'challenged' }>, rest: readonly EventForm[]): void {
    const { seat, challenged, guilty } = event;
    const mine = seat === this.#me || challenged === this.#me;
    this.#say(this.#says({ plain: 'tell.challenge', you: 'tell.challenge.you', me: 'tell.challenge.me' }, seat, {}, challenged), 'plain', { mark: 'challenge', mine });
    const payer = guilty ? challenged : seat;
    const forms: Forms = guilty ? { plain: 'tell.bluff', you: 'tell.bluff.you' } : { plain: 'tell.honest', you: 'tell.honest.you' };
    const text = this.#says(forms, payer, { cards: this.#drawn(rest, payer, 'challenge') });
    this.#say(text, payer === this.#me ? 'bad' : mine ? 'good' : 'plain', { mark: guilty ? 'bluff' : 'honest', mine });
  }
}

/** The match has been won, in words. */
export function matchWon(winners: number[], state: TableState): string {
  if (winners.length === 1 && winners[0] === mySeat(state)) return t('score.match_won.you');
  return t(winners.length === 1 ? 'win.match.one' : 'win.match.many', { names: formatList(winners.map((seat) => nameOf(state, seat))) });
}

/** Events of the game in words, for one viewer. `by` is whose card lay on top before them, if it was played. */
export function tellEvents(events: readonly EventForm[], state: TableState, by: number | null = null, round = state.game?.round): Line[] {
  return new Teller(state, by, round).tell(events);
}

/** Whose card lies on top after some events, if it was played. */
export function lastPlayer(events: readonly EventForm[], before: number | null): number | null {
  return events.reduce((by, event) => (event.type === 'played' ? event.seat : event.type === 'dealt' ? null : by), before);
}

/** A change in words. */
export function tellChange({ what, events }: { what: Happened; events: readonly EventForm[] }, state: TableState, by: number | null): Line[] {
  const about = tellHappened(what, state);
  const round = what.type === 'dealt' ? what.round : state.game?.round;
  return [...(about ? [about] : []), ...tellEvents(events, state, by, round)];
}

/** Somebody's name, as far as anybody still knows it. */
export function personName(state: TableState, person: number): string {
  const name = state.lobby?.people.find((other) => other.person === person)?.name;
  return name ? isolate(name) : t('tell.somebody');
}

/** Who says something: the viewer is “you”. */
const speaker = (state: TableState, person: number) => (person === state.you ? t('common.you') : personName(state, person));

/** What happened at the table outside the game, in words. */
export function tellHappened(what: Happened, state: TableState): Line | null {
  const me = mySeat(state);
  switch (what.type) {
    case 'joined':
      // Nobody has to be told that they came.
      return what.person === state.you ? null : line(t('log.joined', { name: isolate(what.name) }), 'plain', { mark: 'people' });
    case 'left':
    case 'kicked':
      return line(t(`log.${what.type}`, { name: isolate(what.name) }), 'plain', { mark: 'people' });
    case 'chair_lost':
      return line(t('log.chair_lost', { name: personName(state, what.person) }));
    case 'sat':
      return what.person === state.you || state.lobby?.stage === 'lobby' ? null : line(t('people.log.sat', { name: personName(state, what.person) }));
    case 'seat_claimed': {
      if (what.person === state.you) return line(what.seat === undefined ? t('people.waiting') : t('people.claimed', { name: nameOf(state, what.seat) }));
      const name = personName(state, what.person);
      return line(what.seat === undefined ? t('people.log.waiting', { name }) : t('people.log.claimed', { name, other: nameOf(state, what.seat) }));
    }
    case 'host_passed': {
      const key = state.lobby?.acting ? 'log.host_stands_in' : 'log.host_passed';
      return line(what.person === state.you ? t(`${key}.you`) : t(key, { name: personName(state, what.person) }));
    }
    case 'unkicked':
      return line(t('log.unkicked'));
    case 'locked':
      return line(t(what.locked ? 'log.locked' : 'log.unlocked'));
    case 'code_renewed':
      return line(t('log.code_renewed', { code: what.code }));
    case 'pace_changed':
      return null;
    case 'settings_changed':
      return line(t('log.settings_changed'));
    case 'stood_in':
      return what.seat === me
        ? line(t('play.autopilot'))
        : line(t(`play.away.${what.why}`, { name: nameOf(state, what.seat) }), 'plain', { mark: 'people' });
    case 'withheld':
      return line(t('fair.withheld', { names: formatList(what.seats.map((seat) => nameOf(state, seat))) }), 'bad');
    case 'came_back':
      return what.seat === me
        ? line(t('tell.came_back'))
        : line(t('log.came_back', { name: nameOf(state, what.seat) }), 'plain', { mark: 'people' });
    case 'round_lost':
      return line(t('log.round_lost'), 'bad', { mark: 'effect' });
    case 'chatted':
      return line(t('log.said', { name: speaker(state, what.person), text: isolate(what.text) }));
    case 'reacted':
      return line(t('log.said', { name: speaker(state, what.person), text: t(`react.${what.reaction}`) }));
    case 'bot_reacted':
      return line(t('log.said', { name: nameOf(state, what.seat), text: t(`react.${what.reaction}`) }), 'plain', { announce: false });
    case 'accused':
      return tellAccused(what, state, me);
    case 'accusation_ended':
      return tellVerdict(what, state, me);
    default:
      return null;
  }
}

function tellAccused(what: Extract<Happened, { type: 'accused' }>, state: TableState, me: number | null): Line {
  const params = { name: personName(state, what.person), other: nameOf(state, what.seat) };
  const key: Key = what.seat === me ? 'tell.accused.me' : what.person === state.you ? 'tell.accused.you' : 'log.accused';
  return line(t(key, params), 'bad', { mark: 'vote', mine: what.seat === me });
}

function tellVerdict(what: Extract<Happened, { type: 'accusation_ended' }>, state: TableState, me: number | null): Line {
  const verdict = what.upheld ? 'upheld' : 'dismissed';
  const text = what.seat === me ? t(`tell.accusation.${verdict}`) : t(`log.accusation.${verdict}`, { name: nameOf(state, what.seat) });
  return line(text, what.upheld ? 'bad' : 'plain', { mark: 'vote', mine: what.seat === me });
}

/** What is still voted on, for those who have no vote. */
export function votingText(state: TableState): string {
  const accused = state.lobby?.accusation?.seat;
  if (accused == null) return '';
  return accused === mySeat(state) ? t('tell.voting.you') : t('tell.voting', { name: nameOf(state, accused) });
}
