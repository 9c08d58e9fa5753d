import * as z from 'zod/mini';
import { type Exact, parseExactJson, stringifyExactJson } from '../../core/json/exact-json.js';
import { findDuplicateKey } from '../../core/json/json-scan.js';
import { parseExactly } from '../../core/json/parse-with.js';
import { describeProblem } from '../../core/json/schema-problem.js';
import { LightspanError } from '../../core/lightspan-error.js';
import { quote } from '../../core/text/quote.js';
import { createRedactor, secretsOfHeader } from '../../core/text/redact.js';
import { createHttpClient, type HttpResponse } from '../http/client.js';
import { requestDetails } from '../http/request-details.js';
import { mostBytes, usualTimeoutMs } from '../limits.js';
import { errorOfStatus } from './api-error.js';
import { type AuthScheme, parseBaseUrl, requireHeaderText, schemeOfToken } from './base-url.js';

export { type RequestDetails, requestOf } from '../http/request-details.js';

export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  /** From the root, with its segments already encoded. */
  readonly path: string;
  readonly query?: readonly (readonly [name: string, value: string])[];
  /** Sent as JSON, with its numbers as they were read. */
  readonly body?: unknown;
  /** A shorter limit than the client's own, in milliseconds. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Sends a request and reads the JSON of its 200. Secrets are removed from the answer before anything else reads it.
 *
 * @throws {LightspanError} `api-error` or `http-status` for a failed request, `invalid-response` for an invalid answer,
 *   and the errors of `HttpClient.request`
 */
export type Send = (request: ApiRequest) => Promise<Answer>;

/** The JSON of a 200 with its numbers as they were written, and the name of its request for messages. */
export interface Answer {
  readonly request: string;
  readonly payload: unknown;
}

/** The clock of a wait for a query. */
export interface Clock {
  /** Milliseconds, on a clock that never runs backwards. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** How an instance is reached, and by whom. Nothing of it is read from the environment but by `env`. */
export interface ClientOptions {
  /** The address of the instance, an origin such as `https://lightdash.example.com`. */
  readonly url: string | URL;
  readonly token: string;
  /** How the token is sent. Default: by its kind, `Bearer` for that of a service account. */
  readonly scheme?: AuthScheme | undefined;
  /** UUID of the project; requests that are not about a project do not need it. */
  readonly project?: string | undefined;
  /** The value of the `Proxy-Authorization` header, for a proxy in front of the instance. */
  readonly proxyAuthorization?: string | undefined;
  /** Plain http beyond loopback is refused unless this is true. */
  readonly allowHttp?: boolean | undefined;
  /** The time limit of one request including its retries, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Default: `lightspan/` with its version. */
  readonly userAgent?: string | undefined;
  /** For `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`; usually `process.env`. Without it, no proxy is used. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
}

/** No answer to these requests is larger. */
const maxBytes = mostBytes.page;

/** @throws {LightspanError} `usage` if an option is malformed */
export function createSend(options: ClientOptions): Send {
  const { allowHttp = false, env = {}, userAgent, fetch, signal } = options;
  const url = parseBaseUrl(String(options.url), { allowHttp });
  const token = requireHeaderText(options.token, 'token');
  const { scheme = schemeOfToken(token) } = options;
  const secretHeaders: Record<string, string> = { authorization: `${scheme} ${token}` };
  if (options.proxyAuthorization !== undefined) {
    const text = requireHeaderText(options.proxyAuthorization, 'proxy authorization');
    secretHeaders['proxy-authorization'] = text;
  }
  const http = createHttpClient({ env, userAgent, fetch });
  const redact = createRedactor(Object.values(secretHeaders).flatMap(secretsOfHeader));
  const longest = options.timeoutMs ?? usualTimeoutMs;

  return async ({ method, path, query = [], body, timeoutMs = longest }) => {
    const address = new URL(path, url);
    for (const [name, value] of query) address.searchParams.append(name, value);
    const request = `${method} ${address}`;
    const response = await http.request({
      url: address,
      method,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      secretHeaders,
      ...(body !== undefined && { body: stringifyExactJson(body) }),
      timeoutMs: Math.max(1, Math.min(timeoutMs, longest)),
      maxBytes,
      allowHttp,
      // A token and a request are meant for the given address only, and no API endpoint moves.
      redirects: 'refuse',
      acceptStatus: () => true,
      ...(signal !== undefined && { signal }),
    });
    const { text, value } = parseJson(response);
    // Before anything is shortened for display: a part of a token would no longer be found.
    const payload = redact.json(value);
    if (response.status !== 200) {
      const retryAfter = redact.text(response.headers.get('retry-after') ?? '');
      throw errorOfStatus(request, response.status, { payload, text: redact.text(text), retryAfter });
    }
    if (value !== undefined) {
      requireKeysOnce(text, request);
      return { request, payload };
    }
    throw new LightspanError('invalid-response', `${request}: the answer is not JSON`, {
      details: requestDetails({ mayHaveArrived: true, mayBeForeign: true }),
      hint: 'Is this a Lightdash instance, and not a proxy or login page in front of it?',
    });
  };
}

/** The text of an answer and its JSON; undefined if it is no such thing. */
function parseJson({ body }: HttpResponse): { readonly text: string; readonly value?: unknown } {
  let text = '';
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    return { text, value: parseExactJson(text) };
  } catch {
    return { text };
  }
}

/**
 * A key that occurs twice in one object: JSON does not say which of its values counts, so neither is an answer.
 *
 * @throws {LightspanError} `invalid-response`
 */
function requireKeysOnce(text: string, request: string): void {
  const twice = findDuplicateKey(text);
  if (twice === undefined) return;
  const message = `${request}: the answer holds an object with the key ${quote(twice)} twice`;
  throw new LightspanError('invalid-response', message, {
    details: requestDetails({ mayHaveArrived: true }),
    hint: 'Lightdash writes none like it: what is between it and this machine?',
  });
}

/** The success envelope of the contract. Unknown additions are ignored. */
export function okEnvelope<T extends z.ZodMiniType>(results: T) {
  return z.looseObject({ status: z.literal('ok'), results });
}

/**
 * The payload of a 200 by its schema, every number as the server wrote it.
 *
 * @param answer the result of `Send`
 * @throws {LightspanError} `invalid-response`, with the path at fault
 */
export function parseResponse<T>(schema: z.ZodMiniType<T>, { request, payload }: Answer): Exact<T> {
  const parsed = parseExactly(schema, payload);
  if (parsed.ok) return parsed.value;
  const [first, ...others] = parsed.problems.map(describeProblem);
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const message = `${request}: the answer does not match the contract: ${first}${more}`;
  throw new LightspanError('invalid-response', message, {
    hint: 'The instance may have a newer or older API than the one lightspan knows (2.202.0).',
  });
}
