import { describe, expect, it } from 'vitest';
import { certificateFault, readsSystemCertificates, waysToTrust } from '../../src/http/certificate-fault.js';

describe('what is said of a certificate', () => {
  it('is ours to be given, and not a flag of node', () => {
    const message =
      'unable to verify the first certificate; if the root CA is installed locally, try running Node.js with --use-system-ca';
    expect(certificateFault('UNABLE_TO_VERIFY_LEAF_SIGNATURE', message)).toEqual({
      message:
        'the certificate is not trusted here: unable to verify the first certificate (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
      hint: `If it comes from your own certificate authority, or from a proxy that inspects TLS, trust that authority: ${waysToTrust()}.`,
    });
  });

  const clock =
    'Check the clock of this machine. If it is right, the operator of that server, or of a proxy in between, has to renew it.';
  it.each([
    ['CERT_HAS_EXPIRED', clock],
    ['CERT_NOT_YET_VALID', clock],
    [
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'Use a name that the certificate is for. If the name is right, something else answers in its place, such as a proxy or a sign-in page.',
    ],
  ])('%s is told with what to do', (code, hint) => {
    expect(certificateFault(code, 'said')).toEqual({ message: `said (${code})`, hint });
  });

  it.each([
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ])('%s is one that is not trusted', (code) => {
    expect(certificateFault(code, 'said')?.message).toBe(
      `the certificate is not trusted here: said (${code})`,
    );
  });

  it.each(['ECONNREFUSED', 'ERR_SSL_WRONG_VERSION_NUMBER', '', 'constructor'])(
    'is not said of %j',
    (code) => {
      expect(certificateFault(code, 'something else')).toBeUndefined();
    },
  );
});

describe('NODE_USE_SYSTEM_CA', () => {
  it.each([
    ['20.18.1', false],
    ['20.99.0', false],
    ['22.18.0', false],
    ['22.19.0', true],
    ['23.11.1', false],
    ['24.5.0', false],
    ['24.6.0', true],
    ['26.0.0', true],
  ])('of Node %s: %s', (version, reads) => {
    expect(readsSystemCertificates(version)).toBe(reads);
    const file = 'NODE_EXTRA_CA_CERTS=<file.pem> names its certificate';
    const system = ', or NODE_USE_SYSTEM_CA=1 trusts what this machine trusts';
    expect(waysToTrust(version)).toBe(reads ? `${file}${system}` : file);
  });
});
