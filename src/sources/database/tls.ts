import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { type ConnectionOptions, checkServerIdentity } from 'node:tls';
import { LightspanError } from '../../errors.js';
import { describeFileFault, hasErrorCode } from '../read-file.js';
import type { NamedFile, TlsWish } from './target.js';

/**
 * The meaning of an `sslmode` in libpq, for Node's TLS. An existing file of root certificates is checked in every mode.
 * `require` without one encrypts, but trusts any server; `verify-ca` and `verify-full` fail without one.
 *
 * @throws {LightspanError} `unreadable-source` naming a file that is missing, or a key that others may read
 */
export function tlsOptions(host: string, wish: TlsWish): ConnectionOptions {
  const { mode, rootCertificates, direct, minVersion, maxVersion } = wish;
  const verifies = mode === 'verify-ca' || mode === 'verify-full';
  const ca = rootCertificates === 'system' ? undefined : readNamed(rootCertificates, verifies);
  const crl = readNamed(wish.revocations);
  const cert = readNamed(wish.certificate);
  const key = cert === undefined ? undefined : readNamed({ ...wish.key, named: true });
  if (key !== undefined) assertOwn(wish.key.path);
  return {
    host,
    // An address is not a name that can be sent to a server.
    ...(wish.sendsHostName && isIP(host) === 0 ? { servername: host } : {}),
    ...(ca === undefined ? {} : { ca }),
    ...(crl === undefined ? {} : { crl }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(wish.keyPassword === undefined ? {} : { passphrase: wish.keyPassword }),
    ...(direct ? { ALPNProtocols: ['postgresql'] } : {}),
    minVersion,
    maxVersion,
    rejectUnauthorized: ca !== undefined || rootCertificates === 'system',
    checkServerIdentity: (_, certificate) =>
      mode === 'verify-full' ? checkServerIdentity(host, certificate) : undefined,
  };
}

function readNamed({ path, named }: NamedFile, needed = named): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (!needed && !named && hasErrorCode(error, 'ENOENT')) return undefined;
    throw new LightspanError('unreadable-source', `${path}: ${describeFileFault(error)}`, {
      cause: error,
      hint: 'Name the file with sslrootcert, sslcert and sslkey of the URL, or require less with sslmode.',
    });
  }
}

/** As in libpq: only the user may read their key; if root owns it, the group may, too. */
function assertOwn(path: string): void {
  if (process.platform === 'win32') return;
  const { mode, uid } = statSync(path);
  if ((mode & (uid === 0 ? 0o027 : 0o077)) === 0) return;
  throw new LightspanError('unreadable-source', `${path} is not used as a key, because others may read it`, {
    hint: `chmod 600 ${path}`,
  });
}
