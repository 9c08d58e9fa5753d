import type { Duplex } from 'node:stream';
import type { Client, ClientConfig } from 'pg';
import type { Env } from '../../core/common/env.js';
import { LightspanError } from '../../core/lightspan-error.js';
import { isRefusedStatement, refusedStatement } from '../../core/refused-statement.js';
import { createRedactor } from '../../core/text/redact.js';
import { mostBytes } from '../limits.js';
import { type DatabaseAddress, databaseAddress, usePsql } from './address.js';
import { passwordInFile } from './password-file.js';

export type Row = Readonly<Record<string, unknown>>;

/** The first row of the answer to one statement. */
export type FirstRow = (sql: string) => Promise<Row | undefined>;

export interface DatabasePlace {
  /** A `postgresql://` URL, or `env` for the `PG*` variables. */
  readonly database: string;
  readonly env: Env;
  /** Milliseconds for all of it. */
  readonly timeoutMs: number;
}

/** The maximum size of all answers of a server. The facts of an instance with 400 tables are a tenth of it. */
const maxBytes = mostBytes.database;

/**
 * Connects as the `sslmode` asks; `prefer` connects without TLS if the server has none. One statement at a time:
 * `firstRow` returns the first row of its answer, and throws a {LightspanError} if the server refuses it.
 *
 * @param signal ends the connection, whatever it is doing
 * @throws {LightspanError} `database` if the server refuses, `network`, `timeout`, `too-large`
 */
async function connectDatabase(address: DatabaseAddress, signal: AbortSignal) {
  const password = address.password ?? (await passwordInFile(address));
  // A server may repeat what it was sent.
  const { text: redact } = createRedactor([password ?? '']);
  const failed = (error: unknown) => failureOf(error, address, signal, redact);
  const open = (ssl: ClientConfig['ssl']) => openClient({ ...address, ssl, password }, signal);
  const client = await open(address.ssl)
    .catch((error) => {
      if (address.sslMode !== 'prefer' || messageOf(error) !== noTls) throw error;
      return open(false);
    })
    .then(withOptionsTaken(address))
    .catch((error) => {
      throw failed(error);
    });
  return {
    firstRow: async (sql: string): Promise<Row | undefined> => {
      try {
        // Without a name and without parameters: one message, which also works through a pool of transactions.
        const { rows } = await client.query<Row>(sql);
        // A server that answers one statement twice gives a list in place of a result.
        return rows?.[0];
      } catch (error) {
        const state = refusalOf(error);
        // Connection exceptions, shutdown, and limits on a session in a transaction end it.
        if (state === undefined || /^(08|57P|25P03|25P04)/.test(state)) throw failed(error);
        throw refusedStatement(state, redact(messageOf(error)));
      }
    },
    end: () => client.end(),
  };
}

/**
 * What one visit to a database gives, whose connection ends with it.
 *
 * @throws {LightspanError} `invalid-database-url`; `database`, `network`, `timeout`, `too-large`
 */
export async function visitDatabase<T>(
  { database, env, timeoutMs }: DatabasePlace,
  visit: (firstRow: FirstRow) => Promise<T>,
): Promise<T> {
  const { firstRow, end } = await connectDatabase(
    databaseAddress(database, env),
    AbortSignal.timeout(timeoutMs),
  );
  try {
    return await visit(firstRow);
  } catch (error) {
    if (!isRefusedStatement(error)) throw error;
    const message = `the database refused: ${error.message} (${error.details.sqlState})`;
    throw new LightspanError('database', message, { hint: 'Only PostgreSQL 12 and later can be read.' });
  } finally {
    await end().catch(() => undefined);
  }
}

async function openClient(address: DatabaseAddress, signal: AbortSignal): Promise<Client> {
  const { Client } = await import('pg');
  const { options } = address;
  const client = new Client({
    ...address,
    options: options === undefined ? undefined : `-c ${sessionMark}=yes ${options}`,
    application_name: 'lightspan',
    password: address.password ?? (() => Promise.reject(withoutPassword(address))),
  });
  // The caller that waits for an answer receives the error.
  client.on('error', () => undefined);
  const { connection } = client;
  if (address.ssl === false) guard(connection.stream);
  else connection.once('sslconnect', () => guard(connection.stream));
  signal.throwIfAborted();
  signal.addEventListener('abort', () => connection.stream.destroy(new Error('aborted')));
  await client.connect();
  return client;
}

