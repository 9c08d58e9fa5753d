import type { Buffer } from 'node:buffer';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { LightspanError } from '../core/lightspan-error.js';
import { refusedStatement } from '../core/refused-statement.js';
import { usualTimeoutMs } from '../gather/limits.js';

export type Row = Readonly<Record<string, unknown>>;

/** Classes of errors whose messages name tables, columns, roles and settings, and hold no value of a row. */
const withoutValues = /^(?:0A|23|25|28|2B|34|3D|3F|40|42(?!601)|53|54|55|57|58)/;

/** The message of a server with its SQLSTATE; the SQLSTATE alone where the message could hold a value of a row. */
export function messageWithoutValues({
  sqlState,
  message,
}: Readonly<Record<'sqlState' | 'message', string>>): string {
  return withoutValues.test(sqlState)
    ? `${message} (${sqlState})`
    : `an error whose text may hold a value (${sqlState})`;
}

/** A connection to the server of a copy. */
export interface Session {
  /**
   * Runs exactly one statement: the server refuses a second one in its text.
   *
   * @throws {LightspanError} if the server refuses it
   */
  readonly query: (sql: string) => Promise<readonly Row[]>;
  /** Runs `COPY … FROM stdin` with its rows, in the text form of COPY. */
  readonly copy: (sql: string, rows: AsyncIterable<Buffer>) => Promise<void>;
  readonly end: () => Promise<void>;
}

/** The folder of the socket, or what carries a connection. */
type CopyAddress = { readonly host: string; readonly port: number } | { readonly stream: () => Duplex };

/** Connects to a server of our own: there are no passwords, and no network is meant. */
export async function openSession(address: CopyAddress, user: string, database: string): Promise<Session> {
  const [{ Client }, { from }] = await Promise.all([import('pg'), import('pg-copy-streams')]);
  const client = new Client({
    ...{ ...address, user, database, ssl: false, application_name: 'lightspan' },
    // Given here, so that neither a variable nor a file of the caller decides.
    ...{ password: 'none', options: '', keepAlive: false, connectionTimeoutMillis: usualTimeoutMs },
  });
  // The query that waits for an answer receives the error.
  client.on('error', () => undefined);
  const refuse = (error: unknown) => Promise.reject(sqlErrorOf(error));
  await client.connect().catch(refuse);
  return {
    query: async (sql) => (await client.query<Row>(single(sql)).catch(refuse)).rows,
    copy: (sql, rows) => pipeline(rows, client.query(from(sql))).catch(refuse),
    end: () => client.end().catch(() => undefined),
  };
}

/** In the extended protocol, whose messages take one statement each. The types of `pg` do not know the key. */
function single(text: string) {
  const query = { text, queryMode: 'extended' };
  return query;
}

function sqlErrorOf(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof LightspanError) return error;
  // Shut down, crashed, in recovery: the server is not there, and refuses nothing.
  const isGone = 'code' in error && String(error.code).startsWith('57P');
  if (!isGone && 'severity' in error && 'code' in error)
    return refusedStatement(String(error.code), error.message);
  return new LightspanError('unreadable-source', `the server of the copy does not answer: ${error.message}`);
}

/** A connection that a program carries by its standard input and output: `pg` takes it for a socket. */
export function carriedBy(program: ChildProcessWithoutNullStreams): Duplex {
  const stream = Duplex.from({ readable: program.stdout, writable: program.stdin });
  program.stderr.resume();
  program.once('error', (error) => stream.destroy(error));
  stream.once('close', () => program.kill('SIGKILL'));
  const same = () => stream;
  const connect = () => {
    setImmediate(() => stream.emit('connect'));
    return stream;
  };
  return Object.assign(stream, { setNoDelay: same, ref: same, unref: same, connect });
}
