import { expect, it } from 'vitest';
import { readInvocation } from '../src/door/invocation.js';

it.each([
  ['upgrade-check', 'text'],
  ['upgrade-check --json', 'json'],
  ['upgrade-check --json --format junit', 'json'],
  ['upgrade-check --format junit', 'junit'],
  ['upgrade-check --format=github', 'github'],
  ['--format markdown upgrade-check', 'markdown'],
  ['upgrade-check --format', 'text'],
  ['upgrade-check --format of-none', 'text'],
  ['upgrade-bump', 'text'],
  ['--debug upgrade-bump --format json', 'json'],
  ['', 'text'],
])('"%s" that fails is told as %s', (line, format) => {
  expect(readInvocation(line.split(' ')).format).toBe(format);
});
