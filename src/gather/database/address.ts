import { existsSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import type { ClientConfig } from 'pg';
import { type ConnectionOptions, parse, toClientConfig } from 'pg-connection-string';
import type { Env } from '../../core/common/env.js';
import { LightspanError } from '../../core/lightspan-error.js';
import { describeFileFault } from '../files/read-file.js';

export interface DatabaseAddress extends ClientConfig {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password: string | undefined;
  /** Whether no variable of libpq says where it is: all is the default. */
  readonly isByDefaults?: boolean;
  readonly sslMode: SslMode;
  /** The `.pgpass` file, read for a password that neither the address nor a variable gives. */
  readonly passwordFile: string;
}

/** The modes of libpq that `pg` has. `allow`, which begins without TLS, is not among them. */
const sslModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
type SslMode = (typeof sslModes)[number];

/**
 * What a URL may say, and what libpq would heed and `pg` does not: with the values that ask for no more than `pg` does.
 */
const parameters = ['host', 'port', 'user', 'password', 'options', 'connect_timeout'] as const;
const ofTls = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const;
const notInPg: Readonly<Record<string, readonly string[]>> = {
  hostaddr: [],
  service: [],
  channel_binding: ['disable', 'prefer'],
  gssencmode: ['disable', 'prefer'],
  require_auth: [],
  requirepeer: [],
  sslcrl: [],
  sslcrldir: [],
  sslcertmode: ['allow'],
  sslnegotiation: ['postgres'],
  ssl_min_protocol_version: ['TLSv1', 'TLSv1.1', 'TLSv1.2'],
};

/** Parameters that change nothing of what is seen, or of how safely. */
const ignored = [
  ...['application_name', 'fallback_application_name', 'client_encoding', 'target_session_attrs'],
  ...['keepalives', 'keepalives_idle', 'keepalives_interval', 'keepalives_count', 'tcp_user_timeout'],
  ...['load_balance_hosts', 'sslcompression', 'sslsni'],
  ...['ssl_max_protocol_version', 'min_protocol_version', 'max_protocol_version'],
];

/** What other clients have in a URL, and libpq has under another name. */
const insteadOf: Readonly<Record<string, string>> = {
  ssl: 'Write sslmode=require; or sslmode=verify-full, to check who the server is.',
  schema: 'Name the schema with options=-c%20search_path%3D<schema>.',
  currentSchema: 'Name the schema with options=-c%20search_path%3D<schema>.',
  dbname: 'Name the database behind the host: postgresql://<user>@<host>/<database>.',
  uselibpqcompat: 'Leave it out: sslmode means here what it means to libpq.',
};

/** The variable of libpq that says what a parameter of a URL does not. */
function variableOf(parameter: string): string {
  return `PG${parameter.replaceAll(/_(?!timeout)/g, '').toUpperCase()}`;
}

export const usePsql = 'Or use psql: upgrade-preflight --sql prints a script for it.';

/**
 * The address in libpq's terms: the URL comes first, then the `PG*` variables, then the defaults of `pg`.
 *
 * @param database a `postgresql://` URL, or `env` for the `PG*` variables alone
 * @throws {LightspanError} `invalid-database-url` naming the parameter at fault, never what may be a secret;
 * `unreadable-source` naming a file
 */
export function databaseAddress(database: string, env: Env): DatabaseAddress {
  const [url = '', query] = (database === 'env' ? 'postgresql:///' : database).split(/\?(.*)/s);
  if (!/^postgres(?:ql)?:\/\//i.test(url)) {
    throw invalid('it is neither a URL postgresql://…, nor the word env, nor a variable that is set');
  }
  // What follows such a character would be taken for another part of the URL, and be shown.
  if (/^[^:]*:\/\/[^/]*\/.*@|[\s#]|%(?![\da-f]{2})/is.test(url) || /[@#]/.test(query ?? '')) {
    throw invalid(
      'special characters are to be percent-encoded: @ is %40, / is %2F, # is %23, % is %25, ? is %3F',
    );
  }
  if (/%00/.test(database)) throw invalid('%00 stands for no character that it may contain');
  // Of a parameter that is given twice the last counts, and a plus is a plus, as in libpq.
  const stated = new URLSearchParams([...new Map(new URLSearchParams(query?.replaceAll('+', '%2B')))]);
  for (const [name, harmless] of Object.entries(notInPg)) {
    const value = stated.get(name) || env[variableOf(name)];
    if (!value || harmless.includes(value)) continue;
    throw invalid(`what ${name} (${variableOf(name)}) requests is not supported here`, usePsql);
  }
  const knownParameters = new Set<string>([...parameters, ...ofTls, ...Object.keys(notInPg), ...ignored]);
  for (const name of stated.keys()) {
    if (knownParameters.has(name)) continue;
    throw invalid(`there is no parameter ${JSON.stringify(name)} here`, insteadOf[name] ?? usePsql);
  }
  const sslMode = completeTls(stated, env);
  const parsed = parseUrl(`${url}?${stated}`);
  const of = (name: Exclude<(typeof parameters)[number], 'connect_timeout'>) =>
    parsed[name] || env[variableOf(name)] || undefined;
  const host = of('host') ?? 'localhost';
  const port = of('port') ?? '5432';
  if (`${host}${port}`.includes(',')) {
    throw invalid('it names more than one host; name the primary alone', usePsql);
  }
  const user = of('user') ?? env.USER ?? env.USERNAME ?? userOfSystem();
  if (user === undefined) throw invalid('it names no user, and the system has none (PGUSER)');
  const isSocket = host.startsWith('/');
  const seconds = stated.get('connect_timeout') || env[variableOf('connect_timeout')] || '10';
  const isByDefaults = database === 'env' && !Object.keys(env).some((name) => /^PG/.test(name) && env[name]);
  return {
    ...(isByDefaults && { isByDefaults }),
    host,
    port: wholeNumber('port', port, 1, 65_535),
    user,
    database: databaseIn(url) || env.PGDATABASE || user,
    password: of('password'),
    passwordFile: env.PGPASSFILE || usualPasswordFile(env),
    sslMode: isSocket ? 'disable' : sslMode,
    ssl: isSocket ? false : toClientConfig({ host, database: null, ssl: parsed.ssl ?? false }).ssl,
    options: of('options'),
    connectionTimeoutMillis: wholeNumber('connect_timeout', seconds, 0, 86_400) * 1000,
  };
}

/** Containers often lack the variable, and some have a user without a name. */
function userOfSystem(): string | undefined {
  try {
    return os.userInfo().username;
  } catch {
    return undefined;
  }
}

/**
 * The name of the database, as libpq reads it: all that follows the first slash behind the host. The parser of a URL
 * would resolve `..`, and the package leaves `%40`, `%2F` and `%23` as they are:
 * `findings/pg-connection-string-database-name.sh`.
 */
function databaseIn(url: string): string | undefined {
  const [, written = ''] = /^[^:]*:\/\/[^/]*\/(.*)$/s.exec(url) ?? [];
  try {
    return decodeURIComponent(written);
  } catch {
    throw notUrl();
  }
}

function usualPasswordFile(env: Env): string {
  return process.platform === 'win32'
    ? join(env.APPDATA ?? os.homedir(), 'postgresql', 'pgpass.conf')
    : join(env.HOME || os.homedir(), '.pgpass');
}

/**
 * Completes the parameters about TLS by the variables and by libpq's file of authorities, where there is one. Without
 * a file `verify-full` trusts whom Node trusts, as `sslrootcert=system` asks.
 */
function completeTls(stated: URLSearchParams, env: Env): SslMode {
  if (stated.get('sslmode') === '') throw notAMode('');
  for (const name of ofTls) {
    const value = stated.get(name) || env[variableOf(name)];
    stated.delete(name);
    if (value) stated.set(name, value);
  }
  const isSystem = stated.get('sslrootcert') === 'system';
  // No manual of libpq has had the variable since 9.3; every version still reads it.
  const usually = env.PGREQUIRESSL?.startsWith('1') ? 'require' : 'prefer';
  const wanted = stated.get('sslmode') ?? (isSystem ? 'verify-full' : usually);
  const mode = sslModes.find((known) => known === wanted);
  if (mode === undefined) throw notAMode(wanted);
  if (isSystem && mode !== 'verify-full') throw invalid('sslrootcert=system needs sslmode=verify-full');
  const usual = join(env.HOME || os.homedir(), '.postgresql', 'root.crt');
  if (isSystem) stated.delete('sslrootcert');
  else if (!stated.has('sslrootcert') && existsSync(usual)) stated.set('sslrootcert', usual);
  if (mode === 'verify-ca' && !stated.has('sslrootcert'))
    throw invalid('sslmode=verify-ca needs sslrootcert=<file>');
  stated.set('sslmode', mode);
  return mode;
}

/** The package takes a mode that it does not know for `verify-full` or, in places, for none at all. */
function notAMode(mode: string): LightspanError {
  const hint =
    mode === 'no-verify' ? 'Write sslmode=require: it encrypts, and trusts any certificate.' : usePsql;
  return invalid(`sslmode is ${JSON.stringify(mode)}; it is one of ${sslModes.join(', ')}`, hint);
}

function parseUrl(url: string): ConnectionOptions {
  try {
    // By itself it would take `require` for `verify-full`.
    return parse(url, { useLibpqCompat: true });
  } catch (error) {
    if (error instanceof Error && 'path' in error) {
      throw new LightspanError('unreadable-source', `${error.path}: ${describeFileFault(error)}`, {
        cause: error,
        hint: 'Name the file with sslrootcert, sslcert and sslkey of the URL, or require less with sslmode.',
      });
    }
    throw notUrl();
  }
}

function notUrl(): LightspanError {
  return invalid('it is no URL: postgresql://<user>@<host>:<port>/<database>');
}

/** The number is not repeated: if a URL is split wrongly, it may be a part of the password. */
function wholeNumber(name: string, text: string, low: number, high: number): number {
  if (/^\d{1,6}$/.test(text) && Number(text) >= low && Number(text) <= high) return Number(text);
  throw invalid(`${name} must be a whole number from ${low} to ${high}`);
}

function invalid(what: string, hint?: string): LightspanError {
  const message = `the database address is not valid: ${what}`;
  return new LightspanError('invalid-database-url', message, { hint });
}
