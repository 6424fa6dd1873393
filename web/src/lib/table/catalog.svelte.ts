import type { Edition, Editions, EditionView } from '../../protocol';
import { api } from '../net/api';

let known = $state.raw<Editions | null>(null);
let asked: Promise<Editions> | null = null;

/** What can be played, with every default and bound, once it has arrived. */
export function catalog(): Editions | null {
  return known;
}

/** Asks for the catalog, once. */
export function loadCatalog(): Promise<Editions> {
  asked ??= api.editions().then(
    (editions) => (known = editions),
    (error: unknown) => {
      asked = null;
      throw error;
    },
  );
  return asked;
}

/** One edition of it. */
export function editionOf(editions: Editions, id: Edition): EditionView {
  return editions.editions.find((edition) => edition.id === id)!;
}
