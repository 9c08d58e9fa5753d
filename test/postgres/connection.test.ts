import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LightspanError } from '../../src/errors.js';
import { collect, factIn } from '../support/facts-of-database.js';
import { type Cluster, fileOfServer, startPgBouncer, startPostgres } from '../support/postgres.js';
import { type PrivateAuthority, privateAuthority } from '../support/private-authority.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let cluster: Cluster;
let authority: PrivateAuthority;
let other: PrivateAuthority;
let home: string;

const password = 'secret of lightdash';

beforeAll(async () => {
  [authority, other] = [privateAuthority(), privateAuthority()];
  const { cert, key } = authority.issue(['DNS:db.example.com', 'DNS:localhost']);
  cluster = await startPostgres(
    {
      ssl: 'on',
      ssl_cert_file: fileOfServer('server.crt', cert),
      ssl_key_file: fileOfServer('server.key', key),
    },
    [
      'hostssl all tls_alone all trust',
      'hostnossl all plain_alone all trust',
      'host all tls_alone,plain_alone all reject',
    ],
  );
  cluster.sql('postgres', 'CREATE ROLE tls_alone LOGIN; CREATE ROLE plain_alone LOGIN');
  cluster.database('instance');
  // What the server says of a connection is read there.
  cluster.sql('postgres', 'ALTER SYSTEM SET log_connections = on');
  cluster.sql('postgres', 'SELECT pg_reload_conf()');
}, 60_000);

beforeEach(() => {
  home = temporaryFolder();
});

/** What the server says of the connection by which it was looked at, or what kept it from that. */
async function reached(
  query: string,
  { user = 'lightdash', host = 'localhost', env = {} } = {},
): Promise<string> {
  const before = cluster.log().length;
  const url = `postgresql://${user}@${host}:${cluster.port}/instance?${[query, 'hostaddr=127.0.0.1'].filter(Boolean).join('&')}`;
  try {
    const file = await collect(url, { env: { HOME: home, PGPASSWORD: password, ...env } });
    if (factIn(file, 'role').name !== user) return 'as another';
  } catch (error) {
    if (!(error instanceof LightspanError)) return String(error);
    return [error.message, error.hint].filter((line) => line !== undefined).join('\n');
  }
  const login = cluster
    .log()
    .slice(before)
    .match(/connection authorized: .*/g)
    ?.at(-1);
  if (login === undefined) return 'the server logged no connection';
  return login.includes('SSL enabled') ? 'by TLS' : 'plainly';
}

const nameIt = 'Name the file with sslrootcert, sslcert and sslkey of the URL, or require less with sslmode.';

