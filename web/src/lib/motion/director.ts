import { tick } from 'svelte';
import type { CardName, ColorName, EventForm } from '../../protocol';
import { keyed } from './fan';
import { cardIn, calm, fly, whereIs, type Flight, type Rect } from './flights.svelte';
import { mySeat, type Change } from '../table/table';
import type { Line } from '../text/story';
import type { Sound } from '../../sound/sound';
import { show } from './effects.svelte';
import { feel } from './haptics';
import { tryCase } from './verdict.svelte';

type Plan = Omit<Flight, 'id' | 'landed'>;

/** What the director may do with the stage. */
export type Stagehands = {
  /** Hides cards of the viewer's hand, by key, while they are in the air. */
  hide: (keys: string[]) => void;
  /** A word over a seat, for a moment. */
  shout: (seat: number, text: string) => void;
  sound: (name: Sound) => void;
  /** Says sentences in the middle of the table. */
  say: (lines: Line[]) => void;
  unoText: () => string;
};

const FLIGHT = 330;

/** The place of a seat: the viewer's is the hand. */
function seatRect(seat: number, me: number | null): Rect | null {
  if (seat !== me) {
    const box = whereIs(`seat:${seat}`);
    return box ? cardIn({ ...box, height: Math.min(box.height, 60) }, 34) : null;
  }
  const hand = whereIs('hand');
  return hand ? cardIn({ ...hand, height: Math.min(hand.height, 110) }, 60) : null;
}

function plan(name: CardName | null, from: Rect | null, to: Rect | null, delay = 0, flip = false): Plan[] {
  return from && to ? [{ name, from, to, delay, duration: FLIGHT, flip }] : [];
}

/** Shows a change with flying cards: first what goes to the pile, then the new state, then what comes to the hands. */
export async function perform(change: Change, told: Line[], before: CardName[], commit: () => void, stage: Stagehands): Promise<void> {
  const me = mySeat(change.state);
  const events = change.events;
  if (events.some((event) => event.type === 'challenged')) await judge(events, me, told, stage);
  else stage.say(told);
  for (const event of events) if (isCall(event)) accompany(event, me, stage);
  const out = events.flatMap((event) => leaving(event, me, before));
  stage.hide(out.flatMap(({ key }) => (key ? [key] : [])));
  if (out.length > 0) {
    stage.sound('card');
    await fly(out.flatMap((one) => one.flights));
  }
  for (const event of events) if (!isCall(event)) accompany(event, me, stage);
  await celebrate(events, me, stage);
  const after = change.state.game?.view.hand ?? [];
  const old = new Set(keyed(before).map(({ key }) => key));
  const whole = events.some((event) => event.type === 'received' || event.type === 'dealt');
  const fresh = keyed(after).filter(({ key }) => whole || !old.has(key));
  const comes = events.some((event) => ['drew', 'dealt', 'received'].includes(event.type));
  stage.hide(comes && !calm() ? fresh.map(({ key }) => key) : []);
  commit();
  if (!comes) return;
  await tick();
  stage.sound(whole ? 'deal' : 'draw');
  await fly(arriving(events, me, fresh));
  stage.hide([]);
}

/** Whether something is said rather than done with a card: it comes before the card has landed. */
const isCall = (event: EventForm) => event.type === 'uno_called' || event.type === 'caught' || event.type === 'penalized' || event.type === 'blocked';

/** The motion, the sound and the shaking that go with an event. */
function accompany(event: EventForm, me: number | null, stage: Stagehands): void {
  const at = (seat: number) => (calm() ? null : seatRect(seat, me));
  const pile = () => (calm() ? null : whereIs('discard'));
  switch (event.type) {
    case 'uno_called':
      stage.shout(event.seat, stage.unoText());
      stage.sound('uno');
      void show('uno', at(event.seat), { text: stage.unoText() });
      return;
    case 'caught':
    case 'penalized':
      stage.sound('caught');
      void show('caught', at(event.seat));
      if (event.seat === me) feel('caught');
      return;
    case 'blocked':
      stage.sound('block');
      void show('block', at(event.seat), { color: event.color });
      return;
    case 'played':
      return playedOut(event.card, event.color ?? null, pile(), stage);
    case 'color_called':
      return changeColor(event.color, pile(), stage);
    case 'skipped':
      stage.sound('skip');
      void show('skip', at(event.seat));
      if (event.seat === me) feel('skip');
      return;
    case 'reversed':
      stage.sound('reverse');
      void show('reverse', pile(), { left: event.direction === 'left' });
      return;
    case 'drew': {
      const count = 'cards' in event ? event.cards.length : event.count;
      if (event.reason === 'turn') return;
      const weight = count >= 4 ? 'heavy' : 'hit';
      stage.sound(weight);
      void show(weight, at(event.seat), { text: `+${count}` });
      if (event.seat === me) feel(weight);
      return;
    }
    case 'hands_swapped':
    case 'hands_passed':
    case 'hands_shuffled':
      stage.sound('shuffle');
      void show('shuffle', pile());
      if (me !== null) feel('hit');
      return;
    case 'reshuffled':
      return stage.sound('shuffle');
    case 'turn_came':
      if (event.seat === me) feel('turn');
  }
}

