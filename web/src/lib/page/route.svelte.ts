import { parseRoute, type Route } from './path';
import { href, placeIn } from './site';

const here = $state({ route: parseRoute(...placeIn(location)) });

/** What the page shows now. */
export function route(): Route {
  return here.route;
}

/** Goes somewhere else in the page. */
export function go(path: string, replace = false): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', href(path));
  here.route = parseRoute(...placeIn(location));
  window.scrollTo(0, 0);
}

addEventListener('popstate', () => (here.route = parseRoute(...placeIn(location))));
