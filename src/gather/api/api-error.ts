import { doubleOf, stringifyExactJson } from '../../core/json/exact-json.js';
import { isRecord } from '../../core/json/is-record.js';
import { parseExactly } from '../../core/json/parse-with.js';
import { LightspanError } from '../../core/lightspan-error.js';
import { errorPayloadSchema } from '../../merge/response.js';
import { loginOfProxy } from '../http/fault.js';
import { requestDetails } from '../http/request-details.js';

/** What came with a status, without secrets. */
interface ErrorBody {
  /** The parsed body, undefined if it was not JSON. */
  readonly payload: unknown;
  readonly text: string;
  /** Empty if the answer has no such header. */
  readonly retryAfter: string;
}

/**
 * The error for a status that is not 200: `api-refused` if the instance says what is wrong with the request,
 * `api-error` if it states another reason, and `http-status` if something other than Lightdash answers.
 *
 * @param request its name in messages
 */
export function errorOfStatus(
  request: string,
  status: number,
  { payload, text, retryAfter }: ErrorBody,
): LightspanError {
  const mayHaveArrived = status < 300 || status === 408 || status >= 500;
  if (status < 300) {
    const message = `${request}: HTTP ${status}, but the contract allows 200 or an error`;
    return new LightspanError('invalid-response', message, { details: requestDetails({ mayHaveArrived }) });
  }
  const hint = hints[status];
  const later = retryAfter && ` (Retry-After: ${shortenText(retryAfter, 100)})`;
  const parsed = parseExactly(errorPayloadSchema, payload);
  if (!parsed.ok) {
    const reply = shortenText(messageIn(payload, text), 200);
    const message = `${request}: HTTP ${status}${later}, without the error payload of the contract`;
    return new LightspanError('http-status', `${message}${reply && `: ${reply}`}`, {
      hint,
      details: requestDetails({ status, mayHaveArrived }),
    });
  }
  const { error } = parsed.value;
  const name = shortenText(error.name, 100);
  const message = error.message && shortenText(error.message, 2000);
  const data = shortenData(error.data);
  const inBrackets =
    data === undefined ? '' : ` (${typeof data === 'string' ? data : stringifyExactJson(data)})`;
  return new LightspanError(
    // The request itself is wrong: a retry gets the same answer.
    [400, 404, 409, 422].includes(status) ? 'api-refused' : 'api-error',
    `${request}: HTTP ${status} ${name}${later}${message ? `: ${message}` : ''}${inBrackets}`,
    {
      hint,
      response: { name, statusCode: doubleOf(error.statusCode), message, data },
      details: requestDetails({ status, mayHaveArrived }),
    },
  );
}

/** What something other than Lightdash says: a proxy, a gateway, a sign-in page. */
function messageIn(payload: unknown, text: string): string {
  const { message, error }: Record<string, unknown> = isRecord(payload) ? payload : {};
  const words = [message, error, /<title[^>]*>([^<]*)/i.exec(text)?.[1]];
  return (words.find((word) => typeof word === 'string') ?? (/^\s*[<{]/.test(text) ? '' : text)).trim();
}

const hints: Readonly<Record<number, string>> = {
  401:
    'Check the token (LIGHTDASH_API_KEY): it may have expired, have been revoked, or belong to another ' +
    'instance. A personal access token is made in the personal settings; a token of a service account is ' +
    'sent with --auth bearer.',
  403:
    'The token is known, but its user is not allowed to do this: check the project UUID and the role of that user in ' +
    'the project.',
  404:
    'Check the address, the project UUID and the id: this instance knows no such thing, or its version has ' +
    'no such endpoint.',
  407: loginOfProxy,
  429: 'The instance limits how often you may send requests: try again later.',
};

function shortenText(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}… (${text.length} characters)` : text;
}

/** Drops empty details, and shortens long ones to the beginning of their text. */
function shortenData(data: unknown): unknown {
  const text = stringifyExactJson(data ?? '');
  if (text === '{}' || text === '[]' || text === '""') return undefined;
  return text.length > 1000 ? shortenText(text, 1000) : data;
}
