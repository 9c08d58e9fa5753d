import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../src/lightdash-api/redact.js';

const { text, json } = createRedactor(['secret', 'secret-and-more', '']);

describe('createRedactor', () => {
  it('takes every secret out of a text, the longest first', () => {
    expect(text('a secret, secret-and-more; secret')).toBe('a [redacted], [redacted]; [redacted]');
  });

  it('takes them out of the strings and keys of a JSON value, and leaves the rest', () => {
    const value = JSON.parse(
      '{"a":["secret",1,null,true],"secret":{"b":"xsecret"},"__proto__":{"c":"secret"}}',
    );
    expect(JSON.stringify(json(value))).toBe(
      '{"a":["[redacted]",1,null,true],"[redacted]":{"b":"x[redacted]"},"__proto__":{"c":"[redacted]"}}',
    );
  });

  it('without a secret changes nothing', () => {
    expect(createRedactor(['']).text('abc')).toBe('abc');
  });
});
