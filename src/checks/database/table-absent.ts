import {
  appliedNames,
  editionOf,
  isOpaque,
  mayDo,
  pendingMigrations,
  tablesOf,
} from '../../instance/ledger.js';
import type { ReleaseMigration } from '../../instance/release-line.js';
import { countOf } from '../../words/phrase.js';
import { defineCheck, lacks, ok, stop, warn } from '../check.js';

interface AbsentTable extends Readonly<Record<'table' | 'migration' | 'version', string>> {
  readonly edition: 'core' | 'ee';
}

const describeAbsent = ({ table, migration, version }: Omit<AbsentTable, 'edition'>) =>
  `${migration} (${version}) changes ${table}, which does not exist`;

/** Artifacts do not say whether a migration creates a table that it names. */
export const tableAbsent = defineCheck({
  id: 'table-absent',
  needs: ['ledger', 'tables'],
  mayNeed: ['edition'],
  needsArtifacts: true,
  *judge(input) {
    const { line, facts } = input;
    const pending = pendingMigrations(input);
    const edition = editionOf(line, appliedNames(facts.ledger), input.edition);
    const present = new Set(facts.tables.map(({ name }) => name));
    const named = tablesOf(pending);
    let isOpen = false;
    for (const [table, first] of named) {
      const upToFirst = [first, ...pending.slice(0, pending.indexOf(first))];
      if (present.has(table) || upToFirst.some((migration) => makes(migration, table))) continue;
      const isEnterprise = first.edition === 'ee';
      const about = { table, migration: first.name, version: first.version, edition: first.edition };
      // It, or one before it, may create the table first; an enterprise table may not be needed.
      const maker = upToFirst.find((migration) => mayMake(migration))?.name ?? null;
      if (maker === null && (!isEnterprise || edition === 'enterprise'))
        yield stop(table, { kind: 'table-absent', ...about });
      else yield warn(table, { kind: 'table-maybe-absent', ...about, maker });
      // Without a licence key the migration does not run, and with one it may fail.
      isOpen ||= isEnterprise && edition === undefined;
    }
    if (isOpen) yield lacks('edition');
    return ok({ kind: 'tables-present', tables: named.size });
  },
})({
  label: 'Tables that migrations change',
  meaning:
    'Whether the tables that pending migrations on the route change exist. What it looks at: The tables that ' +
    'artifacts name for pending migrations, against the tables of the schema. A table that an earlier pending ' +
    'migration may create does not count as absent.',
  traitsOf: {
    'table-absent': { settledOnCopy: [] },
    'table-maybe-absent': { settledOnCopy: [] },
  },
  finds: {
    'table-absent': {
      meaning: 'A pending migration changes a table that does not exist: it fails, and so does every start.',
      remedy: 'Go to a release that no longer brings the migration, if one is out. Create no table by hand.',
      describe: ({ edition, ...about }) =>
        `${describeAbsent(about)}${edition === 'core' ? '; the migration runs with and without a licence key' : ''}`,
    },
    'table-maybe-absent': {
      meaning: 'A pending migration names a table that does not exist; it, or one before it, may create it.',
      remedy: 'Try the upgrade on a copy of the database first.',
      describe({ edition, maker, ...about }) {
        const ofMaker =
          maker === null ? '' : `; ${maker === about.migration ? 'it' : maker} may create that table`;
        const ofEdition = edition === 'ee' ? '; the migration runs only with a licence key' : '';
        return `${describeAbsent(about)}${ofMaker}${ofEdition}`;
      },
    },
    'tables-present': ({ tables }) =>
      `${countOf(tables, 'table')} that pending migrations name, none missing`,
  },
});

/** Whether its name says that it creates the table: not one whose name contains that of the table, nor an index. */
function makes({ name, tables }: ReleaseMigration, table: string): boolean {
  const [, made = ''] =
    /_create_(?!(?:unique_)?(?:index|indexes|constraint|column|trigger|view)s?_)(.+)/.exec(name) ?? [];
  const longer = tables.filter((other) => other !== table && other.includes(table));
  return longer.reduce((rest, other) => rest.replaceAll(other, ''), made).includes(table);
}

/** Whether it may create the table: nothing is known of it, or it locks, rewrites and scans no table. */
function mayMake(migration: ReleaseMigration): boolean {
  return isOpaque(migration) || !mayDo(migration, 'locksTable', 'rewritesTable', 'scansTable');
}
