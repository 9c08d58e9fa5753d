import { LightspanError } from '../../core/lightspan-error.js';
import { isRefusedStatement } from '../../core/refused-statement.js';
import type { FactsFile } from '../../instance/facts/facts-schema.js';
import { factsText, parseFactsFile } from '../../instance/facts/read-facts.js';
import { usualTimeoutMs } from '../limits.js';
import { type DatabasePlace, type FirstRow, type Row, visitDatabase } from './connect.js';
import { type FactsWanted, lookUpNames, opening, statements } from './queries.js';
import {
  answerOf,
  type FactQuery,
  maxDetail,
  namesBy,
  observation,
  quoteName,
  rollback,
  statusOfSqlState,
} from './sql.js';

export interface CollectOptions extends FactsWanted, Omit<DatabasePlace, 'timeoutMs'> {
  readonly timeoutMs?: number;
}

/**
 * Collects the facts of a database, in one read-only transaction that leaves the connection as it was. A fact that the
 * server does not provide states why. Only without a connection there are no facts at all.
 *
 * @throws {LightspanError} `invalid-database-url`; `database`, `network`, `timeout`, `too-large` if the collection
 * cannot be completed; `LightspanError` `invalid-facts` if an answer does not match the schema
 */
export function collectFacts({ timeoutMs = usualTimeoutMs, ...wanted }: CollectOptions): Promise<FactsFile> {
  return visitDatabase({ ...wanted, timeoutMs }, (firstRow) => collect(firstRow, wanted));
}

async function collect(firstRow: FirstRow, wanted: FactsWanted): Promise<FactsFile> {
  /** The row; if it is refused, why, in each of the columns. Rolls back then, so that the next statement can run. */
  const ask = async (sql: string, columns: readonly string[]): Promise<Row> => {
    try {
      return (await firstRow(sql)) ?? {};
    } catch (error) {
      if (!isRefusedStatement(error)) throw error;
      await firstRow(rollback);
      const status = statusOfSqlState[error.details.sqlState] ?? 'failed';
      const detail = [...error.message].slice(0, maxDetail).join('');
      const why = JSON.stringify({ status, source: 'database', detail });
      return Object.fromEntries(columns.map((column) => [column, why]));
    }
  };
  for (const statement of opening) await firstRow(statement);
  const seen: Record<string, unknown> = { ...(await firstRow(lookUpNames(wanted))) };
  const facts: Partial<Record<FactQuery['fact'], unknown>> = {};
  for (const statement of statements(wanted)) {
    // Names that were not found are null, and the statements that need them are not run.
    const names = namesBy((column) => quoteName(String(seen[column] ?? '')));
    if (statement.kind === 'order') await firstRow(statement.run);
    else if (statement.kind === 'lookup') {
      Object.assign(seen, await ask(statement.select(names), statement.facts.map(answerOf)));
    } else {
      const { fact, select } = statement;
      const column = answerOf(fact);
      if (seen[column] == null) Object.assign(seen, await ask(observation(fact, select(names)), [column]));
      try {
        facts[fact] = JSON.parse(String(seen[column]));
      } catch {
        const message = `the database did not answer with JSON for ${fact}`;
        throw new LightspanError('invalid-facts', message);
      }
    }
  }
  return parseFactsFile(factsText({ schemaVersion: '1', collectedAt: String(seen.collected_at), facts }));
}
