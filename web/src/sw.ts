/**
 * The service worker: keeps the files of the page, so that it opens and plays without a network.
 *
 * A version is a list of files in a cache of its own, complete before it is used. Requests are answered from it, so what is
 * open stays one version until somebody takes the next. The server's own answers (`api`, `ws`, …) are never kept.
 */

/** The files of this version, and its name; put in by the build. */
declare const __FILES__: string[];
declare const __VERSION__: string;

// The types of workers and of pages exclude each other: what is used of the former.
type Lasting = Event & { waitUntil(work: Promise<unknown>): void };
type Fetching = Lasting & { request: Request; respondWith(answer: Promise<Response>): void };
type Events = { install: Lasting; activate: Lasting; fetch: Fetching; message: Lasting & MessageEvent<{ update?: true; keep?: string[] }> };
const worker = globalThis as unknown as {
  registration: { scope: string };
  clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener<Name extends keyof Events>(name: Name, listen: (event: Events[Name]) => void): void;
};

const PREFIX = 'unum-';
const CACHE = PREFIX + __VERSION__;
const SCOPE = worker.registration.scope;
/** What is not the page's but the server's. */
const SERVED = /^(api|ws|healthz|readyz|style\.css)(\/|$)/;
/** The texts of one language. */
const TEXTS = /^assets\/(de|es|fr|pt|zh)-/;

const at = (path: string) => new URL(path, SCOPE).href;

/** Whether a file is fetched before anybody asks for it: all but texts that nobody here reads. */
function isWanted(path: string): boolean {
  const language = TEXTS.exec(path)?.[1];
  return language === undefined || navigator.languages.some((tag) => tag.toLowerCase().startsWith(language));
}

async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  // Files with a hash in their name never change; of the others, what another cache has kept may be old.
  const fresh = (path: string) => new Request(at(path), path.startsWith('assets/') ? {} : { cache: 'no-cache' });
  await cache.addAll(__FILES__.filter(isWanted).map(fresh));
}

/** Takes over, and forgets old versions but the last: a page that is still open may need some of its files. */
async function activate(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

async function keep(addresses: string[]): Promise<void> {
  const cache = await caches.open(CACHE);
  const own = addresses.filter((address) => address.startsWith(at('assets/')));
  for (const address of own) if (!(await cache.match(address))) await cache.add(address).catch(() => undefined);
}

/** A file from this version, or from an earlier one, or from the network. */
async function answer(address: string, request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = (await cache.match(address, { ignoreVary: true })) ?? (await caches.match(address, { ignoreVary: true }));
  if (kept) return kept;
  const fetched = await fetch(request);
  if (fetched.ok && address.startsWith(at('assets/'))) await cache.put(address, fetched.clone());
  return fetched;
}

worker.addEventListener('install', (event) => event.waitUntil(install()));
worker.addEventListener('activate', (event) => event.waitUntil(activate()));
worker.addEventListener('message', (event) => {
  if (event.data.update) event.waitUntil(worker.skipWaiting());
  if (event.data.keep) event.waitUntil(keep(event.data.keep));
});
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const address = request.url.split(/[?#]/)[0]!;
  if (request.method !== 'GET' || !address.startsWith(SCOPE)) return;
  const path = address.slice(SCOPE.length);
  if (SERVED.test(path)) return;
  if (request.mode === 'navigate') event.respondWith(answer(at('./'), request));
  else if (path.startsWith('assets/') || __FILES__.includes(path)) event.respondWith(answer(address, request));
});

// A module of its own, whose names are nobody else's.
export {};
