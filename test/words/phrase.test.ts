import { expect, it } from 'vitest';
import { describeBytes, describeSeconds } from '../../src/words/phrase.js';

it.each([
  [0, '0 seconds'],
  [119, '119 seconds'],
  [120, '2 minutes'],
  [7199, '119 minutes'],
  [7200, '2 hours'],
  [172_799, '47 hours'],
  [172_800, '2 days'],
])('%i seconds are %s', (seconds, text) => {
  expect(describeSeconds(seconds)).toBe(text);
});

it.each([
  [0, '0 bytes'],
  [1023, '1023 bytes'],
  [1024, '1 KiB'],
  [5 * 1024 ** 3, '5 GiB'],
  [3_500_000_000, '3.26 GiB'],
  [2 ** 60, '1048576 TiB'],
])('%i bytes are %s', (bytes, text) => {
  expect(describeBytes(bytes)).toBe(text);
});
