import { isOlder, type Version } from '../../core/version.js';

import {
  appliedNames,
  artifactsNotSeen,
  editionNotSeen,
  editionOf,
  foreignNames,
} from '../../instance/ledger.js';
import { type LedgerPlace, listsMigrations, migrationsOf, placeLedger } from '../../instance/release-line.js';
import { countOf, listNames } from '../../words/phrase.js';
import { type CheckInput, defineCheck, lacks, ok, stop, warn } from '../check.js';

const table = 'knex_migrations';

const checkAddress =
  'Check the address: the database, and the schema, which is the first existing one of the search path. If ' +
  "another role has the right path, name it with --migrating-role. PGOPTIONS='-c search_path=...' sets a " +
  'schema, but not through PgBouncer.';
const askForRelease =
  'Find out from the image tag which release runs, and check again with that version; --from-database takes it ' +
  'from the database.';

export const ledger = defineCheck({
  id: 'ledger',
  needs: [],
  needsOrAbsent: ['ledger'],
  mayNeed: ['artifacts', 'edition', 'deployment', 'stated'],
  needsArtifacts: true,
  asksImage: true,
  *judge({ facts: { ledger: rows, deployment, stated }, ...input }) {
    if (rows === null) return stop(table, { kind: 'ledger-absent' });
    if (rows.length === 0) return stop(table, { kind: 'ledger-empty' });
    const unnamed = rows.filter(({ name }) => name === '').length;
    if (unnamed > 0) yield stop(table, { kind: 'ledger-unnamed', rows: unnamed });
    const { to, edition, backDated } = input;
    const seen = { ...input, facts: { ledger: rows } };
    const { unread, unknown, enterprise } = foreignNames(seen);
    yield* judgePlace(seen, unread);
    if (unknown.length > 0) yield stop(table, { kind: 'ledger-diverged', to, names: unknown });
    if (enterprise.length > 0 && edition === 'community')
      yield stop(table, { kind: 'ledger-without-licence', names: enterprise });
    if (typeof backDated === 'object') {
      // Under Recreate, nothing goes wrong: whether old pods are gone by then is for the check of the rollout strategy,
      // if the deployment was seen. Compose stops the old container.
      yield warn(table, { kind: 'ledger-back-dated', ...backDated });
      const detail = 'it decides whether old pods are gone before back-dated migrations run';
      if (deployment == null && stated?.['deployed-by'] !== 'compose') yield lacks('deployment', { detail });
    }
  },
})({
  label: 'Migration ledger',
  meaning:
    'Whether the database is at the release given as running. What it looks at: The names in knex_migrations ' +
    'against the migrations in the artifacts of all releases up to the target. Names from before these ' +
    'artifacts are not compared. A name that no release up to the target brings stops the upgrade; if it is ' +
    'dated after the target, it does so whichever artifacts were read. A release without a migration leaves no ' +
    'trace in the ledger, so the ledger shows a range of releases.',
  traitsOf: {
    'ledger-absent': { neverAccepted: 'another-instance' },
    'ledger-empty': { neverAccepted: 'another-instance' },
    'ledger-ahead': { neverAccepted: 'another-instance' },
    'ledger-behind': { neverAccepted: 'another-instance', transient: true },
    'ledger-half-applied': { transient: true },
    'ledger-skipped': { afterUpgrade: 'stop' },
  },
  finds: {
    'ledger-absent': {
      meaning: 'There is no table knex_migrations. No Lightdash has migrated this schema.',
      remedy: checkAddress,
      describe: () => 'there is no table knex_migrations, so no Lightdash has run on this database',
    },
    'ledger-empty': {
      meaning: 'The table knex_migrations has no row. No Lightdash has migrated this schema.',
      remedy: checkAddress,
      describe: () => 'knex_migrations has no row, so no Lightdash has run on this database',
    },
    'ledger-unnamed': {
      meaning:
        'A row of knex_migrations has no name. Knex takes it for a migration whose file is lost, and runs none.',
      remedy:
        'Find out from the rows around it which migration it was, and give it that name; delete it if it was ' +
        'not one. Back up the table first.',
      describe: ({ rows }) =>
        `${countOf(rows, 'row')} of knex_migrations ${rows === 1 ? 'has' : 'have'} no name`,
    },
    'ledger-agrees': ({ from, migrations, unread, ...interval }) =>
      `${countOf(migrations, 'migration has', 'migrations have')} run, which puts the database at ` +
      `${describeInterval(interval)}; that agrees with ${from}${
        unread === null ? '' : `; those up to ${unread} were not compared (artifact not read)`
      }`,
    'ledger-shows-no-release': {
      meaning:
        'All artifacts up to the running release were read, and none lists a migration: the ledger contradicts ' +
        'nothing, and does not show which release runs.',
      remedy:
        'Make sure that this release runs: --instance asks it, and the tag of the image shows it. Older releases ' +
        'have no artifact with which the ledger could be compared.',
      describe: ({ from, migrations }) =>
        `${countOf(migrations, 'migration has', 'migrations have')} run, and no release up to ${from} brings a ` +
        'migration by its artifact, so the ledger neither contradicts that it runs nor shows it',
    },
    'ledger-ahead': {
      meaning: 'The database has run migrations of releases newer than the one given as running.',
      remedy: `${askForRelease} If an upgrade was started and rolled back, the old release runs on a newer database.`,
      describe: ({ from, ...interval }) =>
        `the database is at ${describeInterval(interval)}, which is newer than ${from}`,
    },
    'ledger-behind': {
      meaning: 'The database has not run all migrations of the release given as running.',
      remedy: `${askForRelease} If the version is right, let that release migrate first.`,
      describe: ({ from, lacking, ...interval }) =>
        `the database is at ${describeInterval(interval)}; missing migrations up to ${from}: ${listNames(lacking)}`,
    },
    'ledger-half-applied': {
      meaning: 'Some migrations of a release have run, others not. An upgrade to it was interrupted.',
      remedy: 'Find out why from the migration logs before you start anything else.',
      describe: ({ version, lacking }) =>
        `migrations of ${version} have run, but not these up to it: ${listNames(lacking)}`,
    },
    'ledger-skipped': {
      meaning:
        'A migration of an earlier release has not run: it moved to the other edition, or was removed.',
      remedy: 'If something fails later, check whether a column or table of it is missing.',
      describe: ({ lacking }) =>
        `never run, although the database is past their releases: ${listNames(lacking)}`,
    },
    'ledger-diverged': {
      meaning:
        'The ledger has names that no release up to the target brings: the database is newer, or of another image.',
      remedy:
        'Choose a target no older than the release that migrated this database, or restore the backup taken ' +
        'before. If a fork or a withdrawn release brought the names, ask who deployed it: the target calls the ' +
        'ledger diverged.',
      describe: ({ to, names }) => `no release up to ${to} brings ${listNames(names)}`,
    },
    'ledger-without-licence': {
      meaning: 'Enterprise migrations have run, which an image without a licence key calls diverged.',
      remedy: 'Set LIGHTDASH_LICENSE_KEY for the image that migrates; the migration job needs it as well.',
      describe: ({ names }) => `without a licence key the target does not know ${listNames(names)}`,
    },
    'ledger-back-dated': {
      meaning:
        'The upgrade would roll, but a pending migration is dated no later than one that has run. Once it has ' +
        'run, the start check of a running release from 1.125.0 to 1.259.0 calls the database diverged: an old ' +
        'pod that restarts during the rollout does not come back.',
      remedy: 'Use Recreate for this upgrade, so that no old pod starts on the new database.',
      describe: ({ newest, names }) =>
        `pending, but dated no later than ${newest}, which has run: ${listNames(names)}`,
    },
  },
});

