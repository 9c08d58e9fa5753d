import { expect, it } from 'vitest';
import { mapOutput, widthOf } from '../../src/door/context.js';

it.each([
  ['a terminal', { isTTY: true, columns: 120 }, 120],
  ['a terminal that does not know its width', { isTTY: true, columns: 0 }, 80],
  ['a terminal that does not say its width', { isTTY: true }, 80],
  ['no terminal', { isTTY: false, columns: 120 }, undefined],
])('lines for %s are so wide', (_, output, width) => {
  expect(widthOf(output)).toBe(width);
});

it('an output whose text is replaced is flushed as before, and as wide', async () => {
  const seen: string[] = [];
  const output = {
    write: (text: string) => seen.push(text),
    flush: async () => {
      seen.push('flushed');
    },
    isTTY: true,
    columns: 50,
  };
  const mapped = mapOutput(output, (text) => text.toUpperCase());
  mapped.write('a');
  await mapped.flush?.();
  expect(seen).toEqual(['A', 'flushed']);
  expect(widthOf(mapped)).toBe(50);
});
