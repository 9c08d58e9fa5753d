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
  ['1.0.0', '1.3.0', 3, gappy, [expect.anything(), '╳▁', expect.anything()]],
] as const)(
  '%s to %s is drawn one cell a release, if it fits into %i columns',
  (from, to, width, index, lines) => {
    expect(renderStrip(evaluateSpan(index, { from, to }), { palette: plainPalette, width })).toEqual(lines);
  },
);

it('a span of hundreds of releases is one line of the width, in which no stop, hop or unsafe release is lost', () => {
  const result = evaluateSpan(realIndex(), { from: '1.2.0', to: '2.134.2' });
  const [said, line = '', key] = renderStrip(result, {
    ...{ palette: plainPalette, width: 80, isAscii: true },
    landings: ['1.3.0', '1.111.0'],
  });
  expect(said).toBe('Releases, oldest first, 9 per cell, of which it shows the gravest:');
  expect(line).toMatch(/^[.?#|^x]{76}$/);
  expect(line.match(/\|/g)).toHaveLength(2);
  expect(line).toContain('#');
  expect(key).toMatch(/^\. 498 true {2}\? \d+ unknown {2}# \d+ false {2}\| 2 end of a hop$/m);
});