/** A setting that stands before the options which are given: what reads past these reads past it too. */
const sessionMark = 'lightspan.asked';

/**
 * Refuses a connection whose options were read past, as PgBouncer does with `ignore_startup_parameters = options`: the
 * schema that they name would be another one, which may be that of another instance.
 */
function withOptionsTaken(address: DatabaseAddress) {
  return async (client: Client): Promise<Client> => {
    if (address.options === undefined) return client;
    try {
      const { rows } = await client.query<Row>(
        `SELECT pg_catalog.current_setting('${sessionMark}', true) AS mark`,
      );
      if (rows?.[0]?.mark === 'yes') return client;
      const message = `${nameOf(address)} did not take the options of the connection`;
      throw new LightspanError('database', message, { hint: withoutOptions });
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  };
}

/** Ends a connection that brings more than the limit, or a message that `pg` cannot read, at which it throws. */
function guard(stream: Duplex): void {
  const emit = stream.emit.bind(stream);
  let left = maxBytes;
  stream.emit = (event: string | symbol, ...args: unknown[]): boolean => {
    const [chunk] = args;
    if (event !== 'data' || !(chunk instanceof Uint8Array)) return emit(event, ...args);
    left -= chunk.length;
    try {
      if (left >= 0) return emit(event, chunk);
      stream.destroy(new LightspanError('too-large', `the database sends more than ${maxBytes} bytes`));
    } catch (error) {
      stream.destroy(error instanceof Error ? error : new Error(String(error)));
    }
    return true;
  };
}

function withoutPassword({ host, user }: DatabaseAddress): LightspanError {
  return new LightspanError('database', `${host} requires the password of ${user}, but none was given`, {
    hint: 'Set PGPASSWORD, or use ~/.pgpass, readable only by you.',
  });
}

/** The SQLSTATE, if it is the server itself that refuses. */
function refusalOf(error: unknown): string | undefined {
  return error instanceof Error && 'severity' in error ? codeOf(error) : undefined;
}

/** As `pg` says it. */
const noTls = 'The server does not support SSL connections';
const tooLate = 'timeout expired';

/** The error of the server is no cause: it has more fields, which must not be shown. */
function failureOf(
  error: unknown,
  address: DatabaseAddress,
  signal: AbortSignal,
  redact: (text: string) => string,
): LightspanError {
  if (error instanceof LightspanError) return error;
  const where = nameOf(address);
  const reason = redact(messageOf(error)).trim().slice(0, 300);
  if (signal.aborted || reason === tooLate) {
    return new LightspanError('timeout', `${where} did not answer within the time limit`);
  }
  const state = refusalOf(error);
  if (state !== undefined) {
    const hint = state.startsWith('28')
      ? 'Check user and password: PGPASSWORD, ~/.pgpass, or the URL.'
      : /unsupported startup parameter/.test(reason) && address.options !== undefined
        ? withoutOptions
        : undefined;
    return new LightspanError('database', `${where} refused: ${reason} (${state})`, { hint });
  }
  return new LightspanError('network', `no connection to ${where}: ${reason}`, {
    hint: address.isByDefaults
      ? `Set PGHOST, PGUSER, PGPASSWORD and PGDATABASE, or pass --database postgresql://<user>@<host>/<database>. ${usePsql}`
      : `Check host, port and sslmode; sslrootcert=<file> names the certificate authority. ${usePsql}`,
  });
}

function nameOf({ host, port, database, isByDefaults }: DatabaseAddress): string {
  const at = host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : `${host}:${port}`;
  return `the database ${JSON.stringify(database)} at ${at}${isByDefaults ? ' (no PG* variable is set)' : ''}`;
}

/** A pool does not know which of its connections to the server options are for. */
const withoutOptions =
  'That is PgBouncer, which takes no options at the start (PGOPTIONS, or options of the URL). Connect to ' +
  'the server itself; or leave them out, and set the schema of the role: ALTER ROLE <user> IN DATABASE ' +
  '<database> SET search_path = <schema>.';

/** Attempts at several addresses of a host have a code, and no message. */
function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || codeOf(error) : String(error);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
