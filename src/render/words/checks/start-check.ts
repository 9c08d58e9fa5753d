import type { StartCheckEvidence } from '../../../preflight/checks/start-check.js';
import { firstWith } from '../../../preflight/runtime-eras.js';
import { listNames } from '../lists.js';
import { type CheckWords, migrate } from './check-words.js';

const preflight = migrate('preflight --json');

export const startCheckWords: CheckWords<StartCheckEvidence> = {
  label: "The target's own start check",
  meaning:
    'What the start check of the target will say about this database. If it aborts, the container of the target does not start.',
  looksAt:
    'The rules of the start check, which every start of a migration runs from 1.125.0 on: version-path, migration-privileges and postgres-version. It knows only the migrations of the target, so its messages cover no others.',
  finds: {
    'start-corrupt-directory': {
      meaning:
        'The ledger contains names that the target does not. A release before 1.123.0 says that the migration directory is corrupt, and does not start.',
      remedy:
        'Choose a target that is not older than the database. ALLOW_MISSING_MIGRATIONS lets such a release start anyway, on a schema that it was not made for.',
      describe: ({ to, names }) =>
        `${to} will say "migration directory is corrupt, the following files are missing" of ${listNames(names)}`,
    },
    'start-diverged': {
      meaning:
        'The ledger contains names that the target does not know. Its start check calls that diverged, and aborts.',
      remedy: 'Fix what the check ledger names.',
      describe: ({ to, names }) => `${to} will abort: diverged, by ${listNames(names)}`,
      pasteIn: 'image',
      commands: () => [preflight],
    },
    'start-outside-artifact': {
      meaning:
        'Migrations of releases other than the target are pending, and its artifact has a required stop or, before 1.137.1, a minimum version. Its start check aborts.',
      remedy:
        'Go there in hops: first install each release that brings one of these migrations, and let it migrate.',
      advise: ({ to, versions, minimum }) =>
        `First install ${versions.join(', then ')}, and let ${versions.length === 1 ? 'it' : 'each'} migrate; then ${to}${
          minimum === null ? '' : `; or choose a target of ${firstWith.startCheckWithoutMinimum} or later`
        }.`,
      describe: ({ to, names, stops, minimum }) =>
        `${to} will abort: pending migrations outside this release artifact (${listNames(names)}), with ${
          stops.length > 0
            ? `the required ${stops.length === 1 ? 'stop' : 'stops'} ${stops.join(', ')}`
            : `the minimum previous version ${minimum}`
        }`,
      pasteIn: 'image',
      commands: () => [preflight],
    },
    'start-privileges': {
      meaning:
        'The role that migrates may not create in the schema, or does not own a table that the target changes. Its start check aborts.',
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
    'start-proceeds': {
      meaning: 'Nothing that the start check of the target inspects makes it abort.',
      describe: ({ to, checked }) =>
        checked ? `${to} will not abort for any reason known here` : `${to} has no start check of its own`,
    },
  },
};
