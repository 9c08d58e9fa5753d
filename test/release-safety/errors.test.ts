import { describe, expect, it } from 'vitest';
import { quoteForMessage, ReleaseSafetyError } from '../../src/release-safety/errors.js';

describe('quoteForMessage', () => {
  it.each<[unknown, string]>([
    ['1.2', '"1.2"'],
    [null, 'null'],
    [undefined, 'undefined'],
    ['two\nlines', '"two\\nlines"'],
    ['x'.repeat(58), `"${'x'.repeat(58)}"`],
    ['x'.repeat(59), `"${'x'.repeat(56)}...`],
  ])('%j', (value, quoted) => {
    expect(quoteForMessage(value)).toBe(quoted);
  });
});

it('an error bears its name, which tells it from others in a log', () => {
  expect(String(new ReleaseSafetyError('downgrade', 'older'))).toBe('ReleaseSafetyError: older');
});
