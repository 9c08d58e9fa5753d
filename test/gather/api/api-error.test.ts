import { expect, it } from 'vitest';
import { errorOfStatus } from '../../../src/gather/api/api-error.js';
import { requestOf } from '../../../src/gather/http/request-details.js';

const payload = (statusCode: number, more: object = {}) => ({
  status: 'error',
  error: { name: 'SomeError', statusCode, message: 'said', data: {}, ...more },
});
const errorOf = (status: number, payload: unknown, text = '', retryAfter = '') =>
  errorOfStatus('POST /api', status, { payload, text, retryAfter });

/** What of a server's answer is an error of, and says; what it says stands in `api-error.txt`. */
const answers: Readonly<Record<string, Parameters<typeof errorOf>>> = {
  ...Object.fromEntries(
    [201, 204, 400, 401, 403, 404, 407, 408, 409, 422, 429, 500, 502, 503].flatMap((status) => [
      [`${status} of an instance`, [status, payload(status)]],
      [`${status} of something else`, [status, { message: 'bad gateway' }]],
    ]),
  ),
  'a message and an error': [502, { message: 'bad gateway', error: 'b' }],
  'an error': [502, { message: 1, error: 'bad gateway' }],
  neither: [502, { message: 1 }, '{"message":1}'],
  'a title': [502, undefined, '<html><Title lang="en"> Bad gateway </title><p>x'],
  'a page without one': [502, undefined, ' <p>x</p>'],
  words: [502, undefined, ' Bad gateway\n'],
  'many words': [502, undefined, 'x'.repeat(2000)],
  nothing: [502, undefined],
  'an empty message': [429, payload(429, { message: '' })],
  'no message': [429, payload(429, { message: undefined })],
  'data that are a text': [429, payload(429, { data: 'why' })],
  'data of an object': [429, payload(429, { data: { a: 1 } })],
  'a long message': [429, payload(429, { message: 'x'.repeat(2000) })],
  'a longer one': [429, payload(429, { message: 'x'.repeat(2001) })],
  'long data': [429, payload(429, { data: 'x'.repeat(998) })],
  'longer ones': [429, payload(429, { data: 'x'.repeat(999) })],
  'when to ask again': [429, payload(429), '', '60'],
};

it('a refused request names who refused it, the reason, and whether the server may have acted', async () => {
  const texts = Object.entries(answers).map(([title, answer]) => {
    const error = errorOf(...answer);
    const { code, message, hint, response } = error;
    const { status, mayHaveArrived } = requestOf(error) ?? {};
    const kind = `${code}${status === undefined ? '' : ` ${status}`}${mayHaveArrived ? ', may have arrived' : ''}`;
    return [title, kind, message, ...(hint ? [hint] : []), ...(response ? [JSON.stringify(response)] : [])]
      .join('\n  ')
      .replaceAll(/x{9,}/g, (xs) => `[${xs.length} times x]`);
  });
  await expect(`${texts.join('\n')}\n`).toMatchFileSnapshot('api-error.txt');
});
