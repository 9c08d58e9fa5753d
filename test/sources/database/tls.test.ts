import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { databaseTarget } from '../../../src/sources/database/target.js';
import { tlsOptions } from '../../../src/sources/database/tls.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const home = temporaryFolder();
const file = (name: string, text: string, mode = 0o600) => {
  const path = join(home, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
};
const [root, crl, cert, key] = ['root', 'crl', 'cert', 'key'].map((name) => file(name, `the ${name}`));

/** What a URL with this query asks of Node's TLS, but for how a name is checked. */
function askedBy(query: string, host = 'db.example.com') {
  const { tls } = databaseTarget(`postgresql://a@${host}/b?${query}`, { HOME: home });
  const { checkServerIdentity: _, ...options } = tlsOptions(host, tls);
  return options;
}

describe('what is asked of TLS', () => {
  const usual = {
    host: 'db.example.com',
    servername: 'db.example.com',
    minVersion: 'TLSv1.2',
    maxVersion: 'TLSv1.3',
    rejectUnauthorized: false,
  };

  it.each<[string, object]>([
    ['sslmode=require', {}],
    [`sslmode=require&sslrootcert=${root}`, { ca: 'the root', rejectUnauthorized: true }],
    [`sslmode=prefer&sslrootcert=${root}`, { ca: 'the root', rejectUnauthorized: true }],
    [`sslmode=verify-ca&sslrootcert=${root}`, { ca: 'the root', rejectUnauthorized: true }],
    ['sslrootcert=system', { rejectUnauthorized: true }],
    [`sslcrl=${crl}`, { crl: 'the crl' }],
    [`sslcert=${cert}&sslkey=${key}`, { cert: 'the cert', key: 'the key' }],
    [
      `sslcert=${cert}&sslkey=${key}&sslpassword=word`,
      { cert: 'the cert', key: 'the key', passphrase: 'word' },
    ],
    // Without a certificate there is nothing that a key would be of.
    [`sslkey=${key}`, {}],
    ['sslmode=require&sslnegotiation=direct', { ALPNProtocols: ['postgresql'] }],
    ['ssl_min_protocol_version=TLSv1.3', { minVersion: 'TLSv1.3' }],
    ['ssl_max_protocol_version=TLSv1.2', { maxVersion: 'TLSv1.2' }],
  ])('by ?%s', (query, expected) => {
    expect(askedBy(query)).toEqual({ ...usual, ...expected });
  });

  it('is no name of the server where that is an address, or not to be sent', () => {
    expect(askedBy('', '10.0.0.1')).not.toHaveProperty('servername');
    expect(askedBy('sslsni=0')).not.toHaveProperty('servername');
  });
});

it.each([
  ['verify-full', 'db.example.com', undefined],
  ['verify-full', 'elsewhere', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['verify-ca', 'elsewhere', undefined],
  ['require', 'elsewhere', undefined],
])('?sslmode=%s of the certificate for another name than %s', (mode, host, code) => {
  const query = `sslmode=${mode}&sslrootcert=${root}`;
  const { tls } = databaseTarget(`postgresql://a@${host}/b?${query}`, { HOME: home });
  const certificate = { subject: { CN: 'db.example.com' }, subjectaltname: 'DNS:db.example.com' };
  // What is checked is the name that was asked for, whatever TLS hands in.
  const fault = tlsOptions(host, tls).checkServerIdentity?.('db.example.com', certificate as never);
  expect(fault === undefined ? undefined : Reflect.get(fault, 'code')).toBe(code);
});

describe('a file', () => {
  const hint = 'Name the file with sslrootcert, sslcert and sslkey of the URL, or require less with sslmode.';
  const none = join(home, 'none');
  it.each([
    ['sslmode=verify-ca', join(home, '.postgresql', 'root.crt')],
    ['sslmode=verify-full', join(home, '.postgresql', 'root.crt')],
    [`sslmode=require&sslrootcert=${none}`, none],
    [`sslcrl=${none}`, none],
    [`sslcert=${none}`, none],
    [`sslcert=${cert}`, join(home, '.postgresql', 'postgresql.key')],
  ])('must be there by ?%s', (query, path) => {
    expect(() => askedBy(query)).toThrow(
      expect.objectContaining({
        code: 'unreadable-source',
        message: `${path}: there is no such file`,
        hint,
      }),
    );
  });

  it.each([
    ['root.crt', 'sslmode=prefer'],
    ['root.crt', 'sslmode=require'],
    ['root.crl', 'sslmode=require'],
    ['postgresql.crt', 'sslmode=require'],
  ])('that would be used if it were there must be readable: %s by ?%s', (name, query) => {
    const folder = temporaryFolder();
    const path = join(folder, '.postgresql', name);
    mkdirSync(path, { recursive: true });
    const { tls } = databaseTarget(`postgresql://a@db.example.com/b?${query}`, { HOME: folder });
    expect(() => tlsOptions('db.example.com', tls)).toThrow(
      expect.objectContaining({
        code: 'unreadable-source',
        message: `${path}: it is a folder, not a file`,
        hint,
      }),
    );
  });

  it.skipIf(process.platform === 'win32')('is no key that others may read', () => {
    const open = file('open', 'the key', 0o644);
    expect(() => askedBy(`sslcert=${cert}&sslkey=${open}`)).toThrow(
      expect.objectContaining({
        code: 'unreadable-source',
        message: `${open} is not used as a key, because others may read it`,
        hint: `chmod 600 ${open}`,
      }),
    );
  });
});
