import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  maskToken,
  parseBaseUrl,
  pathSegment,
  requireHeaderText,
  requireUuid,
} from '../../src/lightdash-api/base-url.js';
import { projectUuid } from '../support/lightdash-server.js';

const parse = (text: string, allowHttp = false) => parseBaseUrl(text, { allowHttp });

describe('the address of an instance', () => {
  it.each([
    ['https://lightdash.example.com', 'https://lightdash.example.com'],
    ['https://lightdash.example.com/', 'https://lightdash.example.com'],
    [' https://LIGHTDASH.example.com:8443 ', 'https://lightdash.example.com:8443'],
    ['http://localhost:8080', 'http://localhost:8080'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('%j is %s', (text, origin) => {
    expect(parse(text).origin).toBe(origin);
  });

  it.each([
    ['lightdash.example.com', /the Lightdash URL "lightdash.example.com" is not an http or https URL/],
    ['', /is not an http or https URL/],
    ['https://x.example/projects/1', /has a path \(\/projects\/1\)/],
    ['https://x.example?a=1', /has a query or a fragment/],
    ['https://user:s3cret@x.example', /contains a user or a password/],
    ['http://lightdash.example.com', /plain http/],
  ])('%j is refused', (text, message) => {
    expect(() => parse(text)).toThrow(message);
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'usage', hint: expect.any(String) }));
  });

  it('never repeats credentials', () => {
    expect(() => parse('https://someone:s3cret@x.example')).toThrow(
      expect.objectContaining({ message: expect.not.stringMatching(/s3cret|someone/) }),
    );
  });

  it('plain http is allowed where it is asked for', () => {
    expect(parse('http://lightdash.internal', true).origin).toBe('http://lightdash.internal');
  });
});

describe('requireUuid', () => {
  it.each([projectUuid, projectUuid.toUpperCase()])('%s', (uuid) => {
    expect(requireUuid(uuid, 'project')).toBe(uuid);
  });

  it.each([
    ['version 1', '3675b69e-8324-1110-bdca-059031aa8da3'],
    ['another variant', '3675b69e-8324-4110-cdca-059031aa8da3'],
    ['short', '3675b69e-8324-4110-bdca-059031aa8da'],
    ['a line break', `${projectUuid}\n`],
    ['nil', '00000000-0000-0000-0000-000000000000'],
    ['a path', `${projectUuid}/../x`],
    ['empty', ''],
  ])('refuses %s', (_, id) => {
    expect(() => requireUuid(id, 'project')).toThrow(/the project UUID ".*" is not a UUID version 4/);
  });
});

describe('pathSegment', () => {
  it('stays one segment of a URL, and reads back as it was, whatever it holds', () => {
    const odd = ['../..', '%2e%2e', '/', '\\', '?', '#', 'a/../b', '%', ';', '..\\', '\t..', ' '];
    const text = fc.oneof(fc.string({ unit: 'grapheme', minLength: 1 }), fc.constantFrom(...odd));
    fc.assert(
      fc.property(text, (text) => {
        fc.pre(text !== '.' && text !== '..');
        const { pathname, search, hash } = new URL(`https://x.example/a/${pathSegment(text, 'explore')}/b`);
        expect({ search, hash }).toEqual({ search: '', hash: '' });
        const segments = pathname.split('/');
        expect([segments.length, segments[1], segments[3]]).toEqual([4, 'a', 'b']);
        expect(decodeURIComponent(segments[2] ?? '')).toBe(text);
      }),
    );
  });

  it.each(['', '.', '..', '\ud800'])('refuses %j, which no URL can carry', (text) => {
    expect(() => pathSegment(text, 'explore')).toThrow(/the explore ".*" cannot be part of a URL/);
  });
});

describe('a token', () => {
  it('loses the white space it was copied with', () => {
    expect(requireHeaderText(' ldpat_abc\n', 'token')).toBe('ldpat_abc');
  });

  it.each(['s3cret\nx', 's3cret\u0000', 's3crét', '“s3cret”'])('%j is refused, and not repeated', (token) => {
    expect(() => requireHeaderText(token, 'token')).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: 'the token contains a character that no header can carry',
      }),
    );
  });

  it('that is empty is refused', () => {
    expect(() => requireHeaderText(' ', 'token')).toThrow('the token is empty');
  });

  it.each([
    ['ldpat_7c0ffee0deadbeef5eed', '****5eed'],
    ['123456789012', '****9012'],
    ['12345678901', '****'],
    ['abc', '****'],
  ])('%s is shown as %s', (token, shown) => {
    expect(maskToken(token)).toBe(shown);
  });
});
