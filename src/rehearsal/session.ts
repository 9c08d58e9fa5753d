import type { Buffer } from 'node:buffer';
import type { Writable } from 'node:stream';
import type { Client } from 'pg';
import { refusedStatement } from '../core/refused-statement.js';
import { usualTimeoutMs } from '../read/limits.js';

export type Row = Readonly<Record<string, unknown>>;

/** Classes of errors whose messages name tables, columns, roles and settings, and hold no value of a row. */
const withoutValues = /^(?:0A|23|25|28|2B|34|3D|3F|40|42(?!601)|53|54|55|57|58)/;

/** What a server said, as far as it can hold no value of a row, with its SQLSTATE. */
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

export interface CopyAddress {
  /** The folder of the socket. */
  readonly host: string;
  readonly port: number;
}

/** Connects to a server of our own over its socket: there are no passwords, and no network is meant. */
export async function openSession(
  { host, port }: CopyAddress,
  user: string,
  database: string,
): Promise<Session> {
  const { Client } = await import('pg');
  const client = new Client({
    ...{ host, port, user, database, ssl: false, application_name: 'lightspan' },
    // Given here, so that neither a variable nor a file of the caller decides.
    ...{ password: 'none', options: '', keepAlive: false, connectionTimeoutMillis: usualTimeoutMs },
  });
  // The query that waits for an answer receives the error.
  client.on('error', () => undefined);
  await client.connect();
  return {
    query: async (sql) => {
      try {
        const { rows } = await client.query<Row>(single(sql));
        return rows;
      } catch (error) {
        throw sqlErrorOf(error);
      }
    },
    copy: (sql, rows) => copyRows(client, sql, rows),
    end: () => client.end().catch(() => undefined),
  };
}

/** In the extended protocol, whose messages take one statement each. The types of `pg` do not know the key. */
function single(text: string) {
  const query = { text, queryMode: 'extended' };
  return query;
}

function sqlErrorOf(error: unknown): unknown {
  if (!(error instanceof Error) || !('severity' in error) || !('code' in error)) return error;
  return refusedStatement(String(error.code), error.message);
}

/** What the types of `pg` leave out of its connection: the messages of COPY. */
interface CopyConnection {
  readonly query: (text: string) => void;
  readonly sendCopyFromChunk: (chunk: Buffer) => void;
  readonly endCopyFrom: () => void;
  readonly sendCopyFail: (message: string) => void;
  readonly stream: Writable;
}

function isCopyConnection(connection: object): connection is CopyConnection {
  return 'sendCopyFromChunk' in connection && 'endCopyFrom' in connection && 'sendCopyFail' in connection;
}

function copyRows(client: Client, sql: string, rows: AsyncIterable<Buffer>): Promise<void> {
  return new Promise((done, fail) => {
    let isOver = false;
    const send = async (connection: CopyConnection) => {
      for await (const chunk of rows) {
        // What the server has refused is read on: the next part of the dump stands behind it.
        if (isOver) continue;
        connection.sendCopyFromChunk(chunk);
        if (connection.stream.writableNeedDrain) await drained(connection.stream);
      }
      if (!isOver) connection.endCopyFrom();
    };
    let sent: Promise<unknown> = Promise.resolve();
    let cut: Error | undefined;
    const ended = (error?: unknown) => {
      isOver = true;
      sent.then(() => ((error ?? cut) === undefined ? done() : fail(cut ?? sqlErrorOf(error))));
    };
    client.query({
      submit: (connection: object) => {
        if (!isCopyConnection(connection)) throw new Error('this pg has no COPY');
        connection.query(sql);
      },
      handleCopyInResponse: (connection: CopyConnection) => {
        sent = send(connection).catch((error: Error) => {
          cut = error;
          connection.sendCopyFail('the dump was cut short');
        });
      },
      handleError: ended,
      handleCommandComplete: () => {},
      handleReadyForQuery: () => ended(),
    });
  });
}

function drained(stream: Writable): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      stream.off('drain', end);
      stream.off('close', end);
      done();
    };
    stream.once('drain', end);
    stream.once('close', end);
  });
}
