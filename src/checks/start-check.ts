import { firstWith, isOlder } from '../instance/first-versions.js';
import {
  foreignNames,
  lackingArtifacts,
  lackingEdition,
  pendingMigrations,
  tablesOf,
} from '../instance/ledger.js';
import { listsMigrations, migrationsOf } from '../instance/release-line.js';
import { listNames } from '../words/lists.js';
import { defineCheck, type Found, foundOrOk, type Given, ok, stop } from './check.js';
import { migrate } from './commands.js';
import { majorVersionOf, minimumMajor } from './postgres-version.js';

interface Kinds {
  'start-corrupt-directory': { to: string; names: readonly string[] };
  'start-diverged': { to: string; names: readonly string[] };
  'start-outside-artifact': {
    to: string;
    names: readonly string[];
    /** Of the releases that bring them. */
    versions: readonly string[];
    stops: readonly string[];
    /** Set if this release aborts because of the minimum version, and not because of a stop. */
    minimum: string | null;
  };
  'start-privileges': { to: string; schema: string; tables: readonly string[] };
  'start-postgres': { to: string; major: number };
  'start-proceeds': { to: string; checked: boolean };
}

const preflight = migrate('preflight --json');

/**
 * What the start check of the target will report, by its own rules: if it aborts, its container does not start. The
 * subject is the id of its check, as the target prints it.
 */
export const startCheck = defineCheck<Kinds>()({
  id: 'start-check',
  needs: ['ledger', 'server', 'migrator', 'tables'],
  mayNeed: ['edition'],
  needsArtifacts: true,
  judge(given) {
    const { to, line } = given;
    const checked = !isOlder(to, firstWith.startCheck);
    const proceeds = ok({ kind: 'start-proceeds', to, checked });
    // With the lease alone, it compares nothing.
    if (!checked && !isOlder(to, firstWith.lease)) return [proceeds];
    const findings = checked
      ? [...judgeVersionPath(given), ...judgePrivileges(given), ...judgePostgres(given)]
      : judgeKnex(given);
    if (findings.length > 0) return findings;
    if (!line.before.every(listsMigrations)) return [lackingArtifacts(line.before)];
    return foundOrOk(lackingEdition(given), proceeds.evidence);
  },
  label: "The target's own start check",
  meaning:
    'What the start check of the target will say about this database. If it aborts, the container of the target does not start.',
  looksAt:
    'The rules of the start check, which every start of a migration runs from 1.125.0 on: version-path, migration-privileges and postgres-version. It knows only the migrations of the target, so its messages cover no others.',
  finds: {
    'start-corrupt-directory': {
      meaning: 'The ledger has names that a target before 1.123.0 does not know: "directory is corrupt".',
      remedy:
        'Choose a target that is not older than the database. ALLOW_MISSING_MIGRATIONS lets such a release start anyway, on a schema that it was not made for.',
      describe: ({ to, names }) =>
        `${to} will say "migration directory is corrupt, the following files are missing" of ${listNames(names)}`,
    },
    'start-diverged': {
      meaning: 'The ledger has names that the target does not know. Its start check calls that diverged.',
      remedy: 'Fix what the check ledger names.',
      describe: ({ to, names }) => `${to} will abort: diverged, by ${listNames(names)}`,
      image: () => [preflight],
    },
    'start-outside-artifact': {
      meaning: 'Other releases have pending migrations, and the target has a stop or minimum: it aborts.',
      remedy: 'Go there in hops: first let each release that brings one of these migrations migrate.',
      advise({ to, versions, minimum }) {
        const other = `; or choose a target of ${firstWith.startCheckWithoutMinimum} or later`;
        const each = versions.length === 1 ? 'it' : 'each';
        return `First install ${versions.join(', then ')}, and let ${each} migrate; then ${to}${minimum === null ? '' : other}.`;
      },
      describe({ to, names, stops, minimum }) {
        const required = `the required ${stops.length === 1 ? 'stop' : 'stops'} ${stops.join(', ')}`;
        const because = stops.length > 0 ? required : `the minimum previous version ${minimum}`;
        return `${to} will abort: pending migrations outside this release artifact (${listNames(names)}), with ${because}`;
      },
      image: () => [preflight],
    },
    'start-privileges': {
      meaning: 'The role may not create in the schema, or does not own a changed table: the target aborts.',
      remedy: 'Do what the check migration-rights says.',
      describe: ({ to, schema, tables }) =>
        `${to} will abort: ${[
          ...(schema === '' ? [] : [`the migrating role lacks USAGE or CREATE on schema ${schema}`]),
          ...(tables.length === 0 ? [] : [`the migrating role does not own ${listNames(tables)}`]),
        ].join('; ')}`,
    },
    'start-postgres': {
      meaning: 'The server is older than the target supports. Its start check aborts.',
      remedy: 'Upgrade PostgreSQL first.',
      describe: ({ to, major }) => `${to} will abort: PostgreSQL ${major} is too old for it`,
    },
    'start-proceeds': ({ to, checked }) =>
      checked ? `${to} will not abort for any reason known here` : `${to} has no start check of its own`,
  },
});

