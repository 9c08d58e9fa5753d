import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { Client } from 'pg';
import { LightspanError } from '../../errors.js';
import { certificateFault } from '../../http/certificate-fault.js';
import { createRedactor } from '../../shared/redact.js';
import { GuardedStream } from './guarded-stream.js';
import { type DatabaseTarget, isSocketFolder } from './target.js';
import { tlsOptions } from './tls.js';

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

/** The request for TLS: its length and its code. */
const tlsRequest = Uint8Array.from([0, 0, 0, 8, 4, 210, 22, 47]);

/**
 * Connects as libpq does, by the target's `sslmode`: `allow` tries TLS after a refusal without it, `prefer` works
 * without TLS if it is not available, and the others never try a second way.
 *
 * @param signal ends the connection, whatever it is doing
 * @throws {LightspanError} `database` if the server refuses, `network`, `timeout`, `unreadable-source`
 */
export async function connectDatabase(
  target: DatabaseTarget,
  signal: AbortSignal,
): Promise<DatabaseConnection> {
  const { mode } = target.tls;
  const [way, otherWay] = isSocketFolder(target.host) ? waysByMode.disable : waysByMode[mode];
  try {
    return await connectOneWay(target, way, signal);
  } catch (error) {
    if (otherWay === undefined || !leadsToOtherWay(error)) throw error;
    return await connectOneWay(target, otherWay, signal);
  }
}

/** `offered`: TLS if the server offers it. */
type Way = 'plain' | 'offered' | 'tls';

const waysByMode: Readonly<Record<DatabaseTarget['tls']['mode'], readonly [Way, Way?]>> = {
  disable: ['plain'],
  allow: ['plain', 'tls'],
  prefer: ['offered', 'plain'],
  require: ['tls'],
  'verify-ca': ['tls'],
  'verify-full': ['tls'],
};

/**
 * Whether the second way may work: after a failed handshake, or if the server accepts this user only the other way. A
 * wrong password is wrong both ways.
 */
function leadsToOtherWay(error: unknown): boolean {
  if (!(error instanceof LightspanError)) return false;
  return (
    error.cause instanceof TlsFault || (error.cause instanceof SqlError && error.cause.sqlState === '28000')
  );
}

class TlsFault extends Error {
  override readonly name = 'TlsFault';
}

async function connectOneWay(
  target: DatabaseTarget,
  way: Way,
  signal: AbortSignal,
): Promise<DatabaseConnection> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(target.connectTimeoutMs)]);
  let socket: Socket | undefined;
  try {
    socket = await openSocket(target, limit);
    const stream = way === 'plain' ? socket : await encrypt(socket, target, way, limit);
    const loggedIn = await logIn(stream, target, limit);
    return connectionOf(loggedIn, { target, signal, limit: signal });
  } catch (error) {
    socket?.destroy();
    throw asFailure(error, { target, signal, limit });
  }
}

async function openSocket({ host, hostAddress, port }: DatabaseTarget, limit: AbortSignal): Promise<Socket> {
  const socket = isSocketFolder(host)
    ? connectTcp({ path: `${host.replace(/^@/, '\0')}/.s.PGSQL.${port}` })
    : connectTcp({ host: hostAddress ?? host, port });
  try {
    await once(socket, 'connect', { signal: limit });
  } catch (error) {
    socket.destroy();
    throw error;
  }
  // The caller that waits for an answer receives the error.
  socket.on('error', () => undefined);
  return socket;
}

