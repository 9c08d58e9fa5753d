import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  exactNumber,
  isExactNumber,
  parseExactJson,
  stringifyExactJson,
  withDoubles,
} from '../../../src/core/json/exact-json.js';
import { isRecord } from '../../../src/core/json/is-record.js';
import { propertyRuns } from '../../support/property-runs.js';

const digits = fc.stringMatching(/^[0-9]{1,40}$/);
/** A number in any form that JSON has for one. */
const numberText = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][0-9]{0,40}$/)),
    fc.oneof(
      fc.constant(''),
      digits.map((fraction) => `.${fraction}`),
    ),
    fc.oneof(fc.constant(''), fc.stringMatching(/^[eE][+-]?[0-9]{1,4}$/)),
  )
  .map((parts) => parts.join(''));

describe('parseExactJson and stringifyExactJson', () => {
  it.each([...['9007199254740993', '-0', '1.50', '1e3', '1E+3', '1e-7', '0.0000001', '1e999']])(
    'what goes in as %s comes out as it',
    (text) => {
      expect(stringifyExactJson(parseExactJson(text))).toBe(text);
      expect(String(exactNumber(text))).toBe(text);
      expect(isRecord(exactNumber(text))).toBe(false);
    },
  );

  it.each([String.raw`{"text":"\"","number":1.50}`, String.raw`{"text":"\\","number":1.50}`])(
    'sees where a text ends, and the number after it: %s',
    (text) => expect(stringifyExactJson(parseExactJson(text))).toBe(text),
  );

  it('keeps every number of any JSON, digit for digit', () => {
    fc.assert(
      fc.property(fc.array(numberText), fc.jsonValue(), (numbers, value) => {
        const text = `{"numbers":[${numbers.join(',')}],"value":${JSON.stringify(value)}}`;
        expect(stringifyExactJson(parseExactJson(text))).toBe(text);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('reads what JSON.parse reads, and nothing else', () => {
    const readWith = (parse: () => unknown) => {
      try {
        return { value: parse() };
      } catch (error) {
        return { isSyntaxError: error instanceof SyntaxError };
      }
    };
    const piece = fc.constantFrom(
      ...['{', '}', '[', ']', ',', ':', '"', '"a"', '\\', 'u0041', '1', '-', '.', 'e', '0', ' ', '\n'],
      ...['\u00a0', '\ufeff', '\u2028', 'true', 'null', 'false', '"__proto__"', '\u0001', '\ud800', '/'],
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
          fc
            .tuple(fc.json(), piece, fc.nat())
            .map(([json, more, at]) => json.slice(0, at % json.length) + more + json.slice(at % json.length)),
        ),
        (text) => {
          expect(readWith(() => withDoubles(parseExactJson(text)))).toEqual(readWith(() => JSON.parse(text)));
        },
      ),
      { numRuns: propertyRuns(5000) },
    );
  });

  it('leaves a number plain if a double prints it the same', () => {
    expect(parseExactJson('[1, -2.5, 1e+21, 0.000001]')).toEqual([1, -2.5, 1e21, 0.000001]);
    expect(isExactNumber(parseExactJson('9007199254740993'))).toBe(true);
  });

  it('takes no object for a number', () => {
    const text = '{"isLosslessNumber":true,"value":"1"}';
    expect(isExactNumber(parseExactJson(text))).toBe(false);
    expect(stringifyExactJson(parseExactJson(text))).toBe(text);
  });

  it('keeps a key named __proto__, and the last of two equal keys', () => {
    expect(stringifyExactJson(parseExactJson('{"__proto__":{"a":1.0},"b":1,"b":2.0}'))).toBe(
      '{"__proto__":{"a":1.0},"b":2.0}',
    );
  });

  it('indents', () => {
    expect(stringifyExactJson(parseExactJson('{"a":[1.0]}'), 2)).toBe('{\n  "a": [\n    1.0\n  ]\n}');
  });
});
