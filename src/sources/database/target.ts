import { existsSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { LightspanError } from '../../errors.js';
import { readPasswordFile } from './password-file.js';

/** Where a database is and how to reach it, in libpq's terms: from its URL, from `PG*` variables, by defaults. */
export interface DatabaseTarget {
  /** A name or an address, or the folder of a socket. */
  readonly host: string;
  /** The address to connect to instead of the host, which stays the name that the certificate must match. */
  readonly hostAddress: string | undefined;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password: string | undefined;
  /** Why an existing password file was not read. */
  readonly passwordFileFault: string | undefined;
  /** Settings for the session, as libpq's `options`. */
  readonly options: string | undefined;
  readonly connectTimeoutMs: number;
  readonly tls: TlsWish;
}

export const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;

/** The requirements for TLS. Files are paths; a file that was not named is libpq's default, which need not exist. */
export interface TlsWish {
  readonly mode: (typeof sslModes)[number];
  /** TLS from the first byte on, without requesting it from the server. */
  readonly direct: boolean;
  readonly rootCertificates: NamedFile | 'system';
  readonly revocations: NamedFile;
  readonly certificate: NamedFile;
  readonly key: NamedFile;
  readonly keyPassword: string | undefined;
  readonly sendsHostName: boolean;
  readonly minVersion: TlsVersion;
  readonly maxVersion: TlsVersion;
}

export interface NamedFile {
  readonly path: string;
  /** A file that was named must exist. */
  readonly named: boolean;
}

const tlsVersions = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const;
type TlsVersion = (typeof tlsVersions)[number];

type Env = Readonly<Record<string, string | undefined>>;

/** Each supported parameter with its variable: the order of precedence is URL, variable, default. */
const variables = {
  host: 'PGHOST',
  hostaddr: 'PGHOSTADDR',
  port: 'PGPORT',
  dbname: 'PGDATABASE',
  user: 'PGUSER',
  password: 'PGPASSWORD',
  passfile: 'PGPASSFILE',
  connect_timeout: 'PGCONNECT_TIMEOUT',
  options: 'PGOPTIONS',
  sslmode: 'PGSSLMODE',
  sslnegotiation: 'PGSSLNEGOTIATION',
  sslrootcert: 'PGSSLROOTCERT',
  sslcrl: 'PGSSLCRL',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  sslpassword: undefined,
  sslsni: 'PGSSLSNI',
  ssl_min_protocol_version: 'PGSSLMINPROTOCOLVERSION',
  ssl_max_protocol_version: 'PGSSLMAXPROTOCOLVERSION',
} as const;

type Parameter = keyof typeof variables;

/** Ignored: they change nothing of what is seen, or of how safely. */
const ignored: ReadonlySet<string> = new Set([
  ...[
    'application_name',
    'fallback_application_name',
    'client_encoding',
    'sslcompression',
    'target_session_attrs',
  ],
  ...['keepalives', 'keepalives_idle', 'keepalives_interval', 'keepalives_count', 'tcp_user_timeout'],
  ...['load_balance_hosts', 'krbsrvname', 'gsslib', 'gssdelegation'],
  ...['max_protocol_version', 'sslkeylogfile', 'servicefile'],
]);

/** Parameters that require more than is implemented here, with the values that do not. */
const refused: Readonly<
  Record<string, { readonly variable?: string; readonly harmless: readonly string[] }>
> = {
  service: { variable: 'PGSERVICE', harmless: [''] },
  channel_binding: { variable: 'PGCHANNELBINDING', harmless: ['', 'disable', 'prefer'] },
  gssencmode: { variable: 'PGGSSENCMODE', harmless: ['', 'disable', 'prefer'] },
  require_auth: { variable: 'PGREQUIREAUTH', harmless: [''] },
  requirepeer: { variable: 'PGREQUIREPEER', harmless: [''] },
  sslcrldir: { variable: 'PGSSLCRLDIR', harmless: [''] },
  sslcertmode: { variable: 'PGSSLCERTMODE', harmless: ['', 'allow'] },
  min_protocol_version: { variable: 'PGMINPROTOCOLVERSION', harmless: ['', '3.0'] },
  replication: { harmless: ['', 'false', 'off', 'no', '0'] },
  scram_client_key: { harmless: [''] },
  scram_server_key: { harmless: [''] },
  oauth_issuer: { harmless: [''] },
  oauth_client_id: { harmless: [''] },
  oauth_client_secret: { harmless: [''] },
  oauth_scope: { harmless: [''] },
};

/**
 * @param database a `postgresql://` URL, or `env` for the `PG*` variables
 * @throws {LightspanError} `invalid-database-url` naming the parameter at fault, never its value if that is secret
 */
export function databaseTarget(database: string, env: Env): DatabaseTarget {
  const given = database === 'env' ? {} : parametersOfUrl(database);
  for (const [name, { variable, harmless }] of Object.entries(refused)) {
    const value = given[name] ?? (variable && env[variable]) ?? '';
    if (harmless.includes(value)) continue;
    throw invalid(`what ${name}${variable ? ` (${variable})` : ''} requests is not supported here`);
  }
  const told = (name: Parameter) => given[name] || (variables[name] && env[variables[name]]) || undefined;
  const oneOf = <T extends string>(name: Parameter, values: readonly T[], otherwise: T): T => {
    const value = told(name) ?? otherwise;
    const known = values.find((one) => one === value);
    if (known !== undefined) return known;
    throw invalid(`${name} is ${JSON.stringify(value)}; it is one of ${values.join(', ')}`);
  };
  const user = told('user') ?? nameOfUser();
  const hostAddress = told('hostaddr');
  const host = told('host') ?? hostAddress ?? defaultHost();
  if (`${host}${hostAddress}`.includes(',') || told('port')?.includes(',')) {
    throw invalid('it names more than one host; name the primary alone');
  }
  const port = wholeNumber('port', told('port') ?? '5432', 1, 65_535);
  const name = told('dbname') ?? user;
  const asked = told('password');
  const fromFile =
    asked === undefined
      ? readPasswordFile(told('passfile') ?? libpqFile(env, 'pgpass'), { host, port, database: name, user })
      : {};
  const seconds = wholeNumber('connect_timeout', told('connect_timeout') ?? '10', 0, 86_400);
  return {
    host,
    hostAddress,
    port,
    user,
    database: name,
    password: asked ?? fromFile.password,
    passwordFileFault: fromFile.fault,
    options: told('options'),
    // In libpq, no limit means for ever; here the whole collection has a limit as well.
    connectTimeoutMs: (seconds === 0 ? 86_400 : seconds) * 1000,
    tls: tlsWish(told, oneOf, env),
  };
}

/** Whether a host is the folder of a Unix socket, to which TLS does not apply. */
export function isSocketFolder(host: string): boolean {
  return host.startsWith('/') || host.startsWith('@');
}

function tlsWish(
  told: (name: Parameter) => string | undefined,
  oneOf: <T extends string>(name: Parameter, values: readonly T[], otherwise: T) => T,
  env: Env,
): TlsWish {
  const file = (name: 'sslrootcert' | 'sslcrl' | 'sslcert' | 'sslkey'): NamedFile => {
    const path = told(name);
    return path === undefined ? { path: libpqFile(env, name), named: false } : { path, named: true };
  };
  const isSystem = told('sslrootcert') === 'system';
  if (told('sslmode') === 'no-verify') {
    throw invalid('sslmode is "no-verify", which libpq does not know: its name for that is require');
  }
  const mode = oneOf('sslmode', sslModes, isSystem ? 'verify-full' : 'prefer');
  if (isSystem && mode !== 'verify-full') throw invalid('sslrootcert=system needs sslmode=verify-full');
  const direct = oneOf('sslnegotiation', ['postgres', 'direct'], 'postgres') === 'direct';
  if (direct && !['require', 'verify-ca', 'verify-full'].includes(mode)) {
    throw invalid('sslnegotiation=direct needs sslmode=require or stronger');
  }
  return {
    mode,
    direct,
    rootCertificates: isSystem ? 'system' : file('sslrootcert'),
    revocations: file('sslcrl'),
    certificate: file('sslcert'),
    key: file('sslkey'),
    keyPassword: told('sslpassword'),
    sendsHostName: oneOf('sslsni', ['0', '1'], '1') === '1',
    minVersion: oneOf('ssl_min_protocol_version', tlsVersions, 'TLSv1.2'),
    maxVersion: oneOf('ssl_max_protocol_version', tlsVersions, 'TLSv1.3'),
  };
}

/**
 * User and password, host, port, database, parameters: split as libpq does, which accepts what other URLs must not
 * contain. After the scheme, any text matches.
 */
const urlParts =
  /^postgres(?:ql)?:\/\/(?:([^@/:]*)(?::([^@/]*))?@)?(\[[^\]]*\]|[^:/?]*)(?::([^/?]*))?(?:\/([^?]*))?(?:\?(.*))?$/s;

