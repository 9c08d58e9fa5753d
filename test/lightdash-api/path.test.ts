import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pathSegment, requireUuid } from '../../src/lightdash-api/base-url.js';
import { projectUuid } from '../support/lightdash-server.js';

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
