import { describe, expect, it } from 'vitest';
import { faultOfFetch, HttpFault, readsSystemCertificates, waysToTrust } from '../../src/http/fault.js';

/** As fetch fails: it keeps what happened in its cause. */
const failed = (cause: Error) => new TypeError('fetch failed', { cause });
const errorOf = (code: string, message = 'as the system has it') =>
  Object.assign(new Error(message), { code });

const ofHost = 'Check the host name, and set HTTPS_PROXY if this network uses a proxy.';
const loginOfProxy =
  'It requires a login: HTTPS_PROXY=http://<user>:<password>@<host>:<port>, with special characters percent-encoded.';

it.each([
  [407, loginOfProxy],
  [403, 'Ask the operator of the proxy to allow this address, or use a mirror (lightspan index mirror).'],
])('a proxy that opens no tunnel, with %d, says what to do', (status, hint) => {
  const fault = faultOfFetch(failed(new Error(`Proxy response (${status}) !== 200 when HTTP Tunneling`)));
  expect(fault).toMatchObject({
    ...{ code: 'network', isConnectionError: false, hint },
    message: `the proxy answered HTTP ${status} instead of opening a tunnel`,
  });
});

describe('a fetch that failed', () => {
  it.each<[string, Partial<HttpFault>]>([
    ['ECONNREFUSED', { code: 'network', isConnectionError: true }],
    ['ECONNRESET', { code: 'network', isConnectionError: true }],
    ['ECONNABORTED', { code: 'network', isConnectionError: true }],
    ['EPIPE', { code: 'network', isConnectionError: true }],
    ['EHOSTUNREACH', { code: 'network', isConnectionError: true }],
    ['ENETUNREACH', { code: 'network', isConnectionError: true }],
    ['EAI_AGAIN', { code: 'network', isConnectionError: true, hint: ofHost }],
    ['ENOTFOUND', { code: 'network', isConnectionError: false, hint: ofHost }],
    ['ETIMEDOUT', { code: 'timeout', isConnectionError: true }],
    ['UND_ERR_CONNECT_TIMEOUT', { code: 'timeout', isConnectionError: true, hint: ofHost }],
    ['UND_ERR_HEADERS_TIMEOUT', { code: 'timeout', isConnectionError: false }],
    ['UND_ERR_BODY_TIMEOUT', { code: 'timeout', isConnectionError: false }],
    ['UND_ERR_SOCKET', { code: 'network', isConnectionError: true }],
    ['EACCES', { code: 'network', isConnectionError: false, hint: undefined }],
  ])('%s', (code, expected) => {
    expect(faultOfFetch(failed(errorOf(code)))).toMatchObject(expected);
  });

  it.each<[string, unknown, string]>([
    ['of a code', errorOf('EX'), 'as the system has it (EX)'],
    ['whose words hold its code', errorOf('EX', 'connect EX 127.0.0.1'), 'connect EX 127.0.0.1'],
    ['of no code', new Error('odd'), 'odd'],
    ['that is no error', 'odd', 'odd'],
    [
      'of TLS',
      errorOf('ERR_SSL_NO_PROTOCOLS_AVAILABLE'),
      'no TLS connection could be made (no protocols available)',
    ],
    ['of a port', new Error('bad port'), 'requests to this port are blocked (bad port)'],
    [
      'of a connection',
      errorOf('UND_ERR_SOCKET', 'x'),
      'the connection was closed before the answer was complete (x)',
    ],
    ['of a host', errorOf('ENOTFOUND', 'x'), 'the host name is not known (x)'],
    [
      'of several addresses',
      new AggregateError([errorOf('EA', 'the first'), errorOf('EB')], ''),
      'the first (EA)',
    ],
    ['of several, told in words', new AggregateError([errorOf('EA')], 'all of them'), 'all of them'],
    [
      'of a proxy',
      new Error('Proxy response (403) !== 200 when HTTP Tunneling'),
      'the proxy answered HTTP 403 instead of opening a tunnel',
    ],
    ['that names one', errorOf('EX', 'no Proxy response (403)'), 'no Proxy response (403) (EX)'],
  ])('%s is told in words', (_, cause, message) => {
    expect(faultOfFetch(cause instanceof Error ? failed(cause) : cause).message).toBe(message);
  });
});

it.each([
  [{ status: 503, statusText: '' }, undefined, {}, 'HTTP 503'],
  [{ status: 503, statusText: 'Busy' }, undefined, { 'retry-after': '7' }, 'HTTP 503 Busy (Retry-After: 7)'],
  [{ status: 404, statusText: 'Gone' }, 'https://b.example', {}, 'HTTP 404 Gone from https://b.example'],
])('a status is told with where it came from: %j', (answer, redirectedTo, headers, message) => {
  const fault = HttpFault.ofStatus({ ...answer, redirectedTo, headers: new Headers(headers) });
  expect(fault).toMatchObject({ code: 'http-status', status: answer.status, message });
});

it.each(['', 'Proxy Authentication Required (407)'])(
  'a proxy that asks who this is says how to tell it',
  (said) => {
    expect(faultOfFetch(failed(new Error(said)))).toMatchObject({
      code: 'http-status',
      status: 407,
      message: 'HTTP 407 Proxy Authentication Required',
      hint: loginOfProxy,
    });
  },
);

it.each<[neverSent: boolean, cause: object]>([
  [true, { code: 'ECONNREFUSED', syscall: 'connect' }],
  [true, { code: 'ENOTFOUND', syscall: 'getaddrinfo' }],
  [true, { code: 'UND_ERR_CONNECT_TIMEOUT' }],
  [true, { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }],
  [false, { code: 'ECONNRESET', syscall: 'read' }],
  [false, { code: 'UND_ERR_SOCKET' }],
  [false, { code: 'UND_ERR_HEADERS_TIMEOUT' }],
])('nothing was sent: %s of %j', (neverSent, cause) => {
  expect(faultOfFetch(failed(Object.assign(new Error('x'), cause)))).toMatchObject({ neverSent });
});

describe('a certificate', () => {
  const clock =
    'Check the clock of this machine. If it is right, the operator of that server, or of a proxy in between, has to renew it.';
  const authority = `If it comes from your own certificate authority, or from a proxy that inspects TLS, trust that authority: ${waysToTrust()}.`;

  it.each([
    ['CERT_HAS_EXPIRED', 'said (CERT_HAS_EXPIRED)', clock],
    ['CERT_NOT_YET_VALID', 'said (CERT_NOT_YET_VALID)', clock],
    [
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'said (ERR_TLS_CERT_ALTNAME_INVALID)',
      'Use a name that the certificate is for. If the name is right, something else answers in its place, such as a proxy or a sign-in page.',
    ],
    ...[
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    ].map((code) => [code, `the certificate is not trusted here: said (${code})`, authority]),
  ])('%s is told with what to do, and no flag of node', (code, message, hint) => {
    const said = 'said; if the root CA is installed locally, try running Node.js with --use-system-ca';
    expect(faultOfFetch(failed(errorOf(code, said)))).toMatchObject({ message, hint });
  });

  it.each([
    ['20.99.0', false],
    ['22.18.0', false],
    ['22.19.0', true],
    ['23.11.1', false],
    ['24.5.0', false],
    ['24.6.0', true],
    ['26.0.0', true],
  ])('is looked for in the system by Node %s: %s', (version, reads) => {
    expect(readsSystemCertificates(version)).toBe(reads);
    expect(waysToTrust(version).includes('NODE_USE_SYSTEM_CA=1')).toBe(reads);
  });
});
