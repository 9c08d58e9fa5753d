import fc from 'fast-check';
import semver from 'semver';
import { describe, expect, it } from 'vitest';
import { compareVersions } from '../../src/library.js';
import { ReleaseSafetyError } from '../../src/release-safety/errors.js';
import { isVersion, parseTag, parseVersion } from '../../src/release-safety/version.js';

describe('parseVersion', () => {
  it.each([
    ['1.121.0', '1.121.0'],
    ['v1.121.0', '1.121.0'],
    ['V1.121.0', '1.121.0'],
    [' 1.121.0', '1.121.0'],
    ['1.121.0\r\n', '1.121.0'],
    ['\u00a01.121.0\t', '1.121.0'],
    ['"1.121.0"', '1.121.0'],
    ["'v1.121.0'", '1.121.0'],
    [' " V1.121.0 " ', '1.121.0'],
    ['“1.121.0”', '1.121.0'],
    ['‘1.121.0’', '1.121.0'],
    ['0.0.0', '0.0.0'],
    ['0.2155.10', '0.2155.10'],
    ['999999999999999.0.0', '999999999999999.0.0'],
  ])('reads %s as %s', (text, version) => {
    expect(parseVersion(text)).toBe(version);
  });

  it.each([
    ['', 'it is empty'],
    ['v', 'it is empty'],
    [' ', 'it is empty'],
    ['""', 'it is empty'],
    ["' v '", 'it is empty'],
    ['v 1.2.3', 'white space'],
    ['1.2.3 1.2.4', 'white space'],
    ['1.115.0 -h', 'white space'],
    ['"1.2.3', 'not three numbers'],
    ['"1.2.3\'', 'not three numbers'],
    ['\'"1.2.3"\'', 'not three numbers'],
    ['Vv1.2.3', 'not three numbers'],
    ['1. 2.3', 'white space'],
    ['1.2', 'it has 2 of the three numbers'],
    ['1', 'it has 1 of the three numbers'],
    ['1.2.3.4', 'it has 4 of the three numbers'],
    ['1.2.x', 'range'],
    ['1.x.3', 'range'],
    ['*', 'range'],
    ['^1.2.3', 'range'],
    ['~1.2.3', 'range'],
    ['>=1.2.3', 'range'],
    ['=1.2.3', 'range'],
    ['1.2.3||1.2.4', 'range'],
    ['1.2.3-beta.1', 'pre-releases'],
    ['1.2.3+build', 'pre-releases'],
    ['10.20.30-rc.1', 'pre-releases'],
    ['01.2.3', 'a number in it has a leading zero'],
    ['1.02.3', 'leading zero'],
    ['1.2.00', 'leading zero'],
    ['99999999999999999999.0.0', 'too large'],
    ['1.1000000000000000.0', 'a number in it is too large'],
    ['vv1.2.3', 'not three numbers'],
    ['lightdash-1.2.3-1', 'not three numbers'],
    ['latest', 'not three numbers'],
    ['development', 'not three numbers'],
    ['-1.2.3', 'not three numbers'],
    ['1..3', 'not three numbers'],
    ['1.2.3,1.2.4', 'not three numbers'],
    ['1.2.3=', 'not three numbers'],
    ['1.v2.3', 'not three numbers'],
    ['１.2.3', 'not three numbers'],
    ['1e1.2.3', 'not three numbers'],
    ['0x1.2.3', 'not three numbers'],
  ])('refuses %j: %s', (text, reason) => {
    expect(() => parseVersion(text)).toThrow(
      expect.objectContaining({ code: 'invalid-version', message: expect.stringContaining(reason) }),
    );
  });

  const digest = `sha256:${'0a'.repeat(32)}`;
  const asExample = 'Write the exact release, for example 1.121.0.';
  it.each([
    ['latest', 'not three numbers', asExample],
    ['1.2', '2 of the three', asExample],
    [
      '0.2155.10-cloud',
      'pre-releases and builds',
      'Where "-cloud" is what your image tags end in, write the release alone: 0.2155.10.',
    ],
    ['"v1.2.3+a"', 'builds', 'Where "+a" is what your image tags end in, write the release alone: 1.2.3.'],
    [`1.2.3-${'x'.repeat(99)}`, 'builds', asExample],
    ['01.2.3-cloud', 'builds', asExample],
    [`1.121.0@${digest}`, 'a digest does not tell the release', 'Write the release alone: 1.121.0.'],
    [`lightdash/lightdash:v1.121.0@${digest}`, 'a digest', 'Write the release alone: 1.121.0.'],
    ['registry:5000/lightdash:1.121.0', 'it is an image', 'Write the release alone: 1.121.0.'],
    ['lightdash/lightdash', 'it is an image', asExample],
    [digest, 'a digest', 'Write the release that it was pulled as, '],
    [digest.slice(7), 'a digest', 'Write the release that it was pulled as, '],
    [`lightdash/lightdash@${digest}`, 'a digest', 'Write the release that it was pulled as, '],
  ])('of %j says %j and how to write it', (text, reason, hint) => {
    expect(() => parseVersion(text)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(reason),
        hint: expect.stringContaining(hint),
      }),
    );
  });

  it('keeps a long argument short in its message', () => {
    expect(() => parseVersion('1'.repeat(100_000))).toThrow(/^.{1,140}$/);
  });
});

