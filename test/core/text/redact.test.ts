import { describe, expect, it } from 'vitest';
import { createRedactor, secretsOfHeader } from '../../../src/core/text/redact.js';

const { text, json } = createRedactor(['secret', 'secret-and-more', '']);

describe('createRedactor', () => {
  it('takes every secret out of a text, the longest first', () => {
    expect(text('a secret, secret-and-more; secret')).toBe('a [redacted], [redacted]; [redacted]');
  });

  it('takes them out of the strings and keys of a JSON value, and leaves the rest', () => {
    const value = JSON.parse(
      '{"a":["secret",1,null,true],"secret":{"b":"x-secret"},"__proto__":{"c":"secret"}}',
    );
    expect(JSON.stringify(json(value))).toBe(
      '{"a":["[redacted]",1,null,true],"[redacted]":{"b":"x-[redacted]"},"__proto__":{"c":"[redacted]"}}',
    );
  });

  it('leaves longer words that contain a secret which is a plain word', () => {
    const orders = createRedactor(['orders']).text;
    expect(orders('orders_id, reorders, orders2, \u00fcorders: orders; ApiKey orders')).toBe(
      'orders_id, reorders, orders2, \u00fcorders: [redacted]; ApiKey [redacted]',
    );
    expect(createRedactor(['ldpat_0123']).text('xldpat_0123y')).toBe('x[redacted]y');
  });

  it('takes them out as a URL writes them', () => {
    expect(createRedactor(['a b/c']).text('/x?y=a%20b%2Fc')).toBe('/x?y=[redacted]');
  });

  it.each([
    ['ldpat_0123', ['ldpat_0123']],
    ['ApiKey ldpat_0123', ['ApiKey ldpat_0123', 'ldpat_0123']],
    ['dXNlcjpodW50ZXIyMg==', ['dXNlcjpodW50ZXIyMg==']],
    [
      'Basic dXNlcjpodW50ZXIyMg==',
      ['Basic dXNlcjpodW50ZXIyMg==', 'dXNlcjpodW50ZXIyMg==', 'user:hunter22', 'hunter22'],
    ],
    ['basic dTpwdw==', ['basic dTpwdw==', 'dTpwdw==']],
  ])('the header %s holds secrets', (value, secrets) => {
    expect(secretsOfHeader(value)).toEqual(secrets);
  });

  it('without a secret changes nothing', () => {
    expect(createRedactor(['']).text('abc')).toBe('abc');
  });
});
