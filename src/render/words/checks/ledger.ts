import type { LedgerEvidence } from '../../../preflight/checks/ledger.js';
import { countOf } from '../../phrase.js';
import { tellNames } from '../lists.js';
import type { CheckWords } from './check-words.js';

const checkAddress =
  "Check the address: the database, and the schema, which is the first of the search path that exists. Where that path is another role's, --migrating-role names the role; PGOPTIONS='-c search_path=...' names a schema.";
const askWhatRuns =
  'Look which release runs, in the tag of its image, and ask again with that version; --from-database takes it from the database.';

export const ledgerWords: CheckWords<LedgerEvidence> = {
  label: 'Migration ledger',
  meaning: 'Whether the database stands at the release that is said to run.',
  looksAt:
    'The names in knex_migrations against the migrations that the artifacts name, of the releases up to the one that runs and of all on the way. Between two releases that bring no migration the ledger is the same, so that it tells an interval.',
  finds: {
    'ledger-absent': {
      meaning: 'There is no table knex_migrations. No Lightdash has migrated this schema.',
      remedy: checkAddress,
      describe: () =>
        'there is no table knex_migrations, so that this is no database of a Lightdash that ran',
    },
    'ledger-empty': {
      meaning: 'The table knex_migrations has no row. No Lightdash has migrated this schema.',
      remedy: checkAddress,
      describe: () => 'knex_migrations has no row, so that this is no database of a Lightdash that ran',
    },
    'ledger-agrees': {
      meaning: 'The database has run what the release that runs brings, and nothing newer.',
      describe: ({ from, migrations, ...interval }) =>
        `${countOf(migrations, 'migration has', 'migrations have')} run, which is ${describeInterval(interval)}; that agrees with ${from}`,
    },
    'ledger-ahead': {
      meaning: 'The database has run migrations of releases newer than the one that is said to run.',
      remedy: `${askWhatRuns} Where an upgrade was begun and taken back, the old release runs on a newer database.`,
      describe: ({ from, ...interval }) =>
        `the database stands at ${describeInterval(interval)}, which is newer than ${from}`,
    },
    'ledger-behind': {
      meaning: 'The database has not run all migrations of the release that is said to run.',
      remedy: `${askWhatRuns} Where it is right, let that release migrate first.`,
      describe: ({ from, lacking, ...interval }) =>
        `the database stands at ${describeInterval(interval)}; of ${from} or before it lacks ${tellNames(lacking)}`,
    },
    'ledger-half-applied': {
      meaning: 'Some migrations of a release have run and others have not. An upgrade to it broke off.',
      remedy:
        'Find out why it broke off, in the logs of the migration, before anything else is begun. The release that runs may not bear what has run.',
      describe: ({ version, lacking }) =>
        `migrations of ${version} have run, and these up to it have not: ${tellNames(lacking)}`,
    },
    'ledger-skipped': {
      meaning:
        'A release that was passed brought a migration which has not run, though later ones have. It may since be for the other edition, or be gone.',
      remedy: 'Look whether a column or table of it is missing, where something fails later.',
      describe: ({ lacking }) => `of releases that were passed, and never run: ${tellNames(lacking)}`,
    },
    'ledger-diverged': {
      meaning:
        'The ledger holds names that no release up to the target brings. The database is newer than the target, or an image of another origin has migrated it.',
      remedy:
        'Choose a target that is not older than what has migrated this database, or restore the backup that was taken before.',
      describe: ({ to, names }) => `no release up to ${to} brings ${tellNames(names)}`,
    },
    'ledger-without-licence': {
      meaning:
        'Enterprise migrations have run, and the instance is said to have no licence key. Without the key the image leaves them out, and takes the ledger for diverged.',
      remedy: 'Give the migrating image its LIGHTDASH_LICENSE_KEY; the migration job needs it as well.',
      describe: ({ names }) => `without a licence key the target does not know ${tellNames(names)}`,
    },
    'ledger-back-dated': {
      meaning:
        'A pending migration is named by an earlier time than one that has run. A pod of the old release that starts again while both run takes that for a divergence, and does not start.',
      remedy: 'Use Recreate for this upgrade, so that no old pod starts on the new database.',
      describe: ({ newest, names }) =>
        `pending, and named before ${newest}, which has run: ${tellNames(names)}`,
    },
  },
};

function describeInterval({
  oldest,
  newest,
}: {
  readonly oldest: string | null;
  readonly newest: string | null;
}): string {
  if (oldest === null) return newest === null ? 'no release that is known' : `${newest} or older`;
  if (newest === null || newest === oldest) return oldest;
  return `${oldest} to ${newest}`;
}
