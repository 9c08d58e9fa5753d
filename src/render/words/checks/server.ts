import type { ConnectionsEvidence } from '../../../preflight/checks/connections.js';
import type { ExtensionsEvidence } from '../../../preflight/checks/extensions.js';
import type { PostgresVersionEvidence } from '../../../preflight/checks/postgres-version.js';
import type { PrimaryEvidence } from '../../../preflight/checks/primary.js';
import { printable } from '../../printable.js';
import { sqlName } from '../../sql-word.js';
import type { CheckWords } from './check-words.js';

export const primaryWords: CheckWords<PrimaryEvidence> = {
  label: 'Primary server',
  meaning: 'Whether the server can be written to.',
  looksAt: 'Whether the server is in recovery: a replica, or one that is just starting.',
  finds: {
    'in-recovery': {
      meaning: 'The server is a replica, or still recovers. Nothing can be migrated there.',
      remedy: 'Give the address of the primary; where it is the one, wait until it has recovered.',
      describe: () => 'the server is in recovery',
    },
    'is-primary': {
      meaning: 'The server can be written to.',
      describe: () => 'the server can be written to',
    },
  },
};

export const postgresVersionWords: CheckWords<PostgresVersionEvidence> = {
  label: 'PostgreSQL version',
  meaning: 'Whether the server is new enough for the target.',
  looksAt: 'server_version_num; the start check of releases since 1.125.0 wants PostgreSQL 12 or later.',
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
    'vector, which the schema needs since March 2025, and uuid-ossp, which every start of a migration makes from 1.123.0 on: installed, or available and permitted.',
  finds: {
    'extension-not-available': {
      meaning: 'The server does not have the files of an extension that the target needs.',
      remedy:
        'Install its package on the server, or use an image or a service that has it: pgvector/pgvector has vector.',
      describe: ({ extension }) => `${printable(extension)} is not available on this server`,
    },
    'extension-not-permitted': {
      meaning:
        'An extension that the target needs is not installed, and the migrating role may not create it.',
      remedy: 'Create it on that database, as a superuser or as the administrator of the service.',
      describe: ({ extension, role, database }) =>
        `${printable(extension)} is not installed in ${printable(database)}, and ${printable(role)} may not create it`,
      pasteIn: 'psql',
      commands: ({ extension }) => [`CREATE EXTENSION IF NOT EXISTS ${sqlName(extension)};`],
    },
    'extensions-there': {
      meaning: 'Every extension that the target is known to need is there, or can be created.',
      describe: ({ extensions }) =>
        extensions.length === 0
          ? 'the target is not known to need any'
          : `${extensions.join(' and ')}: installed, or the migrating role may create it`,
    },
  },
};

export const connectionsWords: CheckWords<ConnectionsEvidence> = {
  label: 'Connections',
  meaning: 'Whether the server has connections left for the migrator, and for new pods beside the old ones.',
  looksAt:
    'max_connections without those reserved and those in use. A migrator takes two; in a rolling update new pods may take as many as the old ones have.',
  finds: {
    'no-connections-left': {
      meaning: 'The server has no connection left for a migrator.',
      remedy: 'Stop what is not needed, or raise max_connections.',
      describe: ({ left, used, max, needed }) =>
        `${left} left (${used} of ${max} in use), and a migrator needs ${needed}`,
    },
    'few-connections-left': {
      meaning: 'As many pods again as run now may find no connection.',
      remedy: 'Use Recreate, or raise max_connections before a rolling update.',
      describe: ({ left, used, max }) => `${left} left (${used} of ${max} in use): fewer than are in use`,
    },
    'connections-left': {
      meaning: 'There are as many connections left as are in use.',
      describe: ({ left, used, max }) => `${left} left (${used} of ${max} in use)`,
    },
  },
};
