import { sqlName, sqlText } from '../../core/text/quoted-words.js';
import { defineCheck, ok, stop } from '../check.js';

export const primary = defineCheck({
  id: 'primary',
  needs: ['server', 'migrator', 'replication'],
  *judge({ facts: { server, migrator, replication } }) {
    const { name: role, readOnly } = migrator;
    if (server.inRecovery) yield stop(null, { kind: 'in-recovery' });
    if (readOnly) yield stop(role, { kind: 'begins-read-only', role });
    for (const subscription of replication.subscriptions)
      yield stop(subscription, { kind: 'ledger-subscribed', subscription });
    return ok({ kind: 'is-primary', role });
  },
})({
  label: 'Primary server',
  meaning:
    'Whether the server accepts writes. What it looks at: Whether the server is in recovery: a replica, or a ' +
    'server that is just starting. default_transaction_read_only as a session of the migrating role gets it: ' +
    'the setting of the role and database, and that of the server unless the collecting role has its own. ' +
    'Subscriptions that write knex_migrations. No write is tried, so a full disk or a server out of ' +
    'transaction IDs goes unnoticed.',
  traitsOf: { 'in-recovery': { neverAccepted: 'another-instance' } },
  finds: {
    'in-recovery': {
      meaning: 'The server is a replica, or is still recovering. Nothing can be migrated there.',
      remedy: 'Give the address of the primary; if this is the primary, wait until it has recovered.',
      describe: () => 'the server is in recovery',
    },
    'begins-read-only': {
      meaning: 'Sessions of the migrating role start read-only. Providers set this when the disk is full.',
      remedy: 'Find out who set it, and why. Undo it where it is set: the list shows that.',
      describe: ({ role }) => `sessions of ${role} start read-only (default_transaction_read_only)`,
      psql: () => ['\\drds', 'SHOW default_transaction_read_only;'],
    },
    'ledger-subscribed': {
      meaning:
        'This database is a copy by logical replication. Migrating only the copy makes the two differ.',
      remedy: 'Give the address of the original. To move Lightdash here, disable the subscription first.',
      describe: ({ subscription }) =>
        `the subscription ${subscription} writes knex_migrations: this is a copy of another database`,
      psql: ({ subscription }) => [
        `SELECT subname, subenabled, subpublications FROM pg_subscription WHERE subname = ${sqlText(subscription)};`,
        `-- to disable it: ALTER SUBSCRIPTION ${sqlName(subscription)} DISABLE;`,
      ],
    },
    'is-primary': {
      meaning: 'No replica, no copy, and no visible setting makes sessions of the role read-only.',
      describe: ({ role }) =>
        `the server is not a replica, and no visible setting makes sessions of ${role} read-only`,
    },
  },
});
