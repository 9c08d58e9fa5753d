import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { databaseAddress } from '../../../src/gather/database/address.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const home = temporaryFolder();
const address = (database: string, env: Record<string, string> = {}) =>
  databaseAddress(database, { HOME: home, USER: 'me', ...env });

describe('a database', () => {
  it.each([
    ['env', {}, true],
    ['env', { PGHOST: '' }, true],
    ['env', { PGDATABASE: 'a' }, undefined],
    ['postgresql://', {}, undefined],
  ])('says whether it is all defaults: %s, %j', (database, env, isByDefaults) => {
    expect(address(database, env).isByDefaults).toBe(isByDefaults);
  });

  it.each([
    [
      'postgresql://joe:pw@db.example.com:6432/lightdash?sslmode=verify-full',
      { host: 'db.example.com', port: 6432, user: 'joe', password: 'pw', database: 'lightdash' },
    ],
    ['postgres://joe@db', { host: 'db', port: 5432, user: 'joe', password: undefined, database: 'joe' }],
    ['postgresql://db/a', { host: 'db', user: 'me' }],
    ['postgresql://joe@/lightdash?host=/var/run/pg', { host: '/var/run/pg', database: 'lightdash' }],
    ['postgresql://joe@%2Fvar%2Frun%2Fpg/lightdash', { host: '/var/run/pg' }],
    ['postgresql://joe@[::1]:5433/a', { host: '::1', port: 5433 }],
    ['postgresql://j%40e:p%2Fw%3A%25@db/a%20b', { user: 'j@e', password: 'p/w:%', database: 'a b' }],
    ['postgresql://joe@db/a?options=-c%20search_path%3Dx', { options: '-c search_path=x' }],
    ['postgresql://joe@db/a?user=jim&password=x&port=1&host=c', { user: 'jim', port: 1, host: 'c' }],
    ['postgresql://joe@db/a?connect_timeout=3', { connectionTimeoutMillis: 3000 }],
    ['postgresql://joe@db/a?connect_timeout=0', { connectionTimeoutMillis: 0 }],
    ['postgresql://joe@db:65535/a', { port: 65_535, connectionTimeoutMillis: 10_000 }],
    ['postgresql://joe@db/a?target_session_attrs=read-write&keepalives=1&application_name=x', { host: 'db' }],
    ['postgresql://joe@/a', { host: 'localhost' }],
  ])('%s', (url, expected) => expect(address(url)).toMatchObject(expected));

  it.each([
    ['lightdash', 'lightdash'],
    ['my%40db', 'my@db'],
    ['a%2Fb', 'a/b'],
    ['a/b', 'a/b'],
    ['a%23b', 'a#b'],
    ['a%3Fb', 'a?b'],
    ['a%25b', 'a%b'],
    ['a%2540b', 'a%40b'],
    ['a%3Ab%3Bc%26d%3De%24f%2Cg', 'a:b;c&d=e$f,g'],
    ['a+b%2Bc', 'a+b+c'],
    ['a%20b', 'a b'],
    ['%C3%BC', 'ü'],
    ['ü', 'ü'],
    ['..', '..'],
    ['a/../b', 'a/../b'],
    ['%2E%2e', '..'],
    ["o'x%22", `o'x"`],
  ])('has the name that libpq reads in a URL: %s', (written, name) => {
    expect(address(`postgresql://joe@db/${written}`).database).toBe(name);
    expect(address(`postgresql://joe@/${written}?host=/run`)).toMatchObject({ database: name, host: '/run' });
    expect(address(`postgresql://joe@%2Frun/${written}`)).toMatchObject({ database: name, host: '/run' });
  });

  it('keeps a plus in a parameter, as libpq does', () => {
    expect(address('postgresql://joe@db/a?password=a+b%2Bc%20d').password).toBe('a+b+c d');
  });

  it('is completed by the variables of libpq, over which the URL takes precedence', () => {
    const env = {
      ...{ PGHOST: 'there', PGPORT: '7000', PGUSER: 'jim', PGDATABASE: 'd', PGPASSWORD: 'secret' },
      ...{ PGSSLMODE: 'require', PGOPTIONS: '-c x=y', PGCONNECT_TIMEOUT: '3' },
    };
    const all = {
      ...{ host: 'there', port: 7000, user: 'jim', database: 'd', password: 'secret', options: '-c x=y' },
      ...{ sslMode: 'require', connectionTimeoutMillis: 3000 },
    };
    expect(address('env', env)).toMatchObject(all);
    expect(address('postgresql://joe@here/own', env)).toMatchObject({ database: 'own' });
    expect(address('postgresql://joe@here/?sslmode=disable&connect_timeout=1', env)).toMatchObject({
      ...all,
      ...{ host: 'here', user: 'joe', sslMode: 'disable', connectionTimeoutMillis: 1000 },
    });
  });

  it.each([
    ['require', '', { PGREQUIRESSL: '1' }],
    ['prefer', '', { PGREQUIRESSL: '0' }],
    ['prefer', '', { PGREQUIRESSL: '1', PGSSLMODE: 'prefer' }],
    ['disable', '?sslmode=disable', { PGREQUIRESSL: '1' }],
  ])('has the mode %s with %j and %j, as for libpq', (mode, query, env) => {
    expect(address(`postgresql://joe@db/a${query}`, env).sslMode).toBe(mode);
  });

  it.each([
    ['hostaddr', 'PGHOSTADDR', []],
    ['service', 'PGSERVICE', []],
    ['channel_binding', 'PGCHANNELBINDING', ['disable', 'prefer']],
    ['gssencmode', 'PGGSSENCMODE', ['disable', 'prefer']],
    ['require_auth', 'PGREQUIREAUTH', []],
    ['requirepeer', 'PGREQUIREPEER', []],
    ['sslcrl', 'PGSSLCRL', []],
    ['sslcrldir', 'PGSSLCRLDIR', []],
    ['sslcertmode', 'PGSSLCERTMODE', ['allow']],
    ['sslnegotiation', 'PGSSLNEGOTIATION', ['postgres']],
    ['ssl_min_protocol_version', 'PGSSLMINPROTOCOLVERSION', ['TLSv1', 'TLSv1.1', 'TLSv1.2']],
  ])('may say %s (%s) where that asks for no more than pg does: %j', (name, variable, harmless) => {
    const url = 'postgresql://joe@db/a';
    for (const value of ['', ...harmless]) {
      expect(address(`${url}?${name}=${value}`)).toEqual(address(url));
      expect(address(url, { [variable]: value })).toEqual(address(url));
    }
    const fault = expect.objectContaining({
      code: 'invalid-database-url',
      message: `the database address is not valid: what ${name} (${variable}) requests is not supported here`,
      hint: 'Or use psql: upgrade-preflight --sql prints a script for it.',
    });
    expect(() => address(`${url}?${name}=x`)).toThrow(fault);
    expect(() => address(url, { [variable]: 'x' })).toThrow(fault);
  });

  const encoded = 'special characters are to be percent-encoded';
  it.each([
    ['db.example.com', 'neither a URL postgresql://'],
    ['mysql://a@b/c', 'it is neither a URL postgresql://…, nor the word env, nor a variable that is set'],
    ['xpostgresql://a:s3cret@b/c', 'neither a URL postgresql://'],
    ['postgresql://a:1/s3cret@b/c', encoded],
    ['postgresql://a:1?s3cret@b/c', encoded],
    ['postgresql://a:1?x=s3cret#b/c', encoded],
    ['postgresql://a:1#s3cret@b/c', encoded],
    ['postgresql://a:s3cret%@b/c', encoded],
    ['postgresql://a:s3cret %@b/c', encoded],
    ['postgresql://a:s3cret%FF@b/c', 'it is no URL: postgresql://'],
    ['postgresql://a:s3cret/x', 'it is no URL: postgresql://'],
    ['postgresql://a:s3cret@b:65536/c', 'it is no URL: postgresql://'],
    ['postgresql://a:s3cret@b:5x/c', 'it is no URL: postgresql://'],
    ['postgresql://a:s3cret@b:0/c', 'port must be a whole number from 1 to 65535'],
    ['postgresql://a:s3cret@b/c?port=5x', 'port must be a whole number from 1 to 65535'],
    ['postgresql://a:s3cret@b/c?connect_timeout=-1', 'connect_timeout must be a whole number from 0'],
    ['postgresql://a:s3cret@b,c/d', 'names more than one host'],
    ['postgresql://a:s3cret@/d?host=b&port=1,2', 'names more than one host'],
    ['postgresql://a:s3cret@b/c?schema=x', 'there is no parameter "schema" here'],
    ['postgresql://a:s3cret@b/c?dbname=x', 'there is no parameter "dbname" here'],
    ['postgresql://a:s3cret@b/c?passfile=x', 'there is no parameter "passfile" here'],
    ['postgresql://a:s3cret@b/c?sslmode=on', 'sslmode is "on"; it is one of disable, prefer, require'],
    ['postgresql://a:s3cret@b/c?sslmode=allow', 'sslmode is "allow"; it is one of disable, prefer, require'],
    ['postgresql://a:s3cret@b/c?sslmode=no-verify', 'sslmode is "no-verify"; it is one of'],
    ['postgresql://a:s3cret@b/c?sslmode=VERIFY-FULL', 'sslmode is "VERIFY-FULL"; it is one of'],
    ['postgresql://a:s3cret@b/c?sslmode=', 'sslmode is ""; it is one of'],
    [
      'postgresql://a:s3cret@b/c?uselibpqcompat=true&sslmode=no-verify',
      'there is no parameter "uselibpqcompat" here',
    ],
    ['postgresql://a:s3cret@b/c?uselibpqcompat=false', 'uselibpqcompat'],
    ['postgresql://a:s3cret@b/c?ssl=true', 'there is no parameter "ssl" here'],
    ['postgresql://a:s3cret@b/c%00', '%00'],
    ['postgresql://a:s3cret%00@b/c', '%00'],
    ['postgresql://a:s3cret@b/c?options=%00', '%00'],
    ['postgresql://a:s3cret@b/c%FF', 'it is no URL: postgresql://'],
    ['postgresql://a:s3cret@b/c?sslrootcert=system&sslmode=require', 'needs sslmode=verify-full'],
    ['postgresql://a:s3cret@b/c?sslmode=verify-ca', 'sslmode=verify-ca needs sslrootcert=<file>'],
  ])('is none by %s', (url, message) => {
    const fault = { code: 'invalid-database-url', message: expect.stringContaining(message) };
    expect(() => address(url)).toThrow(expect.objectContaining(fault));
    expect(() => address(url)).not.toThrow(/s3cret/);
  });

  it('needs a user', () => {
    expect(databaseAddress('postgresql://db/a', { USERNAME: 'me' }).user).toBe('me');
    expect(databaseAddress('postgresql://db/a', {}).user).toBe(os.userInfo().username);
    const unknown = vi.spyOn(os, 'userInfo').mockImplementation(() => {
      throw new Error('uv_os_get_passwd returned ENOENT');
    });
    onTestFinished(() => unknown.mockRestore());
    expect(() => databaseAddress('postgresql://db/a', {})).toThrow('it names no user');
  });
});

