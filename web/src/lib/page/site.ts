/** Where the page came from: a server, at the root of a site or below a path; or a folder of plain files, without a server. */

const root = typeof document === 'undefined' ? null : document.documentElement;

/**
 * Whether the page lies on a host of plain files: `unum page` marks it so. Then there is nobody to ask, and since such a
 * host knows no address but that of a file, what is shown is told behind a `#`.
 */
export const FILES_ONLY = root?.dataset['site'] === 'files';

/** The folder of the page, with a slash at both ends; a server that is not at the root says where it is. */
const FOLDER = FILES_ONLY ? new URL('./', location.href).pathname : (root?.dataset['folder'] ?? '/');

/** The address of a screen, for a link; `path` begins with a slash. */
export function href(path: string): string {
  return FILES_ONLY ? `${FOLDER}#${path}` : FOLDER + path.slice(1);
}

/** The address of something of the server, or of a file of the page without a hash in its name; `path` begins without a slash. */
export function fileAt(path: string): string {
  return FOLDER + path;
}

/** The screen that an address of the page names: a path and a query, wherever they stand in it. */
export function placeIn(
  { pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>,
  files = FILES_ONLY,
  folder = FOLDER,
): [string, string] {
  if (!files) return [pathname.startsWith(folder) ? pathname.slice(folder.length - 1) : pathname, search];
  const [path = '', query = ''] = hash.slice(1).split('?', 2);
  return [path || '/', query && `?${query}`];
}

/** Whether the visitor wants to save data. */
export function sparesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData ?? false;
}
