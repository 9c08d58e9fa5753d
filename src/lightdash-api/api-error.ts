import { LightspanError } from '../errors.js';
import type { HttpResponse } from '../http/client.js';
import { errorPayloadSchema } from '../merge-query/response.js';
import { doubleOf, stringifyExactJson } from '../shared/exact-json.js';
import { isRecord } from '../shared/is-record.js';
import { parseExactly } from '../shared/parse-with.js';

/** Longer texts from a server are cut: a message must be readable. */
const longestMessage = 2000;
const longestData = 1000;
const longestForeignMessage = 200;

/** The request itself is wrong: a retry gets the same answer. */
const refusals: ReadonlySet<number> = new Set([400, 404, 409, 422]);

/**
 * The error for a status that is not 200: `api-refused` if the instance says what is wrong with the request,
 * `api-error` if it states another reason, and `http-status` if something other than Lightdash answers.
 *
 * @param what the name of the request in messages
 * @param payload the parsed body, undefined if it was not JSON
 * @param text the body as text
 */
export function errorOfStatus(
  what: string,
  { status, headers }: Pick<HttpResponse, 'status' | 'headers'>,
  payload: unknown,
  text: string,
): LightspanError {
  const mayHaveArrived = status < 300 || status === 408 || status >= 500;
  if (status < 300) {
    const message = `${what}: HTTP ${status}, but the contract has 200 or an error`;
    return new LightspanError('invalid-response', message, { mayHaveArrived });
  }
  const hint = status === 407 ? hintOf407 : hintOfStatus[status];
  const retryAfter = headers.get('retry-after');
  const later = retryAfter === null ? '' : ` (Retry-After: ${cut(retryAfter, 100)})`;
  const parsed = parseExactly(errorPayloadSchema, payload);
  if (!parsed.ok) {
    const said = cut(messageIn(payload, text), longestForeignMessage);
    const message = `${what}: HTTP ${status}${later}, without the error payload of the contract`;
    return new LightspanError('http-status', said === '' ? message : `${message}: ${said}`, {
      hint,
      status,
      mayHaveArrived,
    });
  }
  const { error } = parsed.value;
  const name = cut(error.name, 100);
  const message = error.message && cut(error.message, longestMessage);
  const data = cutData(error.data);
  const words = [
    `${what}: HTTP ${status} ${name}${later}`,
    message ? `: ${message}` : '',
    data === undefined ? '' : ` (${typeof data === 'string' ? data : stringifyExactJson(data)})`,
  ];
  return new LightspanError(refusals.has(status) ? 'api-refused' : 'api-error', words.join(''), {
    hint,
    response: { name, statusCode: doubleOf(error.statusCode), message, data },
    mayHaveArrived,
  });
}

/** What something other than Lightdash says: a proxy, a gateway, a sign-in page. */
function messageIn(payload: unknown, text: string): string {
  const { message, error }: Record<string, unknown> = isRecord(payload) ? payload : {};
  const said = [message, error, /<title[^>]*>([^<]*)/i.exec(text)?.[1]].find(
    (said) => typeof said === 'string',
  );
  return (said ?? (/^\s*[<{]/.test(text) ? '' : text)).trim();
}

/** The setting behind a status that fetch does not report. */
export const hintOf407 =
  'The proxy requires a login: set LIGHTDASH_PROXY_AUTHORIZATION, or HTTPS_PROXY=http://<user>:<password>@<host>:<port>.';

const hintOfStatus: Readonly<Record<number, string>> = {
  401: 'Check the token (LIGHTDASH_API_KEY): it may have expired, have been revoked, or belong to another instance. A personal access token is made in the personal settings; a token of a service account may need LIGHTDASH_AUTH_SCHEME=Bearer.',
  403: 'The token is known, but its user may not do this: check the project UUID and the role of that user in the project.',
  404: 'Check the address, the project UUID and the id: this instance knows no such thing, or its version has no such endpoint.',
  429: 'The instance limits how often you may send requests: try again later.',
};

function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}… (${text.length} characters)` : text;
}

/** Drops empty details, and shortens long ones to the beginning of their text. */
function cutData(data: unknown): unknown {
  if (data === undefined || data === null) return undefined;
  const text = stringifyExactJson(data);
  if (text === '{}' || text === '[]' || text === '""') return undefined;
  return text.length > longestData ? cut(text, longestData) : data;
}
