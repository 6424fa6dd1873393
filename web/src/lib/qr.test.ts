import { describe, expect, it } from 'vitest';
import { sha256, toHex } from './fair';
import { qrCode, qrPath } from './qr';

describe('QR codes', () => {
  it('are as a reader of another make has read them', () => {
    const grid = qrCode('http://127.0.0.1:4173/t/mock123456')!;
    expect(grid).toHaveLength(29);
    expect(toHex(sha256([new TextEncoder().encode(qrPath(grid))])).slice(0, 16)).toBe('acadcd4e2ff361d0');
  });

  it('grow with the text, up to a point', () => {
    expect(qrCode('a')).toHaveLength(21);
    expect(qrCode('a'.repeat(106))).toHaveLength(41);
    expect(qrCode('a'.repeat(107))).toBeNull();
  });
});
