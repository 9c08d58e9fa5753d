import * as z from 'zod/mini';
import { dateTimeSchema } from '../../core/field-schemas.js';
import { fact, facts } from './observed.js';

/**
 * The facts of an instance's database. Times are ISO 8601 in UTC, sizes in bytes. None of them is free text that a
 * person or a program put there: no query, no error message, no address.
 */

const count = z.int().check(z.nonnegative());
const text = z.string();

/** Milliseconds: 0 for no limit, null if the limit of this role is not known. */
const limit = z.nullable(count);

/** A row of `migration_run_ledger`: one attempt. What failed is named; its message is not stored. */
const run = z.strictObject({
  appVersion: text,
  /** `running`, `succeeded`, `retrying`, `parked`, or a name that a later release uses. */
  outcome: text,
  /** A migration, or the stage that failed. */
  failingMigration: z.nullable(text),
});

/** Of another connection to this database that is not simply idle. Ages are by the clock of the server. */
const session = z.strictObject({
  pid: count,
  role: z.nullable(text),
  backend: text,
  state: z.nullable(text),
  /** Since its transaction began; null if none is open. */
  transactionSeconds: z.nullable(count),
  /** Whether it has a snapshot, for which a concurrent index build waits. */
  snapshot: z.boolean(),
});

const replicationSlot = z.strictObject({
  name: text,
  kind: z.enum(['logical', 'physical']),
  active: z.boolean(),
  /** WAL that the server keeps for it; null if it keeps none, and on a replica. */
  keptBytes: z.nullable(count),
  /** `reserved`, `extended`, `unreserved`, `lost`; null before PostgreSQL 13. */
  walStatus: z.nullable(text),
});

/** A running vacuum on a table of the schema; `automatic` if the server began it. */
const vacuum = z.strictObject({
  pid: count,
  table: text,
  automatic: z.boolean(),
  /** A vacuum against wraparound does not make way for a lock that DDL requests. */
  preventsWraparound: z.boolean(),
});

/** What uses columns of a table, or the table as a whole; the server refuses to drop these, or to change their type. */
const dependentObject = z.strictObject({
  kind: z.enum(['function', 'materialized view', 'policy', 'publication', 'rule', 'trigger', 'view']),
  /** With its schema if that is another. */
  name: text,
  /** Null if the object has no owner of its own, such as a policy or a trigger. */
  owner: z.nullable(text),
  table: text,
  /** Empty if it uses the table as a whole. */
  columns: z.array(text),
});

/** A trigger that is enabled for ordinary sessions. */
const trigger = z.strictObject({
  name: text,
  table: text,
  function: text,
  onInsert: z.boolean(),
  onUpdate: z.boolean(),
  onDelete: z.boolean(),
  /** Whether it runs for each row, and not once for each statement. */
  forEachRow: z.boolean(),
});

/**
 * A table, or a partition, whose updates or deletes a publication publishes although it has no replica identity, which
 * tells subscribers the row: the server refuses such a change.
 */
const unidentified = z.strictObject({
  publication: text,
  table: text,
  updates: z.boolean(),
  deletes: z.boolean(),
});

