import { describe, expect, it } from 'vitest';
import { parseReleaseSafetyIndex } from '../../../src/release-safety/parse-index.js';
import { evaluateSpan } from '../../../src/release-safety/span.js';
import { plainPalette } from '../../../src/render/palette.js';
import { renderStrip } from '../../../src/render/text/strip.js';
import { indexOf, realIndex } from '../../support/real-index.js';

const strip = (from: string, to: string, width = 80, index = realIndex()) =>
  renderStrip(evaluateSpan(index, { from, to }), plainPalette, width);

describe('renderStrip', () => {
  it('draws one cell a release, by shape as well as by colour', () => {
    expect(strip('1.111.0', '1.115.0')).toBe('█▄▄▄▄  ▄ unknown  █ false');
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
    expect(strip('1.0.0', '1.3.0', 80, index)).toBe('◆╳▁▁  ▁ true  ◆ stop  ╳ gap');
    expect(strip('0.9.0', '1.4.0', 80, index)).toBe('╳◆◆╳▁▁╳  ▁ true  ◆ stop  ╳ gap');
  });

  it.each([40, 80, 200])('fits the whole index into %i columns, and loses no false', (width) => {
    const line = strip('0.1893.0', '2.134.2', width);
    expect([...line]).toHaveLength(width);
    expect(line).toMatch(/█.* false$/);
  });

  it('a cell that stands for several releases shows the gravest of them', () => {
    // 1.197.0 and 1.198.0 are the only two of these 128 releases that are false.
    expect(strip('1.157.0', '1.214.0', 31)).toMatch(/^▁{9}█▁{4} {2}▁ true {2}█ false$/);
  });
});
