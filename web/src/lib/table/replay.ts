import type { CardName, FairDeal, LobbyView, Position, Replay, ReplayStep, ViewForm } from '../../protocol';
import { UNKNOWN, type TableState } from './table';

/** A state with nothing hidden as seen from a seat, everybody else's cards open. */
export function openView({ hands, draw_pile, ...rest }: Position, seat: number): ViewForm {
  const shown = Object.fromEntries([...hands.entries()].filter(([other]) => other !== seat));
  return {
    // The server leaves nothing out of a state that has been played.
    ...(rest as ViewForm),
    hand_sizes: hands.map((hand) => hand.length),
    hand: hands[seat] ?? [],
    shown,
    draw_count: draw_pile.length,
  };
}

/** What is seen after a step: by the seat that was chosen, or with all cards open. */
export function viewAfter(step: ReplayStep): ViewForm {
  return step.view ?? openView(step.state!, 0);
}

/** A replay as far as it has been loaded: steps and deals are missing where nobody has looked yet. */
export type Loaded = Omit<Replay, 'from' | 'steps' | 'deals'> & {
  steps: (ReplayStep | undefined)[];
  deals: (FairDeal | undefined)[];
};

/** How many steps are loaded before and after the one that is looked at, at least. */
const BEFORE = 20;
const AHEAD = 40;

/** A replay with the steps of one more page. */
export function withPage(before: Loaded | null, { from, steps, deals, ...head }: Replay): Loaded {
  const loaded = { ...head, steps: [...(before?.steps ?? [])], deals: [...(before?.deals ?? [])] };
  steps.forEach((step, i) => (loaded.steps[from + i] = step));
  const first = (steps[0]?.round ?? 1) - 1;
  deals.forEach((deal, i) => (loaded.deals[first + i] = deal));
  return loaded;
}

/** From which step on to load, to look at some steps; `null` if all of them and what comes next are there. */
export function missing(loaded: Loaded | null, looked: number[]): number | null {
  for (const at of looked) {
    if (!loaded?.steps[at]) return Math.max(0, at - BEFORE);
    for (let next = at; next < Math.min(at + AHEAD, loaded.total); next += 1) {
      if (!loaded.steps[next]) return next;
    }
  }
  return null;
}

/** The names around the table. */
export function namesOf(replay: Loaded): string[] {
  return replay.names.map((name, seat) => name ?? `#${seat + 1}`);
}

/** A step as a table, so that it can be shown and told like a game that is going on. */
export function asTable(replay: Loaded, step: ReplayStep, seat: number | null): TableState {
  const names = namesOf(replay);
  const lobby: LobbyView = {
    stage: 'playing',
    code: '',
    host: null,
    acting: false,
    locked: false,
    paused: false,
    chairs: names.map((name) => ({ name, person: null, bot: null, accepted: true, ready: true })),
    people: seat === null ? [] : [{ person: 0, name: names[seat] ?? '', seat, connected: true }],
    fair: { next: '', attempt: 1 },
  };
  return { ...UNKNOWN, you: 0, lobby, game: { round: step.round, at: step.number, view: viewAfter(step), legal: [] } };
}

/** The hands as they were dealt in a round, by seat; `null` where they are not open, or not loaded. */
export function dealtHands(replay: Loaded, round: number): (CardName[] | null)[] {
  const hands: (CardName[] | null)[] = replay.names.map(() => null);
  const deal = replay.steps[replay.rounds[round - 1] ?? 0];
  for (const event of deal?.events ?? []) {
    if (event.type === 'dealt') hands[event.seat] = 'cards' in event ? event.cards : null;
  }
  return hands;
}
