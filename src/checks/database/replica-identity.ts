import { sqlText } from '../../core/text/quoted-words.js';
import { type PendingMigration, pendingWork, rowChanges } from '../../instance/backfills/pending.js';
import type { FactOf } from '../../instance/facts/needs.js';
import { withPartitions } from '../../instance/forecast/forecast.js';
import { isOpaque } from '../../instance/ledger.js';
import { listNames } from '../../words/phrase.js';
import { defineCheck, ok, stop, warn } from '../check.js';
import { qualifiedName } from '../commands.js';
import { changesAnyTable } from '../phrases.js';
import { migratorsTables } from './table-locks.js';

interface Unidentified extends Readonly<Record<'table' | 'publication' | 'schema', string>> {
  /** Null: every migrator. */
  readonly migration: string | null;
}

const remedy =
  'Give the table a replica identity before the upgrade, or take it out of the publication. FULL writes every ' +
  'column of a changed row to the WAL: set it back afterwards, unless the migration has made a primary key.';

export const replicaIdentity = defineCheck({
  id: 'replica-identity',
  needs: ['ledger', 'tables', 'dependents', 'migrator'],
  needsArtifacts: true,
  *judge(input) {
    const { dependents, tables, migrator } = input.facts;
    const { schema } = migrator;
    const pending = pendingWork(input);
    const seen = new Set<string>();
    const open: string[] = [];
    for (const unidentified of dependents.unidentified) {
      const { table, publication } = unidentified;
      if (seen.has(table)) continue;
      const changing = firstThatChanges(unidentified, pending, tables);
      const about = { table, publication, schema };
      if (migratorsTables.includes(table))
        yield stop(table, { kind: 'row-not-identified', ...about, migration: null });
      else if (changing?.certain === true)
        yield stop(table, { kind: 'row-not-identified', ...about, migration: changing.migration });
      else if (changing !== undefined)
        yield warn(table, { kind: 'row-maybe-not-identified', ...about, migration: changing.migration });
      else open.push(table);
      seen.add(table);
    }
    const migration = pending.find(isOpaque)?.name;
    if (migration !== undefined && open.length > 0)
      yield warn(migration, { kind: 'rows-maybe-not-identified', tables: open, migration });
    return ok({ kind: 'rows-identified', unidentified: open.length });
  },
})({
  label: 'Published tables',
  meaning:
    'Whether the server would refuse to change rows, because a publication publishes the change and nothing ' +
    'identifies the row. What it looks at: The publications of this database, as those for all tables that ' +
    'Debezium, Fivetran and Airbyte use, and the replica identity of the tables whose rows a pending migration ' +
    'updates or deletes, and of those that every migrator writes. What it does not look at: rows that are ' +
    'deleted because their foreign key cascades.',
  traitsOf: {
    'row-not-identified': { settledOnCopy: ['dependents', 'rows'] },
    'row-maybe-not-identified': { settledOnCopy: ['dependents', 'rows'] },
  },
  finds: {
    'row-not-identified': {
      meaning:
        'A table without a replica identity is published, and its rows are updated or deleted: that is refused ' +
        '(55000).',
      remedy,
      describe: (about) => `${describeTable(about)}: ${describeMigration(about)} changes rows of it`,
      psql: giveIdentity,
    },
    'row-maybe-not-identified': {
      meaning:
        'A table without a replica identity is published. A pending migration that names it may update or ' +
        'delete rows, which would be refused (55000).',
      remedy,
      describe: (about) => `${describeTable(about)}: ${describeMigration(about)} may change rows of it`,
      psql: giveIdentity,
    },
    'rows-maybe-not-identified': {
      meaning:
        'Tables without a replica identity are published. A pending migration names no table, and may update ' +
        'or delete rows of one of them, which would be refused (55000).',
      remedy: 'Try the migration on a copy of the database that has the same publications.',
      describe: ({ tables, migration }) =>
        `${changesAnyTable(migration)}; published without a replica identity: ${listNames(tables)}`,
    },
    'rows-identified': ({ unidentified }) =>
      unidentified === 0
        ? 'no table is published without a replica identity'
        : `no pending migration changes rows of the ${unidentified} published without a replica identity`,
  },
});

type Published = FactOf<'dependents'>['unidentified'][number];

/** A migration that surely changes published rows of it, else the first that may. */
function firstThatChanges(
  { table, updates, deletes }: Published,
  pending: readonly PendingMigration[],
  tables: FactOf<'tables'>,
): { readonly migration: string; readonly certain: boolean } | undefined {
  const changing = pending.flatMap((migration) =>
    [...rowChanges(migration)]
      .filter(([name, change]) => {
        const isPublished = (change.updates && updates) || (change.deletes && deletes);
        return isPublished && withPartitions([name], tables).some((part) => part.name === table);
      })
      .map(([, { certain }]) => ({ migration: migration.name, certain })),
  );
  return changing.find(({ certain }) => certain) ?? changing[0];
}

const describeTable = ({ table, publication }: Unidentified) =>
  `${table} has no replica identity, and is published by ${publication}`;
const describeMigration = ({ migration }: Unidentified) => migration ?? 'every migrator';

function giveIdentity({ table, schema }: Unidentified): readonly string[] {
  const name = qualifiedName(schema, table);
  return [
    `SELECT relreplident FROM pg_class WHERE oid = ${sqlText(name)}::regclass;`,
    `ALTER TABLE ${name} REPLICA IDENTITY FULL;`,
    `-- after the upgrade, if there is a primary key: ALTER TABLE ${name} REPLICA IDENTITY DEFAULT;`,
  ];
}
