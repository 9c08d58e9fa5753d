import { expect, it } from 'vitest';
import { isInputError, LightspanError, toFailure } from '../../src/core/lightspan-error.js';

it('an error bears its name, which tells it from others in a log', () => {
  expect(String(new LightspanError('downgrade', 'older'))).toBe('LightspanError: older');
});

it('the code of an error says whether an input is at fault', () => {
  expect(isInputError(new LightspanError('invalid-index', 'no releases'))).toBe(true);
  expect(isInputError(new LightspanError('network', 'no route'))).toBe(false);
  expect(isInputError(new Error('invalid-index'))).toBe(false);
});

it('the details of an error are not in the failure that a user sees', () => {
  const details = { kind: 'request', status: 404 };
  const error = new LightspanError('http-status', 'HTTP 404, after 2 tries', {
    summary: 'HTTP 404',
    details,
  });
  expect(error).toMatchObject({ summary: 'HTTP 404', details });
  expect(toFailure(error)).toEqual({
    code: 'http-status',
    message: 'HTTP 404, after 2 tries',
    hint: undefined,
    response: undefined,
  });
});