async function encrypt(
  socket: Socket,
  target: DatabaseTarget,
  way: 'offered' | 'tls',
  limit: AbortSignal,
): Promise<Socket> {
  const { tls, host } = target;
  const options = tlsOptions(host, tls);
  if (!tls.direct) {
    socket.write(tlsRequest);
    const answer = await firstBytes(socket, limit);
    // More than the one byte cannot come from the other end of the TLS connection to come.
    if (answer.length !== 1) throw new ProtocolFault();
    if (answer[0] === 0x4e) {
      if (way === 'offered') return socket;
      throw new LightspanError(
        'database',
        `${describe(target)} offers no TLS, which sslmode=${tls.mode} asks for`,
        {
          hint: 'If you know and accept that, sslmode=disable connects without encryption.',
        },
      );
    }
    if (answer[0] !== 0x53) throw new ProtocolFault();
  }
  let secure: TLSSocket;
  try {
    secure = connectTls({ ...options, socket });
    await once(secure, 'secureConnect', { signal: limit });
  } catch (error) {
    if (limit.aborted) throw error;
    throw Object.assign(new TlsFault(messageOf(error), { cause: error }), { code: codeOf(error) });
  }
  if (tls.direct && secure.alpnProtocol !== 'postgresql') throw new ProtocolFault();
  secure.on('error', () => undefined);
  return secure;
}

/** The other end is not a PostgreSQL server, or someone in between changes the data. */
class ProtocolFault extends Error {
  override readonly name = 'ProtocolFault';
  override readonly message = 'its answers are not PostgreSQL messages';
}

async function firstBytes(socket: Socket, limit: AbortSignal): Promise<Uint8Array> {
  const closed = new AbortController();
  const onClose = () => closed.abort(new ProtocolFault());
  socket.once('close', onClose);
  try {
    const [bytes] = (await once(socket, 'data', { signal: AbortSignal.any([limit, closed.signal]) })) as [
      Uint8Array,
    ];
    return bytes;
  } catch (error) {
    throw closed.signal.aborted ? closed.signal.reason : error;
  } finally {
    socket.off('close', onClose);
  }
}

async function logIn(socket: Socket, target: DatabaseTarget, limit: AbortSignal): Promise<LoggedIn> {
  const { Client, Query } = await import('pg');
  const tooLarge = () =>
    new LightspanError(
      'too-large',
      `${describe(target)} sends more than ${maxBytes} bytes, which is not read`,
    );
  const stream = new GuardedStream(socket, maxBytes, tooLarge);
  const { host, port, user, database, options } = target;
  const client = new Client({
    ...{ host, port, user, database, ssl: false, sslnegotiation: 'postgres', application_name: 'lightspan' },
    ...(options === undefined ? {} : { options }),
    password: () => passwordOf(target),
    stream: () => stream,
  });
  // The caller that waits for an answer receives the error.
  client.on('error', () => undefined);
  await whileWanted(limit, stream, () => client.connect());
  return { client, stream, Query };
}

interface LoggedIn {
  readonly client: Client;
  readonly stream: GuardedStream;
  readonly Query: typeof import('pg').Query;
}

function passwordOf({ user, host, password, passwordFileFault }: DatabaseTarget): string {
  if (password !== undefined) return password;
  throw new LightspanError('database', `${host} requires the password of ${user}, but none was given`, {
    hint: passwordFileFault ?? 'Give it in PGPASSWORD, or in ~/.pgpass.',
  });
}

function connectionOf({ client, stream, Query }: LoggedIn, circumstances: Circumstances): DatabaseConnection {
  const { signal, target } = circumstances;
  const run = (sql: string) =>
    new Promise<Row | undefined>((resolve, reject) => {
      let first: Row | undefined;
      // Without a name and without parameters: one message, which also works through a pool of transactions.
      const query = new Query<Row>(sql);
      query.on('row', (row) => {
        first ??= row;
      });
      query.on('end', () => resolve(first));
      query.on('error', reject);
      client.query(query);
    });
  return {
    firstRow: async (sql) => {
      try {
        return await whileWanted(signal, stream, () => run(sql));
      } catch (error) {
        const refusal = refusalIn(error, target);
        if (refusal === undefined || refusal.ends) throw asFailure(error, circumstances);
        throw new SqlError(refusal.sqlState, refusal.message);
      }
    },
    end: () => whileWanted(signal, stream, () => client.end()),
  };
}

