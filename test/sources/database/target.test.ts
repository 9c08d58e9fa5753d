import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { databaseTarget, isSocketFolder } from '../../../src/sources/database/target.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const home = temporaryFolder();
const target = (database: string, env: Record<string, string> = {}) =>
  databaseTarget(database, { HOME: home, ...env });

describe('a database', () => {
  it.each([
    [
      'postgresql://joe:pw@db.example.com:6432/lightdash?sslmode=verify-full',
      { host: 'db.example.com', port: 6432, user: 'joe', password: 'pw', database: 'lightdash' },
    ],
    ['postgres://joe@db', { host: 'db', port: 5432, user: 'joe', password: undefined, database: 'joe' }],
    ['postgresql://joe@/lightdash?host=/var/run/pg', { host: '/var/run/pg', database: 'lightdash' }],
    ['postgresql://joe@%2Fvar%2Frun%2Fpg/lightdash', { host: '/var/run/pg' }],
    ['postgresql://joe@[::1]:5433/a', { host: '::1', port: 5433 }],
    ['postgresql://j%40e:p%2Fw%3A%25@db/a%20b', { user: 'j@e', password: 'p/w:%', database: 'a b' }],
    ['postgresql://joe@db/a?options=-c%20search_path%3Dx+y', { options: '-c search_path=x+y' }],
    ['postgresql://joe@db/a?user=jim&password=x&port=1&dbname=b&host=c', { user: 'jim', port: 1, host: 'c' }],
    ['postgresql://joe@db/a?hostaddr=10.0.0.1', { host: 'db', hostAddress: '10.0.0.1' }],
    ['postgresql://joe@db/a?connect_timeout=3', { connectTimeoutMs: 3000 }],
    ['postgresql://joe@db/a?connect_timeout=0', { connectTimeoutMs: 86_400_000 }],
    ['postgresql://joe@db:65535/a', { port: 65_535 }],
    ['postgresql://joe@db/a?target_session_attrs=read-write&keepalives=1', { host: 'db' }],
    [
      'postgresql://joe@db/a?min_protocol_version=3.0&max_protocol_version=latest&sslkeylogfile=/k&servicefile=/s',
      { host: 'db' },
    ],
  ])('%s', (url, expected) => expect(target(url)).toMatchObject(expected));

  it('is told by variables as well, which the URL comes before', () => {
    const env = {
      PGHOST: 'there',
      PGPORT: '7000',
      PGUSER: 'jim',
      PGDATABASE: 'd',
      PGPASSWORD: 'secret',
      PGSSLMODE: 'require',
      PGOPTIONS: '-c x=y',
    };
    const all = {
      host: 'there',
      port: 7000,
      user: 'jim',
      database: 'd',
      password: 'secret',
      options: '-c x=y',
    };
    expect(target('env', env)).toMatchObject({ ...all, tls: { mode: 'require' } });
    expect(target('postgresql://joe@here/?sslmode=disable', env)).toMatchObject({
      ...all,
      host: 'here',
      user: 'joe',
      tls: { mode: 'disable' },
    });
  });

  it.each<[string, string, object]>([
    ['PGHOSTADDR', '10.0.0.1', { hostAddress: '10.0.0.1' }],
    ['PGCONNECT_TIMEOUT', '3', { connectTimeoutMs: 3000 }],
    ['PGSSLNEGOTIATION', 'direct', { tls: { direct: true } }],
    ['PGSSLROOTCERT', '/x', { tls: { rootCertificates: { path: '/x', named: true } } }],
    ['PGSSLCRL', '/x', { tls: { revocations: { path: '/x', named: true } } }],
    ['PGSSLCERT', '/x', { tls: { certificate: { path: '/x', named: true } } }],
    ['PGSSLKEY', '/x', { tls: { key: { path: '/x', named: true } } }],
    ['PGSSLSNI', '0', { tls: { sendsHostName: false } }],
    ['PGSSLMINPROTOCOLVERSION', 'TLSv1.3', { tls: { minVersion: 'TLSv1.3' } }],
    ['PGSSLMAXPROTOCOLVERSION', 'TLSv1.2', { tls: { maxVersion: 'TLSv1.2' } }],
  ])('is told by %s', (name, value, expected) => {
    expect(target('postgresql://joe@db/a?sslmode=require', { [name]: value })).toMatchObject(expected);
  });

  it('has a host of its own where nothing names one, and its address where that alone is named', () => {
    expect(isSocketFolder(target('postgresql://joe@/a').host)).toBe(process.platform !== 'win32');
    expect(target('postgresql://joe@/a?hostaddr=10.0.0.1')).toMatchObject({ host: '10.0.0.1' });
  });

  it.each([
    'application_name',
    'fallback_application_name',
    'client_encoding',
    'sslcompression',
    'target_session_attrs',
    'keepalives',
    'keepalives_idle',
    'keepalives_interval',
    'keepalives_count',
    'tcp_user_timeout',
    'load_balance_hosts',
    'krbsrvname',
    'gsslib',
    'gssdelegation',
  ])('is told by a URL with %s, which changes nothing here', (name) => {
    expect(target(`postgresql://joe@db/a?${name}=1`)).toEqual(target('postgresql://joe@db/a'));
  });

  it.each([
    ['service', 'PGSERVICE', ['']],
    ['channel_binding', 'PGCHANNELBINDING', ['', 'disable', 'prefer']],
    ['gssencmode', 'PGGSSENCMODE', ['', 'disable', 'prefer']],
    ['require_auth', 'PGREQUIREAUTH', ['']],
    ['requirepeer', 'PGREQUIREPEER', ['']],
    ['sslcrldir', 'PGSSLCRLDIR', ['']],
    ['sslcertmode', 'PGSSLCERTMODE', ['', 'allow']],
  ])('may say %s (%s) where that asks for no more than is done: %j', (name, variable, harmless) => {
    const url = 'postgresql://joe@db/a';
    for (const value of harmless) {
      expect(target(`${url}?${name}=${value}`)).toEqual(target(url));
      expect(target(url, { [variable]: value })).toEqual(target(url));
    }
    const message = `what ${name} (${variable}) requests is not supported here`;
    expect(() => target(`${url}?${name}=require`)).toThrow(message);
    expect(() => target(url, { [variable]: 'require' })).toThrow(message);
    // The URL comes before the variable.
    expect(target(`${url}?${name}=${harmless.at(-1)}`, { [variable]: 'require' })).toEqual(target(url));
  });

  it.each([
    ['db.example.com', 'neither a URL postgresql://'],
    ['mysql://a@b/c', 'it is neither a URL postgresql://…, nor the word env, nor a variable that is set'],
    ['postgresql://a:x@s3cret@b/c', 'an @ in user name or password must be written %40'],
    ['postgresql://a:s3cret/x@b/c', 'port must be a whole number from 1 to 65535'],
    ['xpostgresql://a:s3cret@b/c', 'neither a URL postgresql://'],
    ['postgresql://a:s3cret@b:0/c', 'port must be a whole number from 1 to 65535'],
    ['postgresql://a:s3cret@b:65536/c', 'port must be a whole number from 1 to 65535'],
    ['postgresql://a:s3cret@b:5x/c', 'port must be a whole number'],
    ['postgresql://a:s3cret@b:x5/c', 'port must be a whole number'],
    [
      'postgresql://a:s3cret@b/c?connect_timeout=-1',
      'connect_timeout must be a whole number from 0 to 86400',
    ],
    ['postgresql://a:s3cret@b/c?ssl=1', 'libpq knows no parameter "ssl"'],
    ['postgresql://a:s3cret@b/c?other=true', 'libpq knows no parameter "other"'],
    ['postgresql://a:s3cret@b/c?sslsni=x', 'sslsni is "x"; it is one of 0, 1'],
    ['postgresql://a:s3cret@b/c?ssl_min_protocol_version=SSLv3', 'it is one of TLSv1, TLSv1.1'],
    ['postgresql://a:s3cret%@b/c', 'does not begin a percent-encoding'],
    ['postgresql://a:s3cret@b:x/c', 'port must be a whole number'],
    ['postgresql://a:s3cret@b,c/d', 'names more than one host'],
    ['postgresql://a:s3cret@b:1,c:2/d', 'names more than one host'],
    ['postgresql://a:s3cret@b/c?schema=x', 'libpq knows no parameter "schema"'],
    ['postgresql://a:s3cret@b/c?sslmode=on', 'sslmode is "on"; it is one of disable, allow, prefer'],
    ['postgresql://a:s3cret@b/c?sslmode=no-verify', 'its name for that is require'],
    ['postgresql://a:s3cret@b/c?sslrootcert=system&sslmode=require', 'needs sslmode=verify-full'],
    ['postgresql://a:s3cret@b/c?sslnegotiation=direct', 'needs sslmode=require or stronger'],
    ['postgresql://a:s3cret@b/c?channel_binding=require', 'what channel_binding (PGCHANNELBINDING) requests'],
    ['postgresql://a:s3cret@b/c?service=x', 'what service (PGSERVICE) requests'],
    ['postgresql://a:s3cret@b/c?require_auth=scram-sha-256', 'require_auth'],
    ['postgresql://a:s3cret@b/c?gssencmode=require', 'gssencmode'],
    ['postgresql://a:s3cret@b/c?replication=database', 'what replication requests is not supported here'],
    [
      'postgresql://a:s3cret@b/c?min_protocol_version=3.2',
      'min_protocol_version (PGMINPROTOCOLVERSION) requests',
    ],
    ['postgresql://a@b/c?scram_client_key=s3cret', 'what scram_client_key requests is not supported here'],
    [
      'postgresql://a@b/c?oauth_client_secret=s3cret',
      'what oauth_client_secret requests is not supported here',
    ],
  ])('is not told by %s, and the password is in no message', (url, message) => {
    const telling = () => target(url);
    expect(telling).toThrow(message);
    expect(telling).toThrow(expect.objectContaining({ code: 'invalid-database-url' }));
    expect(telling).not.toThrow(/s3cret/);
  });
});

