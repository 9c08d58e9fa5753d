import { type Attempts, LightspanError } from '../errors.js';
import { createRedactor, secretsOfHeader } from '../shared/redact.js';
import { describeUrl, requireAllowedScheme, takeCredentials } from './address.js';
import { type Exchanged, exchange } from './exchange.js';
import { HttpFault } from './fault.js';
import { proxyDispatcher } from './proxy.js';

export interface HttpRequest {
  /** A user and password in it are sent as `Authorization: Basic`, and never shown. */
  readonly url: URL;
  /** Default: `GET`. */
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers such as `authorization`: never sent to another origin, never shown. */
  readonly secretHeaders?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For everything: every try, the pauses between them, every redirect, the body. */
  readonly timeoutMs: number;
  /** The maximum size of the body, in bytes after decoding. */
  readonly maxBytes: number;
  /** Plain http beyond loopback is refused unless this is true. */
  readonly allowHttp: boolean;
  /** By default, a GET follows at most 5, never from https to http, and a POST none. */
  readonly redirects?: 'follow' | 'refuse';
  /** Statuses that count as an answer; any other is an `http-status` error. Default: 200 only. */
  readonly acceptStatus?: (status: number) => boolean;
  /** The maximum number of retries. Default: 3. */
  readonly retries?: number;
  /** Aborts at once; `request` rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface HttpResponse extends Attempts {
  readonly status: number;
  readonly headers: Headers;
  /** Where the answer came from, after redirects. */
  readonly url: URL;
  /** Decoded. */
  readonly body: Uint8Array;
}

export interface HttpClient {
  /**
   * Makes one request. A GET is retried, at most 3 times, after a connection error, 408, 429 or 5xx. A POST is sent
   * only once, whatever happens: what it asks for may have been done.
   *
   * @throws {LightspanError} `usage` (an address that may not be requested), `timeout`, `network`, `http-status` or
   * `too-large`; the message names method, URL, what happened, after how long and how many tries
   */
  readonly request: (request: HttpRequest) => Promise<HttpResponse>;
}

/** What a client may use of its environment; tests pass their own. */
export interface HttpWorld {
  /** For `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userAgent: string;
  readonly fetch?: typeof fetch | undefined;
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** At least 0 and less than 1, like `Math.random`. */
  readonly random?: () => number;
  /** Milliseconds since 1970, like `Date.now`. */
  readonly now?: () => number;
}

/**
 * Every request of lightspan goes through this client. No network code is loaded until a request is made, and
 * connections are pooled across the requests of the process.
 */
export function createHttpClient(world: HttpWorld): HttpClient {
  const { env, random = Math.random, now = Date.now, sleep = pause } = world;

  const request = async (request: HttpRequest): Promise<HttpResponse> => {
    const { method = 'GET', timeoutMs, signal, acceptStatus = (status) => status === 200 } = request;
    requireAllowedScheme(request.url, request.allowHttp);
    const { url, secretHeaders } = takeCredentials(request.url, request.secretHeaders);
    const redact = createRedactor(Object.values(secretHeaders).flatMap(secretsOfHeader)).text;
    const dispatcher = await proxyDispatcher(env, secretHeaders);
    const started = performance.now();
    const elapsedMs = () => performance.now() - started;

    let before: HttpFault | undefined;
    const limit = new AbortController();
    const runOut = () => {
      const then = before === undefined ? '' : `; the last try: ${before.message}`;
      const message = `no complete answer within ${timeoutMs / 1000} s${then}`;
      limit.abort(new HttpFault('timeout', message, { hint: '--timeout sets how long to wait.' }));
    };
    const timer = setTimeout(runOut, Math.min(timeoutMs, longestTimerMs));
    const abort = () => limit.abort(signal?.reason);
    signal?.addEventListener('abort', abort);
    try {
      for (let tries = 1; ; tries += 1) {
        signal?.throwIfAborted();
        const outcome = await exchange({
          url,
          method,
          headers: { 'user-agent': world.userAgent, ...request.headers },
          secretHeaders,
          body: request.body,
          maxBytes: request.maxBytes,
          redact,
          allowHttp: request.allowHttp,
          // Node reads it from its own process, whatever environment we received.
          trustsEveryCertificate: [env, process.env].some((env) => env.NODE_TLS_REJECT_UNAUTHORIZED === '0'),
          redirects: request.redirects ?? (method === 'GET' ? 'follow' : 'refuse'),
          signal: limit.signal,
          fetch: world.fetch,
          dispatcher,
        });

        const pauseMs =
          tries > (request.retries ?? maxRetries)
            ? undefined
            : pauseBeforeRetry(outcome, { method, tries, random: random(), now: now() });
        if (pauseMs !== undefined && pauseMs < timeoutMs - elapsedMs()) {
          before = outcome instanceof HttpFault ? outcome : undefined;
          await sleep(pauseMs, signal);
          continue;
        }
        if (!(outcome instanceof HttpFault) && acceptStatus(outcome.status)) {
          return { ...outcome, tries, elapsedMs: elapsedMs() };
        }
        const fault = outcome instanceof HttpFault ? outcome : HttpFault.ofStatus(outcome);
        const { code, hint, cause, status } = fault;
        throw new LightspanError(code, `${method} ${describeUrl(url)}: ${redact(fault.message)}`, {
          hint,
          cause,
          status,
          // A redirect is an answer: nothing was done. But "see other" comes after a request was processed.
          mayHaveArrived: !fault.neverSent && (code !== 'http-status' || status === 303),
          attempts: { tries, elapsedMs: elapsedMs() },
        });
      }
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  };
  return { request };
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const { setTimeout } = await import('node:timers/promises');
  await setTimeout(ms, undefined, signal === undefined ? {} : { signal });
}

/** A timer accepts at most 24.8 days, and fires at once for more. */
const longestTimerMs = 2 ** 31 - 1;

/** The maximum number of retries of a request. */
const maxRetries = 3;

export interface RetryCircumstances {
  readonly method: 'GET' | 'POST';
  /** How often the request has been made. */
  readonly tries: number;
  /** At least 0 and less than 1. */
  readonly random: number;
  /** Milliseconds since 1970, the reference for a `Retry-After` date. */
  readonly now: number;
}

/**
 * How long to wait before a retry, in milliseconds; undefined if there must be none, as for every POST.
 *
 * The wait doubles with each try, and its second half is random, so that many clients that failed together do not retry
 * together. A longer `Retry-After` takes precedence.
 */
export function pauseBeforeRetry(
  outcome: HttpFault | Exchanged,
  { method, tries, random, now }: RetryCircumstances,
): number | undefined {
  const longest = firstPauseMs * 2 ** (tries - 1);
  const backoff = longest / 2 + (longest / 2) * random;
  // No answer proves that the request had no effect.
  if (method === 'POST') return undefined;
  if (outcome instanceof HttpFault) return outcome.isConnectionError ? backoff : undefined;
  const { status, headers } = outcome;
  const retryAfter = readRetryAfter(headers.get('retry-after'), now);
  const mayPass = status === 408 || status === 429 || status >= 500;
  return mayPass ? Math.max(retryAfter ?? 0, backoff) : undefined;
}

const firstPauseMs = 400;

/** `Retry-After` in milliseconds from now, given as seconds or as a date (RFC 9110); nothing if it is another text. */
function readRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = / GMT$/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
