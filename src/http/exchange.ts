import { describeUrl, schemeFault } from './address.js';
import { collectAtMost } from './collect.js';
import { faultOfFetch, HttpFault, waysToTrust } from './fault.js';
import type { Dispatcher } from './proxy.js';

/** One try: the request, its redirects, and the whole body. */
export interface Exchange {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** Names in lower case. */
  readonly secretHeaders: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly maxBytes: number;
  /** Removes the secrets from what a server says. */
  readonly redact: (text: string) => string;
  readonly allowHttp: boolean;
  /** If so, https is refused: the other end is not authenticated. */
  readonly trustsEveryCertificate: boolean;
  readonly redirects: 'follow' | 'refuse';
  readonly signal: AbortSignal;
  /** Undefined means the platform's. */
  readonly fetch: typeof fetch | undefined;
  readonly dispatcher: Dispatcher | undefined;
}

/** An answer with its whole body, whatever its status. */
export interface Exchanged {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly url: URL;
  /** The other address that redirects led to, for messages; undefined without one. */
  readonly redirectedTo: string | undefined;
  readonly body: Uint8Array;
}

const maxRedirects = 5;

/** @throws the reason of the signal if that is aborted, and the reason is no `HttpFault` */
export async function exchange(request: Exchange): Promise<Exchanged | HttpFault> {
  try {
    return await followRedirects(request);
  } catch (error) {
    if (request.signal.reason instanceof HttpFault) return request.signal.reason;
    request.signal.throwIfAborted();
    return error instanceof HttpFault ? error : faultOfFetch(error);
  }
}

async function followRedirects(request: Exchange): Promise<Exchanged> {
  let url = request.url;
  let secretHeaders = request.secretHeaders;
  for (let redirects = 0; ; redirects += 1) {
    const response = await send(request, url, secretHeaders);
    const location = redirectStatuses.has(response.status) ? response.headers.get('location') : null;
    if (location === null) {
      return {
        status: response.status,
        statusText: response.statusText,
        headers: response.headers,
        url,
        redirectedTo: redirects === 0 ? undefined : describeUrl(url),
        body: await readBody(response, request.maxBytes),
      };
    }
    await response.body?.cancel();
    const target = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
    // Secrets are removed before the URL is shortened for display.
    const shown = request.redact(location);
    const to =
      target !== undefined && URL.canParse(shown, url.href) ? ` to ${describeUrl(new URL(shown, url))}` : '';
    const refuse = (why: string) =>
      new HttpFault('http-status', `HTTP ${response.status}, a redirect${to} that is not followed: ${why}`, {
        status: response.status,
      });
    if (request.redirects === 'refuse') throw refuse('this request must reach the address it was given');
    if (target === undefined) throw refuse('its location is not a URL');
    if (redirects === maxRedirects) throw refuse(`it is the ${maxRedirects + 1}th in a row`);
    if (url.protocol === 'https:' && target.protocol === 'http:') throw refuse('it leads from https to http');
    const fault = schemeFault(target, request.allowHttp);
    if (fault !== undefined) throw refuse(fault);
    // Once dropped, they stay dropped: a server that redirects back chose what is requested with them.
    if (target.origin !== request.url.origin) secretHeaders = {};
    target.username = '';
    target.password = '';
    url = target;
  }
}

/** A small body may expand without end: it is counted decoded. */
async function readBody({ body }: Response, maxBytes: number): Promise<Uint8Array> {
  if (body === null) return new Uint8Array();
  const message = `the body is larger than ${maxBytes} bytes`;
  return collectAtMost(
    body,
    maxBytes,
    () => new HttpFault('too-large', message, { hint: '--max-bytes raises this limit.' }),
  );
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

async function send(
  request: Exchange,
  url: URL,
  secretHeaders: Exchange['secretHeaders'],
): Promise<Response> {
  const { method, signal, dispatcher } = request;
  const headers = { ...request.headers, ...lengthOf(request), ...secretHeaders };
  // The dispatcher sends it to the proxy itself.
  if (dispatcher !== undefined) delete headers['proxy-authorization'];
  if (url.protocol === 'https:' && request.trustsEveryCertificate) {
    throw new HttpFault(
      'usage',
      'NODE_TLS_REJECT_UNAUTHORIZED=0 lets anyone in between answer in its place',
      { neverSent: true, hint: `Unset it. To trust a certificate authority: ${waysToTrust()}.` },
    );
  }
  return (request.fetch ?? globalThis.fetch)(url, {
    method,
    headers,
    redirect: 'manual',
    signal,
    ...bodyOf(request),
    ...(dispatcher === undefined ? {} : { dispatcher }),
  });
}

/**
 * If the answer is 421, the platform's fetch sends the request again by itself, unless the body is a stream, which can
 * be read only once. A fetch that was passed in receives the text, as from any caller.
 */
function bodyOf({ body, fetch }: Exchange): Pick<RequestInit, 'body' | 'duplex'> {
  if (body === undefined) return {};
  return fetch === undefined ? { body: new Blob([body]).stream(), duplex: 'half' } : { body };
}

/** fetch does not know the length of a stream, and would send it in chunks, which some servers refuse. */
function lengthOf({ body, fetch }: Exchange): Record<string, string> {
  return body === undefined || fetch !== undefined
    ? {}
    : { 'content-length': String(Buffer.byteLength(body)) };
}
