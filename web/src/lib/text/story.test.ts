import { describe, expect, it } from 'vitest';
import type { EventForm, Happened } from '../../protocol';
import { UNKNOWN, type TableState } from '../table/table';
import { sentence } from './sentence';
import { tellChange, tellEvents, tellHappened, votingText } from './story';

const NAMES = ['Robin', 'Rosa', 'Otto'];
const table = {
  ...UNKNOWN,
  you: 7,
  lobby: {
    chairs: NAMES.map((name) => ({ name })),
    people: [{ person: 7, name: 'Robin', seat: 0, connected: true }, { person: 8, name: 'Rosa', seat: 1, connected: true }],
  },
} as unknown as TableState;
/** Names are set apart from the text around them by marks that are not seen. */
const seen = (text: string) => text.replace(/[\u2066-\u2069]/g, '');
const tell = (events: EventForm[], by: number | null = null) => tellEvents(events, table, by).map((line) => seen(line.text));
const happened = (what: Happened) => seen(tellHappened(what, table)?.text ?? '');

describe('who does what to whom', () => {
  it('is said to the viewer as “you”', () => {
    const skip = (by: number, seat: number) => tell([{ type: 'played', seat: by, card: 'RS' }, { type: 'skipped', seat }])[1];
    expect([skip(1, 0), skip(0, 1), skip(1, 2)]).toEqual(['Rosa skips you.', 'You skip Rosa.', 'Rosa skips Otto.']);
    expect(tell([{ type: 'skipped', seat: 0 }])).toEqual(['You miss a turn.']);
  });

  it('names the attacker, whether the draw comes at once or after an answer', () => {
    const drew = (seat: number): EventForm => ({ type: 'drew', seat, reason: 'attack', count: 4 });
    expect(tell([{ type: 'played', seat: 2, card: 'R+2' }, drew(0)])[1]).toBe('Otto makes you draw 4 cards.');
    expect(tell([drew(1)], 0)).toEqual(['You make Rosa draw 4 cards.']);
    expect(tell([drew(2)])).toEqual(['Otto has to draw 4 cards.']);
  });

  it('is one piece of news when an attack also costs the turn', () => {
    const lines = tellEvents([{ type: 'played', seat: 1, card: 'R+2' }, { type: 'drew', seat: 0, reason: 'attack', count: 2 }, { type: 'skipped', seat: 0 }], table);
    expect(lines.map((line) => seen(line.text)).slice(1)).toEqual(['Rosa makes you draw 2 cards.', 'You miss a turn.']);
    expect(lines.map((line) => line.mark)).toEqual([undefined, 'attack', undefined]);
  });

  it('tells a catch with what it costs', () => {
    const caught = (seat: number, by: number) => tell([{ type: 'caught', seat, by }, { type: 'drew', seat, reason: 'caught', count: 2 }]);
    expect(caught(0, 1)).toEqual(['Caught! You forgot UNO and draw 2 cards.']);
    expect(caught(1, 0)).toEqual(['You caught Rosa, who draws 2 cards.']);
    expect(caught(1, 2)).toEqual(['Caught! Rosa forgot UNO and draws 2 cards.']);
  });
});

describe('a challenge', () => {
  const trial = (guilty: boolean, seat: number, challenged: number) => {
    const payer = guilty ? challenged : seat;
    return tellEvents([{ type: 'challenged', seat, challenged, guilty }, { type: 'drew', seat: payer, reason: 'challenge', count: guilty ? 4 : 6 }], table);
  };

  it('ends with a verdict and who pays', () => {
    expect(trial(true, 0, 1).map((line) => seen(line.text))).toEqual(['You challenge Rosa.', 'Bluff! Rosa draws 4 cards.']);
    expect(trial(false, 0, 1).map((line) => seen(line.text))).toEqual(['You challenge Rosa.', 'Honest: you draw 6 cards.']);
    expect(trial(true, 2, 0).map((line) => seen(line.text))).toEqual(['Otto challenges you.', 'Bluff! You draw 4 cards.']);
  });

  it('is good or bad for the viewer', () => {
    expect(trial(true, 0, 1)[1]).toMatchObject({ mark: 'bluff', tone: 'good', mine: true });
    expect(trial(false, 0, 1)[1]).toMatchObject({ mark: 'honest', tone: 'bad', mine: true });
    expect(trial(true, 1, 2)[1]).toMatchObject({ tone: 'plain', mine: false });
  });
});

describe('sentences', () => {
  it('begin with a capital, names apart', () => {
    expect(tell([{ type: 'turned_up', card: 'G2', turned: 'start' }])).toEqual(['The start card is green 2.']);
    expect(sentence('\u2068ann\u2069 plays')).toBe('\u2068ann\u2069 plays');
  });

  it('name who came and went, though the lobby does not know them', () => {
    expect(happened({ type: 'joined', person: 20, name: 'Zoe' })).toBe('Zoe joined.');
    expect(happened({ type: 'left', person: 21, name: 'Max' })).toBe('Max left.');
    expect(happened({ type: 'accused', person: 30, seat: 0 })).toBe('Someone accuses you of suggesting a play.');
  });

  it('call the viewer “you” in what they say and claim', () => {
    expect([7, 8].map((person) => happened({ type: 'chatted', person, text: 'gg' }))).toEqual(['You: gg', 'Rosa: gg']);
    expect([7, 8].map((person) => happened({ type: 'reacted', person, reaction: 'wow' }))).toEqual(['You: Wow', 'Rosa: Wow']);
    expect(happened({ type: 'seat_claimed', person: 7, seat: 2 })).toBe('You get Otto’s seat when the round is over.');
    expect(happened({ type: 'seat_claimed', person: 8 })).toBe('Rosa plays from the next match.');
  });

  it('tell of a vote that runs', () => {
    const accused = (seat: number) => ({ ...table, lobby: { ...table.lobby!, accusation: { by: 8, seat, waiting: [], left: 1 } } });
    expect(seen(votingText(accused(0)))).toBe('The table votes on the accusation against you.');
    expect(seen(votingText(accused(2)))).toBe('The table votes on the accusation against Otto.');
    expect(votingText(table)).toBe('');
  });

  it('begin a round with its number, as the change has it', () => {
    const lines = tellChange({ what: { type: 'dealt', round: 3 }, events: [{ type: 'dealt', seat: 0, count: 7 }] }, table, null);
    expect(lines.map((line) => line.text)).toEqual(['Round 3: the cards are dealt.']);
  });
});
