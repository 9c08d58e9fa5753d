import { describe, expect, it } from 'vitest';
import { parseBaseUrl } from '../../src/lightdash-api/base-url.js';

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
    ['localhost:8080', /is not an http or https URL/],
    ['ftp://x.example', /is not an http or https URL/],
    ['https://x.example/projects/1', /has a path \(\/projects\/1\)/],
    ['https://x.example?a=1', /has a query or a fragment/],
    ['https://x.example/?', /has a query or a fragment/],
    ['https://x.example/#a', /has a query or a fragment/],
    ['https://user:s3cret@x.example', /contains a user or a password/],
    ['https://token@x.example/a?b', /contains a user or a password/],
    ['http://lightdash.example.com', /plain http/],
    ['http://127.0.0.1.example.com', /plain http/],
    ['http://localhost.example.com', /plain http/],
    ['http://0.0.0.0', /plain http/],
    ['http://lightdash.localhost', /plain http/],
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

it('plain http is refused at any port, for the token would be read on the way', () => {
  for (const address of ['http://bi.example.com', 'http://bi.example.com:8080', 'http://10.0.0.1:80']) {
    expect(() => parseBaseUrl(address, { allowHttp: false })).toThrow('is plain http');
    expect(parseBaseUrl(address, { allowHttp: true }).protocol).toBe('http:');
  }
});
