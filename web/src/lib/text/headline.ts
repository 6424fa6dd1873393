import type { Choice } from '../../protocol';
import { choiceOf, isMyTurn } from '../table/choices';
import { mySeat, nameOf, othersInOrder, type TableState } from '../table/table';
import { t, tn } from './i18n/index.svelte';
import { cardWords } from './rulebook.svelte';
import { sentence } from './sentence';
import { cardName, customTitle } from './words';

/** What is asked of the viewer, or what others are doing. */
export type Headline = { title: string; line: string };

/** The headline of the moment; `picked` cards are about to be discarded. */
export function headline(state: TableState, legal: Choice[], picked: number): Headline {
  const [game, me] = [state.game!, mySeat(state)];
  if (state.lobby?.paused) return { title: t('play.paused'), line: '' };
  if (me === null) return { title: t('play.watching'), line: turnLine(state) };
  // This cannot wait for a turn.
  if (choiceOf(legal, 'call_uno')) return { title: t('play.uno.late'), line: isMyTurn(game, me) ? t('play.your_turn') : turnLine(state) };
  if (!isMyTurn(game, me)) return { title: turnLine(state), line: '' };
  const { phase, top } = game.view;
  const name = 'seat' in phase ? nameOf(state, phase.seat) : '';
  switch (phase.type) {
    case 'turn':
      return { title: t('play.your_turn'), line: t(legal.some((choice) => choice.uno) ? 'help.uno.now' : 'play.you_play') };
    case 'drawn':
      return { title: t('play.your_turn'), line: t('play.you_drawn') };
    case 'call_color':
      return { title: t('play.your_turn'), line: t('play.you_color') };
    case 'discard':
      return { title: t('play.your_turn'), line: t('play.choose_discard', { done: picked, count: phase.count }) };
    case 'respond':
      return { title: attackText(nameOf(state, phase.by), top, phase.cards ?? 0), line: stakeText(nameOf(state, phase.by), legal) };
    case 'vote':
      return { title: t('play.vote', { name, prompt: cardWords(phase.prompt) }), line: '' };
    case 'dare':
      return { title: t('play.dare', { prompt: cardWords(phase.prompt) }), line: '' };
    default:
      return { title: '', line: '' };
  }
}

function attackText(name: string, top: string, count: number): string {
  return top === 'W+4' ? t('play.you_respond_four', { name }) : t('play.you_respond_two', { name, count });
}

/** What a challenge can win and cost, if there is one. */
function stakeText(name: string, legal: Choice[]): string {
  const challenge = choiceOf(legal, 'challenge');
  return challenge ? t('play.stake.challenge', { name, own: challenge.wins ?? 0, more: challenge.draws ?? 0 }) : '';
}

/** What somebody else is doing. */
function turnLine(state: TableState): string {
  const { phase } = state.game!.view;
  const name = 'seat' in phase ? nameOf(state, phase.seat) : '';
  switch (phase.type) {
    case 'turn':
    case 'drawn':
      return t('play.turn_of', { name });
    case 'call_color':
      return t('play.waiting_color', { name });
    case 'respond':
      return t('play.waiting_respond', { name });
    case 'discard':
      return t('play.waiting_discard', { name });
    case 'vote':
      return phase.seat === mySeat(state) ? t('play.vote.you', { prompt: cardWords(phase.prompt) }) : t('play.waiting_vote');
    case 'dare':
      return t('play.waiting_dare', { name });
    default:
      return '';
  }
}

/** How things stand, for those who cannot see it at a glance. */
export function statusText(state: TableState): string {
  const [{ view }, me] = [state.game!, mySeat(state)];
  const { phase } = view;
  const other = 'seat' in phase ? t('status.turn.other', { name: nameOf(state, phase.seat) }) : '';
  const turn = isMyTurn(state.game, me) ? t('status.turn.you') : other;
  const top = sentence(t('status.top', { card: cardName(view.top, customTitle(view.top, state.terms?.rules)) }));
  const color = view.color ? `${t('play.color', { color: t(`color.${view.color}`) })}.` : '';
  const hands = othersInOrder(view.players, me).map((seat) =>
    t('status.hands', { name: nameOf(state, seat), cards: tn('cards', view.hand_sizes[seat] ?? 0) }),
  );
  return [turn, top, color, ...hands].join(' ');
}
