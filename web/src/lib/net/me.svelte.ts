import { avatars } from '../../cards/avatars';
import { backs } from '../../cards/backs';
import type { Guest, Look } from '../../protocol';
import { call } from '../local/client.svelte';
import { saveText } from '../local/files';
import { api, ApiError } from './api';
import { someName } from '../page/names';
import { prefs, savePrefs } from '../page/prefs.svelte';
import { FILES_ONLY } from '../page/site';

const self = $state<{ me: Guest | null }>({ me: null });
let signing: Promise<Guest> | null = null;

/** The current guest, once the server has said who that is. */
export function me(): Guest | null {
  return self.me;
}

/** Makes sure that the server knows us: by the cookie, or as a new guest. */
export function signIn(): Promise<Guest> {
  signing ??= enter().catch((error: unknown) => {
    signing = null;
    throw error;
  });
  return signing;
}

/** Makes sure that the visitor has a name. */
export function beCalledSomething(): void {
  if (!prefs.name) adopt(someName());
}

async function enter(): Promise<Guest> {
  beCalledSomething();
  self.me = (prefs.guest ? await known() : null) ?? (await api.signIn({ name: prefs.name, look: ownLook() }));
  prefs.guest = true;
  savePrefs();
  await tellChanges(self.me);
  return self.me;
}

/** How the visitor wants to look to others, as far as the page knows that look. */
export function ownLook(): Look {
  const avatar = avatars.find((one) => one === prefs.avatar);
  const back = backs.find((one) => one === prefs.back);
  return { ...(avatar ? { avatar } : {}), ...(back ? { back } : {}) };
}

/** Tells the server the name and look if it does not know them yet. */
async function tellChanges(known: Guest): Promise<void> {
  const look = ownLook();
  const dressed = known.look?.avatar === look.avatar && known.look?.back === look.back;
  if (known.name === prefs.name && dressed) return;
  self.me = await api.changeMe({ ...(known.name === prefs.name ? {} : { name: prefs.name }), ...(dressed ? {} : { look }) });
  adopt(self.me.name);
}

/** The name as the server has cleaned it. */
function adopt(name: string): void {
  prefs.name = name;
  savePrefs();
}

/** Who the server takes us for; `null` if it does not know us (any more). */
async function known(): Promise<Guest | null> {
  try {
    return await api.me();
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** Forgets who we are: the server does not know us any more. */
export function forget(): void {
  signing = null;
}

/** Everything the server has stored of us, as a file to keep. */
export async function download(): Promise<void> {
  await signIn();
  saveText(JSON.stringify(await api.export(), null, 2), 'unum.json');
}

/** Signs out all other browsers and programs of this guest, and ends their connections. */
export async function signOutElsewhere(): Promise<void> {
  await signIn();
  await api.newToken();
}

/** Lets the server forget us, and this device who we were. */
export async function deleteMe(): Promise<void> {
  await signIn();
  await api.deleteMe();
  forget();
  self.me = null;
  Object.assign(prefs, { guest: false, name: '' });
  savePrefs();
}

/** Changes the name, here and at the server; if it cannot be reached, it is told the next time. */
export async function rename(name: string): Promise<void> {
  const clean = name.trim();
  if (!clean || clean === prefs.name) return;
  const before = prefs.name;
  adopt(clean);
  try {
    if (FILES_ONLY) return adopt((await call('name', { name: clean })).name);
    await signIn();
    if (self.me) await tellChanges(self.me);
  } catch (error) {
    if (!(error instanceof ApiError)) return;
    // An invalid name must not block everything else.
    if (error.refusal?.code === 'bad_name') adopt(before);
    throw error;
  }
}

/** Changes the look, here and at the server; if it cannot be reached, it is told the next time. */
export async function dress(look: { avatar?: string; back?: string }): Promise<void> {
  Object.assign(prefs, look);
  savePrefs();
  if (FILES_ONLY) return;
  try {
    await signIn();
    if (self.me) await tellChanges(self.me);
  } catch {
    // Nothing is lost but time.
  }
}
