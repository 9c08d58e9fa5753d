import { LightspanError } from '../errors.js';
import { parseExactly } from '../merge-query/parse-with.js';
import { errorPayloadSchema } from '../merge-query/response.js';
import { doubleOf, stringifyExactJson } from '../shared/exact-json.js';

/** Longer texts of a server are cut: a message is to be read. */
const longestMessage = 2000;
const longestData = 1000;

/**
 * The error of a status that is not 200.
 *
 * @param what the request, as messages name it
 * @param payload the parsed body, undefined where it was no JSON
 */
export function errorOfStatus(what: string, status: number, payload: unknown): LightspanError {
  if (status < 300) {
    return new LightspanError(
      'invalid-response',
      `${what}: HTTP ${status}, where the contract has 200 or an error`,
    );
  }
  const hint = hintOfStatus[status];
  const parsed = parseExactly(errorPayloadSchema, payload);
  if (!parsed.ok) {
    const message = `${what}: HTTP ${status}, without the error payload of the contract`;
    return new LightspanError('http-status', message, { hint });
  }
  const { name, statusCode } = parsed.value.error;
  const message = cut(parsed.value.error.message, longestMessage);
  const data = cutData(parsed.value.error.data);
  const words = [
    `${what}: HTTP ${status} ${cut(name, 100)}`,
    ...(message === undefined || message === '' ? [] : [`: ${message}`]),
    ...(data === undefined ? [] : [` (${typeof data === 'string' ? data : stringifyExactJson(data)})`]),
  ];
  return new LightspanError('api-error', words.join(''), {
    hint,
    response: { name: cut(name, 100), statusCode: doubleOf(statusCode), message, data },
  });
}

const hintOfStatus: Readonly<Record<number, string>> = {
  401: 'Check the token (LIGHTDASH_API_KEY): it may have expired, have been revoked, or belong to another instance. A personal access token is made in the personal settings.',
  403: 'The token is known, but its user may not do this: check the project UUID and the role of that user in the project.',
  404: 'Check the address, the project UUID and the id: this instance knows no such thing, or its version has no such endpoint.',
  407: 'The proxy asks who this is: set LIGHTDASH_PROXY_AUTHORIZATION.',
  429: 'The instance limits how often it may be asked: try again later.',
};

function cut<T extends string | undefined>(text: T, longest: number): T | string {
  return text !== undefined && text.length > longest
    ? `${text.slice(0, longest)}… (${text.length} characters)`
    : text;
}

/** Details that are empty say nothing, and long ones are shown as the beginning of their text. */
function cutData(data: unknown): unknown {
  if (data === undefined || data === null) return undefined;
  const text = stringifyExactJson(data);
  if (text === '{}' || text === '[]' || text === '""') return undefined;
  return text.length > longestData ? cut(text, longestData) : data;
}
