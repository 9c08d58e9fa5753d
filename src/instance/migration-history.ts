import * as z from 'zod/mini';
import { countSchema, dateTimeSchema } from '../core/field-schemas.js';
import type { IndexEntry } from '../core/index/index-schema.js';

/** A row of `knex_migrations`: the time is when it was recorded, which is at its end. */
export interface PastMigration {
  readonly name: string;
  readonly batch: number;
  /** ISO 8601; null for a row that a person wrote. */
  readonly at: string | null;
}

/** A row of `migration_run_ledger`: an attempt. */
export interface PastAttempt {
  readonly version: string;
  readonly attempt: number;
  readonly outcome: string;
  readonly failing: string | null;
  readonly startedAt: string;
  readonly finishedAt: string | null;
}

const runSchema = z.strictObject({
  startedAt: dateTimeSchema.check(
    z.describe('When it began; without a row of the run ledger, when its first migration was recorded.'),
  ),
  seconds: z
    .nullable(z.number())
    .check(z.describe('How long it took; null if it has not ended, or its end is not known.')),
  isLeast: z.boolean().check(z.describe('It took at least so long: when it began is not known.')),
  version: z
    .nullable(z.string())
    .check(z.describe('The release that ran; null if it is older than every release of the index.')),
  versionBy: z
    .enum(['run-ledger', 'date'])
    .check(z.describe('date: the newest release that was out then, so that one or an older one.')),
  outcome: z.string().check(z.describe('succeeded, retrying, parked or running.')),
  attempt: countSchema,
  failing: z.nullable(z.string()).check(z.describe('The migration, or the stage, that failed.')),
  migrations: countSchema.check(z.describe('How many it recorded.')),
  first: z.nullable(z.string()),
  last: z.nullable(z.string()),
});

export const migrationHistorySchema = z.strictObject({
  schemaVersion: z.literal('1'),
  runs: z.array(runSchema).check(z.describe('Oldest first.')),
  idleStarts: countSchema.check(
    z.describe('Starts of a release that had run before, with nothing to migrate.'),
  ),
  undated: countSchema.check(z.describe('Migrations without a time.')),
  longest: z
    .nullable(z.strictObject({ migration: z.string(), seconds: z.number() }))
    .check(z.describe('The migration that took longest, of those whose time is known.')),
});

export type MigrationHistory = z.infer<typeof migrationHistorySchema>;
export type PastRun = z.infer<typeof runSchema>;

/** A pause between two migrations, after which the second one is of another run: one seldom takes as long. */
const pauseMs = 600_000;

/**
 * What ran when, and how long. An attempt of the run ledger says so itself. Migrations of no attempt are of a release
 * that kept no such ledger: those of one batch of Knex, or that follow each other without a pause, ran together.
 *
 * @param releases those of the index, oldest first
 */
export function historyOf(
  migrations: readonly PastMigration[],
  attempts: readonly PastAttempt[],
  releases: readonly Pick<IndexEntry, 'version' | 'releaseDate'>[],
): Omit<MigrationHistory, 'schemaVersion'> {
  const dated = migrations.filter(isDated).toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const byAttempt = attempts.map((attempt) => ({
    attempt,
    migrations: dated.filter(({ at }) => isWithin(at, attempt)),
  }));
  const withinAttempts = new Set(byAttempt.flatMap((attempted) => attempted.migrations));
  const groups = groupsOf(dated.filter((migration) => !withinAttempts.has(migration)));
  const runs = [
    ...byAttempt.map((attempted) => runOfAttempt(attempted.attempt, attempted.migrations)),
    ...groups.map((group) => runOfGroup(group, releases)),
  ].sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
  const isIdle = (run: PastRun, i: number) =>
    run.migrations === 0 && run.outcome === 'succeeded' && run.version === runs[i - 1]?.version;
  return {
    runs: runs.filter((run, i) => !isIdle(run, i)),
    idleStarts: runs.filter(isIdle).length,
    undated: migrations.length - dated.length,
    longest: longestOf([
      ...byAttempt.map(({ attempt, ...attempted }) => ({ begin: attempt.startedAt, ...attempted })),
      ...groups.map((group) => ({ begin: undefined, migrations: group })),
    ]),
  };
}

type DatedMigration = PastMigration & { readonly at: string };

function isDated(migration: PastMigration): migration is DatedMigration {
  return migration.at !== null && Number.isFinite(Date.parse(migration.at));
}

function isWithin(at: string, { startedAt, finishedAt }: PastAttempt): boolean {
  const time = Date.parse(at);
  return time >= Date.parse(startedAt) && (finishedAt === null || time <= Date.parse(finishedAt));
}

/** The migrations that ran together, by batch and by time. */
function groupsOf(dated: readonly DatedMigration[]): readonly (readonly DatedMigration[])[] {
  const groups: DatedMigration[][] = [];
  for (const migration of dated) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    const isNext =
      before !== undefined &&
      (before.batch === migration.batch || Date.parse(migration.at) - Date.parse(before.at) <= pauseMs);
    if (group !== undefined && isNext) group.push(migration);
    else groups.push([migration]);
  }
  return groups;
}

function runOfAttempt(
  { version, attempt, outcome, failing, startedAt, finishedAt }: PastAttempt,
  migrations: readonly DatedMigration[],
): PastRun {
  return {
    ...{ startedAt, version, versionBy: 'run-ledger', outcome, attempt, failing },
    seconds: finishedAt === null ? null : secondsBetween(startedAt, finishedAt),
    isLeast: false,
    ...namesOf(migrations),
  };
}

function runOfGroup(
  migrations: readonly DatedMigration[],
  releases: readonly Pick<IndexEntry, 'version' | 'releaseDate'>[],
): PastRun {
  const [begin = '', end = ''] = [migrations[0]?.at, migrations.at(-1)?.at];
  const out = releases.filter(({ releaseDate }) => Date.parse(releaseDate) <= Date.parse(end)).at(-1);
  return {
    ...{ startedAt: begin, seconds: secondsBetween(begin, end), isLeast: true },
    ...{ version: out?.version ?? null, versionBy: 'date', outcome: 'succeeded', attempt: 1, failing: null },
    ...namesOf(migrations),
  };
}

function namesOf(migrations: readonly DatedMigration[]): Pick<PastRun, 'migrations' | 'first' | 'last'> {
  return {
    migrations: migrations.length,
    first: migrations[0]?.name ?? null,
    last: migrations.at(-1)?.name ?? null,
  };
}

function secondsBetween(begin: string, end: string): number {
  return Math.max(0, Math.round((Date.parse(end) - Date.parse(begin)) / 100) / 10);
}

/** From one record to the next of a run, the second of the two ran; the first one of a group has no beginning. */
function longestOf(
  runs: readonly { readonly begin: string | undefined; readonly migrations: readonly DatedMigration[] }[],
): MigrationHistory['longest'] {
  const times = runs.flatMap(({ begin, migrations: migrationsOfRun }) =>
    migrationsOfRun.flatMap(({ name, at }, i) => {
      const before = i === 0 ? begin : migrationsOfRun[i - 1]?.at;
      return before === undefined ? [] : [{ migration: name, seconds: secondsBetween(before, at) }];
    }),
  );
  return times.reduce<MigrationHistory['longest']>(
    (longest, time) => (longest === null || time.seconds > longest.seconds ? time : longest),
    null,
  );
}
