import type {
  ChatLine, EventForm, GameView, Happened, LobbyView, OwnView, RequestKind, ServerMsg, Terms,
} from '../../protocol';
import { isolate } from '../text/isolate';

/** What the page knows of a table. */
export type TableState = {
  you: number | null;
  terms: Terms | null;
  lobby: LobbyView | null;
  /** What concerns the viewer alone: what they may do, whom they mute, whom they keep out. */
  own: OwnView;
  game: GameView | null;
  /** Whether the game is older than what has happened: of several updates sent at once only the last one brings it. */
  behind: boolean;
  chat: ChatLine[];
  /** When the game's clock was told, by the page's own clock. */
  clockAt: number;
};

/** One change, as it is shown to people: what happened, and the game afterwards. */
export type Change = {
  seq: number;
  what: Happened;
  events: EventForm[];
  state: TableState;
};

/** The most lines of chat that are kept. */
const CHAT_KEPT = 200;

/** Nothing known yet. */
const NOTHING: OwnView = { may: [], muted: [], kicked: [] };
export const UNKNOWN: TableState = {
  you: null, terms: null, lobby: null, own: NOTHING, game: null, behind: false, chat: [], clockAt: 0,
};

/** The state after a message. */
export function apply(state: TableState, msg: ServerMsg, now = 0): TableState {
  switch (msg.type) {
    case 'welcome':
      return { ...state, you: msg.you };
    case 'snapshot':
      return {
        ...state,
        terms: msg.terms,
        lobby: msg.lobby,
        own: msg.own,
        game: msg.game ?? null,
        behind: false,
        chat: msg.chat,
        clockAt: now,
      };
    case 'presence':
      return state.lobby
        ? { ...state, lobby: { ...state.lobby, people: msg.people }, own: msg.own ?? state.own }
        : state;
    case 'update': {
      const lobby = msg.lobby ?? state.lobby;
      const chat =
        msg.what.type === 'chatted'
          ? [...state.chat, said(lobby, msg.seq, msg.what)].slice(-CHAT_KEPT)
          : state.chat;
      const game = lobby?.stage === 'lobby' ? null : (msg.game ?? state.game);
      const behind = !msg.game && game !== null && (state.behind || (msg.events ?? []).length > 0);
      const [terms, own] = [msg.terms ?? state.terms, msg.own ?? state.own];
      return { ...state, terms, lobby, own, chat, game, behind, clockAt: msg.game ? now : state.clockAt };
    }
    default:
      return state;
  }
}

/** What somebody said as a line of the chat. */
function said(lobby: LobbyView | null, seq: number, what: { person: number; text: string }): ChatLine {
  const name = lobby?.people.find((other) => other.person === what.person)?.name ?? '';
  return { seq, person: what.person, name, text: what.text };
}

/** Whether the player to move has the same decision in both: the same turn, hand and card to match. */
export function isSameTurn(one: GameView, other: GameView): boolean {
  const matters = ({ round, view }: GameView) =>
    JSON.stringify([round, view.phase, view.top, view.color, view.hand, view.direction, view.discard_pile.length]);
  return one.at !== other.at && matters(one) === matters(other);
}

/** The chair of the viewer, if they sit. */
export function mySeat(state: TableState): number | null {
  const me = state.lobby?.people.find((person) => person.person === state.you);
  return me?.seat ?? null;
}

/** Whether the viewer decides about the table. */
export function isHost(state: TableState): boolean {
  return state.lobby !== null && state.lobby.host === state.you;
}

/** Whether the server would take such a request now. */
export function may(state: TableState, request: RequestKind): boolean {
  return state.own.may.includes(request);
}

/** The name on a chair. */
export function nameOf(state: TableState, seat: number): string {
  return isolate(state.lobby?.chairs[seat]?.name ?? `#${seat + 1}`);
}

/** The other seats in the order in which they sit to the left of the viewer, so that the next to the left comes first. */
export function othersInOrder(players: number, me: number | null): number[] {
  const first = me ?? players - 1;
  const others = Array.from({ length: players }, (_, i) => (first + 1 + i) % players);
  return me === null ? others : others.slice(0, -1);
}