describe('parseTag', () => {
  it.each(['1.121.0', 'v1.121.0', 'V1.121.0'])('reads %j', (text) => {
    expect(parseTag(text)).toBe('1.121.0');
  });

  it.each([' 1.121.0', '1.121.0\n', '"1.121.0"', "'v1.121.0'", '1.121.0-custom'])('refuses %j', (text) => {
    expect(() => parseTag(text)).toThrow(expect.objectContaining({ code: 'invalid-version' }));
  });
});

it.each([
  [1.1, '1.1'],
  [undefined, 'undefined'],
  [null, 'null'],
  [['1.1.0'], '["1.1.0"]'],
])('what is no text is no version: %s', (value, shown) => {
  const fault = {
    code: 'invalid-version',
    message: `${shown} is not a release version: it is not a text`,
    hint: 'Write the exact release, for example 1.121.0.',
  };
  for (const read of [parseVersion, parseTag, (text: string) => compareVersions('1.0.0', text)]) {
    expect(() => read(value as never)).toThrow(expect.objectContaining(fault));
  }
});

describe('isVersion', () => {
  it.each([[1], [null], [undefined], [{}], [['1.2.3']], ['v1.2.3']])('is false for %j', (value) => {
    expect(isVersion(value)).toBe(false);
  });
});

const number = fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 10_000 }), fc.nat({ max: 999_999_999_999_999 }));
const version = fc.tuple(number, number, number).map((numbers) => numbers.join('.'));

describe('compareVersions', () => {
  it('orders by number, not by letter', () => {
    const versions = ['2.0.0', '0.2155.10', '10.0.0', '0.2155.9', '0.1893.0', '1.9.0', '1.10.0'];
    expect(versions.sort(compareVersions)).toEqual([
      '0.1893.0',
      '0.2155.9',
      '0.2155.10',
      '1.9.0',
      '1.10.0',
      '2.0.0',
      '10.0.0',
    ]);
  });

  it('agrees with semver', () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        expect(compareVersions(a, b)).toBe(semver.compare(a, b));
      }),
    );
  });

  it.each([
    ['latest', 'latest'],
    ['1.2', '1.2.0'],
    ['1.2.0', 'v1.2.0'],
  ])('refuses to order %j and %j', (a, b) => {
    expect(() => compareVersions(a, b)).toThrow(expect.objectContaining({ code: 'invalid-version' }));
  });
});

describe('how to write a version that is none', () => {
  const hintOf = (text: string) => {
    try {
      parseVersion(text);
    } catch (error) {
      return error instanceof ReleaseSafetyError ? error.hint : undefined;
    }
    return 'it is one';
  };
  const exact = 'Write the exact release, for example 1.121.0.';
  const pulled =
    'Write the release that it was pulled as, for example 1.121.0; a running instance tells its own.';

  it.each<[string, string]>([
    ['1.121.0v1', exact],
    ['x"1.121.0"', exact],
    ['"1.121.0"x', exact],
    ['lightdash:1.121.0', exact],
    ['lightdash/lightdash:1.121.0', 'Write the release alone: 1.121.0.'],
    ['1.121.0@sha256:abc', 'Write the release alone: 1.121.0.'],
    ['sha256:abc', pulled],
    [`${'a'.repeat(64)}`, pulled],
    [`${'a'.repeat(65)}`, exact],
    ['tagsha256:abc', exact],
    [
      `1.121.0-${'a'.repeat(19)}`,
      `Where "-${'a'.repeat(19)}" is what your image tags end in, write the release alone: 1.121.0.`,
    ],
    [`1.121.0-${'a'.repeat(20)}`, exact],
  ])('%j: %s', (text, hint) => {
    expect(hintOf(text)).toBe(hint);
  });
});

it('tells a version that is none as it was written', () => {
  expect(() => parseVersion(' "v1.2" ')).toThrow(/^" \\"v1\.2\\" " is not a release version: /);
});