function parametersOfUrl(text: string): Record<string, string> {
  const parts = urlParts.exec(text);
  if (parts === null)
    throw invalid('it is neither a URL postgresql://…, nor the word env, nor a variable that is set');
  const [, user = '', password = '', host = '', port = '', dbname = '', query = ''] = parts.map(
    (part) => part && decode(part),
  );
  if (host.includes('@')) throw invalid('an @ in user name or password must be written %40');
  const told: Record<string, string> = {
    user,
    password,
    host: host.replace(/^\[(.*)\]$/, '$1'),
    port,
    dbname,
  };
  for (const pair of query === '' ? [] : (parts[6] ?? '').split('&')) {
    const [name = '', value = ''] = pair.split(/=(.*)/s).map(decode);
    if (name === 'ssl' && value === 'true') told.sslmode = 'require';
    else if (name in variables || name in refused) told[name] = value;
    else if (!ignored.has(name)) throw invalid(`libpq knows no parameter ${JSON.stringify(name)}`);
  }
  return told;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw invalid('a % that does not begin a percent-encoding must be written %25');
  }
}

/** The number is not repeated: if a URL is split wrongly, it may be a part of the password. */
function wholeNumber(name: Parameter, text: string, low: number, high: number): number {
  const number = /^-?\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= low && number <= high) return number;
  throw invalid(`${name} must be a whole number from ${low} to ${high}`);
}

function invalid(what: string): LightspanError {
  return new LightspanError('invalid-database-url', `the database address is not valid: ${what}`);
}

function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    throw invalid('it names no user, and the system has none (PGUSER)');
  }
}

/** libpq's default is fixed when it is built: Debian's folder, or PostgreSQL's own. */
function defaultHost(): string {
  if (process.platform === 'win32') return 'localhost';
  return existsSync('/var/run/postgresql') ? '/var/run/postgresql' : '/tmp';
}

function libpqFile(env: Env, what: 'pgpass' | 'sslrootcert' | 'sslcrl' | 'sslcert' | 'sslkey'): string {
  const windows = process.platform === 'win32';
  const home = env.HOME || homedir();
  const folder = windows ? join(env.APPDATA ?? home, 'postgresql') : join(home, '.postgresql');
  switch (what) {
    case 'pgpass':
      return windows ? join(folder, 'pgpass.conf') : join(home, '.pgpass');
    case 'sslrootcert':
      return join(folder, 'root.crt');
    case 'sslcrl':
      return join(folder, 'root.crl');
    case 'sslcert':
      return join(folder, 'postgresql.crt');
    case 'sslkey':
      return join(folder, 'postgresql.key');
  }
}
