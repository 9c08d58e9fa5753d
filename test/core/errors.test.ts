import { expect, it } from 'vitest';
import { ReleaseSafetyError } from '../../src/core/errors.js';

it('an error bears its name, which tells it from others in a log', () => {
  expect(String(new ReleaseSafetyError('downgrade', 'older'))).toBe('ReleaseSafetyError: older');
});
