import { LightspanError } from '../../errors.js';
import type { FactsFile } from '../../facts/facts-schema.js';
import { factsText } from '../../facts/facts-text.js';
import { parseFactsFile } from '../../facts/read-facts.js';
import { ReleaseSafetyError } from '../../release-safety/errors.js';
import { isRecord } from '../../shared/is-record.js';
import { databaseAddress } from './address.js';
import { connectDatabase, type DatabaseConnection, type Row, SqlError } from './connect.js';
import { whyNotRead } from './plain-tables.js';
import {
  type FactsWanted,
  factQueries,
  lookUpNames,
  opening,
  savepoint,
  statementLimit,
  wantedColumns,
} from './queries.js';
import {
  noReadableTable,
  readableTable,
  readLimitMs,
  readRate,
  sortLimitMs,
  sortRate,
} from './rate-queries.js';
import {
  type FactQuery,
  maxDetail,
  type Names,
  nameOf,
  observation,
  rollback,
  statusOfSqlState,
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
    throw new LightspanError(
      'database',
      `the database refused to be read: ${error.message} (${error.sqlState})`,
      {
        cause: error,
        // undefined_object, undefined_function: the first statements use what exists only since PostgreSQL 11.
        ...(['42704', '42883'].includes(error.sqlState)
          ? {
              hint: 'Is it older than PostgreSQL 12? Lightdash from 1.125.0 on does not start on such a server.',
            }
          : {}),
      },
    );
  } finally {
    await connection.end().catch(() => undefined);
  }
}

async function collect(connection: DatabaseConnection, wanted: FactsWanted): Promise<FactsFile> {
  const { firstRow } = connection;
  const { columns = wantedColumns, measure = true } = wanted;
  for (const statement of opening) await firstRow(statement);
  const told = await firstRow(lookUpNames(wanted));
  await firstRow(savepoint);
  const names: Names = {
    schema: nameOf(textOf(told, 'schema')),
    migrator: nameOf(textOf(told, 'migrator')),
    migratorOrigin: nameOf(textOf(told, 'migrator_origin')),
    jobs: nameOf(textOf(told, 'jobs')),
  };
  const facts: Partial<Record<FactQuery['fact'], unknown>> = {};
  const queries = factQueries(columns);
  const unread = await lookForUnread(firstRow, queries, names);
  for (const { fact, select, doubt, orElse, reads } of queries) {
    const seen =
      unread[fact] ?? (await observe(firstRow, fact, select(names), reads !== undefined, doubt?.(names)));
    facts[fact] =
      orElse !== undefined && isTimeout(seen) ? await observe(firstRow, fact, orElse(names)) : seen;
  }
  facts.readRate = measure ? await measureReading(firstRow, names, told?.ranges === true) : notAsked;
  facts.sortRate = measure ? await measureSorting(firstRow, names) : notAsked;
  await firstRow('COMMIT');
  return parseFactsFile(factsText({ schemaVersion: '1', collectedAt: textOf(told, 'collected_at'), facts }));
}

type Ask = DatabaseConnection['firstRow'];

const notAsked = { status: 'not-asked', source: 'database' } as const;

async function measureReading(firstRow: Ask, names: Names, ranges: boolean): Promise<unknown> {
  const { row, unseen } = await attempt(firstRow, readableTable(names.schema));
  if (unseen !== undefined) return unseen;
  if (row?.probed !== true) {
    const status = row?.refused === true ? 'not-permitted' : 'absent';
    return { status, source: 'database', detail: noReadableTable[status] };
  }
  await firstRow(statementLimit(readLimitMs));
  const table = nameOf(textOf(row, 'probe_table'));
  return await observe(
    firstRow,
    'readRate',
    readRate(names.schema, table, textOf(row, 'probe_pages'), ranges),
    true,
  );
}

async function measureSorting(firstRow: Ask, names: Names): Promise<unknown> {
  await firstRow(statementLimit(sortLimitMs));
  return await observe(firstRow, 'sortRate', sortRate.select(names));
}

/** Why the tables of queries are not read, in one statement; a fact whose tables are is absent. */
async function lookForUnread(
  firstRow: Ask,
  queries: readonly FactQuery[],
  names: Names,
): Promise<Partial<Record<FactQuery['fact'], unknown>>> {
  const looks = queries.flatMap(({ fact, reads }) => (reads === undefined ? [] : [{ fact, reads }]));
  const values = looks.map(({ fact, reads }) => `${whyNotRead(reads(names))} AS "${fact}"`);
  const { row, unseen } = await attempt(firstRow, `SELECT ${values.join(', ')}`);
  return Object.fromEntries(
    looks
      .filter(({ fact }) => row?.[fact] !== null)
      .map(({ fact }) => [fact, unseen ?? observationIn(row, fact)]),
  );
}

/** The observation from a SELECT of a value, or why there is none. */
async function observe(
  firstRow: Ask,
  fact: FactQuery['fact'],
  select: string,
  readsTable = false,
  doubt?: string,
): Promise<unknown> {
  const { row, unseen } = await attempt(firstRow, observation(fact, select, doubt));
  if (unseen !== undefined) return unseen;
  if (readsTable) await firstRow(rollback);
  return observationIn(row, fact);
}

function observationIn(row: Row | undefined, column: string): unknown {
  try {
    return JSON.parse(textOf(row, column));
  } catch {
    throw offSchema(`no JSON for ${column}`);
  }
}

/** Rolls back after a refused statement, so that the next one can run. */
async function attempt(
  firstRow: Ask,
  sql: string,
): Promise<{ readonly row?: Row | undefined; readonly unseen?: unknown }> {
  try {
    return { row: await firstRow(sql) };
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    await firstRow(rollback);
    const status = statusOfSqlState[error.sqlState] ?? 'failed';
    const detail = [...error.message].slice(0, maxDetail).join('');
    return { unseen: { status, source: 'database', detail } };
  }
}

function isTimeout(observed: unknown): boolean {
  return isRecord(observed) && observed.status === 'timeout';
}

function textOf(row: Row | undefined, column: string): string {
  const value = row?.[column];
  if (typeof value === 'string') return value;
  throw offSchema(`no ${column}`);
}

function offSchema(what: string): ReleaseSafetyError {
  return new ReleaseSafetyError('invalid-facts', `the database answered ${what} to what was asked of it`);
}
