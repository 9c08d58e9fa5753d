import { describe, expect, it } from 'vitest';
import {
  describeAddress,
  describeUrl,
  looksLikeUrl,
  parseInstanceAddress,
  requireAllowedScheme,
  splitCredentials,
} from '../../../src/gather/http/address.js';

/** What is asked only with --allow-http, and what never, stands in `address.txt`; so does what is shown of a text. */
const urls = [
  ...['https://example.org/', 'http://localhost:8080/', 'http://127.0.0.1/', 'http://[::1]:1/'],
  ...['http://127.1/', 'http://2130706433/', 'http://example.org/', 'http://10.0.0.1/'],
  ...['http://127.0.0.1.example.org/', 'http://localhost.example.org/', 'http://notlocalhost/'],
  ...['http://lightdash.localhost/', 'http://localhost./', 'http://0.0.0.0/', 'http://[::]/'],
  ...['http://user:localhost@example.org/', 'file:///etc/passwd', 'ftp://localhost/', 'data:,x'],
];

const texts = [
  ...['https://u:p@example.org:444/a?sig=secret#d', 'https://example.org/a@b', 'https://example.org'],
  // None is a URL of a host.
  ...[
    'https://bob:s3cret#1@host/i.json',
    'ftp://bob:s3cr/et@host/x',
    'https://bob:s3cr?et@host/x?sig=s3cret',
  ],
  ...['https://bob:s3cr@et@ho st/x#s3cret', 'https://[/i?token=s3cret', 'bob:s3cret@host', 'ftp://x'],
  ...['https:/bob:s3cret@host/x?s3cret', 'https:bob:s3cret@host', 'http//bob:s3cret@host/x'],
  ...[' https://bob:s3cret@host', 'lightdash.example.com', 'HTTPS://example.org', 'C://mirror'],
  ...['C:\\mirror', 'mirror/https://x', './i.json', 'https:h', '//u:s3cret@h/x', 'u:s3cret@h/x', 'u:p/w@h/x'],
  ...['C:/a@b', 'c:\\a@b', 'a@b/i.json', './a:b@c', 'https/i.json', '-'],
];

const instances = [
  ...['https://lightdash.example.com', ' http://localhost:8080/bi \n', 'lightdash.example.com'],
  ...[
    'ftp://example.com',
    'user:s3cret@example.com',
    'https://user@example.com',
    'https://:s3cret@example.com',
  ],
  ...['https://example.com/a?', 'https://example.com/a?t=s3cret', 'https://example.com/#s3cret'],
];

function outcomeOf(ask: () => unknown): string {
  try {
    return String(ask());
  } catch (error) {
    const { code, message, hint } = Object(error);
    return `${code}: ${message} | ${hint}`;
  }
}

it('an address is asked where nobody in between can read it, and shown without all that may be secret', async () => {
  const asked = urls.map((url) => {
    const allowed = [false, true].map((allowHttp) =>
      outcomeOf(() => requireAllowedScheme(new URL(url), allowHttp)).replace('undefined', 'asked'),
    );
    return [url, ...new Set(allowed)].join('\n  ');
  });
  const shown = texts.map((text) => {
    const address = describeAddress(text);
    if (/^https?:\/\/\w/i.test(text) && URL.canParse(text)) expect(describeUrl(new URL(text))).toBe(address);
    return `${JSON.stringify(text)}: ${looksLikeUrl(text) ? 'a URL, ' : ''}${address}`;
  });
  const parsed = instances.map(
    (text) => `${JSON.stringify(text)}\n  ${outcomeOf(() => parseInstanceAddress(text, '--url'))}`,
  );
  for (const line of [...shown, ...parsed]) expect(line.slice(line.lastIndexOf('"'))).not.toContain('s3cret');
  await expect(`${[...asked, ...shown, ...parsed].join('\n')}\n`).toMatchFileSnapshot('address.txt');
});

describe('splitCredentials', () => {
  it.each([
    ['user:pass', 'user:pass'],
    ['user', 'user:'],
    [':token', ':token'],
    ['a%40b:p%3Aq', 'a@b:p:q'],
    ['100%:x', '100%:x'],
  ])('%s', (credentials, userAndPassword) => {
    const { url, secretHeaders } = splitCredentials(new URL(`https://${credentials}@example.org/a?b=c`));
    expect(url.href).toBe('https://example.org/a?b=c');
    expect(secretHeaders).toEqual({ authorization: `Basic ${btoa(userAndPassword)}` });
  });

  it('lets a header given beside them win, whatever its case', () => {
    const given = { Authorization: 'ApiKey x' };
    const { secretHeaders } = splitCredentials(new URL('https://u:p@example.org/'), given);
    expect(secretHeaders).toEqual({ authorization: 'ApiKey x' });
  });
});
