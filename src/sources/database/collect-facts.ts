import { LightspanError } from '../../errors.js';
import type { FactsFile } from '../../facts/facts-schema.js';
import { factsText, parseFactsFile } from '../../facts/read-facts.js';
import { ReleaseSafetyError } from '../../release-safety/errors.js';
import { databaseAddress } from './address.js';
import { connectDatabase, type DatabaseConnection, type Row, SqlError } from './connect.js';
import { type FactsWanted, lookUpNames, opening, statements } from './queries.js';
import {
  type FactQuery,
  maxDetail,
  type Names,
  namesBy,
  observation,
  quoteName,
  rollback,
  statusOfSqlState,
  type Unseen,
  unreadOf,
} from './sql.js';

export interface CollectOptions extends FactsWanted {
  /** A `postgresql://` URL, or `env` for the `PG*` variables. */
  readonly database: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds for the whole collection. */
  readonly timeoutMs?: number;
}

/**
 * Collects the facts of a database, in one read-only transaction that leaves the connection as it was. A fact that the
 * server does not provide states why. Only without a connection there are no facts at all.
 *
 * @throws {LightspanError} `invalid-database-url`; `database`, `network`, `timeout`, `too-large` if the collection
 * cannot be completed; `ReleaseSafetyError` `invalid-facts` if an answer does not match the schema
 */
export async function collectFacts(options: CollectOptions): Promise<FactsFile> {
  const address = databaseAddress(options.database, options.env);
  const connection = await connectDatabase(address, AbortSignal.timeout(options.timeoutMs ?? 30_000));
  try {
    return await collect(connection, options);
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    const { message, sqlState } = error;
    throw new LightspanError('database', `the database refused to be read: ${message} (${sqlState})`, {
      cause: error,
      // undefined_object, undefined_function: the first statements use what exists only since PostgreSQL 11.
      ...(['42704', '42883'].includes(sqlState) ? { hint: olderServer } : {}),
    });
  } finally {
    await connection.end().catch(() => undefined);
  }
}

const olderServer =
  'Is it older than PostgreSQL 12? Lightdash from 1.125.0 on does not start on such a server.';

async function collect({ firstRow }: DatabaseConnection, wanted: FactsWanted): Promise<FactsFile> {
  for (const statement of opening) await firstRow(statement);
  const looked: Record<string, unknown> = { ...(await firstRow(lookUpNames(wanted))) };
  const facts: Partial<Record<FactQuery['fact'], unknown>> = {};
  for (const statement of statements(wanted)) {
    // A column that is null is asked for by no statement.
    const names = namesBy((column) => quoteName(String(looked[column] ?? '')));
    if ('run' in statement) await firstRow(statement.run);
    else if ('look' in statement) {
      const { row, unseen } = await attempt(firstRow, statement.look(names));
      const unread = statement.facts.map((fact) => [unreadOf(fact), JSON.stringify(unseen)]);
      Object.assign(looked, row ?? Object.fromEntries(unread));
    } else facts[statement.fact] = await see(firstRow, statement, names, looked);
  }
  return parseFactsFile(
    factsText({ schemaVersion: '1', collectedAt: columnText(looked, 'collected_at'), facts }),
  );
}

type Ask = DatabaseConnection['firstRow'];

/** The observation, or why there is none. */
async function see(firstRow: Ask, { fact, select }: FactQuery, names: Names, looked: Row): Promise<unknown> {
  if (looked[unreadOf(fact)] != null) return observationIn(looked, unreadOf(fact));
  const { row, unseen } = await attempt(firstRow, observation(fact, select(names)));
  return unseen ?? observationIn(row, fact);
}

/** Rolls back after a refused statement, so that the next one can run. */
async function attempt(
  firstRow: Ask,
  sql: string,
): Promise<{ readonly row?: Row; readonly unseen?: Unseen }> {
  try {
    return { row: (await firstRow(sql)) ?? {} };
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    await firstRow(rollback);
    const status = statusOfSqlState[error.sqlState] ?? 'failed';
    const detail = [...error.message].slice(0, maxDetail).join('');
    return { unseen: { status, source: 'database', detail } };
  }
}

function observationIn(row: Row | undefined, column: string): unknown {
  try {
    return JSON.parse(columnText(row, column));
  } catch {
    throw offSchema(`no JSON for ${column}`);
  }
}

function columnText(row: Row | undefined, column: string): string {
  const value = row?.[column];
  if (typeof value === 'string') return value;
  throw offSchema(`no ${column}`);
}

function offSchema(what: string): ReleaseSafetyError {
  return new ReleaseSafetyError('invalid-facts', `the database answered ${what} to what was asked of it`);
}
