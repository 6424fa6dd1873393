/**
 * QR codes for short texts: bytes, error correction level M, versions 1–6 (up to 106 bytes), which are enough for a
 * link and need neither version information nor blocks of different lengths.
 */

/** Per version: data codewords of a block, error correction codewords of a block, number of blocks. */
const VERSIONS: readonly (readonly [number, number, number])[] = [
  [16, 10, 1],
  [28, 16, 1],
  [44, 26, 1],
  [32, 18, 2],
  [43, 24, 2],
  [27, 16, 4],
];

const EXP = new Uint8Array(512);
const LOG = new Uint8Array(256);
for (let i = 0, x = 1; i < 255; i++) {
  EXP[i] = EXP[i + 255] = x;
  LOG[x] = i;
  x = x << 1 < 256 ? x << 1 : (x << 1) ^ 0x11d;
}
const times = (a: number, b: number) => (a && b ? EXP[LOG[a]! + LOG[b]!]! : 0);

/** The remainder of the data divided by the generator polynomial, by Reed and Solomon. */
function correction(data: number[], length: number): number[] {
  let generator = [1];
  for (let i = 0; i < length; i++) {
    const next = [...generator, 0];
    generator.forEach((value, at) => (next[at + 1]! ^= times(value, EXP[i]!)));
    generator = next;
  }
  const rest = [...data, ...Array<number>(length).fill(0)];
  for (let i = 0; i < data.length; i++) {
    const factor = rest[i]!;
    generator.forEach((value, at) => (rest[i + at]! ^= times(value, factor)));
  }
  return rest.slice(data.length);
}

/** All codewords in the order in which they are drawn. */
function codewords(bytes: Uint8Array, version: number): number[] {
  const [length, check, blocks] = VERSIONS[version - 1]!;
  const bits = [0, 1, 0, 0];
  const push = (value: number, count: number) => {
    for (let i = count - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  push(bytes.length, 8);
  bytes.forEach((byte) => push(byte, 8));
  const room = length * blocks * 8;
  push(0, Math.min(4, room - bits.length));
  while (bits.length % 8) bits.push(0);
  const data: number[] = [];
  for (let i = 0; i < bits.length; i += 8) data.push(parseInt(bits.slice(i, i + 8).join(''), 2));
  for (let pad = 0xec; data.length < length * blocks; pad ^= 0xec ^ 0x11) data.push(pad);
  const parts = Array.from({ length: blocks }, (_, i) => data.slice(i * length, (i + 1) * length));
  const checks = parts.map((part) => correction(part, check));
  const woven = (lists: number[][], count: number) =>
    Array.from({ length: count }, (_, i) => lists.map((list) => list[i]!)).flat();
  return [...woven(parts, length), ...woven(checks, check)];
}

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

type Grid = (boolean | null)[][];

/** The fixed parts: finders, alignment, timing; the places of the format stay dark until it is known. */
function frame(version: number): Grid {
  const size = 17 + 4 * version;
  const grid: Grid = Array.from({ length: size }, () => Array<boolean | null>(size).fill(null));
  const square = (cx: number, cy: number, reach: number, light: number[]) => {
    for (let y = -reach; y <= reach; y++) {
      for (let x = -reach; x <= reach; x++) {
        const row = grid[cy + y];
        if (row && cx + x >= 0 && cx + x < size) row[cx + x] = !light.includes(Math.max(Math.abs(x), Math.abs(y)));
      }
    }
  };
  square(3, 3, 4, [2, 4]);
  square(size - 4, 3, 4, [2, 4]);
  square(3, size - 4, 4, [2, 4]);
  if (version > 1) square(size - 7, size - 7, 2, [1]);
  for (let i = 8; i < size - 8; i++) grid[6]![i] = grid[i]![6] = i % 2 === 0;
  for (let i = 0; i < 9; i++) {
    grid[8]![i] ??= false;
    grid[i]![8] ??= false;
    if (i < 8) grid[8]![size - 1 - i] ??= grid[size - 1 - i]![8] ??= false;
  }
  grid[size - 8]![8] = true;
  return grid;
}

/** Writes the level (M) and the mask twice. */
function writeFormat(grid: boolean[][], mask: number): void {
  const size = grid.length;
  let rest = mask << 10;
  for (let i = 14; i >= 10; i--) if ((rest >> i) & 1) rest ^= 0x537 << (i - 10);
  const bits = ((mask << 10) | rest) ^ 0x5412;
  for (let i = 0; i < 15; i++) {
    const on = ((bits >> i) & 1) === 1;
    grid[i < 6 ? i : i < 8 ? i + 1 : size - 15 + i]![8] = on;
    grid[8]![i < 8 ? size - 1 - i : i < 9 ? 7 : 14 - i] = on;
  }
}

/** How unpleasant a pattern is to read; the least unpleasant mask is taken. */
function penalty(grid: boolean[][]): number {
  const size = grid.length;
  const lines = [...grid, ...grid.map((_, x) => grid.map((row) => row[x]!))];
  let sum = 0;
  for (const line of lines) {
    const text = line.map((on) => (on ? '1' : '0')).join('');
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2;
    sum += 40 * ((text.match(/(?=10111010000|00001011101)/g) ?? []).length);
  }
  for (let y = 1; y < size; y++) {
    for (let x = 1; x < size; x++) {
      const same = grid[y]![x] === grid[y - 1]![x] && grid[y]![x] === grid[y]![x - 1] && grid[y]![x] === grid[y - 1]![x - 1];
      if (same) sum += 3;
    }
  }
  const dark = grid.flat().filter(Boolean).length / (size * size);
  return sum + 10 * Math.floor(Math.abs(dark * 20 - 10));
}

/** The code as rows of dark and light squares; `null` if the text is too long. */
export function qrCode(text: string): boolean[][] | null {
  const bytes = new TextEncoder().encode(text);
  const version = VERSIONS.findIndex(([length, , blocks]) => bytes.length + 2 <= length * blocks) + 1;
  if (version === 0) return null;
  const fixed = frame(version);
  const size = fixed.length;
  const bits = codewords(bytes, version).flatMap((word) => Array.from({ length: 8 }, (_, i) => ((word >> (7 - i)) & 1) === 1));
  const places: [number, number][] = [];
  for (let right = size - 1, upward = true; right > 0; right -= 2, upward = !upward) {
    if (right === 6) right -= 1;
    for (let i = 0; i < size; i++) {
      const y = upward ? size - 1 - i : i;
      for (const x of [right, right - 1]) if (fixed[y]![x] === null) places.push([x, y]);
    }
  }
  const drawn = MASKS.map((mask, number) => {
    const grid = fixed.map((row) => row.map((on) => on ?? false));
    places.forEach(([x, y], i) => (grid[y]![x] = (bits[i] ?? false) !== mask(x, y)));
    writeFormat(grid, number);
    return grid;
  });
  return drawn.reduce((best, grid) => (penalty(grid) < penalty(best) ? grid : best));
}

/** The dark squares of a code as the path of a drawing. */
export function qrPath(grid: boolean[][]): string {
  return grid.flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
}
