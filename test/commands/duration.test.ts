import { expect, it } from 'vitest';
import { parseDuration } from '../../src/commands/duration.js';

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
  expect(parseDuration(text)).toBe(ms);
});
