import { avatars } from '../cards/avatars';

function hash(text: string): number {
  let sum = 7;
  for (const char of text) sum = (sum * 31 + char.codePointAt(0)!) >>> 0;
  return sum;
}

/** The avatar of somebody who has not chosen one, or whose choice is not known here: always the same for a name. */
export function avatarFor(name: string): string {
  return avatars[hash(name) % avatars.length]!;
}
