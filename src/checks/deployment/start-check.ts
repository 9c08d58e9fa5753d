import { compact } from '../../core/text/compact.js';
import { isOlder } from '../../core/version.js';
import { firstWith } from '../../instance/first-versions.js';
import {
  artifactsNotSeen,
  editionNotSeen,
  foreignNames,
  pendingMigrations,
  tablesOf,
} from '../../instance/ledger.js';
import { listsMigrations, migrationsOf } from '../../instance/release-line.js';
import { listNames } from '../../words/phrase.js';
import { type CheckInput, defineCheck, ok, stop } from '../check.js';
import { migrate } from '../commands.js';
import { majorVersionOf, minimumMajor } from '../database/postgres-version.js';

const preflight = migrate('preflight --json');

/**
 * What the start check of the target will report, by its own rules: if it aborts, its container does not start. The
 * subject is the id of its check, as the target prints it.
 */
export const startCheck = defineCheck({
  id: 'start-check',
  needs: ['ledger', 'server', 'migrator', 'tables'],
  mayNeed: ['edition'],
  needsArtifacts: true,
  asksImage: true,
  traits: { neverAccepted: 'target-refuses' },
  *judge(input) {
    const { to, line } = input;
    const checked = !isOlder(to, firstWith.startCheck);
    // With the lease alone, it compares nothing.
    if (checked || isOlder(to, firstWith.lease)) {
      const findings = [...judgeStart(input, checked)];
      if (findings.length > 0) return yield* findings;
      if (!line.before.every(listsMigrations)) return artifactsNotSeen(line.before);
      yield* editionNotSeen(input);
    }
    return ok({ kind: 'start-proceeds', to, checked });
  },
})({
  label: "The target's own start check",
  meaning:
    'What the start check of the target will say about this database. If it aborts, the container of the ' +
    'target does not start. What it looks at: The rules of the start check that every migrator runs at its ' +
    'start from 1.125.0 on: version-path, migration-privileges and postgres-version. It knows only the ' +
    'migrations of the target, so its messages cover no others.',
  traitsOf: { 'start-outside-artifact': { settledBy: 'route' } },
  finds: {
    'start-corrupt-directory': {
      meaning: 'The ledger has names that a target before 1.123.0 does not know: "directory is corrupt".',
      remedy:
        'Choose a target no older than the database. ALLOW_MISSING_MIGRATIONS lets such a release start ' +
        'anyway, on a schema it was not made for.',
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
      meaning:
        'Other releases have pending migrations, and the target has a required stop or minimum: it aborts.',
      remedy: 'Go there in hops: first let each release that brings one of these migrations run them.',
      advise({ to, versions, minimum }) {
        const orLaterTarget = `; or choose a target of ${firstWith.startCheckWithoutMinimum} or later`;
        const each = versions.length === 1 ? 'it' : 'each';
        return (
          `First install ${versions.join(', then ')}, and let ${each} migrate; then ` +
          `${to}${minimum === null ? '' : orLaterTarget}.`
        );
      },
      describe({ to, names, stops, minimum }) {
        const required = `the required ${stops.length === 1 ? 'stop' : 'stops'} ${stops.join(', ')}`;
        const because = stops.length > 0 ? required : `the minimum previous version ${minimum}`;
        return (
          `${to} will abort: pending migrations outside this release artifact (${listNames(names)}), with ` +
          `${because}`
        );
      },
      image: () => [preflight],
    },
    'start-privileges': {
      meaning: 'The role cannot create in the schema, or does not own a changed table: the target aborts.',
      remedy: 'Do what the check migration-rights says.',
      describe: ({ to, schema, tables }) =>
        `${to} will abort: the migrating role ${compact(
          schema !== '' && `lacks USAGE or CREATE on schema ${schema}`,
          tables.length > 0 && `does not own ${listNames(tables)}`,
        ).join(', and ')}`,
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

type StartInput = CheckInput<'ledger' | 'server' | 'migrator' | 'tables', never>;

function* judgeStart(input: StartInput, checked: boolean) {
  const { to, edition, line, facts } = input;
  const { unknown, enterprise } = foreignNames(input);
  const names = edition === 'community' ? [...unknown, ...enterprise] : unknown;
  if (!checked) {
    // Before the lease, Knex itself refused a ledger with names that are not in its image.
    if (names.length > 0) yield stop('knex', { kind: 'start-corrupt-directory', to, names });
    return;
  }
  if (names.length > 0) yield stop('version-path', { kind: 'start-diverged', to, names });
  else yield* judgePending(input);
  if (line.span.length > 0) yield* judgePrivileges(input);
  const major = majorVersionOf(facts.server);
  if (major < minimumMajor) yield stop('postgres-version', { kind: 'start-postgres', to, major });
}

function* judgePending(input: StartInput) {
  const { to, line } = input;
  const target = line.span.findLast(({ version }) => version === to);
  if (target?.artifact === undefined) return;
  const { requiredStops, minPreviousVersion } = target.artifact.upgrade;
  const namesOfTarget = new Set(migrationsOf(target).map(({ name }) => name));
  const outside = pendingMigrations(input).filter(({ name }) => !namesOfTarget.has(name));
  const stops = requiredStops.filter((version) => version !== to);
  // If this release aborts because of the minimum version, and not because of a stop.
  const minimum = isOlder(to, firstWith.startCheckWithoutMinimum) ? minPreviousVersion : null;
  if (outside.length === 0 || (stops.length === 0 && minimum === null)) return;
  const versions = [...new Set(outside.map(({ version }) => version))];
  const about = { to, names: outside.map(({ name }) => name), versions, stops, minimum };
  yield stop('version-path', { kind: 'start-outside-artifact', ...about });
}

/** Of the tables it checks, only those in the target's own artifact. */
function* judgePrivileges(input: StartInput) {
  const { to, facts } = input;
  const { migrator, tables: all } = facts;
  const named = tablesOf(pendingMigrations(input).filter(({ version }) => version === to));
  const tables = all.filter(({ name, owned }) => !owned && named.has(name)).map(({ name }) => name);
  const mayCreate = migrator.superuser || (migrator.schemaUsage && migrator.schemaCreate);
  const schema = mayCreate ? '' : migrator.schema;
  if (!mayCreate || tables.length > 0)
    yield stop('migration-privileges', { kind: 'start-privileges', to, schema, tables });
}
