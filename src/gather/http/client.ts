import packageJson from '../../../package.json' with { type: 'json' };
import type { Env } from '../../core/common/env.js';
import { LightspanError } from '../../core/lightspan-error.js';
import { createRedactor, secretsOfHeader } from '../../core/text/redact.js';
import { describeUrl, requireAllowedScheme, splitCredentials } from './address.js';
import { closeIdleConnections } from './direct.js';
import { type Exchanged, type ExchangeRequest, exchange } from './exchange.js';
import { isConnectionError } from './fault.js';
import { dropDispatchers, isInNoProxyRange, proxyDispatcher } from './proxy.js';
import { type Attempts, describeAttempts, requestDetails, requestOf } from './request-details.js';

export interface HttpRequest extends ExchangeRequest {
  /** For everything: every try, the pauses between them, every redirect, the body. */
  readonly timeoutMs: number;
  /** Statuses that count as an answer; any other is an `http-status` error. Default: 200 only. */
  readonly acceptStatus?: (status: number) => boolean;
  /** The maximum number of retries. Default: 3. */
  readonly retries?: number;
  /** Aborts at once; `request` rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface HttpResponse extends Exchanged, Attempts {}

interface HttpClient {
  /**
   * Makes one request. A GET or HEAD is retried, at most 3 times, after a connection error, 408, 429 or 5xx. A POST is
   * sent only once: after a failure, the server may have done it nevertheless.
   *
   * @throws {LightspanError} `usage` (an address that may not be requested), `timeout`, `network`, `http-status` or
   *   `too-large`; the message names method, URL, what happened, after how long and how many tries
   */
  readonly request: (request: HttpRequest) => Promise<HttpResponse>;
}

/** What a client may use of its environment; tests pass their own. */
export interface HttpWorld {
  /**
   * For `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`; and `NODE_TLS_REJECT_UNAUTHORIZED`, which Node reads from its own
   * process whatever is received here.
   */
  readonly env: Env;
  /** Default: `usualUserAgent`. */
  readonly userAgent?: string | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** At least 0 and less than 1, like `Math.random`. */
  readonly random?: () => number;
}

/** How a request names the program. */
const usualUserAgent = `lightspan/${packageJson.version}`;

/**
 * Every request of lightspan goes through this client. No network code is loaded until a request is made, and
 * connections are pooled across the requests of the process.
 */
