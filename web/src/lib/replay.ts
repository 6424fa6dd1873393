import type { CardName, EventForm, FairDeal, LobbyView, RulesSpec, ViewForm } from '../protocol';
import { UNKNOWN, type TableState } from './table';

/** One move of a finished game. */
export type Step = { round: number; number: number; events: EventForm[]; view: ViewForm };
/** A finished game, as one seat saw it or with all cards open. */
export type Replay = { names: string[]; rules: RulesSpec; steps: Step[]; deals: FairDeal[] };

type Loose = Record<string, unknown>;

/** A state with nothing hidden as seen from a seat, everybody else's cards open. */
export function openView(state: Loose, seat: number): ViewForm {
  const hands = (state['hands'] ?? []) as CardName[][];
  const { hands: _hands, draw_pile: pile, ...rest } = state;
  void _hands;
  const shown = Object.fromEntries(hands.map((hand, other) => [other, hand]).filter(([other]) => other !== seat));
  return {
    ...(rest as unknown as ViewForm),
    hand_sizes: hands.map((hand) => hand.length),
    hand: hands[seat] ?? [],
    shown: shown as ViewForm['shown'],
    draw_count: Array.isArray(pile) ? pile.length : 0,
  };
}

/** Puts together what the server says about a finished game. */
export function readReplay(record: unknown, replay: unknown): Replay {
  const facts = (record ?? {}) as Loose;
  const steps = (((replay ?? {}) as Loose)['steps'] ?? []) as Loose[];
  const players = Number(facts['players'] ?? 0);
  const names = Array.isArray(facts['names']) ? (facts['names'] as (string | null)[]) : [];
  const deals = (facts['deals'] ?? []) as FairDeal[];
  return {
    names: Array.from({ length: players }, (_, seat) => names[seat] ?? `#${seat + 1}`),
    rules: (facts['rules'] ?? { edition: 'original' }) as RulesSpec,
    deals: Array.isArray(deals) ? deals : [],
    steps: steps.map((step) => ({
      round: Number(step['round'] ?? 1),
      number: Number(step['number'] ?? 0),
      events: (step['events'] ?? []) as EventForm[],
      view: step['view'] ? (step['view'] as ViewForm) : openView((step['state'] ?? {}) as Loose, 0),
    })),
  };
}

/** A step as a table, so that it can be shown and told like a game that is going on. */
export function asTable(replay: Replay, step: Step, seat: number | null): TableState {
  const lobby: LobbyView = {
    stage: 'playing',
    settings: {
      title: '', rules: replay.rules, seats: replay.names.length, public: false, spectators: true, chat: false, clock: null,
      pace: 'relaxed',
    },
    agreement: 1,
    host: null,
    chairs: replay.names.map((name) => ({ name, person: null, bot: null, accepted: true, ready: true })),
    people: seat === null ? [] : [{ person: 0, name: replay.names[seat] ?? '', seat, connected: true, muted: false }],
    commitment: '',
    may: [],
  };
  return {
    ...UNKNOWN,
    you: 0,
    lobby,
    game: { round: step.round, at: step.number, view: step.view, legal: [], fair: { commitment: '' } },
  };
}

/** The hands as they were dealt in a round, by seat; `null` where they are not open. */
export function dealtHands(replay: Replay, round: number): (CardName[] | null)[] {
  const hands: (CardName[] | null)[] = replay.names.map(() => null);
  for (const step of replay.steps.filter((one) => one.round === round)) {
    for (const event of step.events) {
      if (event.type === 'dealt') hands[event.seat] = 'cards' in event ? event.cards : null;
    }
  }
  return hands;
}
