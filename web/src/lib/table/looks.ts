import { avatars } from '../../cards/avatars';
import type { Look } from '../../protocol';

/** Somebody with a name who may have said how they want to look. */
export type Dressed = { name: string; look?: Look | null };

function hash(text: string): number {
  let sum = 7;
  for (const char of text) sum = (sum * 31 + char.codePointAt(0)!) >>> 0;
  return sum;
}

/** The avatar of somebody who has not chosen one: always the same for a name. */
export function avatarFor(name: string): string {
  return avatars[hash(name) % avatars.length]!;
}

/** The avatar somebody has chosen, if there is one with that id here. */
function chosenBy({ look }: Dressed): string | undefined {
  return avatars.find((avatar) => avatar === look?.avatar);
}

/** The avatar of somebody. */
export function avatarOf(person: Dressed): string {
  return chosenBy(person) ?? avatarFor(person.name);
}

/**
 * The avatars of everybody around a table: what they have chosen, and for the rest no two alike as far as there are
 * enough; `own` is the viewer's choice.
 */
export function avatarsAround(chairs: readonly Dressed[], me: number | null, own: string): string[] {
  const chosen = chairs.map((chair, seat) => (seat === me && own ? own : chosenBy(chair)));
  const taken = new Set(chosen);
  return chairs.map(({ name }, seat) => {
    const first = hash(name) % avatars.length;
    const rotated = [...avatars.slice(first), ...avatars.slice(0, first)];
    const look = chosen[seat] ?? rotated.find((one) => !taken.has(one)) ?? rotated[0]!;
    taken.add(look);
    return look;
  });
}
