import { describe, expect, it } from 'vitest';
import { errorOfStatus } from '../../src/lightdash-api/api-error.js';

const payload = (statusCode: number) => ({
  status: 'error',
  error: { name: 'SomeError', statusCode, message: 'said', data: {} },
});
const errorOf = (status: number, payload: unknown, text = '', retryAfter = '') =>
  errorOfStatus('POST /api', status, { payload, text, retryAfter });

describe('a status that is not 200', () => {
  it.each([
    // Asked again, the instance says the same; nothing was done.
    [400, 'api-refused', false],
    [404, 'api-refused', false],
    [409, 'api-refused', false],
    [422, 'api-refused', false],
    // No answer was given, and nothing was done.
    [401, 'api-error', false],
    [403, 'api-error', false],
    [429, 'api-error', false],
    // The request was taken, and what became of it is not known.
    [408, 'api-error', true],
    [500, 'api-error', true],
    [503, 'api-error', true],
    [201, 'invalid-response', true],
    [204, 'invalid-response', true],
  ])('%i is %s, and may have done something: %s', (status, code, mayHaveArrived) => {
    expect(errorOf(status, payload(status))).toMatchObject({ code, mayHaveArrived });
  });

  it.each([
    [400, false],
    [404, false],
    [408, true],
    [502, true],
  ])('%i of something else than an instance refuses nothing', (status, mayHaveArrived) => {
    expect(errorOf(status, { message: 'bad gateway' })).toMatchObject({
      code: 'http-status',
      status,
      mayHaveArrived,
    });
  });

  const foreign = 'POST /api: HTTP 502, without the error payload of the contract';
  it.each<[string, unknown, string, string]>([
    ['a message', { message: 'bad gateway', error: 'b' }, '', `${foreign}: bad gateway`],
    ['an error', { message: 1, error: 'bad gateway' }, '', `${foreign}: bad gateway`],
    ['neither', { message: 1 }, '{"message":1}', foreign],
    ['a title', undefined, '<html><Title lang="en"> Bad gateway </title><p>x', `${foreign}: Bad gateway`],
    ['a page without one', undefined, ' <p>x</p>', foreign],
    ['words', undefined, ' Bad gateway\n', `${foreign}: Bad gateway`],
    ['many words', undefined, 'x'.repeat(2000), `${foreign}: ${'x'.repeat(200)}… (2000 characters)`],
    ['nothing', undefined, '', foreign],
  ])('of something else repeats what it says: %s', (_, body, text, message) => {
    expect(errorOf(502, body, text).message).toBe(message);
  });

  it.each<[object, string, string]>([
    [{}, '', 'HTTP 429 SomeError: said'],
    [{ message: '' }, '', 'HTTP 429 SomeError'],
    [{ message: undefined }, '', 'HTTP 429 SomeError'],
    [{ data: 'why' }, '', 'HTTP 429 SomeError: said (why)'],
    [{ data: { a: 1 } }, '', 'HTTP 429 SomeError: said ({"a":1})'],
    [{ message: 'x'.repeat(2000) }, '', `HTTP 429 SomeError: ${'x'.repeat(2000)}`],
    [{ message: 'x'.repeat(2001) }, '', `HTTP 429 SomeError: ${'x'.repeat(2000)}… (2001 characters)`],
    [{ data: 'x'.repeat(998) }, '', `HTTP 429 SomeError: said (${'x'.repeat(998)})`],
    [{ data: 'x'.repeat(999) }, '', `HTTP 429 SomeError: said ("${'x'.repeat(999)}… (1001 characters))`],
    [{}, '60', 'HTTP 429 SomeError (Retry-After: 60): said'],
  ])('of an instance says what it knows: %j %j', (told, retryAfter, message) => {
    const { status, error } = payload(429);
    const body = { status, error: { ...error, data: undefined, ...told } };
    expect(errorOf(429, body, '', retryAfter).message).toBe(`POST /api: ${message}`);
  });

  it.each([
    [401, 'Check the token (LIGHTDASH_API_KEY)'],
    [403, 'The token is known, but its user may not do this'],
    [404, 'Check the address, the project UUID and the id'],
    [
      407,
      'The proxy requires a login: HTTPS_PROXY=http://<user>:<password>@<host>:<port>, with special characters percent-encoded, or LIGHTDASH_PROXY_AUTHORIZATION for what is sent to an instance.',
    ],
    [429, 'The instance limits how often you may send requests'],
  ])('%i says what to look at, whoever answers', (status, hint) => {
    for (const body of [payload(status), { message: 'bad gateway' }]) {
      expect(errorOf(status, body).hint).toContain(hint);
    }
  });
});
