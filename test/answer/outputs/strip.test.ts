import { describe, expect, it } from 'vitest';
import { renderStrip } from '../../../src/answer/outputs/strip.js';
import { plainPalette } from '../../../src/answer/palette.js';
import { evaluateSpan } from '../../../src/library.js';
import { parseReleaseSafetyIndex } from '../../../src/release-safety/parse-index.js';
import { indexOf, realIndex } from '../../support/real-index.js';

const strip = (from: string, to: string, width = 80, index = realIndex()) =>
  renderStrip(evaluateSpan(index, { from, to }), plainPalette, width);

describe('renderStrip', () => {
  it('draws one cell a release, by shape as well as by colour, between a caption and a key', () => {
    expect(strip('1.111.0', '1.115.0')).toEqual([
      'Releases, oldest first, one per cell:',
      '█▄▄▄▄',
      '▄ 4 unknown  █ 1 false',
    ]);
  });

  it('draws nothing where there is no release', () => {
    expect(strip('1.111.0', '1.111.0')).toEqual([]);
  });

  it('marks stops, and releases that the index lacks', () => {
    const index = parseReleaseSafetyIndex(
      indexOf(
        { version: '1.0.0' },
        { version: '1.1.0', requiredStops: ['1.1.0'] },
        { version: '1.2.0', previousVersion: null },
        { version: '1.3.0' },
      ),
    );
    expect(strip('1.0.0', '1.3.0', 80, index).slice(1)).toEqual([
      '◆╳▁▁',
      '▁ 2 true  ◆ 1 required stop  ╳ 1 gap in the index',
    ]);
    expect(strip('0.9.0', '1.4.0', 40, index).slice(1)).toEqual([
      '╳◆◆╳▁▁╳',
      '▁ 2 true  ◆ 2 required stop  ╳ 3 gap in\nthe index',
    ]);
  });

  it.each([
    [20, 180],
    [40, 90],
    [80, 45],
    [200, 18],
  ])('fits the whole index into %i columns, says how, and loses no false', (width, share) => {
    const lines = strip('0.1893.0', '2.134.2', width);
    for (const line of lines.join('\n').split('\n')) expect([...line].length).toBeLessThanOrEqual(width);
    const [caption = '', drawn = '', ...key] = lines;
    expect([...drawn]).toHaveLength(width);
    expect(drawn).toContain('█');
    expect(caption.replaceAll('\n', ' ')).toBe(
      `Releases, oldest first, up to ${share} per cell, which shows the worst of them:`,
    );
    const counted = [...key.join(' ').matchAll(/\d+/g)].map(Number);
    expect(counted.reduce((sum, count) => sum + count)).toBe(3597);
  });

  it('a cell that stands for several releases shows the gravest of them', () => {
    // 1.197.0 and 1.198.0 are the only two of these 128 releases that are false.
    expect(strip('1.157.0', '1.214.0', 14).slice(1)).toEqual([
      expect.stringMatching(/^▁{9}█▁{4}$/),
      '▁ 126 true  █\n2 false',
    ]);
  });
});
