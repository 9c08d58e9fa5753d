import { LightspanError } from '../errors.js';

/**
 * Standard input for one reader. A second would find it empty, and tell of an empty file where the command line is what
 * is wrong.
 */
export function readableOnce(stdin: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let taken = false;
  return {
    [Symbol.asyncIterator]() {
      if (taken) {
        throw new LightspanError('usage', 'standard input is named twice, and can be read once', {
          hint: 'Name a file in place of one "-".',
        });
      }
      taken = true;
      return stdin[Symbol.asyncIterator]();
    },
  };
}
