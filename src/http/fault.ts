import type { LightspanError } from '../errors.js';

/** Why one try brought no answer. The client turns it into an error, which adds the address and the time. */
export class HttpFault extends Error {
  override readonly name = 'HttpFault';
  readonly code: LightspanError['code'];
  readonly hint: string | undefined;
  /** The status, if it does not count as an answer. */
  readonly status: number | undefined;
  /** No connection, or a broken one: the next try may succeed. */
  readonly isConnectionError: boolean;
  /** There was no connection, so nothing of the request has left this machine. */
  readonly neverSent: boolean;

  constructor(
    code: LightspanError['code'],
    message: string,
    options: Partial<Pick<HttpFault, 'hint' | 'cause' | 'status' | 'isConnectionError' | 'neverSent'>> = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.isConnectionError = options.isConnectionError ?? false;
    this.neverSent = options.neverSent ?? false;
    this.hint = options.hint;
    this.status = options.status;
  }

  /** A proxy that requires authentication. */
  static of407(cause: unknown): HttpFault {
    return new HttpFault('http-status', 'HTTP 407 Proxy Authentication Required', {
      cause,
      status: 407,
      hint: loginOfProxy,
    });
  }

  /** A status that does not count as an answer. */
  static ofStatus({ status, statusText, headers, redirectedTo }: StatusOfAnswer): HttpFault {
    const parts = [`HTTP ${status} ${statusText}`.trim()];
    if (redirectedTo !== undefined) parts.push(`from ${redirectedTo}`);
    const retryAfter = headers.get('retry-after');
    if (retryAfter !== null) parts.push(`(Retry-After: ${retryAfter})`);
    return new HttpFault('http-status', parts.join(' '), { status });
  }
}

const loginOfProxy =
  'It requires a login: HTTPS_PROXY=http://<user>:<password>@<host>:<port>, with special characters percent-encoded.';

interface StatusOfAnswer extends Pick<Response, 'status' | 'statusText' | 'headers'> {
  readonly redirectedTo: string | undefined;
}

/** Why a fetch failed: fetch itself says "fetch failed" and has the rest in its cause. */
export function faultOfFetch(error: unknown): HttpFault {
  const innermost = innermostError(error);
  const code = innermost instanceof Error && 'code' in innermost ? String(innermost.code) : '';
  const message = innermost instanceof Error ? innermost.message : String(innermost);
  // Of a server's 407, fetch says nothing; of a proxy's, undici does.
  if (message === '' || message.startsWith('Proxy Authentication Required')) return HttpFault.of407(error);
  const known = certificateFault(code, message) ?? refusedTunnel(message);
  const syscall = innermost instanceof Error && 'syscall' in innermost ? innermost.syscall : undefined;
  const isConnectionError = connectionErrors.has(code);
  const isOfHost = /^(ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/.test(code);
  const hint =
    known?.hint ??
    (isOfHost ? 'Check the host name, and set HTTPS_PROXY if this network uses a proxy.' : undefined);
  return new HttpFault(
    timeouts.has(code) ? 'timeout' : 'network',
    known?.message ?? describe(code, message),
    {
      cause: error,
      isConnectionError,
      neverSent:
        known !== undefined ||
        code === 'UND_ERR_CONNECT_TIMEOUT' ||
        syscall === 'connect' ||
        syscall === 'getaddrinfo',
      hint,
    },
  );
}

/** An unknown host and an untrusted certificate are not among them: retrying brings no other result. */
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

const timeouts: ReadonlySet<string> = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

/** undici's message for a proxy that opens no tunnel, in our words. */
function refusedTunnel(message: string): KnownFault | undefined {
  const status = /^Proxy response \((\d+)\)/.exec(message)?.[1];
  if (status === undefined) return undefined;
  return {
    message: `the proxy answered HTTP ${status} instead of opening a tunnel`,
    hint:
      status === '407'
        ? loginOfProxy
        : 'Ask the operator of the proxy to allow this address, or use a mirror (lightspan index mirror).',
  };
}

function describe(code: string, message: string): string {
  if (code === 'ENOTFOUND') return `the host name is not known (${message})`;
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return `no connection was made in time (${message})`;
  if (code === 'UND_ERR_SOCKET')
    return `the connection was closed before the answer was complete (${message})`;
  if (code.startsWith('ERR_SSL_')) {
    return `no TLS connection could be made (${code.slice('ERR_SSL_'.length).toLowerCase().replaceAll('_', ' ')})`;
  }
  // The fetch standard blocks requests to ports of other services.
  if (message === 'bad port') return 'requests to this port are blocked (bad port)';
  return code === '' || message.includes(code) ? message : `${message} (${code})`;
}

function innermostError(error: unknown): unknown {
  let innermost = error;
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause;
  // Every address of a host was tried, and each failed in its own way.
  return innermost instanceof AggregateError && innermost.message === ''
    ? (innermost.errors[0] ?? innermost)
    : innermost;
}

/** What happened, in our words, and what to do. */
interface KnownFault {
  readonly message: string;
  readonly hint: string;
}

/**
 * What is said of a certificate that was not accepted.
 *
 * @param code of the error that TLS failed with
 * @param message of that error
 * @returns undefined if the error is about something else
 */
export function certificateFault(code: string, message: string): KnownFault | undefined {
  // Newer Nodes suggest a flag of node, which users of lightspan cannot pass.
  const [said = message] = message.split('; if the root CA is installed locally');
  if (untrusted.has(code)) {
    return {
      message: `the certificate is not trusted here: ${said} (${code})`,
      hint: `If it comes from your own certificate authority, or from a proxy that inspects TLS, trust that authority: ${waysToTrust()}.`,
    };
  }
  const hint = otherHints.get(code);
  return hint === undefined ? undefined : { message: `${said} (${code})`, hint };
}

/** How to trust a further certificate authority on the Node that runs this. */
export function waysToTrust(nodeVersion = process.versions.node): string {
  const file = 'NODE_EXTRA_CA_CERTS=<file.pem> names its certificate';
  return readsSystemCertificates(nodeVersion)
    ? `${file}, or NODE_USE_SYSTEM_CA=1 trusts what this machine trusts`
    : file;
}

/** Whether a Node reads `NODE_USE_SYSTEM_CA`: from 22.19 and from 24.6 on, and no 23. */
export function readsSystemCertificates(nodeVersion: string): boolean {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  return major > 24 || (major === 24 && minor >= 6) || (major === 22 && minor >= 19);
}

const untrusted: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

const clock =
  'Check the clock of this machine. If it is right, the operator of that server, or of a proxy in between, has to renew it.';

/** Faults that trusting a further authority does not fix. */
const otherHints: ReadonlyMap<string, string> = new Map([
  ['CERT_HAS_EXPIRED', clock],
  ['CERT_NOT_YET_VALID', clock],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'Use a name that the certificate is for. If the name is right, something else answers in its place, such as a proxy or a sign-in page.',
  ],
]);
