import { describe, expect, it } from 'vitest';
import { maskToken, requireHeaderText } from '../../src/lightdash-api/base-url.js';

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
