import { expect, it } from 'vitest';
import { parseByteCount } from '../../src/commands/byte-count.js';

it.each<[text: string, bytes: number | undefined]>([
  ['1', 1],
  ['1000000', 1_000_000],
  ['512KiB', 524_288],
  ['64MiB', 67_108_864],
  ['1GiB', 1_073_741_824],
  ['999999999999GiB', 999_999_999_999 * 1024 ** 3],
  ['', undefined],
  ['0', undefined],
  ['0KiB', undefined],
  ['-1', undefined],
  ['1.5MiB', undefined],
  ['64MB', undefined],
  ['64 MiB', undefined],
  ['64mib', undefined],
  ['1e6', undefined],
  ['0x10', undefined],
  ['1000000000000', undefined],
])('%j is %s bytes', (text, bytes) => {
  expect(parseByteCount(text)).toBe(bytes);
});
