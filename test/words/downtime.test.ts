import { describe, expect, it } from 'vitest';
import { parseVersion } from '../../src/core/version.js';
import { type TimeRange, unbounded } from '../../src/instance/forecast/work-time.js';
import { describeForecast, describeTime } from '../../src/words/route/downtime.js';

const range = (lowSeconds: number, highSeconds: number): TimeRange => ({
  lowSeconds,
  highSeconds,
  because: [],
});

describe('a time', () => {
  it.each<[TimeRange, string]>([
    [range(0, 0), 'under 1 second'],
    [range(0, 1.01), 'up to 2 seconds'],
    [range(1.9, 2), '1 to 2 seconds'],
    [range(2, 2), '2 seconds'],
    [range(90, 39.1 * 60), '90 seconds to 40 minutes'],
    [range(3 * 3600, 80 * 3600), '3 hours to 4 days'],
    [range(0, 119.5), 'up to 2 minutes'],
    [range(1, 119), '1 to 119 seconds'],
    [range(119.9, 120), '119 seconds to 2 minutes'],
    [range(120 * 60 - 1, 120 * 60), '119 minutes to 2 hours'],
    [range(48 * 3600 - 1, 48 * 3600), '47 hours to 2 days'],
    [range(3 * 86_400 - 1, 3 * 86_400 + 1), '2 to 4 days'],
    [
      unbounded(1, 'rows-not-told'),
      expect.stringMatching(/^at least 1 second; the upper limit is not known/),
    ],
    [
      unbounded(250, 'rows-not-told'),
      'at least 4 minutes; the upper limit is not known: no artifact says how many rows change',
    ],
    [
      { ...unbounded(0.5, 'size-not-seen'), because: ['size-not-seen', 'rate-not-measured'] },
      'not known: the size of a table is not known, and the server was not measured (--no-measure, or no table may be read)',
    ],
  ])('%j is %s', (time, words) => {
    expect(describeTime(time)).toEqual(words);
  });
});

describe('a forecast', () => {
  const told = { migration: 'x', version: parseVersion('2.1.0'), mayDo: ['update'] as const };

  it('says what every row takes, where that is more', () => {
    expect(describeForecast({ ...told, ...unbounded(2, 'rows-not-told'), everyRowSeconds: 400 })).toMatch(
      /^at least 2 seconds; the upper limit .*; if it changes every row, at least 6 minutes$/,
    );
    expect(describeForecast({ ...told, ...range(0, 3), everyRowSeconds: 1 })).toMatch(/; if .* 1 second$/);
    for (const everyRowSeconds of [null, 0.5, 2])
      expect(describeForecast({ ...told, ...range(2, 3), everyRowSeconds })).toBe('2 to 3 seconds');
    expect(describeForecast({ ...told, ...range(0, 3), everyRowSeconds: 0.9 })).toBe('up to 3 seconds');
  });
});
