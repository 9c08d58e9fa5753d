import { LightspanError } from '../core/lightspan-error.js';
import type { CommandContext } from '../door/context.js';
import { readPastMigrations } from '../gather/database/migration-look.js';
import {
  historyOf,
  type MigrationHistory,
  type PastAttempt,
  type PastMigration,
} from '../instance/migration-history.js';
import type { IndexPlace } from '../question/evidence.js';
import type { Network } from '../question/network.js';
import type { StatusQuestion } from '../question/status.js';
import { databaseOf } from './look-at-migration.js';
import { readIndex } from './sources/read-index.js';

/**
 * What a database has migrated. The index tells the release where none kept a ledger of its runs.
 *
 * @throws {LightspanError} `unread-facts` if the ledger could not be read
 */
export async function readHistory(
  { database, migratingRole, timeoutMs }: StatusQuestion,
  index: IndexPlace,
  network: Network,
  world: CommandContext,
): Promise<Omit<MigrationHistory, 'schemaVersion'>> {
  const { env } = world;
  const { entries } = (await readIndex(index, network, world)).index;
  const looked = await readPastMigrations({
    database: databaseOf(database, env),
    env,
    timeoutMs,
    migratingRole,
  });
  if (looked.notSeen !== undefined) {
    throw new LightspanError('unread-facts', `what ran there was not seen: ${looked.notSeen}`, {
      hint: 'lightspan upgrade-preflight --grants prints the rights that reading it needs.',
    });
  }
  const migrations = migrationsOf(looked.seen.migrations);
  const attempts = attemptsOf(looked.seen.runs);
  return historyOf(migrations, attempts, entries);
}

/** The server makes them of the columns that the query names. */
function migrationsOf(rows: unknown): readonly PastMigration[] {
  return rowsOf(rows).map(({ name, batch, at }) => ({
    name: String(name),
    batch: Number(batch),
    at: textOf(at),
  }));
}

function attemptsOf(rows: unknown): readonly PastAttempt[] {
  return rowsOf(rows).map(({ version, attempt, outcome, failing, startedAt, finishedAt }) => ({
    version: String(version),
    attempt: Number(attempt),
    outcome: String(outcome),
    failing: textOf(failing),
    startedAt: String(startedAt),
    finishedAt: textOf(finishedAt),
  }));
}

function rowsOf(rows: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(rows) ? rows : [];
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
