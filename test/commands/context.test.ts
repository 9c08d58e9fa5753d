import { expect, it } from 'vitest';
import { widthOf } from '../../src/commands/context.js';

it.each([
  ['a terminal', { isTTY: true, columns: 120 }, 120],
  ['a terminal that does not know its width', { isTTY: true, columns: 0 }, 80],
  ['a terminal that does not say its width', { isTTY: true }, 80],
  ['no terminal', { isTTY: false, columns: 120 }, undefined],
])('lines for %s are so wide', (_, output, width) => {
  expect(widthOf(output)).toBe(width);
});
