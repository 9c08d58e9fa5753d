import { expect, it } from 'vitest';
import { plainPalette } from '../../../src/answer/formats/palette.js';
import { renderStrip } from '../../../src/answer/outputs/strip.js';
import { parseReleaseSafetyIndex } from '../../../src/core/index/parse-index.js';
import { evaluateSpan } from '../../../src/library/library.js';
import { indexOf, realIndex } from '../../support/real-index.js';

const gappy = parseReleaseSafetyIndex(
  indexOf(
    { version: '1.0.0' },
    { version: '1.1.0', requiredStops: ['1.1.0'] },
    { version: '1.2.0', previousVersion: null },
    { version: '1.3.0' },
  ),
);
const caption = 'Releases, oldest first, one per cell:';

it.each([
  ['1.111.0', '1.115.0', 80, realIndex(), [caption, '█▄▄▄▄', '▄ 4 unknown  █ 1 false']],
  ['1.111.0', '1.111.0', 80, realIndex(), []],
  ['1.0.0', '1.3.0', 80, gappy, [caption, '◆╳▁▁', '▁ 2 true  ◆ 1 required stop  ╳ 1 gap in the index']],
  ['0.9.0', '1.4.0', 40, gappy, [caption, '╳◆◆╳▁▁╳', '▁ 2 true  ◆ 2 required stop  ╳ 3 gap in\nthe index']],
  ['1.0.0', '1.3.0', 4, gappy, [expect.anything(), '◆╳▁▁', expect.anything()]],
  ['1.0.0', '1.3.0', 3, gappy, []],
] as const)(
  '%s to %s is drawn one cell a release, if it fits into %i columns',
  (from, to, width, index, lines) => {
    expect(renderStrip(evaluateSpan(index, { from, to }), plainPalette, width)).toEqual(lines);
  },
);
