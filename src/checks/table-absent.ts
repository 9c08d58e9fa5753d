import { appliedNames, editionOf, isOpaque, may, pendingMigrations, tablesOf } from '../instance/ledger.js';
import type { ReleaseMigration } from '../instance/release-line.js';
import { countOf } from '../words/phrase.js';
import { defineCheck, type EvidenceOf, type Found, foundOrOk, stop, warn } from './check.js';

interface Absent extends Readonly<Record<'table' | 'migration' | 'version', string>> {
  readonly edition: 'core' | 'ee';
}

interface Kinds {
  'table-absent': Absent;
  /** The maker is a migration that may create it first; null for an enterprise table, which may not be needed. */
  'table-maybe-absent': Absent & { maker: string | null };
  'tables-present': { tables: number };
}

const told = ({ table, migration, version }: Omit<Absent, 'edition'>) =>
  `${migration} (${version}) changes ${table}, which is not there`;

/** Artifacts do not say whether a migration creates a table that it names. */
export const tableAbsent = defineCheck<Kinds>()({
  id: 'table-absent',
  needs: ['ledger', 'tables'],
  mayNeed: ['edition'],
  needsArtifacts: true,
  judge(given) {
    const { line, facts } = given;
    const pending = pendingMigrations(given);
    const edition = editionOf(line, appliedNames(facts.ledger), given.edition);
    const present = new Set(facts.tables.map(({ name }) => name));
    const named = tablesOf(pending);
    const findings = [...named].flatMap(([table, first]): Found<Kinds> => {
      if (present.has(table) || makes(first, table)) return [];
      const earlier = pending.slice(0, pending.indexOf(first));
      if (earlier.some((migration) => makes(migration, table))) return [];
      const about = { table, migration: first.name, version: first.version, edition: first.edition };
      const maker = [first, ...earlier].find((migration) => mayMake(migration))?.name ?? null;
      const unsure = maker !== null || (first.edition === 'ee' && edition !== 'enterprise');
      return unsure
        ? [warn(table, { kind: 'table-maybe-absent', ...about, maker })]
        : [stop(table, { kind: 'table-absent', ...about })];
    });
    // Without a licence key the migration does not run, and with one it may fail.
    const isOpen =
      edition === undefined && findings.some((found) => 'evidence' in found && isEnterprise(found.evidence));
    if (isOpen) return [...findings, { lacks: 'edition' }];
    return foundOrOk(findings, { kind: 'tables-present', tables: named.size });
  },
  label: 'Tables that migrations change',
  meaning: 'Whether every table that a pending migration of any release on the route changes is there.',
  looksAt:
    'The tables that artifacts name for pending migrations, against the tables of the schema. A table that an earlier pending migration may create does not count as absent.',
  finds: {
    'table-absent': {
      meaning: 'A pending migration changes a table that is not there: it fails, and so does every start.',
      remedy: 'Go to a release that no longer brings the migration, if one is out. Create no table by hand.',
      describe: ({ edition, ...about }) =>
        `${told(about)}${edition === 'core' ? '; the migration runs with and without a licence key' : ''}`,
    },
    'table-maybe-absent': {
      meaning: 'A pending migration names a table that is not there; it, or one before it, may create it.',
      remedy: 'Try the upgrade on a copy of the database first.',
      describe({ edition, maker, ...about }) {
        const ofMaker =
          maker === null ? '' : `; ${maker === about.migration ? 'it' : maker} may create that table`;
        return `${told(about)}${ofMaker}${edition === 'ee' ? '; the migration runs only with a licence key' : ''}`;
      },
    },
    'tables-present': ({ tables }) =>
      tables === 0
        ? 'pending migrations are not known to change any table'
        : `${countOf(tables, 'table', 'tables')} that pending migrations name, none of them missing`,
  },
});

function isEnterprise(evidence: EvidenceOf<Kinds>): boolean {
  return evidence.kind === 'table-maybe-absent' && evidence.edition === 'ee';
}

/** Whether its name says that it creates the table. */
function makes({ name }: ReleaseMigration, table: string): boolean {
  return name.includes('create') && name.includes(table);
}

/** Whether it may create the table: nothing is known of it, or it locks, rewrites and scans no table. */
function mayMake(migration: ReleaseMigration): boolean {
  return isOpaque(migration) || !may(migration, 'locksTable', 'rewritesTable', 'scansTable');
}
