import { drawingOf } from '../cards/avatars';
import { pocket, one as lastCard } from '../cards/mark';

/** What a picture of a result shows, in words. */
export type Result = {
  title: string;
  /** Which game, how many rounds, when. */
  about: string;
  champions: string[];
  rows: { rank: number; name: string; look: string; total: string; won: boolean }[];
  awards: { look: string; title: string; line: string }[];
};

const WIDTH = 1080;
const MARGIN = 72;
const ROW = 104;
const AWARD = 112;
const FONT = getComputedStyle(document.documentElement).getPropertyValue('--font') || 'sans-serif';
const TONES = ['#e4513f', '#ffcf4a', '#52b36b', '#4a8fe0'];

/** A picture of a result as a PNG, made on this device. */
export async function drawResult(result: Result): Promise<Blob> {
  const canvas = document.createElement('canvas');
  const height = 700 + result.rows.length * ROW + result.awards.length * AWARD + (result.awards.length > 0 ? 40 : 0);
  [canvas.width, canvas.height] = [WIDTH, height];
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('no canvas');
  pen.textBaseline = 'middle';
  drawGround(pen, height);
  drawChampions(pen, result.champions);
  write(pen, result.title, WIDTH / 2, 452, 60, 'center', '#fff6e0', 800, WIDTH - 2 * MARGIN);
  write(pen, result.about, WIDTH / 2, 514, 30, 'center', '#c9d8cf', 500, WIDTH - 2 * MARGIN);
  let y = 570;
  for (const row of result.rows) {
    drawRow(pen, row, y);
    y += ROW;
  }
  y += result.awards.length > 0 ? 40 : 0;
  for (const award of result.awards) {
    drawAvatar(pen, award.look, MARGIN + 14, y + 8, 80);
    write(pen, award.title, MARGIN + 120, y + 32, 36, 'left', '#ffcf4a', 750, WIDTH - 2 * MARGIN - 140);
    write(pen, award.line, MARGIN + 120, y + 74, 28, 'left', '#e6efe9', 500, WIDTH - 2 * MARGIN - 140);
    y += AWARD;
  }
  drawMark(pen, height);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'));
}

type Pen = CanvasRenderingContext2D;

/** Felt in lamplight, with confetti that lies the same way every time. */
function drawGround(pen: Pen, height: number): void {
  const glow = pen.createRadialGradient(WIDTH / 2, 260, 60, WIDTH / 2, 420, height * 0.8);
  glow.addColorStop(0, '#3a7668');
  glow.addColorStop(0.45, '#1f4a40');
  glow.addColorStop(1, '#10231e');
  pen.fillStyle = glow;
  pen.fillRect(0, 0, WIDTH, height);
  for (let i = 0; i < 90; i++) {
    const [across, down] = [(i * 0.618034) % 1, (i * 0.754878) % 1];
    pen.save();
    pen.translate(across * WIDTH, down * 480);
    pen.rotate(i * 1.7);
    pen.globalAlpha = 0.9 - down * 0.5;
    pen.fillStyle = TONES[i % TONES.length]!;
    pen.fillRect(-9, -5, 18, 10);
    pen.restore();
  }
}

function drawChampions(pen: Pen, looks: string[]): void {
  const [size, gap] = [looks.length > 2 ? 160 : 230, 30];
  const left = (WIDTH - looks.length * size - (looks.length - 1) * gap) / 2;
  looks.forEach((look, i) => {
    const x = left + i * (size + gap);
    pen.fillStyle = '#ffc93c';
    pen.beginPath();
    pen.roundRect(x - 12, 378 - size - 12, size + 24, size + 24, size * 0.36);
    pen.fill();
    drawAvatar(pen, look, x, 378 - size, size);
    pen.save();
    pen.translate(x + size / 2, 378 - size - 62);
    pen.rotate(0.12);
    pen.scale(1.5, 1.5);
    pen.fill(new Path2D('M-42 44L-48 4L-22 20L0 -8L22 20L48 4L42 44Z'));
    pen.strokeStyle = '#9a640a';
    pen.lineWidth = 3;
    pen.stroke(new Path2D('M-42 44L-48 4L-22 20L0 -8L22 20L48 4L42 44Z'));
    pen.restore();
  });
}

