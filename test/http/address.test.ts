import { describe, expect, it } from 'vitest';
import {
  describeAddress,
  describeUrl,
  looksLikeUrl,
  parseInstanceAddress,
  requireAllowedScheme,
  takeCredentials,
} from '../../src/http/address.js';

describe('requireAllowedScheme', () => {
  it.each([
    'https://example.org/',
    'http://localhost:8080/',
    'http://127.0.0.1/',
    'http://[::1]:1/',
    'http://127.1/',
    'http://2130706433/',
  ])('%s may be asked', (url) => {
    expect(() => requireAllowedScheme(new URL(url), false)).not.toThrow();
  });

  it.each([
    'http://example.org/',
    'http://10.0.0.1/',
    'http://127.0.0.1.example.org/',
    'http://localhost.example.org/',
    'http://notlocalhost/',
    'http://lightdash.localhost/',
    'http://localhost./',
    'http://0.0.0.0/',
    'http://[::]/',
    'http://user:localhost@example.org/',
  ])('%s needs --allow-http', (url) => {
    expect(() => requireAllowedScheme(new URL(url), false)).toThrow(
      expect.objectContaining({ code: 'usage', hint: expect.stringContaining('--allow-http') }),
    );
    expect(() => requireAllowedScheme(new URL(url), true)).not.toThrow();
  });

  it.each(['file:///etc/passwd', 'ftp://localhost/', 'data:,x'])('%s is never asked', (url) => {
    expect(() => requireAllowedScheme(new URL(url), true)).toThrow(
      expect.objectContaining({ code: 'usage' }),
    );
  });
});

describe('takeCredentials', () => {
  it.each([
    ['user:pass', 'user:pass'],
    ['user', 'user:'],
    [':token', ':token'],
    ['a%40b:p%3Aq', 'a@b:p:q'],
    ['100%:x', '100%:x'],
  ])('%s', (credentials, userAndPassword) => {
    const { url, secretHeaders } = takeCredentials(new URL(`https://${credentials}@example.org/a?b=c`));
    expect(url.href).toBe('https://example.org/a?b=c');
    expect(secretHeaders).toEqual({ authorization: `Basic ${btoa(userAndPassword)}` });
  });

  it('lets a header given beside them win, whatever its case', () => {
    const { secretHeaders } = takeCredentials(new URL('https://u:p@example.org/'), {
      Authorization: 'ApiKey x',
    });
    expect(secretHeaders).toEqual({ authorization: 'ApiKey x' });
  });
});

it.each([
  ['https://u:p@example.org:444/a?sig=secret#d', 'https://example.org:444/a?…'],
  ['https://example.org/a@b', 'https://example.org/a@b'],
])('%s is shown without user, password, query and fragment', (url, shown) => {
  expect(describeUrl(new URL(url))).toBe(shown);
  expect(describeAddress(url)).toBe(shown);
});

it.each([
  ['https://bob:s3cret#1@host/i.json', 'https://host/i.json'],
  ['ftp://bob:s3cr/et@host/x', 'ftp://host/x'],
  ['https://bob:s3cr?et@host/x?sig=s3cret', 'https://host/x?…'],
  ['https://bob:s3cr@et@ho st/x#s3cret', 'https://ho st/x'],
  ['https://[/i?token=s3cret', 'https://[/i?…'],
  ['bob:s3cret@host', 'host'],
  ['https:/bob:s3cret@host/x?s3cret', 'host/x?…'],
  ['https:bob:s3cret@host', 'host'],
  ['http//bob:s3cret@host/x', 'host/x'],
  [' https://bob:s3cret@host', 'host'],
  ['lightdash.example.com', 'lightdash.example.com'],
])('%s, which is no URL of a host, is shown without all that may be secret', (text, shown) => {
  expect(describeAddress(text)).toBe(shown);
});

it.each([
  ['https://example.org', true],
  ['ftp://x', true],
  ['HTTPS://example.org', true],
  ['C://mirror', false],
  ['C:\\mirror', false],
  ['mirror/https://x', false],
  ['./i.json', false],
  ['https:/u:pw@h', true],
  ['https:h', true],
  ['http//u:pw@h/x', true],
  [' https://u:pw@h', true],
  ['//u:pw@h/x', true],
  ['u:pw@h/x', true],
  ['u:p/w@h/x', true],
  ['C:/a@b', false],
  ['c:\\a@b', false],
  ['a@b/i.json', false],
  ['./a:b@c', false],
  ['https/i.json', false],
  ['-', false],
])('%s looks like a URL: %s', (text, does) => {
  expect(looksLikeUrl(text)).toBe(does);
});

describe('parseInstanceAddress', () => {
  it.each([
    ['https://lightdash.example.com', 'https://lightdash.example.com/'],
    [' http://localhost:8080/bi \n', 'http://localhost:8080/bi'],
  ])('%j', (text, href) => {
    expect(parseInstanceAddress(text, '--url').href).toBe(href);
  });

  const noUrl = 'is not an http or https URL';
  it.each([
    ['lightdash.example.com', `--url "lightdash.example.com" ${noUrl}`, 'Write it such as https://'],
    ['ftp://example.com', `--url "ftp://example.com/" ${noUrl}`, 'Write it such as https://'],
    ['user:s3cret@example.com', `--url "example.com" ${noUrl}`, 'Write it such as https://'],
    ['https://user@example.com', '--url contains a user or a password', 'Remove it'],
    ['https://:s3cret@example.com', '--url contains a user or a password', 'Remove it'],
    ['https://example.com/a?', '--url has a query or a fragment', 'Give https://example.com/a alone.'],
    [
      'https://example.com/a?t=s3cret',
      '--url has a query or a fragment',
      'Give https://example.com/a alone.',
    ],
    ['https://example.com/#s3cret', '--url has a query or a fragment', 'Give https://example.com/ alone.'],
  ])('refuses %s, and shows no secret', (text, message, hint) => {
    const thrown = expect.objectContaining({ code: 'usage', message, hint: expect.stringContaining(hint) });
    expect(() => parseInstanceAddress(text, '--url')).toThrow(thrown);
  });
});
