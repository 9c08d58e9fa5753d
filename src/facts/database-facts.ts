import * as z from 'zod/mini';
import { dateTimeSchema } from '../release-safety/field-schemas.js';

/**
 * What the database of an instance tells, fact by fact. Times are ISO 8601 in UTC, sizes in bytes. Nothing of these is
 * a text that a person or a program put there freely: no query, no error message, no address.
 */

const count = z.int().check(z.nonnegative());
const text = z.string();

/** A limit in milliseconds: 0 where there is none, null where it cannot be told for this role. */
const limitSchema = z.nullable(count);

/** The server, as it stands. */
export const serverFactSchema = z.strictObject({
  /** `server_version_num`: 150018 is 15.18. */
  versionNum: count,
  /** Whether it is a replica, or still recovers: nothing can be migrated there. */
  inRecovery: z.boolean(),
  maxConnections: count,
  /** Connections that only superusers, or roles named for it, may take. */
  reservedConnections: count,
  /** Connections to all its databases, with those of autovacuum. */
  usedConnections: count,
  sharedBuffersBytes: count,
  maintenanceWorkMemBytes: count,
  /** Whether autovacuum is on. */
  autovacuum: z.boolean(),
});

/** The database, and the size of all that is in it. */
export const databaseFactSchema = z.strictObject({ name: text, sizeBytes: count });

/** The role that looks. */
export const roleFactSchema = z.strictObject({
  name: text,
  superuser: z.boolean(),
  /** The roles whose rights it has, itself left out. */
  memberOf: z.array(text),
  /** Whether it sees what other roles' sessions do: `pg_read_all_stats`, or `pg_monitor` that has it. */
  readsAllStats: z.boolean(),
});

/**
 * The role that migrates: the one that was named, else the owner of `knex_migrations`, else the role that looks. It is not
 * told where another role, which may not act as that owner, may write `knex_migrations`.
 * Its rights are on the schema that Lightdash uses, and on this database.
 */
export const migratorFactSchema = z.strictObject({
  name: text,
  origin: z.enum(['stated', 'owner-of-ledger', 'looking']),
  superuser: z.boolean(),
  /** The roles that log in and may act as it, superusers left out: any of them may be what migrates. */
  actedAsBy: z.array(text),
  /** The first schema that exists of the search path: that of this role where it has one, else of the role that looks. */
  schema: text,
  schemaUsage: z.boolean(),
  schemaCreate: z.boolean(),
  /** What creating an extension needs. */
  databaseCreate: z.boolean(),
  /** Who owns tables and functions of Graphile Worker that this role does not; a file of before does not tell. */
  queueOwners: z.optional(z.array(text)),
  /** The limits that a session of this role begins with, in this database. */
  statementTimeoutMs: limitSchema,
  lockTimeoutMs: limitSchema,
  idleInTransactionSessionTimeoutMs: limitSchema,
  /** Of PostgreSQL 17 and later; 0 before. */
  transactionTimeoutMs: limitSchema,
  /** Whether such a session begins with `default_transaction_read_only`, as far as the role that looks may see it. */
  readOnly: z.boolean(),
  /** Of the role, or of this database, where either has a limit that holds for it; none hold for a superuser. */
  connectionLimits: z.array(z.strictObject({ of: z.enum(['role', 'database']), max: count, used: count })),
});

/** An extension that the server could create or has created; one that is not listed cannot be. */
export const extensionFactSchema = z.strictObject({
  name: text,
  /** The version that it would create; null where only what is installed is known. */
  available: z.nullable(text),
  installed: z.nullable(text),
  /** Whether a role without superuser may create it; null before PostgreSQL 13, where it may not be told. */
  trusted: z.nullable(z.boolean()),
});

/**
 * A table of the schema that Lightdash uses, or a partition of one, with its schema where that is another. Sizes in bytes,
 * null where only a lock on it would tell them.
 */
export const tableFactSchema = z.strictObject({
  name: text,
  kind: z.enum(['table', 'partitioned']),
  /** The table it is a partition or a child of. */
  partitionOf: z.nullable(text),
  persistence: z.enum(['permanent', 'unlogged']),
  /** By the statistics of the server, scaled to its size now; null where the table was never analysed. */
  estimatedRows: z.nullable(count),
  /** Dead rows, which slow down a scan, by the statistics of the server. */
  deadRows: count,
  heapBytes: z.nullable(count),
  toastBytes: z.nullable(count),
  indexBytes: z.nullable(count),
  /** `files`: as they are now. `statistics`: as vacuum or analyze last saw them, for the table is locked. */
  sizedBy: z.enum(['files', 'statistics']),
  owner: text,
  /** Whether the role that migrates belongs to the owner, as it must to alter the table. */
  owned: z.boolean(),
  /** Whether the role that looks may read it. */
  readable: z.boolean(),
});