function drawRow(pen: Pen, row: Result['rows'][number], y: number): void {
  pen.fillStyle = row.won ? 'rgb(255 201 60 / 24%)' : 'rgb(255 255 255 / 9%)';
  pen.beginPath();
  pen.roundRect(MARGIN, y, WIDTH - 2 * MARGIN, ROW - 12, 24);
  pen.fill();
  const middle = y + (ROW - 12) / 2;
  write(pen, String(row.rank), MARGIN + 46, middle + 2, 40, 'center', row.won ? '#ffcf4a' : '#c9d8cf', 800, 60);
  drawAvatar(pen, row.look, MARGIN + 88, y + 10, ROW - 32);
  write(pen, row.name, MARGIN + 184, middle + 2, 40, 'left', '#fff6e0', 700, 540);
  write(pen, row.total, WIDTH - MARGIN - 30, middle + 2, 44, 'right', '#fff6e0', 800, 200);
}

function drawAvatar(pen: Pen, look: string, x: number, y: number, size: number): void {
  const { ground, layers } = drawingOf(look);
  pen.save();
  pen.translate(x, y);
  pen.scale(size / 100, size / 100);
  pen.beginPath();
  pen.roundRect(0, 0, 100, 100, 32);
  pen.clip();
  pen.fillStyle = ground;
  pen.fillRect(0, 0, 100, 100);
  [pen.lineWidth, pen.lineCap, pen.lineJoin] = [3, 'round', 'round'];
  for (const { tone, path, mirrored, line } of layers) {
    for (const side of mirrored ? [1, -1] : [1]) {
      pen.save();
      if (side < 0) pen.transform(-1, 0, 0, 1, 100, 0);
      const shape = new Path2D(path);
      if (line) {
        pen.strokeStyle = tone;
        pen.stroke(shape);
      } else {
        pen.fillStyle = tone;
        pen.fill(shape);
      }
      pen.restore();
    }
  }
  pen.restore();
}

function drawMark(pen: Pen, height: number): void {
  pen.save();
  pen.translate(WIDTH / 2 - 92, height - 88);
  pen.scale(0.56, 0.56);
  [pen.lineWidth, pen.lineCap, pen.strokeStyle, pen.fillStyle] = [13, 'round', '#ffcf4a', '#fff6e0'];
  pen.fill(new Path2D(lastCard));
  pen.stroke(new Path2D(pocket));
  pen.restore();
  write(pen, 'unum', WIDTH / 2 - 20, height - 56, 46, 'left', '#fff6e0', 800, 300);
}

/** Words on one line, made smaller or cut where they are too long. */
function write(pen: Pen, text: string, x: number, y: number, size: number, align: CanvasTextAlign, tone: string, weight: number, most: number): void {
  const font = (px: number) => (pen.font = `${weight} ${px}px ${FONT}`);
  font(size);
  const wide = pen.measureText(text).width;
  if (wide > most) font(Math.max(size * 0.62, (size * most) / wide));
  let fitting = text;
  while (fitting.length > 1 && pen.measureText(fitting).width > most) fitting = `${fitting.slice(0, -2)}…`;
  [pen.textAlign, pen.fillStyle] = [align, tone];
  pen.fillText(fitting, x, y);
}

/** Shares a picture by the device's own means, or saves it. */
export async function handOver(picture: Blob, title: string): Promise<void> {
  const file = new File([picture], 'unum.png', { type: 'image/png' });
  if (canShare()) {
    try {
      return await navigator.share({ files: [file], title });
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return;
    }
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(picture);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Whether the device shares files. */
export function canShare(): boolean {
  const probe = new File([], 'unum.png', { type: 'image/png' });
  return typeof navigator.canShare === 'function' && navigator.canShare({ files: [probe] });
}
