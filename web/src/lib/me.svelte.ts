import { api, ApiError, type Me } from './api';
import { prefs, savePrefs } from './prefs.svelte';

/** Names for whoever has not chosen one. */
const NAMES = ['Robin', 'Sasha', 'Kim', 'Alex', 'Charlie', 'Noa', 'Jules', 'Toni', 'Sam', 'Andrea', 'Luca', 'Mika'];

const self = $state<{ me: Me | null }>({ me: null });
let signing: Promise<Me> | null = null;

/** The guest one is, once the server has said so. */
export function me(): Me | null {
  return self.me;
}

/** A name to begin with. */
export function someName(): string {
  return NAMES[Math.floor(Math.random() * NAMES.length)]!;
}

/** Makes sure that the server knows us: by the cookie, or as a new guest. */
export function signIn(): Promise<Me> {
  signing ??= enter().catch((error: unknown) => {
    signing = null;
    throw error;
  });
  return signing;
}

async function enter(): Promise<Me> {
  if (!prefs.name) {
    prefs.name = someName();
    savePrefs();
  }
  self.me = (prefs.guest ? await known() : null) ?? (await api.signIn(prefs.name));
  prefs.guest = true;
  savePrefs();
  if (self.me.name !== prefs.name) self.me = await api.rename(prefs.name);
  return self.me;
}

/** Who the server takes us for; `null` if it does not know us (any more). */
async function known(): Promise<Me | null> {
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

/** Another name, here and at the server. */
export async function rename(name: string): Promise<void> {
  const clean = name.trim();
  if (!clean || clean === prefs.name) return;
  prefs.name = clean;
  savePrefs();
  await signIn();
  if (self.me?.name !== clean) self.me = await api.rename(clean);
}
