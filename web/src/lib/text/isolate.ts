/** Letters that are read from right to left. */
const TURNS = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A name within a sentence: letters read from right to left keep to themselves and do not turn the words around them. */
export function isolate(name: string): string {
  return TURNS.test(name) ? `\u2068${name}\u2069` : name;
}
