import { compact } from '../../core/text/compact.js';
import { sqlName } from '../../core/text/quoted-words.js';
import { pendingWork } from '../../instance/backfills/pending.js';
import { type Backfill, lockModes } from '../../instance/backfills/records.js';
import type { FactOf } from '../../instance/facts/needs.js';
import { isRowStep, rowsOf } from '../../instance/forecast/backfill-time.js';
import { forecast, type MigrationForecast, sizeOf } from '../../instance/forecast/forecast.js';
import { countOf, describeSeconds, formatNumber, listNames } from '../../words/phrase.js';
import { describeTime } from '../../words/route/downtime.js';
import { defineCheck, ok, warn } from '../check.js';
import { isLong, largeTable } from './migration-time.js';

/** The rows of one step, of all that its table has; null if that was not seen. */
export interface ChangedRows {
  readonly table: string;
  readonly least: number;
  readonly most: number | null;
  readonly of: number | null;
}

interface Pending extends Pick<Backfill, 'changes' | 'transaction' | 'resumable'> {
  readonly forecast: MigrationForecast;
  readonly rows: readonly ChangedRows[];
  /** The largest batch that is committed at once; null if all rows are changed in one. */
  readonly batchSize: number | null;
  readonly lockTimeoutSeconds: number | null;
  /** The known issue that tells how it went elsewhere, if it applies. */
  readonly issue: string | null;
  /** The strongest lock on each table that is more than a reader's. */
  readonly locks: readonly { readonly table: string; readonly mode: string }[];
}

/** With it, the rows of a batch are found without reading the table. */
export interface Helper extends Readonly<Record<'schema' | 'name' | 'table' | 'columns' | 'where', string>> {}

/** More of a table than this, and the server reads it all the same (measured: bench/forecast). */
const largestShare = 0.5;

export const backfillsCheck = defineCheck({
  id: 'backfills',
  canStop: false,
  needs: ['ledger', 'tables', 'indexes', 'migrator'],
  needsOrAbsent: ['readRate', 'sortRate'],
  mayNeed: ['backfillRows'],
  *judge(input) {
    const { tables, migrator, indexes } = input.facts;
    const pending = pendingWork(input);
    const forecasts = forecast(pending, input.facts);
    for (const [i, migration] of pending.entries()) {
      const [{ backfill }, time] = [migration, forecasts[i]];
      if (backfill === undefined || time === undefined) continue;
      const applies = input.issues?.some(({ id }) => id === backfill.knownIssue) === true;
      const issue = applies ? (backfill.knownIssue ?? null) : null;
      const about = { ...pendingOf(backfill, time, input.facts), issue };
      if (time.because.includes('may-not-end')) {
        yield warn(migration.name, { kind: 'backfill-may-not-end', ...about });
        continue;
      }
      const isHeavy = time.highSeconds === null ? largeTable(migration, tables) !== undefined : isLong(time);
      if (!isHeavy) yield ok({ kind: 'backfill-pending', ...about }, migration.name);
      else {
        const index = helperOf(backfill, about, migrator.schema);
        const isThere = indexes.some(({ name, valid }) => valid && name === index?.name);
        yield warn(migration.name, { kind: 'backfill-takes-long', ...about, index: isThere ? null : index });
      }
    }
    return ok({ kind: 'no-backfill-pending' });
  },
})({
  label: 'Backfills on record',
  meaning:
    'Which pending migrations change existing rows, what they lock, and how long they take. What it looks at: ' +
    'The migrations on record as backfills (backfills/records.yaml: the publisher’s list up to 1.82.0, and ' +
    'three that it lacks) that are not in the ledger. The statistics of the server and its plan for their ' +
    'condition give the number of rows; no row is read. A migration that is not on record may be just as ' +
    'heavy: migration-time names the releases of which nothing is known.',
  traitsOf: {
    'backfill-may-not-end': { settledOnCopy: ['rows'] },
  },
  finds: {
    'backfill-takes-long': {
      meaning:
        'A pending backfill may take minutes or more, or its table is large and its time is not known.',
      remedy:
        'Plan the downtime for it, or try it on a copy of the database first. Make sure that no time limit of ' +
        'a job, probe or role ends it halfway.',
      describe,
      psql: ({ index }) =>
        index === null
          ? []
          : [
              '-- before the upgrade, and not in a transaction: without it, each batch reads the whole table',
              `CREATE INDEX CONCURRENTLY ${sqlName(index.name)} ON ` +
                `${sqlName(index.schema)}.${sqlName(index.table)} (${index.columns}) WHERE ${index.where};`,
              `-- after the upgrade: DROP INDEX CONCURRENTLY ${sqlName(index.schema)}.${sqlName(index.name)};`,
            ],
    },
    'backfill-may-not-end': {
      meaning: 'A pending backfill did not end on another instance, and the target does not have the fix.',
      remedy:
        'Choose a target that has the fix, or try it on a copy of the database first: its known issue says which ' +
        'release that is, and which rows keep it from ending.',
      describe,
    },
    'backfill-pending': {
      meaning: 'A backfill is pending. By what was read, it takes no more than a few minutes.',
      describe,
    },
    'no-backfill-pending': 'No backfill on record is pending; others are not known.',
  },
});

