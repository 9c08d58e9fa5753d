import * as z from 'zod/mini';
import { LightspanError } from '../errors.js';
import { createHttpClient, type HttpResponse } from '../http/client.js';
import { type Exact, parseExactJson, stringifyExactJson } from '../shared/exact-json.js';
import { maxJsonNesting, nestsTooDeep } from '../shared/json-scan.js';
import { parseExactly } from '../shared/parse-with.js';
import { createRedactor, secretsOfHeader } from '../shared/redact.js';
import { formatPath } from '../shared/schema-problem.js';
import { errorOfStatus, hintOf407 } from './api-error.js';
import type { AuthScheme } from './base-url.js';

/** One request to an instance. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  /** From the root, with its segments already encoded. */
  readonly path: string;
  readonly query?: readonly (readonly [name: string, value: string])[];
  /** Sent as JSON, with its numbers as they were read. */
  readonly body?: unknown;
  /** The JSON that the body was read from: sent instead of it, byte for byte. */
  readonly bodyText?: string | undefined;
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

export interface SendOptions {
  readonly url: URL;
  readonly token: string;
  readonly scheme: AuthScheme;
  /** The value of the `Proxy-Authorization` header. */
  readonly proxyAuthorization?: string | undefined;
  readonly allowHttp: boolean;
  /** The time limit of one request, in milliseconds. */
  readonly timeoutMs: number;
  readonly userAgent: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly fetch?: typeof fetch | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** No answer to these requests is larger. */
const maxBytes = 64 * 1024 * 1024;

export function createSend(options: SendOptions): Send {
  const { url, token, scheme, proxyAuthorization, env, userAgent, fetch, signal } = options;
  const http = createHttpClient({ env, userAgent, fetch });
  const redact = createRedactor([
    token,
    ...(proxyAuthorization === undefined ? [] : secretsOfHeader(proxyAuthorization)),
  ]);

  return async ({ method, path, query = [], body, bodyText, timeoutMs = options.timeoutMs }) => {
    const address = new URL(path, url);
    for (const [name, value] of query) address.searchParams.append(name, value);
    const what = `${method} ${address}`;
    try {
      const response = await http.request({
        url: address,
        method,
        headers: {
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        secretHeaders: {
          authorization: `${scheme} ${token}`,
          ...(proxyAuthorization === undefined ? {} : { 'proxy-authorization': proxyAuthorization }),
        },
        ...(body === undefined ? {} : { body: bodyText ?? stringifyExactJson(body) }),
        timeoutMs: Math.max(1, Math.min(timeoutMs, options.timeoutMs)),
        maxBytes,
        allowHttp: options.allowHttp,
        // A token and a request are meant for the given address only, and no API endpoint moves.
        redirects: 'refuse',
        acceptStatus: () => true,
        ...(signal === undefined ? {} : { signal }),
      });
      const { text, value, fault } = parseJson(response);
      // Before anything is shortened for display: a part of a token would no longer be found.
      const payload = redact.json(value);
      if (response.status !== 200) {
        throw errorOfStatus({ what, response, payload, text: redact.text(text) });
      }
      if (fault !== undefined) {
        throw new LightspanError('invalid-response', `${what}: the answer is not JSON: ${fault}`, {
          mayHaveArrived: true,
          hint: 'Is this the address of a Lightdash instance, and not of a proxy or a login page in front of it?',
        });
      }
      return { request: what, payload };
    } catch (error) {
      if (!(error instanceof LightspanError)) throw error;
      // A new error without the cause, which may still contain what was removed from the message.
      const { code, response, mayHaveArrived, attempts } = error;
      const hint = error.status === 407 ? hintOf407 : error.hint;
      throw new LightspanError(code, redact.text(error.summary), {
        hint,
        response: response === undefined ? undefined : redact.json(response),
        mayHaveArrived,
        attempts,
      });
    }
  };
}

/** The JSON of an answer, or what is wrong with it; `text` is empty if it is no text at all. */
interface Reading {
  readonly text: string;
  readonly value?: unknown;
  readonly fault?: string;
}

function parseJson({ body }: HttpResponse): Reading {
  let text = '';
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    if (nestsTooDeep(text)) return { text, fault: `it nests deeper than ${maxJsonNesting} levels` };
    return { text, value: parseExactJson(text) };
  } catch {
    if (body.length > 0 && text === '') return { text, fault: 'it is not UTF-8 text' };
    const start = text.trimStart();
    if (start === '') return { text, fault: 'it is empty' };
    return {
      text,
      fault: start.startsWith('<') ? 'it looks like HTML or XML' : 'it ends too early or is malformed',
    };
  }
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
  const [first, ...others] = parsed.problems.map(
    ({ path, message }) => `${formatPath(path) || 'the whole of it'}: ${message}`,
  );
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  throw new LightspanError(
    'invalid-response',
    `${request}: the answer does not match the contract: ${first}${more}`,
    {
      hint: 'The instance may speak an API newer or older than the one lightspan knows (2.202.0).',
    },
  );
}