describe('TLS', () => {
  const root = (by: PrivateAuthority) => `sslrootcert=${by.file}`;

  it.each([
    ['sslmode=disable', 'plainly'],
    ['sslmode=allow', 'plainly'],
    ['', 'by TLS'],
    ['sslmode=prefer', 'by TLS'],
    ['sslmode=require', 'by TLS'],
    ['sslmode=verify-ca', `root.crt: there is no such file\n${nameIt}`],
    ['sslmode=verify-full', `root.crt: there is no such file\n${nameIt}`],
    ['sslmode=verify-full&sslrootcert=system', 'the certificate is not trusted here'],
  ])('?%s, without an authority', async (query, expected) =>
    expect(await reached(query)).toContain(expected),
  );

  it.each([
    ['sslmode=require', 'localhost', 'by TLS'],
    ['sslmode=verify-ca', 'elsewhere', 'by TLS'],
    ['sslmode=verify-full', 'localhost', 'by TLS'],
    ['sslmode=verify-full', 'db.example.com', 'by TLS'],
    ['sslmode=verify-full', 'elsewhere', "Host: elsewhere. is not in the cert's altnames"],
    ['sslmode=verify-full', '127.0.0.1', "IP: 127.0.0.1 is not in the cert's list"],
  ])('?%s at %s, with the authority of the server', async (query, host, expected) => {
    expect(await reached(`${query}&${root(authority)}`, { host })).toContain(expected);
  });

  it.each([
    // Without TLS where TLS cannot be had is what prefer means.
    ['sslmode=prefer', 'plainly'],
    ['sslmode=require', 'the certificate is not trusted here'],
    ['sslmode=verify-ca', 'the certificate is not trusted here'],
    ['sslmode=verify-full', 'the certificate is not trusted here'],
  ])('?%s, with another authority', async (query, expected) => {
    expect(await reached(`${query}&${root(other)}`)).toContain(expected);
  });

  it('is held to the authority in ~/.postgresql', async () => {
    mkdirSync(join(home, '.postgresql'));
    writeFileSync(join(home, '.postgresql', 'root.crt'), other.cert);
    expect(await reached('sslmode=require')).toContain('the certificate is not trusted here');
    writeFileSync(join(home, '.postgresql', 'root.crt'), authority.cert);
    expect(await reached('sslmode=verify-full')).toBe('by TLS');
  });

  it.each([
    ['tls_alone', 'sslmode=allow', 'by TLS'],
    ['tls_alone', 'sslmode=disable', 'rejects connection'],
    ['plain_alone', 'sslmode=prefer', 'plainly'],
    ['plain_alone', 'sslmode=require', 'rejects connection'],
  ])('of %s by ?%s', async (user, query, expected) => {
    expect(await reached(query, { user })).toContain(expected);
  });

  it('is of no concern to a socket', async () => {
    const url = `${cluster.url('lightdash', 'instance')}&sslmode=verify-full`;
    expect(factIn(await collect(url), 'role').name).toBe('lightdash');
  });

  it('uses no key that others may read', async () => {
    const [cert, key] = ['client.crt', 'client.key'].map((name) => join(home, name));
    const identity = authority.issue(['DNS:client']);
    writeFileSync(String(cert), identity.cert);
    writeFileSync(String(key), identity.key, { mode: 0o644 });
    const query = `sslmode=require&sslcert=${cert}&sslkey=${key}`;
    const refused = `${key} is not used as a key, because others may read it\nchmod 600 ${key}`;
    expect(await reached(query)).toBe(refused);
    chmodSync(String(key), 0o640);
    // Of a key of root the group may know.
    if (process.getuid?.() === 0) {
      expect(await reached(query)).toBe('by TLS');
      chownSync(String(key), 65_534, 65_534);
    }
    expect(await reached(query)).toBe(refused);
    chmodSync(String(key), 0o600);
    expect(await reached(query)).toBe('by TLS');
  });
});

describe('a password', () => {
  const wrong = { PGPASSWORD: 'not the one' };

  it('that is wrong is said so, and never shown', async () => {
    const said = await reached('', { env: wrong });
    expect(said).toMatch(
      /refused: password authentication failed for user "lightdash" \(28P01\)\nCheck user and password: PGPASSWORD, ~\/\.pgpass, or the URL\.$/,
    );
    expect(said).not.toContain('not the one');
  });

  it('that is missing is asked for', async () => {
    expect(await reached('', { env: { PGPASSWORD: '' } })).toBe(
      'localhost requires the password of lightdash, but none was given\nGive it in PGPASSWORD, or in ~/.pgpass.',
    );
  });

  it('stands in ~/.pgpass', async () => {
    writeFileSync(join(home, '.pgpass'), `localhost:${cluster.port}:*:lightdash:${password}\n`, {
      mode: 0o600,
    });
    expect(await reached('', { env: { PGPASSWORD: '' } })).toBe('by TLS');
  });
});

it('a pool that does not take what a session asks for is said to be one', async () => {
  const pool = await startPgBouncer(cluster);
  await expect(
    collect(`${pool.url('lightdash', 'postgres')}&options=-csearch_path%3Dbi`),
  ).rejects.toMatchObject({
    message: expect.stringMatching(/refused: unsupported startup parameter: options \(08P01\)$/),
    hint: 'If that is a connection pool such as PgBouncer, name the server itself.',
  });
});

describe('what cannot be reached', () => {
  it.each([
    ['postgresql://a@127.0.0.1:1/b', 'network', /cannot be reached: nothing listens there \(ECONNREFUSED\)$/],
    ['postgresql://a@/b?host=/nonexistent', 'network', /cannot be reached: there is no socket \(ENOENT\)$/],
    ['postgresql://a@no-such-host.invalid/b', 'network', /cannot be reached: the host name/],
  ])('%s', async (url, code, message) => {
    await expect(collect(url)).rejects.toMatchObject({
      ...{ code, message: expect.stringMatching(message) },
      hint: 'Check host and port, and whether the server listens there.',
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
