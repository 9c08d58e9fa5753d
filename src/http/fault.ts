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
}

/** Why a fetch failed: fetch itself says "fetch failed" and has the rest in its cause. */
export function faultOfFetch(error: unknown): HttpFault {
  const innermost = innermostError(error);
  const { code: written = '', syscall }: Readonly<Record<string, unknown>> = Object(innermost);
  const code = String(written);
  const message = innermost instanceof Error ? innermost.message : String(innermost);
  // Of a server's 407, fetch says nothing; of a proxy's, undici does.
  if (message === '' || message.startsWith('Proxy Authentication Required')) {
    const status = 407;
    const said = 'HTTP 407 Proxy Authentication Required';
    return new HttpFault('http-status', said, { cause: error, status, hint: loginOfProxy });
  }
  const known = certificateFault(code, message) ?? refusedTunnel(message);
  const isOfHost = /^(ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/.test(code);
  return new HttpFault(
    timeouts.test(code) ? 'timeout' : 'network',
    known?.message ?? describe(code, message),
    {
      cause: error,
      hint: known?.hint ?? (isOfHost ? hintOfHost : undefined),
      isConnectionError: connectionErrors.test(code),
      neverSent:
        known !== undefined ||
        code === 'UND_ERR_CONNECT_TIMEOUT' ||
        syscall === 'connect' ||
        syscall === 'getaddrinfo',
    },
  );
}

/** An unknown host and an untrusted certificate are not among them: retrying brings no other result. */
const connectionErrors =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(HOST|NET)UNREACH|EAI_AGAIN|UND_ERR_(CONNECT_TIMEOUT|SOCKET))$/;

const timeouts = /^(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/;

const hintOfHost = 'Check the host name, and set HTTPS_PROXY if this network uses a proxy.';

const loginOfProxy =
  'It requires a login: HTTPS_PROXY=http://<user>:<password>@<host>:<port>, with special characters percent-encoded.';

function innermostError(error: unknown): unknown {
  let innermost = error;
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause;
  // Every address of a host was tried, and each failed in its own way.
  return innermost instanceof AggregateError && innermost.message === ''
    ? (innermost.errors[0] ?? innermost)
    : innermost;
}

const inWords = new Map([
  ['ENOTFOUND', 'the host name is not known'],
  ['UND_ERR_CONNECT_TIMEOUT', 'no connection was made in time'],
  ['UND_ERR_SOCKET', 'the connection was closed before the answer was complete'],
]);

function describe(code: string, message: string): string {
  const words = inWords.get(code);
  if (words !== undefined) return `${words} (${message})`;
  // The message of OpenSSL has several lines.
  const [, ofTls] = /^ERR_SSL_(.*)/.exec(code) ?? [];
  if (ofTls !== undefined) {
    return `no TLS connection could be made (${ofTls.toLowerCase().replaceAll('_', ' ')})`;
  }
  return code === '' || message.includes(code) ? message : `${message} (${code})`;
}

/** What happened, in our words, and what to do. */
interface KnownFault {
  readonly message: string;
  readonly hint: string;
}

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

/**
 * What is said of a certificate that was not accepted.
 *
 * @param code of the error that TLS failed with
 * @param message of that error
 * @returns undefined if the error is about something else
 */
export function certificateFault(code: string, message: string): KnownFault | undefined {
  const hint = certificateHints.get(code);
  if (hint === undefined) return undefined;
  // Newer Nodes suggest a flag of node, which users of lightspan cannot pass.
  const [said] = message.split('; if the root CA is installed locally');
  const prefix = hint === trustIt ? 'the certificate is not trusted here: ' : '';
  return { message: `${prefix}${said} (${code})`, hint };
}

/** How to trust a further certificate authority. */
export const waysToTrust =
  'NODE_EXTRA_CA_CERTS=<file.pem> names its certificate, or, from Node 22.19 and 24.6 on, NODE_USE_SYSTEM_CA=1 trusts what this machine trusts';

const trustIt = `If it comes from your own certificate authority, or from a proxy that inspects TLS, trust that authority: ${waysToTrust}.`;

const checkClock =
  'Check the clock of this machine. If it is right, the operator of that server, or of a proxy in between, has to renew it.';

const certificateHints = new Map([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', trustIt],
  ['SELF_SIGNED_CERT_IN_CHAIN', trustIt],
  ['UNABLE_TO_GET_ISSUER_CERT', trustIt],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', trustIt],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', trustIt],
  ['CERT_HAS_EXPIRED', checkClock],
  ['CERT_NOT_YET_VALID', checkClock],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'Use a name that the certificate is for. If the name is right, something else answers in its place, such as a proxy or a sign-in page.',
  ],
]);
