import { LightspanError } from '../../core/lightspan-error.js';
import { requestDetails } from './request-details.js';

/** Why a fetch failed: fetch itself says "fetch failed" and has the rest in its cause. */
export function faultOfFetch(error: unknown): LightspanError {
  const { message, code, syscall } = innermostOf(error);
  // Of a server's 407, fetch says nothing; of a proxy's, undici does.
  if (message === '' || message.startsWith('Proxy Authentication Required')) {
    const proxyStatus = 'HTTP 407 Proxy Authentication Required';
    const details = requestDetails({ status: 407 });
    return new LightspanError('http-status', proxyStatus, { cause: error, hint: loginOfProxy, details });
  }
  const certificate = certificateFault(code, message);
  // undici: "Proxy response (403) !== 200 when HTTP Tunneling".
  const tunnel = message.startsWith('Proxy response (');
  // There was no connection, so nothing of the request has left this machine.
  const wasNeverSent =
    /^(connect|getaddrinfo)$/.test(syscall) ||
    code === 'UND_ERR_CONNECT_TIMEOUT' ||
    tunnel ||
    // A port that fetch refuses, before it connects.
    (message === 'bad port' && code === '') ||
    certificate !== undefined;
  // The message of OpenSSL has several lines. Node's client and undici have words of their own for a connection that
  // ended.
  const [line = ''] = message.replace(/^(socket hang up|aborted)$/, 'other side closed').split('\n');
  return new LightspanError(
    /^(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/.test(code) ? 'timeout' : 'network',
    certificate?.message ?? (line.includes(code) ? line : `${line} (${code})`),
    {
      cause: error,
      details: requestDetails({ mayHaveArrived: !wasNeverSent }),
      hint: /^(ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/.test(code)
        ? 'Check the host name, and set HTTPS_PROXY if this network uses a proxy.'
        : tunnel
          ? hintOfTunnel(message)
          : certificate?.hint,
    },
  );
}

/**
 * No connection, or a broken one: the next try may succeed. An unknown host and an untrusted certificate are not among
 * them: retrying brings no other result.
 */
export function isConnectionError({ cause }: LightspanError): boolean {
  return /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(HOST|NET)UNREACH|EAI_AGAIN|UND_ERR_(CONNECT_TIMEOUT|SOCKET))$/.test(
    innermostOf(cause).code,
  );
}

function innermostOf(error: unknown): Readonly<Record<'message' | 'code' | 'syscall', string>> {
  let innermost = error;
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause;
  // Every address of a host was tried, and each failed in its own way.
  if (innermost instanceof AggregateError && innermost.message === '') {
    innermost = innermost.errors[0] ?? innermost;
  }
  const { code = '', syscall = '' }: Readonly<Record<string, unknown>> = Object(innermost);
  const message = innermost instanceof Error ? innermost.message : String(innermost);
  return { message, code: String(code), syscall: String(syscall) };
}

function hintOfTunnel(message: string): string {
  return message.includes('(407)')
    ? loginOfProxy
    : 'Ask the operator of the proxy to allow this address, or use a mirror (lightspan index mirror).';
}

export const loginOfProxy =
  'The proxy requires a login: HTTPS_PROXY=http://<user>:<password>@<host>:<port>, with special ' +
  'characters percent-encoded, or LIGHTDASH_PROXY_AUTHORIZATION for what is sent to an instance.';

/**
 * The message and hint for a certificate that was not accepted.
 *
 * @param code of the error that TLS failed with
 * @param message of that error
 * @returns undefined if the error is about something else
 */
function certificateFault(
  code: string,
  message: string,
): { readonly message: string; readonly hint: string } | undefined {
  // Newer Nodes suggest a flag of node, which users of lightspan cannot pass.
  const [reason] = message.split('; if the root CA is installed locally');
  if (
    /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER|VERIFY)_.*)$/.test(code)
  ) {
    return {
      message: `the certificate is not trusted here: ${reason} (${code})`,
      hint:
        'If it comes from your own certificate authority or a TLS-inspecting proxy, trust that authority: ' +
        `${waysToTrust}.`,
    };
  }
  // Trusting a further authority does not mend these.
  if (!/^(CERT_|ERR_TLS_CERT_)/.test(code)) return undefined;
  return {
    message: `${reason} (${code})`,
    hint:
      'Check the clock of this machine, and use a name that the certificate covers. If both are right, the ' +
      'operator must renew it, or something else answers instead, such as a proxy or a sign-in page.',
  };
}

/** How to trust a further certificate authority. */
export const waysToTrust =
  'NODE_EXTRA_CA_CERTS=<file.pem> names its certificate, or, from Node 22.19 and 24.6 on, ' +
  'NODE_USE_SYSTEM_CA=1 trusts what this machine trusts';
