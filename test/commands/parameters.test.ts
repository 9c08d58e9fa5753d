import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readParameters } from '../../src/app/lightdash/merge-body.js';
import { stringifyExactJson } from '../../src/core/json/exact-json.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Numbers as JSON writes them, of any length, that a double can come near to. */
const numberText = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.option(fc.stringMatching(/^\d{1,30}$/)))
  .map(
    ([negative, whole, fraction]) =>
      `${negative ? '-' : ''}${whole}${fraction === null ? '' : `.${fraction}`}`,
  );

const nothing = (async function* () {})();
const file = join(temporaryFolder(), 'params');

describe('the numbers of parameters', () => {
  it('come out of --param as they went in, digit for digit', async () => {
    await fc.assert(
      fc.asyncProperty(numberText, fc.array(numberText), async (one, list) => {
        const param = [`one:=${one}`, `list:=[${list}]`];
        expect(stringifyExactJson(await readParameters({ texts: param, file: undefined }, nothing))).toBe(
          `{"one":${one},"list":[${list}]}`,
        );
      }),
    );
  });

  it('come out of --params-file as they went in, digit for digit', async () => {
    await fc.assert(
      fc.asyncProperty(numberText, fc.array(numberText), async (one, list) => {
        writeFileSync(file, `one: ${one}\nlist: [${list}]\n`);
        expect(stringifyExactJson(await readParameters({ texts: [], file }, nothing))).toBe(
          `{"one":${one},"list":[${list}]}`,
        );
      }),
    );
  });
});
