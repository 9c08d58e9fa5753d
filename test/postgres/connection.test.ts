import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LightspanError } from '../../src/core/lightspan-error.js';
import { quoteName } from '../../src/gather/database/sql.js';
import { collect, factIn } from '../support/facts-of-database.js';
import { type Cluster, fileOfServer, startPgBouncer, startPostgres } from '../support/postgres.js';
import { type PrivateAuthority, privateAuthority } from '../support/private-authority.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let cluster: Cluster;
let plain: Cluster;
let authority: PrivateAuthority;
let other: PrivateAuthority;
let home: string;

const password = 'secret of lightdash';

beforeAll(async () => {
  [authority, other] = [privateAuthority(), privateAuthority()];
  const { cert, key } = authority.issue(['DNS:localhost']);
  cluster = await startPostgres(
    {
      ssl: 'on',
      ssl_cert_file: fileOfServer('server.crt', cert),
      ssl_key_file: fileOfServer('server.key', key),
      ssl_ca_file: fileOfServer('ca.crt', authority.cert),
    },
    [
      'hostssl all server all cert',
      'hostssl all tls_alone all trust',
      'host all by_kerberos all gss',
      'host all tls_alone,server all reject',
    ],
  );
  for (const role of ['tls_alone', 'server', 'by_kerberos']) {
    cluster.sql('postgres', `CREATE ROLE ${role} LOGIN`);
  }
  plain = await startPostgres();
  for (const each of [cluster, plain]) {
    each.database('instance');
    // What the server says of a connection is read there.
    each.sql('postgres', 'ALTER SYSTEM SET log_connections = on');
    each.sql('postgres', 'SELECT pg_reload_conf()');
  }
});

beforeEach(() => {
  home = temporaryFolder();
});

/** What the server says of the connection by which it was looked at, or what kept it from that. */
async function reached(
  query: string,
  { user = 'lightdash', host = 'localhost', env = {}, server = cluster } = {},
): Promise<string> {
  const before = (await server.log()).length;
  const url = `postgresql://${user}@${host}:${server.port}/instance?${query}`;
  try {
    const file = await collect(url, { env: { HOME: home, PGPASSWORD: password, ...env } });
    if (factIn(file, 'role').name !== user) return 'as another';
  } catch (error) {
    if (!(error instanceof LightspanError)) return String(error);
    return [error.message, error.hint].filter((line) => line !== undefined).join('\n');
  }
  const logins = new RegExp(`connection authorized: user=${user} .*`, 'g');
  const login = (await server.log()).slice(before).match(logins)?.at(-1);
  if (login === undefined) return 'the server logged no connection';
  return login.includes('SSL enabled') ? 'by TLS' : 'plainly';
}

describe('TLS', () => {
  const root = (by: PrivateAuthority) => `sslrootcert=${by.file}`;
  const untrusted = 'self-signed certificate in certificate chain';

  it.each([
    ['sslmode=disable', 'plainly'],
    ['', 'by TLS'],
    ['sslmode=prefer', 'by TLS'],
    ['sslmode=require', 'by TLS'],
    ['sslmode=require&sslnegotiation=postgres', 'by TLS'],
    ['sslmode=verify-ca', 'sslmode=verify-ca needs sslrootcert=<file>'],
    ['sslmode=verify-full', untrusted],
    ['sslrootcert=system', untrusted],
  ])('?%s, without an authority', async (query, expected) =>
    expect(await reached(query)).toContain(expected),
  );

  it.each([
    ['sslmode=require', '127.0.0.1', 'by TLS'],
    ['sslmode=verify-ca', '127.0.0.1', 'by TLS'],
    ['sslmode=verify-full', 'localhost', 'by TLS'],
    ['sslmode=verify-full', '127.0.0.1', "IP: 127.0.0.1 is not in the cert's list"],
  ])('?%s at %s, with the authority of the server', async (query, host, expected) => {
    expect(await reached(`${query}&${root(authority)}`, { host })).toContain(expected);
  });

  it.each(['require', 'verify-ca', 'verify-full'])('?sslmode=%s, with another authority', async (mode) => {
    expect(await reached(`sslmode=${mode}&${root(other)}`)).toContain(untrusted);
    // The variables of libpq, which pg reads otherwise or not at all, ask for the same.
    expect(await reached('', { env: { PGSSLMODE: mode, PGSSLROOTCERT: other.file } })).toContain(untrusted);
    expect(await reached('', { env: { PGSSLMODE: mode, PGSSLROOTCERT: authority.file } })).toBe('by TLS');
  });

  it('is held to the authority in ~/.postgresql', async () => {
    mkdirSync(join(home, '.postgresql'));
    writeFileSync(join(home, '.postgresql', 'root.crt'), other.cert);
    expect(await reached('sslmode=require')).toContain(untrusted);
    writeFileSync(join(home, '.postgresql', 'root.crt'), authority.cert);
    expect(await reached('sslmode=verify-full')).toBe('by TLS');
  });

  it.each([
    ['', 'plainly'],
    ['sslmode=prefer', 'plainly'],
    ['sslmode=require', 'The server does not support SSL connections'],
    ['sslmode=verify-full&sslrootcert=system', 'The server does not support SSL connections'],
  ])('that a server does not have: ?%s', async (query, expected) => {
    expect(await reached(query, { server: plain })).toContain(expected);
  });

  it('is not done without where the server asks for it', async () => {
    expect(await reached('sslmode=disable', { user: 'tls_alone' })).toContain('rejects connection');
    expect(await reached('', { user: 'tls_alone' })).toBe('by TLS');
  });

  it('is of no concern to a socket', async () => {
    const url = `${cluster.url('lightdash', 'instance')}&sslmode=verify-full`;
    expect(factIn(await collect(url), 'role').name).toBe('lightdash');
  });

  it('shows the certificate that is named', async () => {
    const identity = authority.issue(['DNS:client']);
    const [cert, key] = [join(home, 'client.crt'), join(home, 'client.key')];
    writeFileSync(cert, identity.cert);
    writeFileSync(key, identity.key, { mode: 0o600 });
    // The name that the certificate is for.
    const as = { user: 'server' };
    expect(await reached(`sslcert=${cert}&sslkey=${key}`, as)).toBe('by TLS');
    expect(await reached('', { ...as, env: { PGSSLCERT: cert, PGSSLKEY: key } })).toBe('by TLS');
    expect(await reached('', as)).toContain('requires a valid client certificate');
  });
});

