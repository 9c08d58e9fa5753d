import { expect, it } from 'vitest';
import { faultOfFetch, isConnectionError } from '../../../src/gather/http/fault.js';
import { requestOf } from '../../../src/gather/http/request-details.js';

const errorOf = (code: string | number, message = 'as the system has it', syscall?: string) =>
  Object.assign(new Error(message), { code, syscall });
const certificate = (code: string) =>
  errorOf(code, 'said; if the root CA is installed locally, try running Node.js with --use-system-ca');

/** What fetch may fail with; what is said of it, and whether a retry may help, stands in `fault.txt`. */
const causes: Readonly<Record<string, unknown>> = {
  'a refused connection': errorOf('ECONNREFUSED', 'x', 'connect'),
  'a reset one': errorOf('ECONNRESET', 'x', 'read'),
  'an unknown host': errorOf('ENOTFOUND', 'x', 'getaddrinfo'),
  'a host that is not known now': errorOf('EAI_AGAIN', 'x', 'getaddrinfo'),
  ...Object.fromEntries(
    [
      ...['ECONNABORTED', 'EPIPE', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_SOCKET', 'ETIMEDOUT', 'EACCES'],
      ...['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'XECONNRESETX'],
    ].map((code) => [code, errorOf(code)]),
  ),
  'a code that is a number': errorOf(20),
  'a message with its code': errorOf('EX', 'connect EX 127.0.0.1'),
  'no code': new Error('odd'),
  'no error': 'odd',
  'several lines': errorOf('EPROTO', 'write EPROTO: wrong version\n'),
  'several addresses': new AggregateError([errorOf('EA', 'the first'), errorOf('EB')], ''),
  'several, told in words': new AggregateError([errorOf('EA')], 'all of them'),
  'words about a tunnel': errorOf('EX', 'no Proxy response (403)'),
  'a proxy that asks for a login before a tunnel': errorOf('E', 'Proxy response (407) !== 200 when HTTP'),
  'a proxy that opens no tunnel': errorOf('E', 'Proxy response (403) !== 200 when HTTP Tunneling'),
  'a proxy that asks for a login': new Error('Proxy Authentication Required (407)'),
  'a server that asks for one': new Error(''),
  ...Object.fromEntries(
    [
      ...['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'ERR_TLS_CERT_ALTNAME_INVALID'],
      ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_GET_ISSUER_CERT'],
      ...['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ].map((code) => [code, certificate(code)]),
  ),
};

it('a request that failed says why, what to do, whether it may have arrived and whether a retry may help', async () => {
  const texts = Object.entries(causes).map(([title, cause]) => {
    // As fetch fails: it keeps what happened in its cause.
    const fault = faultOfFetch(cause instanceof Error ? new TypeError('fetch failed', { cause }) : cause);
    const { code, message, hint } = fault;
    const { status, mayHaveArrived } = requestOf(fault) ?? {};
    const kinds = [
      status === undefined ? code : `${code} ${status}`,
      mayHaveArrived ? 'may have arrived' : 'was never received',
      ...(isConnectionError(fault) ? ['may pass'] : []),
    ];
    return [title, kinds.join(', '), message, ...(hint === undefined ? [] : [hint])].join('\n  ');
  });
  await expect(`${texts.join('\n')}\n`).toMatchFileSnapshot('fault.txt');
});
