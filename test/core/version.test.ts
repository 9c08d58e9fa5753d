import fc from 'fast-check';
import semver from 'semver';
import { describe, expect, it } from 'vitest';
import { parseTag, parseVersion } from '../../src/core/version.js';
import { compareVersions } from '../../src/library/library.js';

const digest = `sha256:${'0a'.repeat(32)}`;
const plain = 'not three numbers joined by dots';

describe('parseVersion', () => {
  it.each([
    ['1.121.0', '1.121.0'],
    ['v1.121.0', '1.121.0'],
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
    ...['', 'v', ' ', '""', "' v '"].map((text) => [text, 'it is empty']),
    ...['v 1.2.3', '1.2.3 1.2.4', '1.115.0 -h', '1. 2.3', '"1.2.3', '"1.2.3\'', '\'"1.2.3"\''].map(asPlain),
    ...['Vv1.2.3', 'vv1.2.3', 'lightdash-1.2.3-1', 'latest', 'development', '-1.2.3'].map(asPlain),
    ...['1.2', '1', '1.2.3.4', '1..3', '1.2.3,1.2.4', '1.2.3=', '1.v2.3', '１.2.3'].map(asPlain),
    ...['01.2.3', '1.02.3', '1.2.00', '0x1.2.3', '1e1.2.3', '1.1000000000000000.0'].map(asPlain),
    ...['1.2.x', '1.x.3', '*', '^1.2.3', '~1.2.3', '>=1.2.3', '=1.2.3', '1.2.3||1.2.4'].map((text) => [
      text,
      'it is a range',
    ]),
  ])('refuses %j: %s', (text = '', reason) => {
    expect(() => parseVersion(text)).toThrow(
      expect.objectContaining({ code: 'invalid-version', message: expect.stringContaining(`: ${reason}`) }),
    );
  });

  function asPlain(text: string): [string, string] {
    return [text, `it is ${plain}`];
  }

  const exact = 'Write the exact release, for example 1.121.0.';
  const alone = (version: string) => `Write the release alone: ${version}.`;
  const suffix = (end: string, version: string) =>
    `If your image tags end in "${end}", write the release alone: ${version}.`;
  it.each([
    ['latest', plain, exact],
    ['lightdash:1.121.0', plain, exact],
    ['0.2155.10-cloud', 'pre-releases and builds', suffix('-cloud', '0.2155.10')],
    [`1.2.3-${'x'.repeat(19)}`, 'builds', suffix(`-${'x'.repeat(19)}`, '1.2.3')],
    [`1.2.3-${'x'.repeat(20)}`, 'builds', exact],
    ['01.2.3-cloud', 'builds', exact],
    [`1.121.0@${digest}`, 'a digest does not tell the release', alone('1.121.0')],
    [`lightdash/lightdash:v1.121.0@${digest}`, 'a digest', alone('1.121.0')],
    ['registry:5000/lightdash:1.121.0', 'it is an image', alone('1.121.0')],
    ['lightdash/lightdash', 'it is an image', exact],
    [digest, 'a digest', exact],
    [`${'a'.repeat(65)}`, plain, exact],
    [`lightdash/lightdash@${digest}`, 'a digest', exact],
  ])('of %j says %j and how to write it', (text, reason, hint) => {
    expect(() => parseVersion(text)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(reason), hint }),
    );
  });

  it('quotes the text, shortened', () => {
    expect(() => parseVersion(' "v1.2" ')).toThrow(/^" \\"v1\.2\\" " is not a release version: /);
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
  [undefined, 'nothing'],
  [null, 'null'],
  [['1.1.0'], 'a list'],
  [{}, 'an object'],
])('refuses what is no text: %s', (value, shown) => {
  const fault = { code: 'invalid-version', message: `${shown} is not a release version: it is not a text` };
  for (const read of [parseVersion, parseTag, (text: string) => compareVersions('1.0.0', text)]) {
    expect(() => read(value as never)).toThrow(expect.objectContaining(fault));
  }
});

const number = fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 10_000 }), fc.nat({ max: 999_999_999_999_999 }));
const version = fc.tuple(number, number, number).map((numbers) => numbers.join('.'));

describe('compareVersions', () => {
  it.each([
    ['1.9.15', '1.10.5', 'a minor with more digits, a patch with fewer'],
    ['9.10.0', '10.9.0', 'a major with more digits, a minor with fewer'],
    ['9.23.567', '1234.5.6', 'dots at other places, one of them at the same'],
    ['1.2.9', '1.2.10', 'a patch with more digits'],
    ['2.134.1', '2.134.2', 'as many digits'],
    ['1.999.999', '2.0.0', 'a major of as many digits'],
  ])('orders %s before %s: %s', (older, newer) => {
    expect(compareVersions(older, newer)).toBe(-1);
    expect(compareVersions(newer, older)).toBe(1);
  });

  it('agrees with semver', () => {
    const near = fc.tuple(version, version).chain(([a, b]) => fc.constantFrom([a, b], [a, a], [b, a]));
    fc.assert(
      fc.property(near, ([a = '', b = '']) => {
        expect(compareVersions(a, b)).toBe(semver.compare(a, b));
      }),
    );
    expect(['0.2155.10', '0.2155.9', '10.0.0', '1.10.0', '1.9.0'].sort(compareVersions)).toEqual(
      ['0.2155.10', '0.2155.9', '10.0.0', '1.10.0', '1.9.0'].sort(semver.compare),
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
