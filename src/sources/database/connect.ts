import type { Duplex } from 'node:stream';
import type { Client, ClientConfig } from 'pg';
import { LightspanError } from '../../errors.js';
import { certificateFault } from '../../http/fault.js';
import { createRedactor } from '../../shared/redact.js';
import { type DatabaseAddress, usePsql } from './address.js';

/** A row, by the names of its columns. */
export type Row = Readonly<Record<string, unknown>>;

/** One connection, one statement at a time. */
export interface DatabaseConnection {
  /**
   * The first row that a statement returns; undefined if it returns none.
   *
   * @throws {SqlError} if the server refuses the statement; {@link LightspanError} if the connection is lost, or the
   * server sends more than the limit
   */
  readonly firstRow: (sql: string) => Promise<Row | undefined>;
  readonly end: () => Promise<void>;
}

/** A statement that the server refused. The transaction can continue from a savepoint. */
export class SqlError extends Error {
  override readonly name = 'SqlError';
  readonly sqlState: string;

  constructor(sqlState: string, message: string) {
    super(message);
    this.sqlState = sqlState;
  }
}

/** The maximum size of all answers of a server. The facts of an instance with 400 tables are a tenth of it. */
const maxBytes = 8 * 1024 * 1024;

/**
 * Connects as the `sslmode` asks; `prefer` connects without TLS if the server has none.
 *
 * @param signal ends the connection, whatever it is doing
 * @throws {LightspanError} `database` if the server refuses, `network`, `timeout`, `too-large`
 */
export async function connectDatabase(
  address: DatabaseAddress,
  signal: AbortSignal,
): Promise<DatabaseConnection> {
  const attempt = { address, signal, secrets: [address.password ?? ''] };
  const client = await openClient(attempt, address.ssl)
    .catch((error) => {
      if (address.sslMode !== 'prefer' || messageOf(error) !== noTls) throw error;
      return openClient(attempt, false);
    })
    .catch((error) => {
      throw asFailure(error, attempt);
    });
  return {
    firstRow: async (sql) => {
      try {
        // Without a name and without parameters: one message, which also works through a pool of transactions.
        const { rows } = await client.query<Row>(sql);
        // A server that answers one statement twice gives a list in place of a result.
        return rows?.[0];
      } catch (error) {
        const refusal = refusalIn(error, attempt);
        // Connection exceptions, shutdown, and limits on a session in a transaction end it.
        const ends = refusal === undefined || /^(08|57P|25P03|25P04)/.test(refusal.sqlState);
        throw ends ? asFailure(error, attempt) : refusal;
      }
    },
    end: () => client.end(),
  };
}

interface Attempt {
  readonly address: DatabaseAddress;
  readonly signal: AbortSignal;
  /** What no message may contain, although a server may repeat it. */
  readonly secrets: string[];
}

async function openClient(attempt: Attempt, ssl: ClientConfig['ssl']): Promise<Client> {
  const { address, signal } = attempt;
  const { Client } = await import('pg');
  const client = new Client({
    ...{ host: address.host, port: address.port, user: address.user, database: address.database },
    ...{ application_name: 'lightspan', options: address.options },
    ...{ ssl, sslnegotiation: address.sslNegotiation, connectionTimeoutMillis: address.connectTimeoutMs },
    password: () => passwordOf(attempt),
  });
  // The caller that waits for an answer receives the error.
  client.on('error', () => undefined);
  const { connection } = client;
  if (ssl === false) guard(connection.stream, address);
  else connection.once('sslconnect', () => guard(connection.stream, address));
  signal.throwIfAborted();
  signal.addEventListener('abort', () => connection.stream.destroy(new Error('aborted')));
  await client.connect();
  return client;
}

