import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  maskToken,
  parseBaseUrl,
  pathSegment,
  requireHeaderText,
  requireUuid,
} from '../../../src/gather/api/base-url.js';
import { projectUuid } from '../../support/lightdash-server.js';

/** What is taken and refused, and what is said, stands in `base-url.txt`. */
const given: Readonly<Record<string, readonly [read: (text: string) => unknown, texts: readonly string[]]>> =
  {
    'an address': [
      (text) => parseBaseUrl(text, { allowHttp: false }).origin,
      [
        ...['https://lightdash.example.com', ' https://LIGHTDASH.example.com:8443 ', 'http://localhost:8080'],
        ...[
          'http://127.0.0.1:3000/',
          'http://[::1]:3000',
          'lightdash.example.com',
          '',
          'https://x.example?a=1',
        ],
        ...['https://x.example/projects/1', 'https://user:s3cret@x.example', 'http://lightdash.example.com'],
      ],
    ],
    'an address by plain http, where it is allowed': [
      (text) => parseBaseUrl(text, { allowHttp: true }).origin,
      ['http://lightdash.internal'],
    ],
    'a UUID': [
      (text) => requireUuid(text, 'project'),
      [
        ...[projectUuid, projectUuid.toUpperCase(), `${projectUuid}\n`, `${projectUuid}/../x`, ''],
        // Version 1, another variant, a short one, and nil.
        ...['3675b69e-8324-1110-bdca-059031aa8da3', '3675b69e-8324-4110-cdca-059031aa8da3'],
        ...['3675b69e-8324-4110-bdca-059031aa8da', '00000000-0000-0000-0000-000000000000'],
      ],
    ],
    'a part of a path': [(text) => pathSegment(text, 'explore'), ['', '.', '..', '\ud800']],
    'a token': [
      (text) => requireHeaderText(text, 'token'),
      [' ldpat_abc\n', 's3cret\nx', 's3cret\u0000', 's3crét', '“s3cret”', ' '],
    ],
    'a token to be shown': [maskToken, ['ldpat_7c0ffee0deadbeef5eed', '123456789012', '12345678901', 'abc']],
  };

it('a header value is checked before it is sent, and no secret is repeated in the message', async () => {
  const texts = Object.entries(given).flatMap(([title, [read, texts]]) =>
    texts.map((text) => {
      try {
        return `${title} ${JSON.stringify(text)}: ${JSON.stringify(read(text))}`;
      } catch (error) {
        const { code, message, hint } = Object(error);
        expect(`${message}${hint}`).not.toContain('s3cr');
        return `${title} ${JSON.stringify(text)}: ${code}: ${message} | ${hint}`;
      }
    }),
  );
  await expect(`${texts.join('\n')}\n`).toMatchFileSnapshot('base-url.txt');
});

describe('pathSegment', () => {
  it('stays one segment of a URL and decodes to the same text', () => {
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
});
