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

/** The avatars of everybody around a table, no two alike as far as there are enough; `own` is the viewer's choice. */
export function avatarsAround(names: string[], me: number | null, own: string): string[] {
  const taken = new Set<string>(me !== null && own ? [own] : []);
  return names.map((name, seat) => {
    if (seat === me && own) return own;
    const first = hash(name) % avatars.length;
    const rotated = [...avatars.slice(first), ...avatars.slice(0, first)];
    const look = rotated.find((one) => !taken.has(one)) ?? rotated[0]!;
    taken.add(look);
    return look;
  });
}
