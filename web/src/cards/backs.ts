/** The backs people can choose from. */
export const backs = ['lattice', 'scales', 'night', 'orchard', 'tiles', 'sunrise'] as const;

/** The id of a back. */
export type BackLook = (typeof backs)[number];

/** How a back is drawn, on a field from 7 to 93 across and from 7 to 143 down. */
export interface BackDrawing {
  /** The card itself, and the frame around the field. */
  ground: string;
  trim: string;
  /** Paths with the tone to fill them or, with a width, to draw them with. */
  marks: readonly (readonly [path: string, tone: string, width?: number])[];
}

/** A path for every cell of a grid, the way `cell` says. */
function grid(columns: number, rows: number, cell: (column: number, row: number) => string): string {
  return Array.from({ length: columns * rows }, (_, i) => cell(i % columns, Math.floor(i / columns))).join('');
}

const diagonals = Array.from({ length: 14 }, (_, i) => {
  const y = -79 + i * 17.2;
  return `M7 ${y.toFixed(1)}l86 86M93 ${y.toFixed(1)}l-86 86`;
}).join('');

function lozenges(): string {
  return grid(5, 8, (x, y) => `M${7 + 17.2 * (x + 0.5)} ${(7 + 17.2 * (y + 0.5) - 3.6).toFixed(1)}l3.2 3.6l-3.2 3.6l-3.2 -3.6z`);
}

/** Rows of fans that overlap like scales; the later ones cover the earlier. */
function scales(radius: number): string {
  return grid(6, 20, (x, y) => {
    const left = 7 + 17.2 * (x - (y % 2 ? 0.5 : 0)) + 8.6;
    return `M${(left - radius).toFixed(1)} ${(148 - 7.4 * (19 - y)).toFixed(1)}a${radius} ${radius} 0 0 1 ${2 * radius} 0`;
  });
}

function star(x: number, y: number, r: number): string {
  const c = r * 0.18;
  return `M${x} ${y - r}Q${x + c} ${y - c} ${x + r} ${y}Q${x + c} ${y + c} ${x} ${y + r}Q${x - c} ${y + c} ${x - r} ${y}Q${x - c} ${y - c} ${x} ${y - r}Z`;
}

function dot(x: number, y: number, r: number): string {
  return `M${x} ${y - r}a${r} ${r} 0 1 1 -.01 0Z`;
}

const sky: readonly (readonly [number, number, number])[] = [
  [20, 22, 6],
  [48, 14, 3],
  [76, 26, 8],
  [84, 52, 3.5],
  [16, 50, 3.5],
  [14, 96, 4.5],
  [30, 128, 7.5],
  [54, 136, 3],
  [82, 124, 5],
  [86, 92, 3],
];

/** Sprays of leaves. */
function leaves(): string {
  return grid(4, 6, (x, y) => {
    const left = 7 + 21.5 * (x + 0.5);
    const top = 7 + 22.7 * y + 2;
    const side = (x + y) % 2 ? 1 : -1;
    return (
      `M${left} ${top + 19}c${-9 * side} -3 ${-9 * side} -12 ${-2 * side} -17c${4 * side} 5 ${6 * side} 11 ${2 * side} 17Z` +
      `M${left + 2 * side} ${top + 17}c${7 * side} 0 ${8 * side} -6 ${7 * side} -11c${-4 * side} 1 ${-8 * side} 4 ${-7 * side} 11Z`
    );
  });
}

function fruits(): string {
  return grid(4, 6, (x, y) => dot(7 + 21.5 * (x + 0.5) + ((x + y) % 2 ? -7 : 7), 7 + 22.7 * y + 7, 2.4));
}

/** Quarter discs, turned by a fixed pattern. */
function quarters(of: number): string {
  return grid(5, 8, (x, y) => {
    if ((x * 3 + y * 5) % 2 !== of) return '';
    const left = 7 + 17.2 * x;
    const top = 6.2 + 17.2 * y;
    const turned = (x + y * 2 + ((x * y) % 3)) % 4;
    const corners = [
      `M${left} ${top}h17.2a17.2 17.2 0 0 1 -17.2 17.2Z`,
      `M${left + 17.2} ${top}v17.2a17.2 17.2 0 0 1 -17.2 -17.2Z`,
      `M${left + 17.2} ${top + 17.2}h-17.2a17.2 17.2 0 0 1 17.2 -17.2Z`,
      `M${left} ${top + 17.2}v-17.2a17.2 17.2 0 0 1 17.2 17.2Z`,
    ];
    return corners[turned] ?? '';
  });
}

function beams(): string {
  return Array.from({ length: 24 }, (_, i) => {
    const [from, to] = [i / 24, (i + 0.5) / 24].map((turn) => turn * 2 * Math.PI) as [number, number];
    const end = (angle: number) => `${(50 + 100 * Math.cos(angle)).toFixed(1)} ${(75 + 100 * Math.sin(angle)).toFixed(1)}`;
    return `M50 75L${end(from)}L${end(to)}Z`;
  }).join('');
}

/** The drawing of each back. */
const drawings: Readonly<Record<BackLook, BackDrawing>> = {
  lattice: {
    ground: '#1d4a3c',
    trim: '#e8d9b5',
    marks: [
      [diagonals, '#3f7561', 1.6],
      [lozenges(), '#e0b860'],
    ],
  },
  scales: {
    ground: '#1c3f66',
    trim: '#dcebf2',
    marks: [
      [scales(8.6), '#5d93bd', 1.3],
      [scales(5.4), '#9cc7de', 1],
      [scales(2.4), '#dcebf2'],
    ],
  },
  night: {
    ground: '#2a2450',
    trim: '#c9bdf0',
    marks: [
      ['M20 22L48 14L76 26L84 52M16 50L20 22M14 96L30 128L54 136L82 124L86 92', '#6c61a8', 0.8],
      [sky.map(([x, y, r]) => star(x, y, r)).join(''), '#f6e3a6'],
      [[[34, 34], [62, 40], [28, 74], [74, 72], [40, 112], [66, 108], [90, 38], [12, 74]].map(([x, y]) => dot(x!, y!, 0.9)).join(''), '#c9bdf0'],
    ],
  },
  orchard: {
    ground: '#f0e3c8',
    trim: '#8a3f2b',
    marks: [
      [leaves(), '#4f7a4c'],
      [fruits(), '#c4502f'],
    ],
  },
  tiles: {
    ground: '#b4543a',
    trim: '#f6e4cf',
    marks: [
      [quarters(0), '#f0c9a0'],
      [quarters(1), '#7f3326'],
    ],
  },
  sunrise: {
    ground: '#5b2350',
    trim: '#f5cfa4',
    marks: [
      [beams(), '#7d3560'],
      [[41, 35, 29].map((r) => dot(50, 75, r)).join(''), '#f0a35e', 1.6],
    ],
  },
};

/** The drawing of a back; of the first one if there is none with that id. */
export function drawingOf(look: string): BackDrawing {
  return drawings[backs.find((back) => back === look) ?? backs[0]];
}
