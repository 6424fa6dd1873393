import type { EventForm, Happened } from '../../protocol';
import { t, tn, formatList } from './i18n/index.svelte';
import type { Key } from './i18n/en';
import { cardWords } from './rulebook.svelte';
import { cardName, cardNames, colorName } from './words';
import { mySeat, nameOf, personName, type TableState } from '../table/table';

/** A line of the log. What is not news to a screen reader is not announced. */
export type Line = { text: string; tone: 'plain' | 'play' | 'bad' | 'good' | 'round'; announce: boolean };

const line = (text: string, tone: Line['tone'] = 'plain', announce = true): Line => ({ text, tone, announce });

const cardsOf = (event: { cards: string[] } | { count: number }) => ('cards' in event ? event.cards : null);
const countOf = (event: { cards: string[] } | { count: number }) => ('cards' in event ? event.cards.length : event.count);

/** An event of the game in words, for one viewer; `null` where there is nothing to say. */
export function tellEvent(event: EventForm, state: TableState): Line | null {
  const name = (seat: number) => nameOf(state, seat);
  const me = mySeat(state);
  switch (event.type) {
    case 'drew_for_dealer':
      return line(t('log.drew_for_dealer', { name: name(event.seat), card: cardName(event.card) }), 'plain', false);
    case 'dealer_chosen':
      return line(t('log.dealer_chosen', { name: name(event.seat) }));
    case 'dealt':
      return event.seat === 0 ? line(t('log.dealt'), 'round') : null;
    case 'dealt_again':
    case 'hands_passed':
    case 'round_blocked':
      return line(t(`log.${event.type}`));
    case 'turned_up':
      return line(t(`log.turned_up.${event.turned}`, { card: cardName(event.card) }), 'play');
    case 'played':
      return tellPlay(event, state);
    case 'drew': {
      const cards = cardsOf(event);
      const own = cards && event.seat === me && event.reason === 'turn';
      if (own) return line(t('log.drew.own', { cards: cardNames(cards) }));
      const tone = event.reason === 'turn' ? 'plain' : 'bad';
      return line(t(`log.drew.${event.reason}`, { name: name(event.seat), cards: tn('cards', countOf(event)) }), tone);
    }
    case 'color_called':
      return line(t('log.color_called', { name: name(event.seat), color: colorName(event.color) }), 'play');
    case 'reshuffled':
      return line(t('log.reshuffled', { cards: tn('cards', event.count) }));
    case 'reversed':
      return line(t(`log.reversed.${event.direction}`));
    case 'challenged': {
      const key: Key = event.guilty ? 'log.challenged.guilty' : 'log.challenged.honest';
      return line(t(key, { name: name(event.seat), other: name(event.challenged) }), 'bad');
    }
    case 'hand_shown':
      return line(t('log.hand_shown', { name: name(event.seat), other: name(event.to) }));
    case 'blocked':
      return line(t('log.blocked', { name: name(event.seat), color: colorName(event.color) }), 'good');
    case 'uno_called':
      return line(t('log.uno_called', { name: name(event.seat) }), 'good');
    case 'caught':
      return line(t('log.caught', { name: name(event.seat), other: name(event.by) }), 'bad');
    case 'hands_swapped':
      return line(t('log.hands_swapped', { name: name(event.seat), other: name(event.with) }), 'bad');
    case 'received': {
      const cards = cardsOf(event);
      return cards && event.seat === me ? line(t('log.received', { cards: cardNames(cards) })) : null;
    }
    case 'discarded':
      return line(t('log.discarded', { name: name(event.seat), cards: cardNames(event.cards) }), 'play');
    case 'must_draw_more':
      return line(t('log.must_draw_more', { name: name(event.seat), count: event.count }));
    case 'banner_raised':
      return line(t('log.banner_raised', { name: name(event.seat), text: cardWords(event.text) }));
    case 'performance_began':
    case 'dared':
      return line(t(`log.${event.type}`, { name: name(event.seat), prompt: cardWords(event.prompt) }));
    case 'voted':
      return line(t(event.yes ? 'log.voted.yes' : 'log.voted.no', { name: name(event.seat) }));
    case 'performance_ended': {
      const key: Key = event.success ? 'log.performance_ended.yes' : 'log.performance_ended.no';
      return line(t(key, { name: name(event.seat) }));
    }
    case 'dare_answered':
      return line(t(event.accept ? 'log.dare_answered.yes' : 'log.dare_answered.no', { name: name(event.seat) }));
    case 'turn_came':
      return event.seat === me ? line(t('log.turn_came'), 'good') : null;
    case 'round_scored':
      return event.winner === null
        ? line(t('log.round_drawn'), 'round')
        : line(t('log.round_won', { name: name(event.winner) }), 'round');
    case 'match_won':
      return line(t('log.match_won', { names: formatList(event.winners.map(name)) }), 'round');
    case 'hands_shuffled':
    case 'penalized':
      return line(t(`log.${event.type}`, { name: name(event.seat) }), 'bad');
    case 'kept':
    case 'skipped':
    case 'extra_turn':
    case 'faced_up':
    case 'went_out':
      return line(t(`log.${event.type}`, { name: name(event.seat) }));
  }
}

