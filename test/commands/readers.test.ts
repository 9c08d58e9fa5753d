import { expect, it } from 'vitest';
import { recommendedMinAgeMs } from '../../src/core/route/recommended.js';
import { recommendedMinAge } from '../../src/door/options/options.js';
import { readByteCount, readDuration } from '../../src/door/readers.js';
import * as limits from '../../src/gather/limits.js';

it.each([
  ['--timeout', limits.usualTimeout, limits.usualTimeoutMs],
  ['--max-age of an index', limits.oldIndex, limits.oldIndexMs],
  ['--max-age of a rehearsal', limits.oldRehearsal, limits.oldRehearsalMs],
  ['--min-age', recommendedMinAge, recommendedMinAgeMs],
])('the default of %s is in the help what it is in the program', (_, text, ms) => {
  expect(readDuration(text)).toBe(ms);
});

it.each([
  [readDuration, '30=30000 30s=30000 10m=600000 6h=21600000 7d=604800000 999999999d=86399999913600000'],
  [readByteCount, '1=1 1000000=1000000 512KiB=524288 64MiB=67108864 1GiB=1073741824'],
  [readByteCount, `999999999999GiB=${999_999_999_999 * 1024 ** 3}`],
])('%s reads %s', (read, rows) => {
  for (const row of rows.split(' ')) {
    const [text = '', value] = row.split('=');
    expect(read(text), text).toBe(Number(value));
  }
});

it.each([
  [readDuration, ',0,0d,-5,1.5h,1w,5M, 5,1h30m,1000000000', 'Write it as 30 (seconds)'],
  [
    readByteCount,
    ',0,0KiB,-1,1.5MiB,64MB,64 MiB,64mib,1e6,0x10,1000000000000',
    'Write it as 1000000 (bytes)',
  ],
])('%s refuses each of "%s"', (read, texts, message) => {
  for (const text of texts.split(',')) expect(() => read(text), text).toThrow(message);
});