/** An index of one of the tables. One that is not valid is what a `CREATE INDEX CONCURRENTLY` that failed leaves. */
export const indexFactSchema = z.strictObject({
  name: text,
  table: text,
  valid: z.boolean(),
  ready: z.boolean(),
  unique: z.boolean(),
  primary: z.boolean(),
  /** Whether it holds only the rows of a condition. */
  partial: z.boolean(),
  /** The access method, such as `btree`. */
  method: text,
  /** Key columns in order; null for an expression. */
  columns: z.array(z.nullable(text)),
  /** By the statistics of the server, as vacuum or analyze last saw it. */
  estimatedBytes: count,
});

const constraintKinds = ['primary-key', 'unique', 'foreign-key', 'check', 'exclusion'] as const;

/** A constraint of one of the tables. */
export const constraintFactSchema = z.strictObject({
  name: text,
  table: text,
  kind: z.enum(constraintKinds),
  columns: z.array(text),
  /** The table that a foreign key refers to, with its schema where that is another one; else null. */
  references: z.nullable(text),
  /** False for one that was added NOT VALID and never validated. */
  validated: z.boolean(),
});

/** A row of `knex_migrations`. */
export const ledgerRowSchema = z.strictObject({
  name: text,
  batch: z.int(),
  migratedAt: z.nullable(dateTimeSchema),
});

/** `knex_migrations_lock`: stock Knex keeps one row, with `is_locked` 0 or 1. */
export const ledgerLockFactSchema = z.strictObject({ rows: count, lockedRows: count });

/** A row of `migration_lease`; there is to be exactly one. Columns that came later are null before they came. */
export const leaseRowSchema = z.strictObject({
  key: text,
  /** Whether a claim token is set: a migrator holds the lease, or died holding it. */
  claimed: z.boolean(),
  holderHostname: z.nullable(text),
  holderPodName: z.nullable(text),
  appVersion: z.nullable(text),
  currentMigration: z.nullable(text),
  startedAt: z.nullable(dateTimeSchema),
  lastHeartbeat: z.nullable(dateTimeSchema),
  /** By the clock of the server when it was seen. */
  heartbeatAgeSeconds: z.nullable(count),
  /** Whether this lease can be parked at all: its columns are there. */
  parks: z.boolean(),
  parkedAt: z.nullable(dateTimeSchema),
  parkedAppVersion: z.nullable(text),
  parkedMigration: z.nullable(text),
  /** `transient`, `deterministic`, or what a later release calls it. */
  parkedErrorClass: z.nullable(text),
});

/** A row of `migration_run_ledger`: one attempt. What failed is named; its message is not kept. */
export const runRowSchema = z.strictObject({
  appVersion: text,
  fromMigration: z.nullable(text),
  toMigration: z.nullable(text),
  attempt: count,
  startedAt: dateTimeSchema,
  finishedAt: z.nullable(dateTimeSchema),
  /** `running`, `succeeded`, `retrying`, `parked`, or what a later release calls it. */
  outcome: text,
  /** A migration, or the stage that failed. */
  failingMigration: z.nullable(text),
});

/** The newest rows of `migration_run_ledger`, at most twenty, newest first, and the newest that succeeded. */
export const runsFactSchema = z.strictObject({
  newest: z.array(runRowSchema),
  lastSucceeded: z.nullable(runRowSchema),
});

/** Graphile Worker's own schema: its migrations, and its jobs by what has become of them. */
export const queueFactSchema = z.strictObject({
  /** The newest of Graphile Worker's own migrations. */
  schemaVersion: z.nullable(count),
  jobs: count,
  /** Locked by a worker: it runs, or the worker died with it. */
  locked: count,
  /** Locked for more than four hours, which is when a worker may take one over. */
  lockedTooLong: count,
  /** Locked, with no attempt left: lost where its worker is shut down. */
  lockedOnLastAttempt: count,
  /** Due, with attempts left, and not locked. */
  due: count,
  /** How long the oldest of them has waited; null where none is due. */
  oldestDueSeconds: z.nullable(count),
  /** Of those that are not locked, these failed at least once and will be tried again. */
  retrying: count,
  /** No attempt left and not locked: failed for good. */
  failed: count,
  createdInLastHour: count,
});