function pendingOf(
  backfill: Backfill,
  time: MigrationForecast,
  facts: { readonly tables: FactOf<'tables'>; readonly indexes: FactOf<'indexes'> } & {
    readonly backfillRows: FactOf<'backfillRows'> | null | undefined;
  },
): Omit<Pending, 'issue'> {
  const { changes, transaction, resumable, lockTimeoutSeconds = null, locks, steps } = backfill;
  const rowSteps = steps.filter(isRowStep);
  const rows = new Map(
    rowSteps.map((step) => {
      const size = sizeOf(step.table, facts, false);
      return [
        step.table,
        { table: step.table, ...rowsOf(backfill, step, size, facts.backfillRows ?? null), of: size.rows },
      ];
    }),
  );
  const batches = rowSteps.map(({ batch }) => batch?.size ?? null);
  return {
    ...{ changes, transaction, resumable, lockTimeoutSeconds, forecast: time, rows: [...rows.values()] },
    batchSize: batches.includes(null) ? null : Math.max(...batches.map(Number)),
    locks: Object.entries(locks)
      .map(([table, modes]) => ({ table, mode: lockModes.findLast((mode) => modes.includes(mode)) ?? '' }))
      .filter(({ mode }) => mode !== lockModes[0]),
  };
}

function helperOf({ name, index }: Backfill, { rows }: Pending, schema: string): Helper | null {
  const few = rows.every(({ most, of }) => most !== null && of !== null && most <= largestShare * of);
  return index === undefined || !few ? null : { schema, name: `lightspan_${name.slice(0, 14)}`, ...index };
}

function describe({ forecast, changes, rows, batchSize, issue, ...locking }: Pending): string {
  const { migration, version } = forecast;
  const batches = batchSize === null ? '' : `, ${formatNumber(batchSize)} at a time`;
  return [
    `${migration} (${version}): ${describeTime(forecast)}`,
    `it changes ${changes}: ${rows.map(describeRows).join(', ')}${batches}`,
    ...describeLocks(locking),
    ...(issue === null ? [] : [`the known issue ${issue} is about it`]),
  ].join('; ');
}

function describeRows({ table, least, most, of }: ChangedRows): string {
  if (most === null || of === null) return `rows of ${table} (how many is not known)`;
  if (least >= of) return `all ${countOf(of, 'row')} of ${table}`;
  const [from, to] = [Math.round(least), Math.round(most)].map(formatNumber);
  return least === 0
    ? `up to ${to} rows of ${table}`
    : `${from} to ${to} of ${countOf(of, 'row')} of ${table}`;
}

function describeLocks({
  locks,
  transaction,
  resumable,
  lockTimeoutSeconds,
}: Omit<Pending, 'forecast' | 'changes' | 'rows' | 'batchSize' | 'issue'>) {
  const modes = [...new Set(locks.map(({ mode }) => mode))];
  const lockTexts = modes.map(
    (mode) =>
      `${mode} on ${listNames(
        locks.filter((lock) => lock.mode === mode).map(({ table }) => table),
        4,
      )}`,
  );
  const until = transaction
    ? `in one transaction, which holds ${lockTexts.join(' and ')} until it ends`
    : `outside a transaction: ${lockTexts.join(' and ')}, each held for one statement at most`;
  return compact(
    until,
    lockTimeoutSeconds !== null &&
      `it waits for each lock up to ${describeSeconds(lockTimeoutSeconds)}, then fails`,
    resumable
      ? 'an interrupted run resumes'
      : transaction
        ? 'an interrupted run starts over'
        : 'an interrupted run might not resume',
  );
}