export const databaseFacts = {
  server: fact({
    /** `server_version_num`: 150018 is 15.18. */
    versionNum: count,
    /** Whether it is a replica, or still in recovery: nothing can be migrated there. */
    inRecovery: z.boolean(),
    maxConnections: count,
    /** Connections reserved for superusers and for roles with the right to use them. */
    reservedConnections: count,
    /** The connections of clients, to all databases of the server. */
    usedConnections: count,
    /** How many of them may not be of a client: the role may not see what they are. Absent in older files. */
    hiddenConnections: z.optional(count),
    /**
     * Transactions since the oldest that no vacuum has frozen yet, of all databases: the server stops three million
     * before 2^31. Absent in older files, like that of multixacts.
     */
    oldestTransactionAge: z.optional(count),
    oldestMultixactAge: z.optional(count),
  }),
  /** The role that the collector connects as. */
  role: fact({ name: text, superuser: z.boolean() }),
  /**
   * The role that migrates: the one that was named, else the owner of `knex_migrations`, else the collector's role. Not
   * known if another role, which does not inherit the rights of that owner, may write `knex_migrations`. Its rights are
   * on the schema that Lightdash uses, and on this database.
   */
  migrator: fact({
    name: text,
    superuser: z.boolean(),
    /** The login roles that may act as this role, except superusers: any of them may be the one that migrates. */
    actedAsBy: z.array(text),
    /** Enabled event triggers of this database: they run on every schema change, and may refuse it. */
    eventTriggers: z.array(text),
    /** The first existing schema of the search path: that of this role if it has one, else of the collector's role. */
    schema: text,
    schemaUsage: z.boolean(),
    schemaCreate: z.boolean(),
    /** The right that creating an extension needs. */
    databaseCreate: z.boolean(),
    /** Owners of tables and functions of Graphile Worker whose rights this role lacks. Absent in older files. */
    queueOwners: z.optional(z.array(text)),
    /** The limits with which a session of this role in this database begins. */
    statementTimeoutMs: limit,
    lockTimeoutMs: limit,
    idleInTransactionSessionTimeoutMs: limit,
    /** From PostgreSQL 17 on; 0 before. */
    transactionTimeoutMs: limit,
    /** How long it waits for a lock before the server cancels an automatic vacuum that holds it. Absent in older files. */
    deadlockTimeoutMs: z.optional(limit),
    /** `on`, `off`, `local`, …: with which a session of this role begins. Absent in older files. */
    synchronousCommit: z.optional(z.nullable(text)),
    /**
     * Whether such a session begins with `default_transaction_read_only`, as far as the collector's role may see it.
     */
    readOnly: z.boolean(),
    /** Limits of the role or of this database that apply to the role; none apply to a superuser. */
    connectionLimits: z.array(z.strictObject({ of: z.enum(['role', 'database']), max: count, used: count })),
  }),
  database: fact({ name: text, sizeBytes: count }),
  /** An extension that the server can create or has created. An extension that is not listed cannot be created. */
  extensions: facts({
    name: text,
    /** The version that the server would create; null if only the installed version is known. */
    available: z.nullable(text),
    installed: z.nullable(text),
    /** Whether a role without superuser may create it; null before PostgreSQL 13, which may not say. */
    trusted: z.nullable(z.boolean()),
  }),
  /**
   * All tables of the schema that Lightdash uses, and their partitions, with their schema if that is another: a table
   * that is not listed does not exist. Sizes are null if reading them would need a lock.
   */
  tables: facts({
    name: text,
    kind: z.enum(['table', 'partitioned']),
    /** The table it is a partition or a child of. */
    partitionOf: z.nullable(text),
    /** By the statistics of the server, scaled to its current size; null if the table was never analysed. */
    estimatedRows: z.nullable(count),
    deadRows: count,
    heapBytes: z.nullable(count),
    toastBytes: z.nullable(count),
    indexBytes: z.nullable(count),
    /**
     * `files`: the current sizes. `statistics`: as the last vacuum or analyze saw them, because the table is locked.
     */
    sizedBy: z.enum(['files', 'statistics']),
    owner: text,
    /** Whether the role that migrates belongs to the owner, which altering the table requires. */
    owned: z.boolean(),
  }),
  /**
   * All indexes of these tables, and the invalid ones of what is stored out of line (`pg_toast`). A failed `CREATE INDEX
   * CONCURRENTLY` leaves an invalid one, and so do `REINDEX` and `DROP INDEX CONCURRENTLY`.
   */
  indexes: facts({
    name: text,
    table: text,
    valid: z.boolean(),
    /** `btree`, `gin`, …; absent in older files. */
    method: z.optional(text),
  }),
  /** What else hangs on these tables; no release is known to make any of it. */
  dependents: fact({
    objects: z.array(dependentObject),
    triggers: z.array(trigger),
    unidentified: z.array(unidentified),
  }),
  /**
   * How many rows the server expects a backfill to change, without reading them, and how many rows of the table have
   * changed since it last counted. Left out where its condition is not known to the server.
   */
  backfillRows: facts({ migration: text, table: text, rows: count, modifiedRows: count }),
  /** The rows of `knex_migrations`, oldest first. The name is empty where there is none. */
  ledger: facts({ name: text, batch: z.int(), migratedAt: z.nullable(dateTimeSchema) }),
  /** `knex_migrations_lock`: stock Knex keeps one row, with `is_locked` 0 or 1. */
  ledgerLock: fact({ rows: count, lockedRows: count }),
  /** A row of `migration_lease`; there must be exactly one. Columns that later releases add are null before that. */
  lease: facts({
    key: text,
    /** Whether a claim token is set: a migrator holds the lease, or died holding it. */
    claimed: z.boolean(),
    holderHostname: z.nullable(text),
    holderPodName: z.nullable(text),
    appVersion: z.nullable(text),
    currentMigration: z.nullable(text),
    lastHeartbeat: z.nullable(dateTimeSchema),
    /** By the clock of the server when it was seen. */
    heartbeatAgeSeconds: z.nullable(count),
    parkedAt: z.nullable(dateTimeSchema),
    parkedAppVersion: z.nullable(text),
    parkedMigration: z.nullable(text),
    /** `transient`, `deterministic`, or a name that a later release uses. */
    parkedErrorClass: z.nullable(text),
  }),
  /** The newest row of `migration_run_ledger`, and the newest that succeeded; null if there is none. */
  runs: fact({ newest: z.nullable(run), lastSucceeded: z.nullable(run) }),
  /** The jobs of Graphile Worker, by state. */
  queue: fact({
    jobs: count,
    /** Locked by a worker: the job runs, or the worker died during it. */
    locked: count,
    /** Locked for more than four hours, after which another worker may take the job. */
    lockedTooLong: count,
    /** Locked on the last attempt: lost if its worker is shut down. */
    lockedOnLastAttempt: count,
    /**
     * Of the jobs that were locked more recently: how many were locked before any connected worker began, and how many
     * of these on their last attempt. Nobody works on them. Null if the role may not see that; absent in older files.
     */
    lockedWithoutWorker: z.optional(z.nullable(count)),
    withoutWorkerOnLastAttempt: z.optional(z.nullable(count)),
    /** Workers that are connected, and when one has last looked for a job. Null if not all sessions may be seen. */
    workers: z.optional(z.nullable(count)),
    lookedSecondsAgo: z.optional(z.nullable(count)),
    /** Jobs that are due, have attempts left and are not locked; and how long the oldest of them has waited. */
    due: count,
    oldestDueSeconds: z.nullable(count),
    /** No attempt left and not locked: failed for good. */
    failed: count,
    /** How many of them failed in the last day, or in the six hours before. Absent in older files. */
    failedLately: z.optional(count),
  }),
  activity: fact({
    sessions: z.array(session),
    /** Sessions whose activity this role may not see. If there are any, an empty list proves nothing. */
    hiddenSessions: count,
    /** How many of them hold a snapshot, and how many transactions ago the oldest was taken. Absent in older files. */
    hiddenSnapshots: z.optional(count),
    oldestHiddenSnapshot: z.optional(z.nullable(count)),
  }),
  /** A lock on a table of the schema, held or awaited by another session or a prepared transaction. */
  locks: facts({
    table: text,
    mode: text,
    granted: z.boolean(),
    /** Of the session, or the name of the prepared transaction. */
    pid: z.nullable(count),
    preparedTransaction: z.nullable(text),
    /** Null if this role may not see it. */
    transactionSeconds: z.nullable(count),
  }),
  /** A transaction of this database that was prepared and neither committed nor rolled back. */
  preparedTransactions: facts({ name: text, owner: text, ageSeconds: count }),
  replication: fact({
    slots: z.array(replicationSlot),
    /** Enabled subscriptions that write `knex_migrations`: this database is a copy of another. */
    subscriptions: z.array(text),
    /**
     * For how many standbys a commit waits, how many of them are connected, and of how many others the role may not see
     * whether they are; null if a commit waits for none. Absent in older files.
     */
    synchronous: z.optional(z.nullable(z.strictObject({ needed: count, connected: count, hidden: count }))),
  }),
  /** What archives WAL: whether it is set, and when it last succeeded and failed. */
  archiver: fact({
    enabled: z.boolean(),
    archivedSecondsAgo: z.nullable(count),
    failedSecondsAgo: z.nullable(count),
  }),
  /** `hidden`: how many are on tables that this role may not see. */
  vacuums: fact({ running: z.array(vacuum), hidden: count }),
  /** A bounded read of the largest readable table: the same blocks twice, without parallel workers. */
  readRate: fact({
    table: text,
    /** For the first pass, the server may have had to read from disk; for the second, they are cached. */
    firstBytes: count,
    firstMicroseconds: count,
    againBytes: count,
    againMicroseconds: count,
  }),
  /** Hashing and sorting made-up rows: the work of an index build besides reading. */
  sortRate: fact({ rows: count, microseconds: count }),
};
