import { parseRoute, type Route } from './path';

const here = $state({ route: parseRoute(location.pathname, location.search) });

/** Where one is. */
export function route(): Route {
  return here.route;
}

/** Goes somewhere else in the page. */
export function go(path: string, replace = false): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', path);
  here.route = parseRoute(location.pathname, location.search);
  window.scrollTo(0, 0);
}

addEventListener('popstate', () => (here.route = parseRoute(location.pathname, location.search)));