it.each([
  ['/var/run/postgresql', true],
  ['@socket', true],
  ['db', false],
  ['db/', false],
  ['a@', false],
])('the host %s is the folder of a socket: %s', (host, expected) => {
  expect(isSocketFolder(host)).toBe(expected);
});

describe('TLS', () => {
  it.each([
    ['', 'prefer'],
    ['sslmode=allow', 'allow'],
    ['ssl=true', 'require'],
    ['sslmode=verify-ca', 'verify-ca'],
    ['sslrootcert=system', 'verify-full'],
  ])('?%s is %s', (query, mode) => {
    expect(target(`postgresql://a@b/c?${query}`).tls.mode).toBe(mode);
  });

  it.each<[string, object]>([
    ['', { direct: false, sendsHostName: true, minVersion: 'TLSv1.2', maxVersion: 'TLSv1.3' }],
    ['sslsni=0', { sendsHostName: false }],
    ['sslsni=1', { sendsHostName: true }],
    ['ssl_min_protocol_version=TLSv1.3', { minVersion: 'TLSv1.3' }],
    ['ssl_max_protocol_version=TLSv1.2', { maxVersion: 'TLSv1.2' }],
    ['sslkey=/x.key&sslpassword=p', { key: { path: '/x.key', named: true }, keyPassword: 'p' }],
    ['sslcrl=/x.crl', { revocations: { path: '/x.crl', named: true } }],
    ...['require', 'verify-ca', 'verify-full'].map((mode): [string, object] => [
      `sslnegotiation=direct&sslmode=${mode}`,
      { mode, direct: true },
    ]),
  ])('?%s asks for %j', (query, tls) => {
    expect(target(`postgresql://a@b/c?${query}`).tls).toMatchObject(tls);
  });

  it.skipIf(process.platform === 'win32')('finds its files where libpq does', () => {
    const { tls } = target('postgresql://a@b/c?sslcert=/x.crt');
    expect(tls.rootCertificates).toEqual({ path: join(home, '.postgresql', 'root.crt'), named: false });
    expect(tls.certificate).toEqual({ path: '/x.crt', named: true });
    expect(tls.key).toEqual({ path: join(home, '.postgresql', 'postgresql.key'), named: false });
    expect(target('postgresql://a@b/c').tls.certificate).toEqual({
      path: join(home, '.postgresql', 'postgresql.crt'),
      named: false,
    });
    expect(tls.revocations).toEqual({ path: join(home, '.postgresql', 'root.crl'), named: false });
  });
});

