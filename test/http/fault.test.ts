import { expect, it } from 'vitest';
import type { LightspanError } from '../../src/errors.js';
import { faultOfFetch, isConnectionError, loginOfProxy, waysToTrust } from '../../src/http/fault.js';

/** As fetch fails: it keeps what happened in its cause. */
const faultOf = (cause: unknown): LightspanError =>
  faultOfFetch(cause instanceof Error ? new TypeError('fetch failed', { cause }) : cause);
const errorOf = (code: string | number, message = 'as the system has it', syscall?: string) =>
  Object.assign(new Error(message), { code, syscall });

const ofHost = 'Check the host name, and set HTTPS_PROXY if this network uses a proxy.';
const passing = { code: 'network', mayPass: true, mayHaveArrived: true };
const lasting = { code: 'network', mayPass: false, mayHaveArrived: true, hint: undefined };
const late = { code: 'timeout', mayPass: false, mayHaveArrived: true };

it.each<[code: string, expected: object, syscall?: string]>([
  ['ECONNREFUSED', { ...passing, mayHaveArrived: false }, 'connect'],
  ['ECONNRESET', passing, 'read'],
  ['ECONNABORTED', passing],
  ['EPIPE', passing],
  ['EHOSTUNREACH', passing],
  ['ENETUNREACH', passing],
  ['EAI_AGAIN', { ...passing, mayHaveArrived: false, hint: ofHost }, 'getaddrinfo'],
  ['UND_ERR_SOCKET', passing],
  ['ETIMEDOUT', { ...passing, code: 'timeout' }],
  ['UND_ERR_CONNECT_TIMEOUT', { ...passing, code: 'timeout', mayHaveArrived: false, hint: ofHost }],
  ['UND_ERR_HEADERS_TIMEOUT', late],
  ['UND_ERR_BODY_TIMEOUT', late],
  ['ENOTFOUND', { ...lasting, mayHaveArrived: false, hint: ofHost }, 'getaddrinfo'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', { ...lasting, mayHaveArrived: false, hint: expect.any(String) }],
  ['EACCES', lasting],
  ['XECONNRESETX', lasting],
])('of %s, it is known whether a retry may help and whether anything was sent', (code, expected, syscall) => {
  const fault = faultOf(errorOf(code, 'x', syscall));
  const { hint, mayHaveArrived } = fault;
  const found = { code: fault.code, mayPass: isConnectionError(fault), mayHaveArrived, hint };
  expect(found).toMatchObject(expected);
});

it.each<[string, unknown, string]>([
  ['a code', errorOf('EX'), 'as the system has it (EX)'],
  ['a code that is a number', errorOf(20), 'as the system has it (20)'],
  ['a message with its code', errorOf('EX', 'connect EX 127.0.0.1'), 'connect EX 127.0.0.1'],
  ['no code', new Error('odd'), 'odd'],
  ['no error', 'odd', 'odd'],
  ['several lines', errorOf('EPROTO', 'write EPROTO: wrong version\n'), 'write EPROTO: wrong version'],
  [
    'several addresses',
    new AggregateError([errorOf('EA', 'the first'), errorOf('EB')], ''),
    'the first (EA)',
  ],
  ['several, told in words', new AggregateError([errorOf('EA')], 'all of them'), 'all of them'],
  ['words about a tunnel', errorOf('EX', 'no Proxy response (403)'), 'no Proxy response (403) (EX)'],
])('a fault of %s is told in words', (_, cause, message) => {
  expect(faultOf(cause).message).toBe(message);
});

it.each([
  [407, loginOfProxy],
  [403, 'Ask the operator of the proxy to allow this address, or use a mirror (lightspan index mirror).'],
])('a proxy that opens no tunnel, with %d, says what to do', (status, hint) => {
  const message = `Proxy response (${status}) !== 200 when HTTP Tunneling`;
  const fault = faultOf(errorOf('UND_ERR_ABORTED', message));
  expect(fault).toMatchObject({ code: 'network', summary: `${message} (UND_ERR_ABORTED)`, hint });
  expect([isConnectionError(fault), fault.mayHaveArrived]).toEqual([false, false]);
});

it.each(['', 'Proxy Authentication Required (407)'])('a proxy that asks for a login says how: %j', (said) => {
  expect(faultOf(new Error(said))).toMatchObject({
    ...{ code: 'http-status', status: 407, hint: loginOfProxy },
    message: 'HTTP 407 Proxy Authentication Required',
  });
});

const trustIt = `If it comes from your own certificate authority, or from a proxy that inspects TLS, trust that authority: ${waysToTrust}.`;

it.each([
  ...['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'ERR_TLS_CERT_ALTNAME_INVALID'].map((code) => [
    code,
    `said (${code})`,
    expect.stringMatching(/^Check the clock of this machine, and use a name that the certificate is for\./),
  ]),
  ...[
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ].map((code) => [code, `the certificate is not trusted here: said (${code})`, trustIt]),
])('%s is told with what to do, and no flag of node', (code, message, hint) => {
  const said = 'said; if the root CA is installed locally, try running Node.js with --use-system-ca';
  expect(faultOf(errorOf(code, said))).toMatchObject({ message, hint });
});
