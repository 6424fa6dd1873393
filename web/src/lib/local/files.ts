import type { FinishedGame } from '../../protocol';
import type { Listed } from './contract';

/** The games on this device: those to go on with and those that are over, the latest first. */
export type LocalGames = { open: Listed[]; finished: FinishedGame[] };

/** What is kept here; nothing where the browser lets nothing be kept. */
export async function localGames(): Promise<LocalGames> {
  try {
    const { listFinished, listGames } = await import('./journal');
    const [open, finished] = await Promise.all([listGames(), listFinished()]);
    return { open: open.filter(({ stage }) => stage !== 'over' && stage !== 'closed'), finished };
  } catch {
    return { open: [], finished: [] };
  }
}

/** Where the person sat in a game that is over. */
export async function ownSeat(id: string): Promise<number | null> {
  const { seatIn } = await import('./journal');
  return seatIn(id).catch(() => null);
}

/** Hands over text as a file. */
export function saveText(text: string, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Saves a finished game as a record, which `unum replay` and `unum verify` read. */
export async function saveRecord(id: string): Promise<void> {
  const { recordOf } = await import('./journal');
  const record = await recordOf(id);
  if (record) saveText(record, `unum-${id.replace(/^local-/, '')}.json`);
}
