import { sqlText } from '../../core/text/quoted-words.js';
import { type PendingMigration, pendingWork } from '../../instance/backfills/pending.js';
import type { FactOf } from '../../instance/facts/needs.js';
import { isOpaque, mayDo, tablesOf } from '../../instance/ledger.js';
import { listNames } from '../../words/phrase.js';
import { defineCheck, ok, stop, warn } from '../check.js';
import { qualifiedName } from '../commands.js';
import { changesAnyTable } from '../phrases.js';

type DependentObject = FactOf<'dependents'>['objects'][number];
type Trigger = FactOf<'dependents'>['triggers'][number];

interface InUse extends Readonly<Record<'object' | 'table' | 'migration' | 'schema', string>> {
  readonly type: DependentObject['kind'];
  readonly columns: readonly string[];
}

const remedy =
  'Save its definition and its grants, drop it before the upgrade, and make it again afterwards. Try that on a ' +
  'copy of the database first.';

export const dependentObjects = defineCheck({
  id: 'dependent-objects',
  needs: ['ledger', 'dependents', 'migrator'],
  needsArtifacts: true,
  *judge(input) {
    const { objects, triggers } = input.facts.dependents;
    const { schema } = input.facts.migrator;
    const pending = pendingWork(input);
    const open: string[] = [];
    for (const used of objects) {
      const { kind: type, name: object, table, columns } = used;
      const about = { object, type, table, columns, schema };
      const altering = pending.find(({ backfill }) => alters(backfill?.alters?.[table], used));
      const locking = pending.find((migration) => mayAlter(migration, table));
      if (altering !== undefined)
        yield stop(object, { kind: 'column-in-use', ...about, migration: altering.name });
      else if (locking !== undefined)
        yield warn(object, { kind: 'table-in-use', ...about, migration: locking.name });
      else open.push(object);
    }
    const migration = pending.find(isOpaque)?.name;
    if (migration !== undefined && open.length > 0)
      yield warn(migration, { kind: 'any-table-in-use', objects: [...new Set(open)], migration });
    for (const { name: trigger, table, ...runs } of triggers) {
      const changing = pending.find(
        ({ backfill }) => backfill !== undefined && isRunBy(backfill, table, runs),
      );
      if (changing === undefined) continue;
      const about = { trigger, table, function: runs.function, forEachRow: runs.forEachRow };
      yield warn(trigger, { kind: 'trigger-runs', ...about, migration: changing.name });
    }
    return ok({ kind: 'no-table-in-use', objects: objects.length });
  },
})({
  label: 'Dependent objects',
  meaning:
    'Whether the server would refuse to alter or drop a column, because something that others have made uses ' +
    'it, and whether triggers run for rows that a backfill changes. What it looks at: Views, materialized ' +
    'views, rules, policies, functions with a body in SQL, triggers of columns, and columns and filters of ' +
    'publications (pg_depend), on the tables that pending migrations may lock. Artifacts name tables and not ' +
    'columns: only what a backfill on record alters stops the upgrade. What it does not look at: foreign keys ' +
    'and casts that others have made.',
  traitsOf: {
    'column-in-use': { settledOnCopy: ['dependents'] },
    'table-in-use': { settledOnCopy: ['dependents'] },
    'any-table-in-use': { settledOnCopy: ['dependents'] },
    'trigger-runs': { settledOnCopy: ['dependents', 'rows'] },
  },
  finds: {
    'column-in-use': {
      meaning: 'A pending migration alters or drops a column that something uses: the server refuses that.',
      remedy,
      describe: (used) => `${describeUse(used)}, which ${used.migration} alters`,
      psql: ({ object, type, schema }) => showDefinition(type, qualifiedName(schema, object)),
    },
    'table-in-use': {
      meaning:
        'A pending migration may alter or drop a column that something uses, which the server would refuse. ' +
        'If it only adds one, nothing happens.',
      remedy: `See in the release notes whether the migration alters or drops one of these columns. ${remedy}`,
      describe: (used) => `${describeUse(used)}, and ${used.migration} may alter ${used.table}`,
      psql: ({ object, type, schema }) => showDefinition(type, qualifiedName(schema, object)),
    },
    'any-table-in-use': {
      meaning:
        'A pending migration names no table, and may alter or drop a column that something uses, which the ' +
        'server would refuse.',
      remedy: 'Try the migration on a copy of the database that has these objects.',
      describe: ({ objects, migration }) => `${changesAnyTable(migration)}; in use by ${listNames(objects)}`,
    },
    'trigger-runs': {
      meaning:
        'A trigger that others have made runs for what a backfill changes: it takes time, and may fail.',
      remedy:
        'Find out what it does. If it need not run for the backfill, disable it for the upgrade, as the owner ' +
        'of the table.',
      describe: ({ trigger, table, forEachRow, migration, ...runs }) =>
        `${trigger} on ${table} runs ${runs.function} for each ${forEachRow ? 'row' : 'statement'} that ` +
        `${migration} changes`,
    },
    'no-table-in-use': ({ objects }) =>
      objects === 0 ? 'there is none' : `no pending migration may alter a table of the ${objects}`,
  },
});

/** @param columns those that a migration alters; empty if it drops the table, undefined if none */
function alters(columns: readonly string[] | undefined, used: DependentObject): boolean {
  return (
    columns !== undefined && (columns.length === 0 || columns.some((name) => used.columns.includes(name)))
  );
}

/** What is on record of a backfill says which columns it alters. */
function mayAlter(migration: PendingMigration, table: string): boolean {
  return (
    migration.backfill === undefined && tablesOf([migration]).has(table) && mayDo(migration, 'locksTable')
  );
}

function isRunBy(
  backfill: NonNullable<PendingMigration['backfill']>,
  table: string,
  { onInsert, onUpdate, onDelete }: Omit<Trigger, 'name' | 'table'>,
): boolean {
  return backfill.steps.some(
    ({ work, table: changed }) =>
      changed === table &&
      ((work === 'insert' && onInsert) || (work === 'update' && onUpdate) || (work === 'delete' && onDelete)),
  );
}

function describeUse({ type, object, table, columns }: InUse): string {
  return `the ${type} ${object} uses ${columns.length === 0 ? table : `${listNames(columns)} of ${table}`}`;
}

function showDefinition(type: InUse['type'], name: string): readonly string[] {
  if (type !== 'view' && type !== 'materialized view') return [];
  return [
    `SELECT pg_catalog.pg_get_viewdef(${sqlText(name)}::regclass), relacl, reloptions FROM pg_class WHERE oid = ` +
      `${sqlText(name)}::regclass;`,
    `-- to drop it: DROP ${type.toUpperCase()} ${name};`,
  ];
}