/** Ends a connection that brings more than the limit, or a message that `pg` cannot read, at which it throws. */
function guard(stream: Duplex, address: DatabaseAddress): void {
  const emit = stream.emit.bind(stream);
  let left = maxBytes;
  stream.emit = (event: string | symbol, ...args: unknown[]): boolean => {
    const [chunk] = args;
    if (event !== 'data' || !(chunk instanceof Uint8Array)) return emit(event, ...args);
    left -= chunk.length;
    try {
      if (left >= 0) return emit(event, chunk);
      stream.destroy(
        new LightspanError(
          'too-large',
          `${describe(address)} sends more than ${maxBytes} bytes, which is not read`,
        ),
      );
    } catch (error) {
      stream.destroy(error instanceof Error ? error : new Error(String(error)));
    }
    return true;
  };
}

async function passwordOf({ address, secrets }: Attempt): Promise<string> {
  const { host, port, user, database, password } = address;
  if (password !== undefined) return password;
  const { default: readPasswordFile } = await import('pgpass');
  const found = await new Promise<string | undefined>((resolve) =>
    readPasswordFile({ host, port, user, database }, resolve),
  );
  if (found === undefined) {
    throw new LightspanError('database', `${host} requires the password of ${user}, but none was given`, {
      hint: 'Give it in PGPASSWORD, or in ~/.pgpass, which only you may read.',
    });
  }
  secrets.push(found);
  return found;
}

/** What the server itself said. Further fields of its message are not kept. */
function refusalIn(error: unknown, { secrets }: Attempt): SqlError | undefined {
  if (!(error instanceof Error) || !('severity' in error)) return undefined;
  return new SqlError(codeOf(error), createRedactor(secrets).text(messageOf(error)));
}

/** As `pg` says it. */
const noTls = 'The server does not support SSL connections';
const tooLate = 'timeout expired';
const unknownLogin = 'Unknown authenticationOk message type';

/** The failure in words without secrets. */
function asFailure(error: unknown, attempt: Attempt): LightspanError {
  if (error instanceof LightspanError) return error;
  const { address, signal, secrets } = attempt;
  const where = describe(address);
  const refusal = refusalIn(error, attempt);
  const failure = (code: LightspanError['code'], message: string, hint?: string) =>
    new LightspanError(code, message, { cause: refusal ?? error, ...(hint === undefined ? {} : { hint }) });
  const said = createRedactor(secrets).text(messageOf(error)).trim().slice(0, 300);
  if (signal.aborted) return failure('timeout', `${where} did not answer all queries within the time limit`);
  if (said === tooLate) {
    return failure('timeout', `${where} accepted no connection within ${address.connectTimeoutMs / 1000} s`);
  }
  if (refusal !== undefined) {
    return failure('database', `${where} refused: ${said} (${refusal.sqlState})`, refusalHint(refusal));
  }
  if (said.startsWith(unknownLogin)) {
    return failure(
      'database',
      `${where} asks for a login that pg does not have, such as GSS or SSPI`,
      usePsql,
    );
  }
  const certificate = certificateFault(codeOf(error), said);
  return failure(
    'network',
    `no connection to ${where}: ${certificate?.message ?? said}`,
    certificate === undefined
      ? `Check host, port and sslmode. ${usePsql}`
      : 'sslrootcert=<file> names the authority that issued the certificate of the server; sslmode sets what is checked.',
  );
}

function refusalHint({ sqlState }: SqlError): string | undefined {
  if (sqlState.startsWith('28')) return 'Check user and password: PGPASSWORD, ~/.pgpass, or the URL.';
  // protocol_violation: PgBouncer's answer to everything that it does not support.
  if (sqlState === '08P01') return 'If that is a connection pool such as PgBouncer, name the server itself.';
  return undefined;
}

function describe({ host, port, database }: DatabaseAddress): string {
  const at = host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : `${host}:${port}`;
  return `the database ${JSON.stringify(database)} at ${at}`;
}

/** Attempts at several addresses of a host have a code, and no message. */
function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || codeOf(error) : String(error);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