describe('a password', () => {
  it('that is wrong is said so, and never shown', async () => {
    const said = await reached('', { env: { PGPASSWORD: 'not the one' } });
    expect(said).toMatch(
      /refused: password authentication failed for user "lightdash" \(28P01\)\nCheck user and password: PGPASSWORD, ~\/\.pgpass, or the URL\.$/,
    );
    expect(said).not.toContain('not the one');
  });

  const none =
    'localhost requires the password of lightdash, but none was given\nSet PGPASSWORD, or use ~/.pgpass, readable only by you.';

  it('that is missing is asked for', async () => {
    expect(await reached('', { env: { PGPASSWORD: '' } })).toBe(none);
  });

  // Windows has no such modes.
  it('stands in ~/.pgpass, which is not read where others may read it', async () => {
    const file = join(home, '.pgpass');
    writeFileSync(file, `localhost:${cluster.port}:*:lightdash:${password}\n`, { mode: 0o600 });
    expect(await reached('', { env: { PGPASSWORD: '' } })).toBe('by TLS');
    chmodSync(file, 0o640);
    expect(await reached('', { env: { PGPASSWORD: '' } })).toBe(none);
    const another = join(home, 'another');
    writeFileSync(another, `*:*:instance:lightdash:${password}\n`, { mode: 0o600 });
    expect(await reached('', { env: { PGPASSWORD: '', PGPASSFILE: another } })).toBe('by TLS');
  });

  it.each<[string, string | undefined, string]>([
    ['with a colon', 'a:b', '*:*:*:lightdash:a\\:b'],
    ['with a colon that is bare, at which it ends', 'a', '*:*:*:lightdash:a:b'],
    ['with a backslash', 'a\\b', '*:*:*:lightdash:a\\\\b'],
    ['with a backslash before another character', 'ab', '*:*:*:lightdash:a\\b'],
    ['with a backslash at the end', 'a\\', '*:*:*:lightdash:a\\'],
    ['with a space', ' a ', '*:*:*:lightdash: a '],
    [
      'of the first line that matches',
      'a',
      '# *:*:*:lightdash:b\n\n*:*:other:lightdash:b\n*:*:*:lightdash:a\n*:*:*:lightdash:b',
    ],
    ['of a line that is short', 'a', '*:*:*:*:a'],
    ['of a file of Windows', 'a', '*:*:*:lightdash:a\r'],
    ['of another port', undefined, '*:1:*:lightdash:a'],
    ['of a name that only begins so', undefined, '*:*:*:light*:a'],
    ['that is empty', undefined, '*:*:*:lightdash:\n*:*:*:lightdash:a'],
    ['of a line that lacks a field', undefined, '*:*:lightdash:a'],
  ])('that psql takes from its file is taken, and no other: one %s', async (_, taken, lines) => {
    const file = join(home, 'pgpass');
    writeFileSync(file, `${lines}\n`, { mode: 0o600 });
    cluster.during(
      'postgres',
      `ALTER ROLE lightdash PASSWORD ${quoteName(taken ?? 'a').literal}`,
      `ALTER ROLE lightdash PASSWORD '${password}'`,
    );
    const at = `host=127.0.0.1 port=${cluster.port} user=lightdash dbname=instance`;
    const env = { PATH: process.env.PATH, HOME: home, PGPASSFILE: file };
    const psql = spawnSync('psql', ['-X', '-w', '-c', 'SELECT', at], { env, encoding: 'utf8' });
    expect(psql.status === 0, psql.stderr).toBe(taken !== undefined);
    const said = await reached('', { host: '127.0.0.1', env: { PGPASSWORD: '', PGPASSFILE: file } });
    expect(said === 'by TLS', said).toBe(taken !== undefined);
  });
});

