import type { ConnectionsEvidence } from '../../../preflight/checks/connections.js';
import type { ExtensionsEvidence } from '../../../preflight/checks/extensions.js';
import type { PostgresVersionEvidence } from '../../../preflight/checks/postgres-version.js';
import type { PrimaryEvidence } from '../../../preflight/checks/primary.js';
import { sqlName, sqlText } from '../../sql-word.js';
import type { CheckWords } from './check-words.js';

export const primaryWords: CheckWords<PrimaryEvidence> = {
  label: 'Primary server',
  meaning: 'Whether the server accepts writes.',
  looksAt:
    'Whether the server is in recovery: a replica, or a server that is just starting; and default_transaction_read_only, as a session of the migrating role begins with it: the setting of role and database, and that of the server, unless the collecting role has its own setting; and subscriptions that write knex_migrations. No write is tried: a full disk, or a server that has run out of transaction IDs, is not seen.',
  finds: {
    'in-recovery': {
      meaning: 'The server is a replica, or is still recovering. Nothing can be migrated there.',
      remedy: 'Give the address of the primary; if this is the primary, wait until it has recovered.',
      describe: () => 'the server is in recovery',
    },
    'begins-read-only': {
      meaning:
        'Sessions of the migrating role begin with default_transaction_read_only: every migration is refused. Providers set it when the disk is full, and people before they move a database.',
      remedy: 'Find out who has set it, and why; undo it where it is set, which the list shows.',
      describe: ({ role }) => `sessions of ${role} begin read-only (default_transaction_read_only)`,
      pasteIn: 'psql',
      commands: () => ['\\drds', 'SHOW default_transaction_read_only;'],
    },
    'ledger-subscribed': {
      meaning:
        'An enabled subscription writes knex_migrations: this database is a copy of another, kept by logical replication. A migration that runs only here is missing in the original, and the copy no longer matches it.',
      remedy:
        'Give the address of the database that is copied. If Lightdash is to move here, disable the subscription first.',
      describe: ({ subscription }) =>
        `the subscription ${subscription} writes knex_migrations: this is a copy of another database`,
      pasteIn: 'psql',
      commands: ({ subscription }) => [
        `SELECT subname, subenabled, subpublications FROM pg_subscription WHERE subname = ${sqlText(subscription)};`,
        `-- to disable it: ALTER SUBSCRIPTION ${sqlName(subscription)} DISABLE;`,
      ],
    },
    'is-primary': {
      meaning:
        'The server is not a replica, no enabled subscription writes the ledger, and sessions of the migrating role do not begin read-only, as far as can be seen.',
      describe: ({ role }) =>
        `the server is not a replica, and no setting that is seen makes sessions of ${role} read-only`,
    },
  },
};

export const postgresVersionWords: CheckWords<PostgresVersionEvidence> = {
  label: 'PostgreSQL version',
  meaning: 'Whether the server is new enough for the target.',
  looksAt: 'server_version_num; the start check of releases since 1.125.0 requires PostgreSQL 12 or later.',
  finds: {
    'postgres-too-old': {
      meaning: 'The server is older than the target supports.',
      remedy: 'Upgrade PostgreSQL first: pg_upgrade, or dump and restore.',
      describe: ({ major, minimum }) => `PostgreSQL ${major} runs, and ${minimum} or later is needed`,
    },
    'postgres-new-enough': {
      meaning: 'The server is new enough.',
      describe: ({ major, minimum }) => `PostgreSQL ${major} runs, and ${minimum} or later is needed`,
    },
  },
};

export const extensionsWords: CheckWords<ExtensionsEvidence> = {
  label: 'Extensions',
  meaning: 'Whether the extensions that the target needs are there, or the migrating role may create them.',
  looksAt:
    'What the target needs and the running release did not: vector with a licence key, since March 2025; ltree, from 0.1569.0 on; uuid-ossp, which every start of a migration creates from 1.123.0 on. Each is installed, or available and permitted.',
  finds: {
    'extension-not-available': {
      meaning: 'The server does not have the files of an extension that the target needs.',
      remedy:
        'Install its package on the server, or use an image or a service that has it: pgvector/pgvector has vector.',
      describe: ({ extension }) => `${extension} is not available on this server`,
    },
    'extension-not-permitted': {
      meaning:
        'An extension that the target needs is not installed, and the migrating role may not create it.',
      remedy: 'Create it on that database, as a superuser or as the administrator of the service.',
      describe: ({ extension, role, database }) =>
        `${extension} is not installed in ${database}, and ${role} may not create it`,
      pasteIn: 'psql',
      commands: ({ extension, schema }) => [
        `CREATE EXTENSION IF NOT EXISTS ${sqlName(extension)} SCHEMA ${sqlName(schema)};`,
      ],
    },
    'extensions-there': {
      meaning: 'Every extension that the target is known to need is there, or can be created.',
      describe: ({ extensions }) =>
        extensions.length === 0
          ? 'the target needs none that the running release did not'
          : `${extensions.join(' and ')}: installed, or the migrating role may create it`,
    },
  },
};

export const connectionsWords: CheckWords<ConnectionsEvidence> = {
  label: 'Connections',
  meaning: 'Whether connections are left for the migrator, and for new pods next to the old ones.',
  looksAt:
    'max_connections minus those reserved and in use, and any limits of the migrating role and the database. A migrator needs two; in a rolling update new pods may need as many as the old ones have.',
  finds: {
    'no-connections-left': {
      meaning: 'Server, role or database have no connection left for a migrator.',
      remedy: 'Stop what is not needed, or raise the limit.',
      describe: ({ needed, ...room }) => `${describeRoom(room)}, and a migrator needs ${needed}`,
    },
    'few-connections-left': {
      meaning: 'If as many new pods start as run now, some may find no connection.',
      remedy: 'Use Recreate, or raise the limit before a rolling update.',
      describe: (room) => `${describeRoom(room)}: fewer than are in use`,
    },
    'connections-left': {
      meaning: 'There are as many connections left as are in use.',
      describe: describeRoom,
    },
  },
};

function describeRoom({ of, left, used, max }: Omit<ConnectionsEvidence, 'kind'>): string {
  const whose = of === 'server' ? '' : ` by the ${of}`;
  return `${left} left (${used} of ${max} in use${whose})`;
}
