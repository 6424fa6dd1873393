import { tick } from 'svelte';

/** The attribute of what is marked. */
const MARK = 'data-here';

/** Marks what a selector finds, and nothing else; takes the mark away again when it is undone. */
export function markHere(selector: string | null): () => void {
  let undone = false;
  const found = () => (selector ? [...document.querySelectorAll(selector)] : []);
  // What is about to be shown is there after the next tick.
  void tick().then(() => {
    if (!undone) for (const element of found()) element.setAttribute(MARK, '');
  });
  return () => {
    undone = true;
    for (const element of document.querySelectorAll(`[${MARK}]`)) element.removeAttribute(MARK);
  };
}