it('a login that pg does not have points to psql, which has it', async () => {
  expect(await reached('', { user: 'by_kerberos' })).toMatch(/ type 7\n.* --sql prints a script for it\.$/);
});

describe('a database with a name', () => {
  it.each(['my@db', 'a/b', 'a#b', 'a?b', 'a%b', 'a%40b', 'a b', 'a+b', 'a:b&c=d', 'ü', '..', `o'"x`])(
    '%s is reached by the URL that reaches it with psql',
    async (name) => {
      cluster.sql('postgres', `CREATE DATABASE ${quoteName(name).identifier} OWNER lightdash`);
      const url = cluster.url('lightdash', encodeURIComponent(name));
      const psql = ['-X', '-A', '-t', '-c', 'SELECT current_database()', url];
      expect(execFileSync('psql', psql, { encoding: 'utf8' }).trimEnd()).toBe(name);
      expect(factIn(await collect(url), 'database').name).toBe(name);
    },
  );
});

describe('PgBouncer, which takes no options', () => {
  const options = '-c search_path=other';

  it('is named, with what works', async () => {
    const bouncer = await startPgBouncer(cluster);
    const refused = collect(`${bouncer.url('lightdash', 'instance')}&options=${encodeURIComponent(options)}`);
    await expect(refused).rejects.toMatchObject({
      code: 'database',
      message: expect.stringMatching(/unsupported startup parameter: options \(08P01\)$/),
      hint: expect.stringContaining('That is PgBouncer, which takes no options at the start (PGOPTIONS,'),
    });
    cluster.sql('instance', 'CREATE SCHEMA other AUTHORIZATION lightdash');
    const schema = async (url: string, more = {}) =>
      factIn(await collect(url, { env: { HOME: home, ...more } }), 'migrator').schema;
    expect(await schema(cluster.url('lightdash', 'instance'), { PGOPTIONS: options })).toBe('other');
    expect(await schema(bouncer.url('lightdash', 'instance'))).toBe('public');
    cluster.during(
      'postgres',
      'ALTER ROLE lightdash IN DATABASE instance SET search_path = other',
      'ALTER ROLE lightdash IN DATABASE instance RESET search_path',
    );
    // Connections that a pool has do not begin anew.
    const another = await startPgBouncer(cluster);
    expect(await schema(another.url('lightdash', 'instance'))).toBe('other');
  });

  // What it would look at in place of the schema that the options name is that of another instance.
  it('is not read through where it drops them', async () => {
    const bouncer = await startPgBouncer(cluster, 'ignore_startup_parameters = options');
    const dropped = collect(bouncer.url('lightdash', 'instance'), {
      env: { HOME: home, PGOPTIONS: '-c search_path=other' },
    });
    await expect(dropped).rejects.toMatchObject({
      code: 'database',
      message: expect.stringMatching(/ did not take the options of the connection$/),
      hint: expect.stringContaining('That is PgBouncer, which takes no options at the start (PGOPTIONS,'),
    });
  });
});

describe('what cannot be reached', () => {
  it.each([
    [
      'postgresql://a@127.0.0.1:1/b',
      'network',
      /no connection to the database "b" at 127\.0\.0\.1:1: connect ECONNREFUSED/,
    ],
    ['postgresql://a@/b?host=/nonexistent', 'network', /at \/nonexistent\/\.s\.PGSQL\.5432: connect ENOENT/],
    ['postgresql://a@no-such-host.invalid/b', 'network', /getaddrinfo/],
  ])('%s', async (url, code, message) => {
    await expect(collect(url)).rejects.toMatchObject({
      ...{ code, message: expect.stringMatching(message) },
      hint: expect.stringContaining('Check host, port and sslmode'),
    });
  });

  it('is a database that there is not', async () => {
    await expect(collect(cluster.url('lightdash', 'nowhere'))).rejects.toMatchObject({
      code: 'database',
      message: expect.stringMatching(/refused: database "nowhere" does not exist \(3D000\)$/),
      hint: undefined,
    });
  });
});