type Seen = Given<'ledger' | 'server' | 'migrator' | 'tables', never>;

function foreignNamesOfEdition(given: Seen): readonly string[] {
  const { unknown, enterprise } = foreignNames(given);
  return given.edition === 'community' ? [...unknown, ...enterprise] : unknown;
}

/** Before the lease, Knex itself refused a ledger with names that are not in its image. */
function judgeKnex(given: Seen): Found<Kinds> {
  const names = foreignNamesOfEdition(given);
  return names.length === 0 ? [] : [stop('knex', { kind: 'start-corrupt-directory', to: given.to, names })];
}

function judgeVersionPath(given: Seen): Found<Kinds> {
  const { to, line } = given;
  const names = foreignNamesOfEdition(given);
  if (names.length > 0) return [stop('version-path', { kind: 'start-diverged', to, names })];
  const target = line.span.findLast(({ version }) => version === to);
  if (target?.artifact === undefined) return [];
  const { requiredStops, minPreviousVersion } = target.artifact.upgrade;
  const own = new Set(migrationsOf(target).map(({ name }) => name));
  const outside = pendingMigrations(given).filter(({ name }) => !own.has(name));
  const stops = requiredStops.filter((version) => version !== to);
  const minimum = isOlder(to, firstWith.startCheckWithoutMinimum) ? minPreviousVersion : null;
  if (outside.length === 0 || (stops.length === 0 && minimum === null)) return [];
  const versions = [...new Set(outside.map(({ version }) => version))];
  const about = { to, names: outside.map(({ name }) => name), versions, stops, minimum };
  return [stop('version-path', { kind: 'start-outside-artifact', ...about })];
}

/** Of the tables it checks, only those in the target's own artifact. */
function judgePrivileges(given: Seen): Found<Kinds> {
  const { to, line, facts } = given;
  const { migrator, tables } = facts;
  const ofTarget = pendingMigrations(given).filter(({ version }) => version === to);
  const named = tablesOf(ofTarget);
  const unowned = tables.filter(({ name, owned }) => !owned && named.has(name)).map(({ name }) => name);
  const mayCreate = migrator.superuser || (migrator.schemaUsage && migrator.schemaCreate);
  if ((mayCreate && unowned.length === 0) || line.span.length === 0) return [];
  const schema = mayCreate ? '' : migrator.schema;
  return [stop('migration-privileges', { kind: 'start-privileges', to, schema, tables: unowned })];
}

function judgePostgres({ to, facts: { server } }: Seen): Found<Kinds> {
  const major = majorVersionOf(server);
  return major < minimumMajor ? [stop('postgres-version', { kind: 'start-postgres', to, major })] : [];
}
