import type { RoundReview } from '../../protocol';
import { lineOf, pathOf } from './review';

const [WIDTH, HEIGHT, MARGIN] = [1080, 900, 72];
const TONES = ['#e4513f', '#4a8fe0', '#52b36b', '#e0a81e'];

/** What a picture of a review shows. */
export type Pictured = { title: string; sentence: string; round: RoundReview; seat: number; names: string[] };

/** A picture of a round: the sentence and the line of chances, as a PNG, made on this device. */
export async function drawReview({ title, sentence, round, seat, names }: Pictured): Promise<Blob> {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [WIDTH, HEIGHT];
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('no canvas');
  const font = getComputedStyle(document.documentElement).getPropertyValue('--font') || 'sans-serif';
  pen.fillStyle = '#16352d';
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  pen.fillStyle = '#fff6e0';
  pen.font = `800 52px ${font}`;
  pen.fillText(title, MARGIN, 110, WIDTH - 2 * MARGIN);
  pen.font = `500 32px ${font}`;
  const top = write(pen, sentence, 170) + 50;
  const box: [number, number] = [WIDTH - 2 * MARGIN, HEIGHT - top - 130];
  pen.translate(MARGIN, top);
  pen.strokeStyle = '#ffffff44';
  for (const level of [0, 0.5, 1]) pen.strokeRect(0, level * box[1], box[0], 0);
  names.forEach((_, other) => {
    pen.strokeStyle = TONES[other % TONES.length]!;
    pen.lineWidth = other === seat ? 8 : 3;
    pen.setLineDash(other >= TONES.length ? [14, 9] : []);
    pen.stroke(new Path2D(pathOf(lineOf(round, other, false, box))));
  });
  pen.font = `600 28px ${font}`;
  let x = 0;
  names.forEach((name, other) => {
    pen.fillStyle = TONES[other % TONES.length]!;
    pen.fillText(name, x, box[1] + 62);
    x += pen.measureText(name).width + 36;
  });
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'));
}

/** Writes a text in lines that fit, and says where the next would be. */
function write(pen: CanvasRenderingContext2D, text: string, y: number): number {
  let line = '';
  // Where there are no spaces, every character may begin a line.
  for (const part of text.match(/[\u3000-\u9fff\uff00-\uffef]|[^\s\u3000-\u9fff\uff00-\uffef]+\s*/g) ?? []) {
    if (line && pen.measureText(line + part).width > WIDTH - 2 * MARGIN) {
      pen.fillText(line, MARGIN, y);
      [line, y] = ['', y + 44];
    }
    line += part;
  }
  pen.fillText(line, MARGIN, y);
  return y;
}
