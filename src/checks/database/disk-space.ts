import { type PendingMigration, pendingWork } from '../../instance/backfills/pending.js';
import type { FactOf } from '../../instance/facts/needs.js';
import { sumOfSizes, withPartitions } from '../../instance/forecast/forecast.js';
import { isOpaque, mayDo, tablesOf } from '../../instance/ledger.js';
import { describeBytes, listNames } from '../../words/phrase.js';

import { defineCheck, lacks, ok, stop, warn } from '../check.js';

/** Below this free space, the start check of releases since 1.125.0 warns if a migration scans or rewrites: 5 GiB. */
const headroomBytes = 5 * 1024 ** 3;

const enlarge = 'Make the disk larger, or free space on it, before the upgrade.';

/** A table that is rewritten exists twice until the migration ends. Other writes, above all WAL, are not known. */
export const diskSpace = defineCheck({
  id: 'disk-space',
  needs: ['ledger', 'tables'],
  mayNeed: ['disk-free'],
  needsArtifacts: true,
  *judge(input) {
    const pending = pendingWork(input).filter((migration) => mayDo(migration, 'scansTable', 'rewritesTable'));
    if (pending.length === 0) return ok({ kind: 'disk-not-needed' });
    const { diskFree: free } = input;
    const rewriting = pending.filter((migration) => mayDo(migration, 'rewritesTable'));
    const rewritten = rewritesOf(rewriting, input.facts.tables);
    if (free === undefined) return lacks('disk-free', needOf(rewritten, input.facts.tables));

    for (const { migration, tables, bytes } of rewritten) {
      if (bytes === null || bytes <= free) continue;
      const [only = null] = tables;
      // A backfill need not keep all old rows until its end.
      const judged = isOpaque(migration) || migration.backfill !== undefined ? warn : stop;
      const about = { free, tables, bytes, migration: migration.name };
      yield judged(tables.length === 1 ? only : migration.name, { kind: 'disk-too-small', ...about });
    }
    // Any role that may connect may see a size, but waits for the lock on its table.
    if (rewritten.some(({ bytes }) => bytes === null))
      yield lacks('tables', { why: 'timeout', detail: 'a table is locked' });
    const largest = Math.max(0, ...rewritten.map(({ bytes }) => bytes ?? 0));
    const minimum = headroomBytes;
    if (free < minimum) yield warn(null, { kind: 'disk-headroom', free, minimum, largest });
    return ok({ kind: 'disk-enough', free, largest });
  },
})({
  label: 'Disk space',
  meaning:
    'Whether the disk has room for what pending migrations write. What it looks at: The free space that ' +
    '--disk-free gives, against what each pending migration may rewrite: those tables, with their partitions, ' +
    'exist twice until it ends. Without it, the finding says how much that is together. Below 5 GiB, the start ' +
    'check of the target warns. What else is written, above all WAL, is not known.',
  finds: {
    'disk-too-small': {
      meaning: 'A pending migration may rewrite tables that are larger than the free space.',
      remedy: enlarge,
      describe: ({ free, tables, bytes, migration }) =>
        `${migration} may rewrite ${listNames(tables)}, ${describeBytes(bytes)} with indexes, but only ` +
        `${describeBytes(free)} are free`,
    },
    'disk-headroom': {
      meaning: 'Less space is free than the start check of the target requires to scan or rewrite a table.',
      remedy: enlarge,
      describe: ({ free, minimum }) =>
        `${describeBytes(free)} are free, but ${describeBytes(minimum)} are required`,
    },
    'disk-enough': ({ free, largest }) =>
      `${describeBytes(free)} are free; one migration may rewrite up to ${describeBytes(largest)}`,
    'disk-not-needed': 'No pending migration scans or rewrites a table.',
  },
});

/** What all of them may write, where nobody says how much is free. A backfill writes at least as much WAL as rows. */
function needOf(
  rewritten: readonly ReturnType<typeof rewriteOf>[],
  tables: FactOf<'tables'>,
): { readonly detail?: string } {
  const names = new Set(rewritten.flatMap((rewrite) => rewrite.tables));
  const { bytes } = rewriteOf(
    null,
    tables.filter(({ name }) => names.has(name)),
  );
  if (bytes === null || bytes === 0) return {};
  return {
    detail: `pending migrations may rewrite up to ${describeBytes(bytes)} of tables, and write as much WAL or more`,
  };
}

/** What one migration writes anew before it frees the old space, which is when it ends. */
function rewriteOf<Of extends PendingMigration | null>(migration: Of, of: FactOf<'tables'>) {
  const sizes = of.flatMap(({ heapBytes, toastBytes, indexBytes, sizedBy }) =>
    // They may be old.
    sizedBy === 'statistics' ? [null] : [heapBytes, toastBytes, indexBytes],
  );
  return { migration, tables: of.map(({ name }) => name), bytes: sumOfSizes(sizes) };
}

/** All the tables that a migration names; if it names none, any one table that no other migration names. */
function rewritesOf(rewriting: readonly PendingMigration[], tables: FactOf<'tables'>) {
  const named = rewriting.map((migration) =>
    rewriteOf(migration, withPartitions(tablesOf([migration]).keys(), tables)),
  );
  const opaque = rewriting.find(isOpaque);
  if (opaque === undefined) return named;
  const rewrittenTables = new Set(named.flatMap((rewrite) => rewrite.tables));
  return [
    ...named,
    ...tables.filter(({ name }) => !rewrittenTables.has(name)).map((table) => rewriteOf(opaque, [table])),
  ];
}
