import { type Answers, defineCheck, type FactOf, type Judgement, ok } from '../check.js';
import { forecast, type MigrationForecast } from '../forecast/forecast.js';
import { inTurn, type TimeRange } from '../forecast/range.js';
import { withPartitions } from '../partitions.js';
import { pendingMigrations, tablesOf } from '../pending.js';
import type { ReleaseMigration } from '../release-line.js';

/** A longer time is reported: about what the publisher's chart lets a pod start by default. */
export const longSeconds = 185;

export type MigrationTimeEvidence =
  | {
      readonly kind: 'passes-statement-timeout';
      readonly forecast: MigrationForecast;
      readonly timeoutMs: number;
      readonly role: string;
      readonly database: string;
    }
  | ({ readonly kind: 'has-no-limit'; readonly forecast: MigrationForecast } & NamedTable)
  | {
      readonly kind: 'takes-long';
      readonly forecast: MigrationForecast;
    }
  | {
      readonly kind: 'migration-time';
      /** All of them, one after the other. */
      readonly total: TimeRange;
      readonly migrations: readonly MigrationForecast[];
    };

/** A table with its partitions, by the statistics of the server; null if they do not say. */
interface NamedTable {
  readonly table: string;
  readonly rows: number | null;
  /** Of heap and TOAST. */
  readonly bytes: number | null;
}

/**
 * From here on, a missing upper limit is reported. To change every row of a million took 38 s in the narrowest table
 * that was measured and 129 s in the next one, and each row takes longer as a table grows; larger ones were not
 * measured. A rewrite of 2.4 GB took 121 s.
 */
const largeRows = 1_000_000;
const largeBytes = 1e9;

/** How long each pending migration takes, and whether that exceeds the time it has. */
export const migrationTime = defineCheck({
  id: 'migration-time',
  group: 'database',
  canStop: false,
  needs: ['ledger', 'tables', 'indexes', 'migrator', 'database'],
  needsOrAbsent: ['readRate', 'sortRate'],
  needsArtifacts: true,
  judge(given): Answers<MigrationTimeEvidence> {
    const { migrator, database } = given.facts;
    const { name: role, statementTimeoutMs: timeoutMs } = migrator;
    const pending = pendingMigrations(given);
    const migrations = forecast(pending, given.facts);
    const findings = migrations.flatMap((one, i): Judgement<MigrationTimeEvidence>[] => {
      const about = { status: 'warn', subject: one.migration } as const;
      if (timeoutMs !== null && timeoutMs > 0 && mayPass(one, timeoutMs / 1000)) {
        const evidence = { forecast: one, timeoutMs, role, database: database.name };
        return [{ ...about, evidence: { kind: 'passes-statement-timeout', ...evidence } }];
      }
      const large = one.highSeconds === null ? largeTable(pending[i], given.facts.tables) : undefined;
      if (large !== undefined)
        return [{ ...about, evidence: { kind: 'has-no-limit', forecast: one, ...large } }];
      if (!isLong(one)) return [];
      return [{ ...about, evidence: { kind: 'takes-long', forecast: one } }];
    });
    return [
      ...(timeoutMs === null ? [{ lacks: 'migrator', why: 'not-permitted' } as const] : []),
      ...findings,
      ok({ kind: 'migration-time', total: inTurn(migrations), migrations }),
    ];
  },
});

/** The largest table that a migration names, if it is large or its size was not seen. */
function largeTable(
  migration: ReleaseMigration | undefined,
  tables: FactOf<'tables'>,
): NamedTable | undefined {
  const [largest] = [...tablesOf(migration === undefined ? [] : [migration]).keys()]
    .flatMap((table) => {
      const parts = withPartitions([table], tables);
      const sum = (of: (part: FactOf<'tables'>[number]) => number | null) =>
        parts.reduce<number | null>((total, part) => addOrNull(total, of(part)), 0);
      const rows = sum(({ estimatedRows }) => estimatedRows);
      const bytes = sum(({ heapBytes, toastBytes }) => addOrNull(heapBytes, toastBytes));
      const seen = rows !== null && bytes !== null && parts.every(({ sizedBy }) => sizedBy === 'files');
      return seen && rows < largeRows && bytes < largeBytes ? [] : [{ table, rows, bytes }];
    })
    .sort((a, b) => (b.bytes ?? 0) - (a.bytes ?? 0));
  return largest;
}

function addOrNull(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}

/** A time without an upper limit may exceed any limit. */
function mayPass({ highSeconds }: TimeRange, limitSeconds: number): boolean {
  return highSeconds === null || highSeconds > limitSeconds;
}

/** In measurements, changing every row took at most this many times the lowest estimate. */
const longestUpdate = 10;

/** A missing upper limit alone does not make a migration long, because most have none. */
function isLong({ lowSeconds, highSeconds, everyRowSeconds }: MigrationForecast): boolean {
  const ofEveryRow = (everyRowSeconds ?? 0) * longestUpdate;
  return Math.max(lowSeconds, highSeconds ?? 0, ofEveryRow) > longSeconds;
}
