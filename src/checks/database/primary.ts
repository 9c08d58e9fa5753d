import { sqlName, sqlText } from '../../core/text/quoted-words.js';
import type { FactOf } from '../../instance/facts/needs.js';
import { countOf, formatNumber } from '../../words/phrase.js';
import { defineCheck, lacks, ok, stop, warn } from '../check.js';

/** The age, in transactions or multixacts, at which the server gives no new ones: three million before they run out. */
const stopAge = 2 ** 31 - 3_000_000;

/** From here on, the server vacuums without regard for others, by default (`vacuum_failsafe_age`). */
const warnAge = 1_600_000_000;

const vacuumIt =
  'End what keeps old rows: an old transaction, a prepared one, a replication slot. Then run VACUUM in the database ' +
  'with the oldest age.';

/** With these, a commit waits for no standby. */
const waitsForNone: readonly unknown[] = ['off', 'local'];

export const primary = defineCheck({
  id: 'primary',
  needs: ['server', 'migrator', 'replication'],
  mayNeed: ['activity'],
  *judge({ facts: { server, migrator, replication } }) {
    const { name: role, readOnly, synchronousCommit } = migrator;
    if (server.inRecovery) yield stop(null, { kind: 'in-recovery' });
    if (readOnly) yield stop(role, { kind: 'begins-read-only', role });
    for (const subscription of replication.subscriptions)
      yield stop(subscription, { kind: 'ledger-subscribed', subscription });
    const { synchronous } = replication;
    if (
      synchronous &&
      synchronous.connected < synchronous.needed &&
      !waitsForNone.includes(synchronousCommit)
    )
      yield withoutStandby(synchronous);
    const age = Math.max(server.oldestTransactionAge ?? 0, server.oldestMultixactAge ?? 0);
    const left = Math.max(0, stopAge - age);
    if (left === 0) yield stop(null, { kind: 'out-of-transaction-ids' });
    else if (age >= warnAge) yield warn(null, { kind: 'few-transaction-ids-left', left });
    return ok({ kind: 'is-primary', role });
  },
})({
  label: 'Primary server',
  meaning:
    'Whether the server accepts writes. What it looks at: Whether the server is in recovery: a replica, or a ' +
    'server that is just starting. default_transaction_read_only as a session of the migrating role gets it: ' +
    'the setting of the role and database, and that of the server unless the collecting role has its own. ' +
    'Subscriptions that write knex_migrations. synchronous_standby_names, with the standbys that are ' +
    'connected. The age of the oldest transaction and multixact that no vacuum has frozen. No write is tried, ' +
    'so a full disk goes unnoticed.',
  traitsOf: { 'in-recovery': { neverAccepted: 'another-instance' } },
  finds: {
    'in-recovery': {
      meaning: 'The server is a replica, or is still recovering. Nothing can be migrated there.',
      remedy: 'Pass the address of the primary; if this is the primary, wait until it has recovered.',
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
      remedy: 'Pass the address of the original. To move Lightdash here, disable the subscription first.',
      describe: ({ subscription }) =>
        `the subscription ${subscription} writes knex_migrations: this is a copy of another database`,
      psql: ({ subscription }) => [
        `SELECT subname, subenabled, subpublications FROM pg_subscription WHERE subname = ${sqlText(subscription)};`,
        `-- to disable it: ALTER SUBSCRIPTION ${sqlName(subscription)} DISABLE;`,
      ],
    },
    'commits-wait': {
      meaning:
        'A commit waits for a synchronous standby that is not connected: the first one of the migrator never ' +
        'ends.',
      remedy:
        'Connect the standby again, or take it out of synchronous_standby_names; writes of the running release ' +
        'wait, too.',
      describe: ({ needed, connected }) =>
        `synchronous_standby_names asks for ${countOf(needed, 'standby', 'standbys')}, and ${connected} ` +
        `${connected === 1 ? 'is' : 'are'} connected`,
      psql: () => [
        'SHOW synchronous_standby_names;',
        'SELECT application_name, state, sync_state FROM pg_stat_replication;',
      ],
    },
    'out-of-transaction-ids': {
      meaning: 'The server has no transaction IDs left to give, and refuses every write.',
      remedy: `${vacuumIt} Nothing can be migrated before that.`,
      describe: () => 'the server is out of transaction IDs, or of multixacts',
      psql: showAges,
    },
    'few-transaction-ids-left': {
      meaning:
        'The oldest transaction that no vacuum has frozen is so old that the server is near the point at which ' +
        'it refuses every write.',
      remedy: vacuumIt,
      describe: ({ left }) =>
        `${formatNumber(left)} transaction IDs, or multixacts, are left before the server stops`,
      psql: showAges,
    },
    'is-primary': {
      meaning: 'No replica, no copy, and no visible setting makes sessions of the role read-only.',
      describe: ({ role }) =>
        `the server is not a replica, and no visible setting makes sessions of ${role} read-only`,
    },
  },
});

/** Where this role may not see the standbys, any of them may be one that commits wait for. */
function withoutStandby({ needed, connected, hidden }: Synchronous) {
  if (connected + hidden < needed) return stop(null, { kind: 'commits-wait', needed, connected });
  return lacks('activity', {
    why: 'not-permitted',
    detail: 'synchronous_standby_names is set, but the role cannot see which standbys are connected',
  });
}

type Synchronous = NonNullable<FactOf<'replication'>['synchronous']>;

function showAges(): readonly string[] {
  return [
    'SELECT datname, pg_catalog.age(datfrozenxid), pg_catalog.mxid_age(datminmxid) FROM pg_database ORDER BY 2 DESC;',
    'SELECT slot_name, active, xmin, catalog_xmin FROM pg_replication_slots;',
    'SELECT gid, prepared, database FROM pg_prepared_xacts;',
    'SELECT pid, datname, usename, xact_start, pg_catalog.age(backend_xmin) FROM pg_stat_activity WHERE backend_xmin IS NOT NULL ORDER BY 5 DESC LIMIT 5;',
  ];
}