/** A session of another connection to this database that is not plainly idle. Ages by the clock of the server. */
export const sessionFactSchema = z.strictObject({
  pid: count,
  role: z.nullable(text),
  /** `client backend`, `autovacuum worker`, … */
  backend: text,
  /** `active`, `idle in transaction`, … */
  state: z.nullable(text),
  /** Since its transaction began; null where none is open. */
  transactionSeconds: z.nullable(count),
  /** Since its query, or its last one, began. */
  querySeconds: z.nullable(count),
  /** `Lock`, `IO`, `Client`, …; null where it does not wait. */
  waitType: z.nullable(text),
  /** Whether it holds a snapshot, for which a concurrent index build waits. */
  snapshot: z.boolean(),
});

export const activityFactSchema = z.strictObject({
  sessions: z.array(sessionFactSchema),
  /** Sessions that do nothing at all. */
  idleSessions: count,
  /** Sessions of which this role may not see what they do: above 0, that none is listed proves nothing. */
  hiddenSessions: count,
});

/** A lock on a table of the schema, held or waited for by another session or a prepared transaction. */
export const lockFactSchema = z.strictObject({
  table: text,
  /** Such as `AccessExclusiveLock`. */
  mode: text,
  granted: z.boolean(),
  /** Null where a prepared transaction holds it. */
  pid: z.nullable(count),
  /** The name of the prepared transaction that holds it. */
  preparedTransaction: z.nullable(text),
  /** Since the transaction began; null where this role may not see it. */
  transactionSeconds: z.nullable(count),
});

/** A transaction of this database that was prepared and neither committed nor rolled back. */
export const preparedTransactionFactSchema = z.strictObject({ name: text, owner: text, ageSeconds: count });

/** A replication slot of the server. */
const replicationSlotFactSchema = z.strictObject({
  name: text,
  kind: z.enum(['logical', 'physical']),
  active: z.boolean(),
  /** Of a logical slot. */
  database: z.nullable(text),
  /** WAL that the server keeps for it; null where it keeps none, and on a replica. */
  keptBytes: z.nullable(count),
  /** `reserved`, `extended`, `unreserved`, `lost`; null before PostgreSQL 13. */
  walStatus: z.nullable(text),
});

export const replicationFactSchema = z.strictObject({
  slots: z.array(replicationSlotFactSchema),
  standbys: z.array(
    z.strictObject({
      /** `streaming`, `catchup`, … */
      state: text,
      /** `async`, `sync`, `quorum`, `potential`. */
      sync: text,
      /** WAL that it has not replayed; null where it is not known. */
      lagBytes: z.nullable(count),
    }),
  ),
  /** Standbys of which this role may not see how far they are. */
  hiddenStandbys: count,
});

/** A vacuum that runs on a table of the schema. */
const vacuumFactSchema = z.strictObject({
  pid: count,
  table: text,
  /** Whether the server began it; false for one that a person did. */
  automatic: z.boolean(),
  /** One that guards against wraparound does not make way for a lock that DDL asks for. */
  preventsWraparound: z.boolean(),
});

export const vacuumsFactSchema = z.strictObject({
  running: z.array(vacuumFactSchema),
  /** Vacuums of which this role may not see the table. */
  hidden: count,
});

/** How a column is filled, by the statistics of the server. */
export const columnFactSchema = z.strictObject({
  table: text,
  column: text,
  /** False where the table or the column is not there. */
  present: z.boolean(),
  nullable: z.nullable(z.boolean()),
  /** Rows in a million that are null; null where the statistics do not tell, or may not be read. */
  nullsPerMillion: z.nullable(count),
  /** Whether the role that looks may read these statistics. */
  readable: z.boolean(),
});

/** A bounded read of the largest table that may be read: the same blocks twice, without parallel workers. */
export const readRateFactSchema = z.strictObject({
  table: text,
  /** What the first pass read, which the server may have had to fetch from disk, and how long it took. */
  firstBytes: count,
  firstMicroseconds: count,
  /** What the second pass read of the same, now cached. */
  againBytes: count,
  againMicroseconds: count,
});

/** Hashing and sorting made-up rows: what an index build does beside reading. */
export const sortRateFactSchema = z.strictObject({ rows: count, microseconds: count });

export type TableFact = z.infer<typeof tableFactSchema>;
export type IndexFact = z.infer<typeof indexFactSchema>;
export type ConstraintFact = z.infer<typeof constraintFactSchema>;
export type LeaseRow = z.infer<typeof leaseRowSchema>;
export type RunRow = z.infer<typeof runRowSchema>;
export type SessionFact = z.infer<typeof sessionFactSchema>;
export type LockFact = z.infer<typeof lockFactSchema>;
