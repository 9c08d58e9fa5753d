import { describe, expect, it } from 'vitest';
import {
  describeRedirectTarget,
  describeUrl,
  requireAllowedScheme,
  takeCredentials,
} from '../../src/http/address.js';

describe('requireAllowedScheme', () => {
  it.each([
    'https://example.org/',
    'http://localhost:8080/',
    'http://127.0.0.1/',
    'http://127.8.9.10/',
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

it('a URL is shown without password and fragment', () => {
  expect(describeUrl(new URL('https://u:p@example.org:444/a?b=c#d'))).toBe('https://example.org:444/a?b=c');
});

it('where a redirect led is shown without its query, which may be a signature', () => {
  expect(describeRedirectTarget(new URL('https://u:p@example.org/a?sig=secret#d'))).toBe(
    'https://example.org/a?…',
  );
  expect(describeRedirectTarget(new URL('https://example.org/a'))).toBe('https://example.org/a');
});
