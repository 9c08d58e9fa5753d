import { expect, it } from 'vitest';
import { readByteCount, readDuration } from '../../src/commands/readers.js';

it.each<[text: string, ms: number | undefined]>([
  ['30', 30_000],
  ['30s', 30_000],
  ['10m', 600_000],
  ['6h', 21_600_000],
  ['7d', 604_800_000],
  ['999999999d', 86_399_999_913_600_000],
  ['', undefined],
  ['0', undefined],
  ['0d', undefined],
  ['-5', undefined],
  ['1.5h', undefined],
  ['1w', undefined],
  ['5M', undefined],
  [' 5', undefined],
  ['1h30m', undefined],
  ['1000000000', undefined],
])('%j is %s ms', (text, ms) => {
  if (ms === undefined) expect(() => readDuration(text)).toThrow('Write it as 30 (seconds)');
  else expect(readDuration(text)).toBe(ms);
});

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
  if (bytes === undefined) expect(() => readByteCount(text)).toThrow('Write it as 1000000 (bytes)');
  else expect(readByteCount(text)).toBe(bytes);
});
