/** About how wide a character is, in units of an average letter: characters of East Asia take two. */
function width(text: string): number {
  return [...text].reduce((sum, char) => sum + (char.codePointAt(0)! > 0x2e7f ? 1.7 : 1), 0);
}

/** What fits of a word on a line. */
function cut(text: string, most: number): string {
  let shown = '';
  for (const char of text) {
    if (width(shown + char) > most - 1) return `${shown}…`;
    shown += char;
  }
  return shown;
}

/** Pieces a line can be broken between: words, or single characters where there are no spaces. */
function pieces(title: string): string[] {
  return title.trim().match(/[\u2e80-\uffef]|[^\s\u2e80-\uffef]+\s?|\s/gu) ?? [];
}

/** A title broken into at most three lines for the label of a card. */
export function lines(title: string, most = 14): string[] {
  const broken: string[] = [];
  let line = '';
  for (const piece of pieces(title)) {
    if (line && width((line + piece).trimEnd()) > most) {
      broken.push(line.trimEnd());
      line = '';
    }
    line += piece;
  }
  if (line.trim()) broken.push(line.trimEnd());
  const shown = broken.slice(0, 3).map((text) => (width(text) > most ? cut(text, most) : text));
  if (broken.length > 3) shown[2] = cut(`${shown[2]} ${broken[3]}`, most);
  return shown;
}
