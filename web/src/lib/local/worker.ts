import type { FromWorker, ToWorker } from './contract';
import { Desk, Troubles } from './desk';
import { openJournal } from './journal';
import { compile, here } from './module';

/** The worker of a page that plays without a server: the module, the journal, and what connects them. */
const post = (message: FromWorker): void => self.postMessage(message);
const troubles = new Troubles(post);
const early: ToWorker[] = [];
let desk: Desk | null = null;

async function start(module: string): Promise<void> {
  const onReplaced = (table: string) => desk?.replaced(table);
  const journal = openJournal((code, kind) => troubles.ask(code, kind), onReplaced);
  const begun = new Desk({ code: await compile(module), outside: here, journal: await journal, post });
  desk = begun;
  post({ started: true });
  for (const message of early.splice(0)) begun.receive(message);
}

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if ('start' in data) start(data.start.module).catch((error: unknown) => post({ failed: String(error) }));
  else if ('settle' in data) troubles.settle(data.settle);
  else if (desk) desk.receive(data);
  else early.push(data);
};
