import { type Answers, defineCheck, type Judgement, ok } from '../check.js';
import { forecast, type MigrationForecast } from '../forecast/forecast.js';
import { inTurn, type TimeRange } from '../forecast/range.js';
import { pendingMigrations } from '../pending.js';

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
    const migrations = forecast(pendingMigrations(given), given.facts);
    const findings = migrations.flatMap((one): Judgement<MigrationTimeEvidence>[] => {
      const about = { status: 'warn', subject: one.migration } as const;
      if (timeoutMs !== null && timeoutMs > 0 && mayPass(one, timeoutMs / 1000)) {
        const evidence = { forecast: one, timeoutMs, role, database: database.name };
        return [{ ...about, evidence: { kind: 'passes-statement-timeout', ...evidence } }];
      }
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