/** What a card brings along as soon as it lies on the pile. */
function playedOut(card: CardName, color: ColorName | null, pile: Rect | null, stage: Stagehands): void {
  const own = card === 'WO' ? 'olaf' : card.startsWith('WC') ? 'magic' : null;
  if (own) {
    stage.sound(own);
    void show(own, pile, { color });
  } else if (color) changeColor(color, pile, stage);
}

function changeColor(color: ColorName, pile: Rect | null, stage: Stagehands): void {
  stage.sound('color');
  void show('color', pile, { color });
}

/** A challenge: suspense, then the verdict. */
async function judge(events: EventForm[], me: number | null, told: Line[], stage: Stagehands): Promise<void> {
  const challenged = events.find((event) => event.type === 'challenged');
  const shownHand = events.find((event) => event.type === 'hand_shown');
  if (!challenged) return;
  const text = (...marks: Line['mark'][]) => told.find((line) => marks.includes(line.mark))?.text ?? '';
  const hand = shownHand && 'cards' in shownHand && shownHand.to === me ? shownHand.cards : [];
  const scene = {
    challenger: challenged.seat, challenged: challenged.challenged, guilty: challenged.guilty, hand,
    question: text('challenge'), answer: text('bluff', 'honest'), still: calm(),
    mine: challenged.seat === me || challenged.challenged === me,
  };
  stage.sound('challenge');
  const reveal = () => {
    stage.sound(challenged.guilty ? 'guilty' : 'honest');
    const payer = challenged.guilty ? challenged.challenged : challenged.seat;
    if (payer === me) feel('heavy');
    else if (scene.mine) feel('good');
  };
  const tried = tryCase(scene, reveal);
  // With less motion the verdict stands there by itself, and nothing waits for it.
  if (!scene.still) await tried;
}

/** The last card of a round is looked at before the scores are. */
async function celebrate(events: EventForm[], me: number | null, stage: Stagehands): Promise<void> {
  const out = events.find((event) => event.type === 'went_out');
  if (!out || calm()) return;
  const card = events.findLast((event) => event.type === 'played');
  stage.sound('out');
  if (out.seat === me) feel('win');
  await show('out', whereIs('discard'), { card: card?.card ?? null, color: card?.color ?? null });
}

/** Cards that leave a hand for the pile, and the key of the viewer's card among them. */
function leaving(event: EventForm, me: number | null, before: CardName[]): { key: string | null; flights: Plan[] }[] {
  const cards =
    event.type === 'played' ? [event.card, ...(event.discarded ?? [])] : event.type === 'discarded' ? event.cards : [];
  if (!('seat' in event)) return [];
  const copies = new Map<CardName, number>();
  const pile = whereIs('discard');
  return cards.map((card, i) => {
    const copy = copies.get(card) ?? 0;
    copies.set(card, copy + 1);
    const mine = event.seat === me && before.includes(card);
    const key = mine ? `${card}#${before.filter((other) => other === card).length - 1 - copy}` : null;
    const from = key ? whereIs(`card:${key}`) : seatRect(event.seat, me);
    return { key, flights: plan(card, from, pile, i * 90, false) };
  });
}

/** Cards that come to hands. */
function arriving(events: EventForm[], me: number | null, fresh: { key: string; name: CardName }[]): Plan[] {
  const pile = whereIs('draw');
  const dealt = events.filter((event) => event.type === 'dealt').length;
  const flights: Plan[] = [];
  let turn = 0;
  for (const event of events) {
    if (event.type === 'hands_swapped') {
      const [from, to] = [seatRect(event.seat, me), seatRect(event.with, me)];
      for (const delay of [0, 60, 120]) flights.push(...plan(null, from, to, delay), ...plan(null, to, from, delay));
    }
    if (event.type !== 'drew' && event.type !== 'dealt' && event.type !== 'received') continue;
    const count = 'cards' in event ? event.cards.length : event.count;
    const from = event.type === 'received' ? (whereIs('discard') ?? pile) : pile;
    if (event.seat === me) {
      fresh.forEach((card, i) => {
        const step = dealt > 0 ? 70 * Math.min(dealt, 4) * 0.5 : 80;
        flights.push(...plan(card.name, from, whereIs(`card:${card.key}`), turn * 30 + i * step, true));
      });
    } else {
      const shown = Math.min(count, dealt > 5 ? 2 : dealt > 0 ? 4 : 5);
      const to = seatRect(event.seat, me);
      for (let i = 0; i < shown; i++) flights.push(...plan(null, from, to, turn * 30 + i * (dealt > 0 ? 110 : 80)));
    }
    turn += 1;
  }
  return flights;
}