export function createHttpClient({
  env,
  userAgent = usualUserAgent,
  fetch,
  sleep = pause,
  random = Math.random,
}: HttpWorld): HttpClient {
  const request = async (outgoing: HttpRequest): Promise<HttpResponse> => {
    const { method = 'GET', timeoutMs, signal, acceptStatus = (status) => status === 200 } = outgoing;
    requireAllowedScheme(outgoing.url, outgoing.allowHttp);
    const { url, secretHeaders } = splitCredentials(outgoing.url, outgoing.secretHeaders);
    const redact = createRedactor(Object.values(secretHeaders).flatMap(secretsOfHeader)).text;
    const dispatcher = await proxyDispatcher(env, secretHeaders);
    const trustsEveryCertificate = env.NODE_TLS_REJECT_UNAUTHORIZED === '0';
    const headers = { 'user-agent': userAgent, ...outgoing.headers };
    // Without the `performance` of the platform, which takes 1 ms to load.
    const started = process.hrtime.bigint();
    const elapsedMs = () => Number(process.hrtime.bigint() - started) / 1e6;

    let before: LightspanError | undefined;
    const limit = new AbortController();
    const runOut = () => {
      const then = before === undefined ? '' : `; the last try: ${before.summary}`;
      const message = `no complete answer within ${timeoutMs / 1000} s${then}`;
      const hint = '--timeout sets how long to wait.';
      limit.abort(
        new LightspanError('timeout', message, { hint, details: requestDetails({ mayHaveArrived: true }) }),
      );
    };
    // A timer accepts at most 24.8 days, and fires at once for more.
    const timer = setTimeout(runOut, Math.min(timeoutMs, 2 ** 31 - 1));
    const abort = () => limit.abort(signal?.reason);
    signal?.addEventListener('abort', abort);
    try {
      for (let tries = 1; ; tries += 1) {
        signal?.throwIfAborted();
        const outcome = await exchange(
          { ...outgoing, url, headers, secretHeaders },
          {
            ...{ signal: limit.signal, fetch, dispatcher, trustsEveryCertificate, redact },
            isInNoProxyRange: (host) => dispatcher !== undefined && isInNoProxyRange(env, host),
          },
        );
        signal?.throwIfAborted();
        const mayRetry = method !== 'POST' && tries <= (outgoing.retries ?? 3);
        const pauseMs = mayRetry ? pauseBeforeRetry(outcome, { tries, random: random() }) : undefined;
        if (pauseMs !== undefined && pauseMs < timeoutMs - elapsedMs()) {
          before = outcome instanceof LightspanError ? outcome : undefined;
          await sleep(pauseMs, signal);
          continue;
        }
        const attempts = { tries, elapsedMs: elapsedMs() };
        if (!(outcome instanceof LightspanError) && acceptStatus(outcome.status)) {
          return { ...outcome, ...attempts };
        }
        const fault = outcome instanceof LightspanError ? outcome : faultOfStatus(outcome, url);
        const { code, hint } = fault;
        const summary = `${method} ${describeUrl(url)}: ${redact(fault.summary)}`;
        const details = requestDetails({ ...requestOf(fault), attempts });
        // The cause may contain secrets that were removed from the message.
        const cause = Object.keys(secretHeaders).length === 0 ? fault.cause : undefined;
        const message = `${summary}, ${describeAttempts(attempts)}`;
        throw new LightspanError(code, message, { hint, cause, summary, details });
      }
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  };
  return { request };
}

/** Makes the next requests use new connections: a pooled one leads to the same pod of a service each time. */
export async function useNewConnections(): Promise<void> {
  dropDispatchers();
  await closeIdleConnections();
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const { setTimeout } = await import('node:timers/promises');
  await setTimeout(ms, undefined, signal === undefined ? {} : { signal });
}

function faultOfStatus({ status, statusText, headers, url }: Exchanged, requested: URL): LightspanError {
  const from = url === requested ? '' : ` from ${describeUrl(url)}`;
  const retryAfter = headers.get('retry-after');
  const later = retryAfter === null ? '' : ` (Retry-After: ${retryAfter})`;
  const message = `${`HTTP ${status} ${statusText}`.trim()}${from}${later}`;
  return new LightspanError('http-status', message, {
    details: requestDetails({ status, mayHaveArrived: status === 303 }),
  });
}

/**
 * How long to wait before a GET is retried, in milliseconds; undefined if that brings no other result.
 *
 * The wait doubles with each try, and its second half is random, so that many clients that failed together do not retry
 * together. A longer `Retry-After` takes precedence.
 */
export function pauseBeforeRetry(
  outcome: LightspanError | Pick<Exchanged, 'status' | 'headers'>,
  { tries, random }: { readonly tries: number; readonly random: number },
): number | undefined {
  const backoff = 200 * 2 ** (tries - 1) * (1 + random);
  if (outcome instanceof LightspanError) return isConnectionError(outcome) ? backoff : undefined;
  const { status, headers } = outcome;
  if (status !== 408 && status !== 429 && status < 500) return undefined;
  return Math.max(readRetryAfter(headers.get('retry-after') ?? ''), backoff);
}

/** `Retry-After` in milliseconds from now, given as seconds or as a date (RFC 9110); 0 for any other text. */
function readRetryAfter(value: string): number {
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  return / GMT$/.test(value) ? Date.parse(value) - Date.now() || 0 : 0;
}
