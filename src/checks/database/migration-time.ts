import { pendingWork } from '../../instance/backfills/pending.js';
import type { FactOf } from '../../instance/facts/needs.js';
import {
  forecast,
  type MigrationForecast,
  sumOfSizes,
  withPartitions,
} from '../../instance/forecast/forecast.js';
import { inTurn } from '../../instance/forecast/work-time.js';
import { tablesOf } from '../../instance/ledger.js';
import { historyOf } from '../../instance/migration-history.js';
import type { ReleaseMigration } from '../../instance/release-line.js';
import { countOf, describeBytes, describeMilliseconds } from '../../words/phrase.js';
import { describeBefore, describeForecast, describeWithLocks } from '../../words/route/downtime.js';
import { defineCheck, lacks, ok, warn } from '../check.js';
import { liftLimit } from '../commands.js';
import { liftLimitOfRole } from '../phrases.js';

/** A longer time is reported: about what the publisher's chart lets a pod start by default. */
const longSeconds = 185;

/** Here a missing upper limit is reported: changing a million rows took 38 to 129 s, a rewrite of 2.4 GB 121 s. */
const large = { rows: 1_000_000, bytes: 1e9 };

const described = (forecast: MigrationForecast) => `${forecast.migration}: ${describeForecast(forecast)}`;

const tryOnCopy =
  'Try the migration on a copy of the database, and plan the downtime by how long it takes there. Set no time ' +
  'limit that could end the migration halfway.';

export const migrationTime = defineCheck({
  id: 'migration-time',
  canStop: false,
  needs: ['ledger', 'tables', 'indexes', 'migrator', 'database'],
  needsOrAbsent: ['readRate', 'sortRate'],
  mayNeed: ['backfillRows'],
  needsArtifacts: true,
  *judge(input) {
    const { migrator, database, tables } = input.facts;
    const { name: role, statementTimeoutMs: timeoutMs } = migrator;
    const pending = pendingWork(input);
    const migrations = forecast(pending, input.facts);
    for (const [i, forecast] of migrations.entries()) {
      const { migration: subject, highSeconds } = forecast;
      const about = { forecast };
      const table = highSeconds === null ? largeTable(pending[i], tables) : undefined;
      // A time without an upper limit may exceed any limit.
      if (timeoutMs !== null && timeoutMs > 0 && (highSeconds ?? Infinity) > timeoutMs / 1000) {
        const limit = { timeoutMs, role, database: database.name };
        yield warn(subject, { kind: 'passes-statement-timeout', ...about, ...limit });
      } else if (pending[i]?.backfill !== undefined) {
        // The check of backfills says it, with more.
      } else if (table !== undefined) yield warn(subject, { kind: 'has-no-limit', ...about, ...table });
      else if (isLong(forecast)) yield warn(subject, { kind: 'takes-long', ...about });
    }
    const { longest } = historyOf(
      input.facts.ledger.map(({ name, batch, migratedAt: at }) => ({ name, batch, at })),
      [],
      [],
    );
    yield ok({ kind: 'migration-time', total: inTurn(migrations), migrations, longestBefore: longest });
    if (timeoutMs === null) return lacks('migrator', { why: 'not-permitted' });
  },
})({
  label: 'How long migrations take',
  meaning:
    'How long each pending migration takes, at least and at most, and whether it is allowed that long. What it ' +
    'looks at: The steps of each pending migration if it is on record as a backfill, otherwise what its ' +
    'artifact leaves possible; the size of its tables (heap and TOAST separately); and how fast this server ' +
    'reads and sorts. The artifact is trusted in what it says a migration does, but not in what it says it ' +
    'does not do. So there is no upper limit if rows change, if no table is named, or if the work is not ' +
    'stated. Left out are waits for locks, which last until the oldest transaction ends; statements that read ' +
    'their table more than once; rows that an earlier migration adds; and other load on the server.',
  traitsOf: {
    'has-no-limit': { settledOnCopy: ['rows'] },
  },
  finds: {
    'passes-statement-timeout': {
      meaning: 'A pending migration may take longer than statement_timeout allows the migrating role.',
      remedy: liftLimitOfRole,
      describe: ({ forecast, timeoutMs, role }) =>
        `${described(forecast)}; statement_timeout is ${describeMilliseconds(timeoutMs)} for ${role}`,
      psql: ({ role, database, timeoutMs: ms }) =>
        liftLimit({ setting: 'statement_timeout', ms, role, database }),
    },
    'has-no-limit': {
      meaning:
        'There is no upper limit for a pending migration, and a table that it names has a million rows or 1 ' +
        'GB, or is of unknown size.',
      remedy: tryOnCopy,
      describe({ forecast, table, rows, bytes }) {
        const count = rows === null ? 'row count unknown (run ANALYZE)' : countOf(rows, 'row');
        const size = bytes === null ? 'size unknown' : describeBytes(bytes);
        return `${described(forecast)}; ${table}: ${count}, ${size}`;
      },
      advise: ({ table, rows }) =>
        `${rows === null ? `Run ANALYZE ${table} to count its rows, then check again. ` : ''}${tryOnCopy}`,
    },
    'takes-long': {
      meaning: `A pending migration may take longer than ${longSeconds} s.`,
      remedy: 'Plan the downtime for it; the check startup-time says whether it is allowed that long.',
      describe: ({ forecast }) => described(forecast),
    },
    'migration-time': ({ total, migrations, longestBefore }) =>
      `${countOf(migrations.length, 'pending migration')}: ${describeWithLocks(total)}${describeBefore(longestBefore)}`,
  },
});

/**
 * The largest table that a migration names, with its partitions, if it is large or its size (heap and TOAST) was not
 * seen. Null: the statistics of the server do not say.
 */
export function largeTable(migration: ReleaseMigration | undefined, tables: FactOf<'tables'>) {
  const named = migration === undefined ? [] : [...tablesOf([migration]).keys()];
  const sized = named.map((table) => {
    const parts = withPartitions([table], tables);
    const rows = sumOfSizes(parts.map(({ estimatedRows }) => estimatedRows));
    const bytes = sumOfSizes(parts.flatMap(({ heapBytes, toastBytes }) => [heapBytes, toastBytes]));
    const seen = rows !== null && bytes !== null && parts.every(({ sizedBy }) => sizedBy === 'files');
    return { table, rows, bytes, isSmall: seen && rows < large.rows && bytes < large.bytes };
  });
  const [largest] = sized.filter(({ isSmall }) => !isSmall).sort((a, b) => (b.bytes ?? 0) - (a.bytes ?? 0));
  return largest && { table: largest.table, rows: largest.rows, bytes: largest.bytes };
}

/** In measurements, changing every row took at most this many times the lowest estimate. */
const longestUpdate = 10;

/** A missing upper limit alone does not make a migration long, because most have none. */
export function isLong({ lowSeconds, highSeconds, everyRowSeconds }: MigrationForecast): boolean {
  const ofEveryRow = (everyRowSeconds ?? 0) * longestUpdate;
  return Math.max(lowSeconds, highSeconds ?? 0, ofEveryRow) > longSeconds;
}