// Elsewhere it has another name, and no modes.
describe.skipIf(process.platform === 'win32')('a password file', () => {
  const file = join(home, '.pgpass');
  const write = (text: string, mode = 0o600) => {
    writeFileSync(file, text);
    chmodSync(file, mode);
  };

  it('gives the password where nothing else does', () => {
    write('db:5432:c:a:from the file\n');
    expect(target('postgresql://a@db/c').password).toBe('from the file');
    expect(target('postgresql://a:x@db/c').password).toBe('x');
    expect(target('postgresql://a@db/c', { PGPASSWORD: 'y' }).password).toBe('y');
    expect(target('postgresql://a@db/other')).toMatchObject({
      password: undefined,
      passwordFileFault: undefined,
    });
  });

  it('is not read where others may read it', () => {
    write('*:*:*:*:secret\n', 0o640);
    expect(target('postgresql://a@db/c')).toMatchObject({
      password: undefined,
      passwordFileFault: `${file} was not read, because others may read it (chmod 600 ${file})`,
    });
  });

  it('can be another', () => {
    const other = join(temporaryFolder(), 'pass');
    writeFileSync(other, 'db:*:*:*:other', { mode: 0o600 });
    expect(target('postgresql://a@db/c', { PGPASSFILE: other }).password).toBe('other');
    expect(target(`postgresql://a@db/c?passfile=${other}`).password).toBe('other');
  });
});
