import type { LightspanError } from '../errors.js';
import { certificateFault } from './certificate-fault.js';

/** Why one try brought no answer. The client makes the error of it, which also says to what and after how long. */
export class HttpFault extends Error {
  override readonly name = 'HttpFault';
  readonly code: LightspanError['code'];
  readonly hint: string | undefined;
  /** Of a status that is no answer. */
  readonly status: number | undefined;
  /** A connection that was unavailable or broke: the next may do better. */
  readonly isConnectionError: boolean;
  /** Nothing of the request has left this machine. */
  neverSent = false;

  constructor(
    code: LightspanError['code'],
    message: string,
    options: Partial<Pick<HttpFault, 'hint' | 'cause' | 'status' | 'isConnectionError'>> = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.isConnectionError = options.isConnectionError ?? false;
    this.hint = options.hint;
    this.status = options.status;
  }

  /** A proxy that asks who this is. */
  static of407(): HttpFault {
    return new HttpFault('http-status', 'HTTP 407 Proxy Authentication Required', {
      status: 407,
      hint: loginOfProxy,
    });
  }

  /** A status that is no answer. */
  static ofStatus({ status, statusText, headers, redirectedTo }: StatusOfAnswer): HttpFault {
    const parts = [`HTTP ${status} ${statusText}`.trim()];
    if (redirectedTo !== undefined) parts.push(`from ${redirectedTo}`);
    const retryAfter = headers.get('retry-after');
    if (retryAfter !== null) parts.push(`(Retry-After: ${retryAfter})`);
    return new HttpFault('http-status', parts.join(' '), { status });
  }
}

const loginOfProxy =
  'It asks who you are: HTTPS_PROXY=http://<user>:<password>@<host>:<port>, with special characters percent-encoded.';

interface StatusOfAnswer extends Pick<Response, 'status' | 'statusText' | 'headers'> {
  readonly redirectedTo: string | undefined;
}

/** What a fetch that failed says happened: fetch itself says "fetch failed" and keeps the rest in its cause. */
export function faultOfFetch(error: unknown): HttpFault {
  const innermost = innermostError(error);
  const code = innermost instanceof Error && 'code' in innermost ? String(innermost.code) : '';
  const message = innermost instanceof Error ? innermost.message : String(innermost);
  const known = certificateFault(code, message) ?? refusedTunnel(message);
  const timedOut = code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT';
  const isConnectionError = connectionErrors.has(code);
  const hint = known?.hint ?? hints.find(([codes]) => codes.test(code))?.[1];
  return new HttpFault(timedOut ? 'timeout' : 'network', known?.message ?? describe(code, message), {
    cause: error,
    isConnectionError,
    hint,
  });
}

/** A host that does not exist and a certificate that is not trusted are answers, and asking again brings no other. */
const connectionErrors: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
]);

const hints: readonly (readonly [RegExp, string])[] = [
  [
    /^(ENOTFOUND|EAI_AGAIN)$/,
    'Check the host name, and set HTTPS_PROXY where this network is left through a proxy.',
  ],
];

/** What undici says of a proxy that opens no tunnel, in words of ours. */
function refusedTunnel(message: string): { readonly message: string; readonly hint: string } | undefined {
  const status = /^Proxy response \((\d+)\)/.exec(message)?.[1];
  if (status === undefined) return undefined;
  return {
    message: `the proxy answered HTTP ${status} instead of opening a tunnel`,
    hint:
      status === '407'
        ? loginOfProxy
        : 'Ask whoever runs the proxy to let this address through, or use a mirror (lightspan index mirror).',
  };
}

function describe(code: string, message: string): string {
  if (code === 'ENOTFOUND') return `the host name is not known (${message})`;
  if (code === 'UND_ERR_SOCKET') return `the connection was closed before the answer was whole (${message})`;
  if (code.startsWith('ERR_SSL_')) {
    return `no TLS connection could be made (${code.slice('ERR_SSL_'.length).toLowerCase().replaceAll('_', ' ')})`;
  }
  // The fetch standard keeps requests from ports of other services.
  if (message === 'bad port') return 'requests to this port are blocked (bad port)';
  return code === '' || message.includes(code) ? message : `${message} (${code})`;
}

function innermostError(error: unknown): unknown {
  let innermost = error;
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause;
  // Every address of a host was tried, and each has failed in its own way.
  return innermost instanceof AggregateError && innermost.message === ''
    ? (innermost.errors[0] ?? innermost)
    : innermost;
}