type LedgerInput = CheckInput<'ledger', never>;

/** @param unread an earlier release whose artifact was not read: older names may be of that or one before it */
function* judgePlace(seen: LedgerInput, unread: string | null) {
  const { from, line, facts } = seen;
  const applied = appliedNames(facts.ledger);
  const edition = editionOf(line, applied, seen.edition);
  const place = placeLedger([...line.before, ...line.span], applied, edition);
  const before = placeLedger(line.before, applied, edition);
  const { oldest = null, newest = null } = place;
  const interval = { oldest, newest };
  const passed = before.releases.findLastIndex(({ applied, lacking }) => applied > 0 && lacking.length === 0);
  const behind = before.releases.slice(passed + 1).flatMap((release) => release.lacking);
  const skipped = before.releases.flatMap((release) => release.lacking);
  const half = halfApplied(place, before.oldest);
  const ofEdition = editionNotSeen(seen);

  if (half !== undefined) yield stop(table, { kind: 'ledger-half-applied', ...half });
  else if (oldest !== null && isOlder(from, oldest))
    yield stop(table, { kind: 'ledger-ahead', from, ...interval });
  else if (behind.length > 0)
    yield stop(table, { kind: 'ledger-behind', from, lacking: behind, ...interval });
  else if (ofEdition.length > 0) yield* ofEdition;
  else if (!line.before.every(listsMigrations)) yield artifactsNotSeen(line.before);
  else if (before.oldest === undefined && line.earlier.some((release) => migrationsOf(release).length > 0))
    yield artifactsNotSeen(line.before);
  else if (before.oldest === undefined)
    yield warn(table, { kind: 'ledger-shows-no-release', from, migrations: facts.ledger.length });
  else {
    if (skipped.length > 0) yield warn(table, { kind: 'ledger-skipped', lacking: skipped });
    yield ok({ kind: 'ledger-agrees', from, migrations: facts.ledger.length, unread, ...interval });
  }
}

/** A release on the route, or the running one, of which only a part has run: an upgrade to it was interrupted. */
function halfApplied({ releases, oldest }: LedgerPlace, passed: Version | undefined) {
  if (oldest === undefined) return undefined;
  const reached = releases.findIndex(({ version }) => version === oldest);
  const lacking = releases
    .slice(0, reached + 1)
    .filter(({ version }) => passed === undefined || !isOlder(version, passed))
    .flatMap((release) => release.lacking);
  return lacking.length === 0 ? undefined : { version: oldest, lacking };
}

/** The releases between which a database is, both included; null if no release shows that end. */
function describeInterval({ oldest, newest }: Readonly<Record<'oldest' | 'newest', string | null>>): string {
  if (oldest === null) return newest === null ? 'no known release' : `${newest} or older`;
  return newest === null || newest === oldest ? oldest : `${oldest} to ${newest}`;
}
