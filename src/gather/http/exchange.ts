import { LightspanError } from '../../core/lightspan-error.js';
import { describeUrl, schemeFault } from './address.js';
import { collectAtMost } from './collect.js';
import { getByNode, type Received } from './direct.js';
import { faultOfFetch, waysToTrust } from './fault.js';
import type { Dispatcher } from './proxy.js';
import { requestDetails } from './request-details.js';

export interface ExchangeRequest {
  /** A user and password in it are sent as `Authorization: Basic`, and never shown. */
  readonly url: URL;
  /** Default: `GET`. */
  readonly method?: 'GET' | 'HEAD' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers such as `authorization`: never sent to another origin, never shown. */
  readonly secretHeaders?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The maximum size of the body, in bytes after decoding. */
  readonly maxBytes: number;
  /** Plain http beyond loopback is refused unless this is true. */
  readonly allowHttp: boolean;
  /** By default, a GET or HEAD follows at most 5, never from https to http, and a POST none. */
  readonly redirects?: 'follow' | 'refuse';
}

interface Transport {
  readonly signal: AbortSignal;
  /** Undefined means the platform's. */
  readonly fetch: typeof fetch | undefined;
  readonly dispatcher: Dispatcher | undefined;
  /** Whether an address is in a range of `NO_PROXY`. */
  readonly isInNoProxyRange: (host: string) => boolean;
  /** If so, https is refused: the other end is not authenticated. */
  readonly trustsEveryCertificate: boolean;
  /** Removes the secrets from what a server says. */
  readonly redact: (text: string) => string;
}

export interface Exchanged {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Received['headers'];
  /** Where it came from, after redirects. */
  readonly url: URL;
  /** Decoded. */
  readonly body: Uint8Array;
}

const maxRedirects = 5;

/**
 * One try: the request, its redirects, and the whole body.
 *
 * @param outgoing its URL without credentials, the names of its secret headers in lower case
 * @returns an error that names neither the address nor the time, if there is no answer
 */
export async function exchange(
  outgoing: ExchangeRequest,
  transport: Transport,
): Promise<Exchanged | LightspanError> {
  try {
    return await followRedirects(outgoing, transport);
  } catch (error) {
    const reason: unknown = transport.signal.reason ?? error;
    return reason instanceof LightspanError ? reason : faultOfFetch(reason);
  }
}

async function followRedirects(outgoing: ExchangeRequest, transport: Transport): Promise<Exchanged> {
  const { method = 'GET', redirects = method === 'POST' ? 'refuse' : 'follow', maxBytes } = outgoing;
  let { url, secretHeaders = {} } = outgoing;
  for (let followed = 0; ; followed += 1) {
    const response = await send({ ...outgoing, url, secretHeaders }, transport);
    const { status, statusText, headers } = response;
    const location = [301, 302, 303, 307, 308].includes(status) ? headers.get('location') : null;
    if (location === null) {
      const options = { details: requestDetails({ mayHaveArrived: true }) };
      // A small body may expand without end: it is counted decoded.
      const body = await collectAtMost(
        response.body ?? [],
        maxBytes,
        () => new LightspanError('too-large', `the body is larger than ${maxBytes} bytes`, options),
      );
      return { status, statusText, headers, url, body };
    }
    await response.body?.cancel();
    const target = urlOf(location, url);
    const refuse = (why: string) => {
      // Secrets are removed before the URL is shortened for display.
      const shown = target && urlOf(transport.redact(location), url);
      const to = shown === undefined ? '' : ` to ${describeUrl(shown)}`;
      const message = `HTTP ${status}, a redirect${to}, not followed: ${why}`;
      // A redirect is an answer: nothing was done. But "see other" comes after a request was processed.
      const details = requestDetails({ status, mayHaveArrived: status === 303 });
      return new LightspanError('http-status', message, { details });
    };
    if (redirects === 'refuse') throw refuse('this request must reach the address it was given');
    if (target === undefined) throw refuse('its location is not a URL');
    if (followed === maxRedirects) throw refuse(`it is the ${maxRedirects + 1}th in a row`);
    if (url.protocol === 'https:' && target.protocol === 'http:') throw refuse('it leads from https to http');
    const fault = schemeFault(target, outgoing.allowHttp);
    if (fault !== undefined) throw refuse(fault);
    // Once dropped, they stay dropped: a server that redirects back chose what is requested with them.
    if (target.origin !== outgoing.url.origin) secretHeaders = {};
    target.username = '';
    target.password = '';
    url = target;
  }
}

function urlOf(location: string, base: URL): URL | undefined {
  return URL.canParse(location, base.href) ? new URL(location, base) : undefined;
}

async function send(
  outgoing: ExchangeRequest,
  { fetch, dispatcher: proxy, ...transport }: Transport,
): Promise<Received> {
  const { url, method = 'GET', body } = outgoing;
  const dispatcher = transport.isInNoProxyRange(url.hostname) ? undefined : proxy;
  if (url.protocol === 'https:' && transport.trustsEveryCertificate) {
    const message = 'NODE_TLS_REJECT_UNAUTHORIZED=0 lets anyone in between answer instead';
    const hint = `Unset it. To trust a certificate authority: ${waysToTrust}.`;
    throw new LightspanError('usage', message, { hint });
  }
  const headers: Record<string, string> = { ...outgoing.headers, ...outgoing.secretHeaders };
  // The dispatcher sends it to the proxy itself.
  if (proxy !== undefined) delete headers['proxy-authorization'];
  const request = { method, headers, redirect: 'manual', signal: transport.signal } as const;
  if (fetch !== undefined) return fetch(url, { ...request, body: body ?? null });
  if (method === 'GET' && dispatcher === undefined) return getByNode(url, headers, transport.signal);
  return globalThis.fetch(url, {
    ...request,
    ...(body === undefined ? {} : bodyStream(body, headers)),
    ...(dispatcher === undefined ? {} : { dispatcher }),
  });
}

/**
 * If the answer is 421, the platform's fetch sends a text again by itself, but not a stream, which can be read only
 * once. Without its length it would be sent in chunks, which some servers refuse.
 */
function bodyStream(body: string, headers: Readonly<Record<string, string>>) {
  return {
    body: new Blob([body]).stream(),
    duplex: 'half',
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
  } as const;
}
