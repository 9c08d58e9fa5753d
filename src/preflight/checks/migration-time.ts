import { type Answers, defineCheck, type Judgement } from '../check.js';
import { forecast, type MigrationForecast } from '../forecast/forecast.js';
import { inTurn, type TimeRange } from '../forecast/range.js';
import { pendingMigrations } from '../pending.js';

/** What takes longer is told: it is about what the publisher's chart lets a pod start, where nothing else is set. */
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

/** How long each pending migration takes, and whether that is longer than it is given. */
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
      {
        status: 'ok',
        subject: null,
        evidence: { kind: 'migration-time', total: inTurn(migrations), migrations },
      },
    ];
  },
});

/** What has no upper limit may pass any. */
function mayPass({ highSeconds }: TimeRange, limitSeconds: number): boolean {
  return highSeconds === null || highSeconds > limitSeconds;
}

/** Of what was measured, changing every row took up to so many times as long as it takes at least. */
const longestUpdate = 10;

/** Of most migrations no upper limit can be given: long is one of which more is known than that. */
function isLong({ lowSeconds, highSeconds, everyRowSeconds }: MigrationForecast): boolean {
  const ofEveryRow = (everyRowSeconds ?? 0) * longestUpdate;
  return Math.max(lowSeconds, highSeconds ?? 0, ofEveryRow) > longSeconds;
}
