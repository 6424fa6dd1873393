import type { Edition, Editions, Settings } from '../../protocol';
import { call, moduleState, playsHere } from '../local/client.svelte';
import { isLocal } from '../page/path';
import { prefs, type Prefs } from '../page/prefs.svelte';
import { api } from '../net/api';
import { beCalledSomething, signIn } from '../net/me.svelte';
import { noteLesson } from '../teach/lesson';
import { editionOf, loadCatalog } from './catalog.svelte';
import { chosenIn } from './presets';
import type { TableSession } from './session.svelte';

/** What "play now" needs to know. */
export type Setup = Prefs['setup'];

/** The tables that were opened for "play now" and wait for their cards. */
const waiting = new Map<string, Setup | 'lesson'>();

/** The tables that were opened here: their host needs no invitation. */
const opened = new Set<string>();

/** Whether a table was opened here. */
export function isMine(code: string): boolean {
  return opened.has(code);
}

/** Hands the match at a table on this device over to the server, between two rounds, and tells its code there. */
export async function handOver(code: string): Promise<string> {
  await signIn();
  const { code: there } = await api.continueTable(await call('hand_over', { table: code }));
  opened.add(there);
  return there;
}

/** Opens a table with the rules that an edition begins with. */
export async function openTable(edition: Edition): Promise<string> {
  const { suggested } = editionOf(await loadCatalog(), edition);
  const { code } = await api.createTable({ rules: suggested, usual_for_two: true });
  opened.add(code);
  return code;
}

/** Opens a table on this device or, where that cannot be, at the server. */
async function open(here: boolean, settings: Partial<Settings>): Promise<string> {
  if (here) beCalledSomething();
  else await signIn();
  const { code } = await (here ? call('create', { settings }) : api.createTable(settings));
  return code;
}

let played: Promise<Editions> | null = null;

/** What the module can play; asked once. */
function playedHere(): Promise<Editions> {
  played ??= call('editions', {}).catch((error: unknown) => {
    played = null;
    throw error;
  });
  return played;
}

/** Somebody is about to play: fetches what the first card would wait for. */
export function warmUp(): void {
  void import('../../screens/Table.svelte');
  if (moduleState() === 'ready') playedHere().catch(() => undefined);
}

/** Opens a private table for a game against bots. */
export async function quickTable(setup: Setup): Promise<string> {
  const here = await playsHere();
  // The module may be older or newer than the server: each is asked what it can play.
  const editions = await (here ? playedHere() : loadCatalog());
  const { suggested } = editionOf(editions, setup.edition);
  const { scoring, pace, house } = chosenIn(editions, setup);
  const code = await open(here, {
    rules: { ...suggested, house, ...(scoring ? { scoring } : {}) },
    seats: setup.opponents + 1,
    clock: null,
    pace,
    usual_for_two: true,
  });
  waiting.set(code, { ...setup });
  return code;
}

/** Opens the lesson, whose rules and seats the table decides. */
export async function lessonTable(): Promise<string> {
  const code = await open(await playsHere(), { lesson: true });
  noteLesson(code);
  waiting.set(code, 'lesson');
  return code;
}

/** The tables on this device whose bots have been seated since the page was opened. */
const begun = new Set<string>();

/** Whether the cards are about to be dealt at this table without further questions: on this device always. */
export function isQuick(code: string): boolean {
  return waiting.has(code) || (isLocal(code) && !begun.has(code));
}

/** Seats the bots, agrees and deals, if the table was opened for that, and says whether the cards are on their way. */
export async function dealQuick(session: TableSession): Promise<boolean> {
  const { terms, lobby } = session.latest;
  if (!terms || !lobby || !isQuick(session.code)) return false;
  const setup = waiting.get(session.code);
  waiting.delete(session.code);
  begun.add(session.code);
  const { agreement, settings } = terms;
  // A tab may have been closed before its bots were seated.
  const free = settings.seats - lobby.chairs.filter(({ person, bot }) => person !== null || bot !== null).length;
  const { opponents, level }: Pick<Setup, 'opponents' | 'level'> =
    setup === undefined || setup === 'lesson' ? { opponents: free, level: setup ? 'easy' : prefs.setup.level } : setup;
  const bots = Array.from({ length: opponents }, () => session.request({ type: 'add_bot', level }));
  const accepted = session.request({ type: 'accept', agreement });
  const answers = await Promise.all([...bots, accepted, session.request({ type: 'start' })]);
  return answers.every(({ ok }) => ok);
}
