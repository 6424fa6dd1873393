import { fileAt, sparesData } from './site';

/**
 * The page without a network: a service worker (`src/sw.ts`) keeps its files. A new version is fetched in the background and
 * waits until somebody takes it, or until no page is open any more.
 */

type Prompt = Event & { prompt(): Promise<unknown> };

const seen = $state({ update: false, prompt: null as Prompt | null });
let registered: ServiceWorkerRegistration | undefined;
let asked = 0;

/** The shortest time between two checks for a new version. */
const LOOK_AGAIN = 60 * 60_000;
/** How long an update may take before the page is loaded again in any case. */
const LONGEST_UPDATE = 15_000;

/** Whether a new version has been fetched and waits. */
export function updateReady(): boolean {
  return seen.update;
}

/** Whether the browser offers to install the page as an app. */
export function installable(): boolean {
  return seen.prompt !== null;
}

/** Lets the browser ask whether to install it. */
export async function install(): Promise<void> {
  const { prompt } = seen;
  seen.prompt = null;
  await prompt?.prompt();
}

/** Keeps the page for times without a network, as far as the browser can. Returns how to stop looking for updates. */
export function keepOffline(): () => void {
  const offer = (event: Event) => {
    event.preventDefault();
    seen.prompt = event as Prompt;
  };
  const look = () => {
    if (document.visibilityState !== 'visible' || Date.now() - asked < LOOK_AGAIN) return;
    asked = Date.now();
    registered?.update().catch(() => undefined);
  };
  addEventListener('beforeinstallprompt', offer);
  document.addEventListener('visibilitychange', look);
  // What the page needs now comes first.
  const timer = setTimeout(() => void register(), 2_500);
  return () => {
    clearTimeout(timer);
    removeEventListener('beforeinstallprompt', offer);
    document.removeEventListener('visibilitychange', look);
  };
}

async function register(): Promise<void> {
  // Browsers have it only where the page comes over an encrypted connection or from the same machine.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || sparesData()) return;
  try {
    registered = await navigator.serviceWorker.register(fileAt('sw.js'), { scope: fileAt(''), updateViaCache: 'none' });
  } catch {
    // Then the page needs a network, as ever.
  }
  if (!registered) return;
  asked = Date.now();
  watch(registered);
  const ready = await navigator.serviceWorker.ready;
  // What was loaded before the worker was there, such as the texts in one's language.
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
  ready.active?.postMessage({ keep: loaded });
}

/** Notices versions that are fetched. A page that no worker serves yet has nothing older to update. */
function watch(registration: ServiceWorkerRegistration): void {
  const check = () => (seen.update = registration.waiting !== null && navigator.serviceWorker.controller !== null);
  check();
  registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', check));
}

/** Loads the page again in its newest version. */
export async function updateNow(): Promise<void> {
  const reload = () => location.reload();
  const registration = registered ?? (await navigator.serviceWorker?.getRegistration().catch(() => undefined));
  if (!registration || !navigator.serviceWorker.controller) return reload();
  setTimeout(reload, LONGEST_UPDATE);
  navigator.serviceWorker.addEventListener('controllerchange', reload);
  await registration.update().catch(() => undefined);
  const take = () => registration.waiting?.postMessage({ update: true });
  const { installing } = registration;
  if (registration.waiting) take();
  else if (installing) installing.addEventListener('statechange', take);
  else reload();
}
