/** The message for a certificate that was not accepted, and the right remedy. */
export interface CertificateFault {
  readonly message: string;
  readonly hint: string;
}

/**
 * @param code of the error that TLS failed with
 * @param message of that error
 * @returns undefined if the error is about something else
 */
export function certificateFault(code: string, message: string): CertificateFault | undefined {
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