describe('TLS', () => {
  const file = (name: string) => {
    const path = join(home, name);
    writeFileSync(path, `the ${name}`);
    return path;
  };
  const [ca, cert, key] = [file('ca'), file('cert'), file('key')];
  const trusting = { rejectUnauthorized: false };
  const anyName = { checkServerIdentity: expect.any(Function) };

  it.each<[string, object | false]>([
    ['sslmode=disable', false],
    [`sslmode=disable&sslrootcert=${ca}`, false],
    ['', trusting],
    ['sslmode=prefer', trusting],
    ['sslmode=require', trusting],
    ['sslmode=verify-full', {}],
    ['sslrootcert=system', {}],
    [`sslmode=require&sslrootcert=${ca}`, { ca: 'the ca', ...anyName }],
    [`sslmode=verify-ca&sslrootcert=${ca}`, { ca: 'the ca', ...anyName }],
    [`sslmode=verify-full&sslrootcert=${ca}`, { ca: 'the ca' }],
    // The last one counts, as in libpq.
    [`sslmode=disable&sslmode=verify-full&sslrootcert=${ca}`, { ca: 'the ca' }],
    [`sslcert=${cert}&sslkey=${key}`, { cert: 'the cert', key: 'the key', ...trusting }],
  ])('?%s', (query, expected) => {
    expect(address(`postgresql://a@db/b?${query}`).ssl).toEqual(expected);
    const env = Object.fromEntries(
      [...new URLSearchParams(query)].map(([name, value]) => [`PG${name.toUpperCase()}`, value]),
    );
    expect(address('postgresql://a@db/b', env).ssl).toEqual(expected);
    expect(address('postgresql://a@/b?host=/run', env)).toMatchObject({ ssl: false, sslMode: 'disable' });
  });

  it.each(['sslrootcert', 'sslcert', 'sslkey'])('fails without the file that %s names', (name) => {
    const none = join(home, 'none');
    const fault = { code: 'unreadable-source', message: `${none}: there is no such file` };
    expect(() => address(`postgresql://a@db/b?${name}=${none}`)).toThrow(expect.objectContaining(fault));
  });
});