function tellPlay(event: Extract<EventForm, { type: 'played' }>, state: TableState): Line {
  const params = { name: nameOf(state, event.seat), card: cardName(event.card) };
  const key: Key = event.color ? 'log.played.color' : event.jumped_in ? 'log.played.jumped' : 'log.played';
  const played = t(key, { ...params, color: event.color ? colorName(event.color) : '' });
  const along = event.discarded?.length
    ? ` ${t('log.discarded_along', { name: params.name, cards: cardNames(event.discarded) })}`
    : '';
  return line(played + along, 'play');
}

/** What happened at the table besides the game, in words. */
export function tellHappened(what: Happened, state: TableState): Line | null {
  switch (what.type) {
    case 'joined':
    case 'left':
    case 'kicked':
    case 'chair_lost':
      return line(t(`log.${what.type}`, { name: personName(state, what.person) }));
    case 'sat':
      return state.lobby?.stage === 'lobby' ? null : line(t('people.log.sat', { name: personName(state, what.person) }));
    case 'seat_claimed': {
      const name = personName(state, what.person);
      return line(what.seat === undefined ? t('people.log.waiting', { name }) : t('people.log.claimed', { name, other: nameOf(state, what.seat) }));
    }
    case 'host_passed': {
      const key: Key = state.lobby?.acting ? 'log.host_stands_in' : 'log.host_passed';
      return line(t(key, { name: personName(state, what.person) }));
    }
    case 'unkicked':
      return line(t('log.unkicked'));
    case 'locked':
      return line(t(what.locked ? 'log.locked' : 'log.unlocked'));
    case 'code_renewed':
      return line(t('log.code_renewed', { code: what.code }));
    case 'settings_changed':
      return line(t('log.settings_changed'));
    case 'stood_in':
      return line(t(`play.away.${what.why}`, { name: nameOf(state, what.seat) }));
    case 'withheld':
      return line(t('fair.withheld', { names: formatList(what.seats.map((seat) => nameOf(state, seat))) }), 'bad');
    case 'came_back':
      return line(t('log.came_back', { name: nameOf(state, what.seat) }));
    case 'round_lost':
      return line(t('log.round_lost'), 'bad');
    case 'chatted':
      return line(t('log.said', { name: personName(state, what.person), text: what.text }), 'plain');
    case 'reacted':
      return line(t('log.said', { name: personName(state, what.person), text: t(`react.${what.reaction}`) }));
    case 'accused':
      return line(t('log.accused', { name: personName(state, what.person), other: nameOf(state, what.seat) }), 'bad');
    case 'accusation_ended': {
      const key: Key = what.upheld ? 'log.accusation.upheld' : 'log.accusation.dismissed';
      return line(t(key, { name: nameOf(state, what.seat) }), 'bad');
    }
    default:
      return null;
  }
}