/** Runs `act`; if the signal aborts, ends the connection and with it what is running. */
async function whileWanted<T>(signal: AbortSignal, stream: GuardedStream, act: () => Promise<T>): Promise<T> {
  const abort = () => stream.destroy();
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    return await act();
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** The server's own message, which may repeat what it received; `ends` if it also ends the connection. */
interface Refusal {
  readonly sqlState: string;
  readonly message: string;
  readonly ends: boolean;
}

function refusalIn(error: unknown, target: DatabaseTarget): Refusal | undefined {
  if (!(error instanceof Error) || !('severity' in error) || error.severity === undefined) return undefined;
  const sqlState = codeOf(error);
  // Connection exceptions, shutdown, and limits on a session in a transaction.
  return {
    sqlState,
    message: withoutSecrets(error.message, target),
    ends: /^(08|57P|25P03|25P04)/.test(sqlState),
  };
}

interface Circumstances {
  readonly target: DatabaseTarget;
  /** Ends everything, including the connection attempt. */
  readonly signal: AbortSignal;
  readonly limit: AbortSignal;
}

/** The failure in words without secrets: a server may repeat what it received. */
function asFailure(error: unknown, { target, signal, limit }: Circumstances): LightspanError {
  if (error instanceof LightspanError) return error;
  const where = describe(target);
  const said = withoutSecrets(messageOf(error), target).slice(0, 300);
  const refusal = refusalIn(error, target);
  // The cause decides on the second way to connect. The client's further fields of a server error are not kept.
  const cause = refusal === undefined ? error : new SqlError(refusal.sqlState, refusal.message);
  const failure = (code: LightspanError['code'], message: string, hint?: string) =>
    new LightspanError(code, message, { cause, ...(hint === undefined ? {} : { hint }) });

  if (signal.aborted) return failure('timeout', `${where} did not answer all queries within the time limit`);
  if (limit.aborted)
    return failure('timeout', `${where} accepted no connection within ${target.connectTimeoutMs / 1000} s`);
  if (refusal !== undefined) {
    return failure(
      'database',
      `${where} refused: ${said} (${refusal.sqlState})`,
      refusalHint(refusal, target),
    );
  }
  const code = codeOf(error);
  const certificate = certificateFault(code, messageOf(error));
  if (error instanceof TlsFault) {
    return failure(
      'network',
      `no TLS connection to ${where} could be made: ${certificate?.message ?? said}`,
      'sslrootcert=<file> names the authority that issued the certificate of the server; sslmode sets what is checked.',
    );
  }
  const unreachable = unreachableWords[code];
  if (unreachable !== undefined) {
    return failure(
      'network',
      `${where} cannot be reached: ${unreachable} (${code})`,
      'Check host and port, and whether the server listens there.',
    );
  }
  if (/^Connection terminated/.test(said) || code === 'EPIPE') {
    return failure('network', `${where} closed the connection before it answered`);
  }
  if (/^SASL/.test(said)) return failure('database', `no login to ${where}: ${said}`, loginHint(target));
  return failure(
    'network',
    `${where} does not speak the PostgreSQL protocol: ${said}`,
    'Check host and port.',
  );
}

const unreachableWords: Readonly<Record<string, string>> = {
  ENOENT: 'there is no socket',
  EACCES: 'the socket may not be used',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was reset',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be resolved',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to its network',
  ETIMEDOUT: 'it did not answer',
};

function refusalHint({ sqlState }: Refusal, target: DatabaseTarget): string | undefined {
  if (sqlState.startsWith('28')) return loginHint(target);
  // protocol_violation: PgBouncer's answer to everything that it does not support.
  if (sqlState === '08P01') return 'If that is a connection pool such as PgBouncer, name the server itself.';
  return undefined;
}

function loginHint({ passwordFileFault }: DatabaseTarget): string {
  return passwordFileFault ?? 'Check user and password: PGPASSWORD, ~/.pgpass, or the URL.';
}

function withoutSecrets(text: string, { password }: DatabaseTarget): string {
  return createRedactor(password === undefined ? [] : [password]).text(text);
}

function describe({ host, hostAddress, port, database }: DatabaseTarget): string {
  const at = isSocketFolder(host) ? `${host}/.s.PGSQL.${port}` : `${hostAddress ?? host}:${port}`;
  return `the database ${JSON.stringify(database)} at ${at}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
