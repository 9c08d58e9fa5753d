import { countOf, listNames } from '../../core/text/phrase.js';
import type { Version } from '../../core/version.js';
import { isOlder } from '../../instance/first-versions.js';
import {
  appliedNames,
  editionOf,
  foreignNames,
  lackingArtifacts,
  lackingEdition,
} from '../../instance/ledger.js';
import { type LedgerPlace, listsMigrations, placeLedger } from '../../instance/release-line.js';
import { defineCheck, type Given, lacks, ok, stop, warn } from '../check.js';

const table = 'knex_migrations';

const checkAddress =
  "Check the address: the database, and the schema, which is the first of the search path that exists. If that path belongs to another role, --migrating-role names the role; PGOPTIONS='-c search_path=...' names a schema, though not through PgBouncer.";
const askWhatRuns =
  'Find out which release runs, from the tag of its image, and check again with that version; --from-database takes it from the database.';

export const ledger = defineCheck({
  id: 'ledger',
  needs: [],
  needsOrAbsent: ['ledger'],
  mayNeed: ['artifacts', 'edition', 'deployment', 'stated'],
  needsArtifacts: true,
  *judge({ facts: { ledger: rows, deployment, stated }, ...given }) {
    if (rows === null) return stop(table, { kind: 'ledger-absent' });
    if (rows.length === 0) return stop(table, { kind: 'ledger-empty' });
    const { to, edition, backDated } = given;
    const seen = { ...given, facts: { ledger: rows } };
    const { unread, unknown, enterprise } = foreignNames(seen);
    yield* judgePlace(seen, unread);
    if (unknown.length > 0) yield stop(table, { kind: 'ledger-diverged', to, names: unknown });
    if (enterprise.length > 0 && edition === 'community')
      yield stop(table, { kind: 'ledger-without-licence', names: enterprise });
    if (typeof backDated === 'object') {
      // Under Recreate, nothing goes wrong: whether old pods are gone by then is for the check of the rollout strategy, if
      // the deployment was seen. Compose stops the old container.
      yield warn(table, { kind: 'ledger-back-dated', ...backDated });
      const detail = 'it decides whether old pods are gone before back-dated migrations run';
      if (deployment == null && stated?.['deployed-by'] !== 'compose') yield lacks('deployment', { detail });
    }
  },
})({
  label: 'Migration ledger',
  meaning:
    'Whether the database is at the release that is stated as running. What it looks at: The names in knex_migrations against the migrations that the artifacts name, of all releases up to the target that have one; a name from before them is not compared. A name that no release up to the target brings stops the upgrade; if it is dated after the target, whichever artifacts were read. The ledger does not change with a release that brings no migration, so it gives an interval of releases.',
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
    'ledger-agrees': ({ from, migrations, unread, ...interval }) =>
      `${countOf(migrations, 'migration has', 'migrations have')} run, which is ${describeInterval(interval)}; that agrees with ${from}${
        unread === null ? '' : `; not compared are those up to ${unread}, whose artifact was not read`
      }`,
    'ledger-ahead': {
      meaning: 'The database has run migrations of releases newer than the one stated as running.',
      remedy: `${askWhatRuns} If an upgrade was begun and rolled back, the old release runs on a newer database.`,
      describe: ({ from, ...interval }) =>
        `the database is at ${describeInterval(interval)}, which is newer than ${from}`,
    },
    'ledger-behind': {
      meaning: 'The database has not run all migrations of the release that is stated as running.',
      remedy: `${askWhatRuns} If the version is right, let that release migrate first.`,
      describe: ({ from, lacking, ...interval }) =>
        `the database is at ${describeInterval(interval)}; of ${from} or before it lacks ${listNames(lacking)}`,
    },
    'ledger-half-applied': {
      meaning: 'Some migrations of a release have run, others not. An upgrade to it was interrupted.',
      remedy: 'Find out why, from the logs of the migration, before you start anything else.',
      describe: ({ version, lacking }) =>
        `migrations of ${version} have run, and these up to it have not: ${listNames(lacking)}`,
    },
    'ledger-skipped': {
      meaning: 'A migration of a passed release has not run: it moved to the other edition, or was removed.',
      remedy: 'If something fails later, check whether a column or table of it is missing.',
      describe: ({ lacking }) => `never run, although their releases were passed: ${listNames(lacking)}`,
    },
    'ledger-diverged': {
      meaning: 'No release up to the target brings some names: the database is newer, or of another image.',
      remedy:
        'Choose a target that is not older than what has migrated this database, or restore the backup that was taken before. If a fork or a withdrawn release has brought it, ask who deployed that: the target treats the ledger as diverged.',
      describe: ({ to, names }) => `no release up to ${to} brings ${listNames(names)}`,
    },
    'ledger-without-licence': {
      meaning: 'Enterprise migrations have run, and an image without a licence key calls that diverged.',
      remedy: 'Set LIGHTDASH_LICENSE_KEY for the image that migrates; the migration job needs it as well.',
      describe: ({ names }) => `without a licence key the target does not know ${listNames(names)}`,
    },
    'ledger-back-dated': {
      meaning:
        'The upgrade would roll, and a pending migration is dated no later than one that has run. Once it has run, the start check of a running release from 1.125.0 to 1.259.0 calls that diverged: an old pod that restarts during the rollout does not start again.',
      remedy: 'Use Recreate for this upgrade, so that no old pod starts on the new database.',
      describe: ({ newest, names }) =>
        `pending, and dated no later than ${newest}, which has run: ${listNames(names)}`,
    },
  },
});

type Seen = Given<'ledger', never>;

/** @param unread an earlier release whose artifact was not read: older names may be of that or one before it */
function* judgePlace(seen: Seen, unread: string | null) {
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
  const ofEdition = lackingEdition(seen);

  if (half !== undefined) yield stop(table, { kind: 'ledger-half-applied', ...half });
  else if (oldest !== null && isOlder(from, oldest))
    yield stop(table, { kind: 'ledger-ahead', from, ...interval });
  else if (behind.length > 0)
    yield stop(table, { kind: 'ledger-behind', from, lacking: behind, ...interval });
  else if (ofEdition.length > 0) yield* ofEdition;
  else if (before.oldest === undefined || !line.before.every(listsMigrations))
    yield lackingArtifacts(line.before);
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
  if (oldest === null) return newest === null ? 'no release that is known' : `${newest} or older`;
  return newest === null || newest === oldest ? oldest : `${oldest} to ${newest}`;
}
