/**
 * The publisher's tables in SQL of our own, from what is publicly known of their columns: what a test needs of an
 * instance's database, at the era that it needs.
 */

export interface LedgerState {
  readonly locked?: boolean;
  /** Each migration in a batch of its own, as from 1.123.0 on. */
  readonly names: readonly string[];
}

/** `knex_migrations` and its lock, as stock Knex makes them. */
export function knexTables({ names, locked = false }: LedgerState): string {
  const rows = names.map((name, index) => `('${name}', ${index + 1}, now())`);
  return `
CREATE TABLE knex_migrations (id serial PRIMARY KEY, name varchar(255), batch int, migration_time timestamptz);
CREATE TABLE knex_migrations_lock (index serial PRIMARY KEY, is_locked int);
INSERT INTO knex_migrations_lock (is_locked) VALUES (${locked ? 1 : 0});
${rows.length === 0 ? '' : `INSERT INTO knex_migrations (name, batch, migration_time) VALUES ${rows.join(', ')};`}`;
}

/** `migration_lease` as of 1.123.0, idle. */
export const leaseTable = `
CREATE TABLE migration_lease (
  lease_key text PRIMARY KEY CHECK (lease_key = 'global'),
  holder_hostname text, holder_pod_name text, app_version text, current_migration text,
  claim_token uuid, started_at timestamptz, last_heartbeat timestamptz,
  last_unlocked_by text, last_unlocked_at timestamptz
);
INSERT INTO migration_lease (lease_key) VALUES ('global');`;

/** What came with the run ledger: a lease that parks, and a row of each attempt. */
export const runLedgerTable = `
ALTER TABLE migration_lease
  ADD last_unlock_forced boolean NOT NULL DEFAULT false,
  ADD parked_at timestamptz, ADD parked_app_version text, ADD parked_migration text,
  ADD parked_error text, ADD parked_run_uuid uuid;
CREATE TABLE migration_run_ledger (
  migration_run_uuid uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  claim_token uuid NOT NULL DEFAULT gen_random_uuid(),
  holder_hostname text NOT NULL DEFAULT 'host', holder_pod_name text,
  app_version text NOT NULL, from_migration text, to_migration text,
  attempt int NOT NULL CHECK (attempt > 0),
  started_at timestamptz NOT NULL DEFAULT now(), finished_at timestamptz,
  outcome text NOT NULL CHECK (outcome IN ('running', 'succeeded', 'retrying', 'parked')),
  failing_migration text, failure_detail text,
  last_unlocked_by text, last_unlocked_at timestamptz, last_unlock_forced boolean NOT NULL DEFAULT false
);
CREATE INDEX migration_run_ledger_started_at_idx ON migration_run_ledger (started_at DESC);`;

/** The newest column of the lease. */
export const parkedErrorClassColumn = `
ALTER TABLE migration_lease
  ADD parked_error_class text CHECK (parked_error_class IN ('transient', 'deterministic'));`;

/** Graphile Worker's own schema, as far as it is looked at: rows of its own are hidden from all but the owner. */
export const graphileWorkerTables = `
CREATE SCHEMA graphile_worker;
CREATE TABLE graphile_worker.migrations (id int PRIMARY KEY, ts timestamptz NOT NULL DEFAULT now());
INSERT INTO graphile_worker.migrations (id) VALUES (1), (18);
CREATE TABLE graphile_worker.jobs (
  id bigserial PRIMARY KEY, task_identifier text NOT NULL, payload json NOT NULL DEFAULT '{}',
  run_at timestamptz NOT NULL DEFAULT now(), attempts int NOT NULL DEFAULT 0, max_attempts int NOT NULL DEFAULT 25,
  last_error text, created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(),
  locked_at timestamptz, locked_by text
);`;

/** Graphile Worker before it kept jobs behind a view: the table itself tells other roles that it is empty. */
export const hiddenJobs = 'ALTER TABLE graphile_worker.jobs ENABLE ROW LEVEL SECURITY;';

/** The tables that grow with use, as far as migrations of them are known, and what they refer to. */
export const largeTables = `
CREATE TABLE users (user_uuid uuid PRIMARY KEY DEFAULT gen_random_uuid());
CREATE TABLE projects (project_uuid uuid PRIMARY KEY DEFAULT gen_random_uuid());
CREATE TABLE saved_queries (
  saved_query_id serial PRIMARY KEY, saved_query_uuid uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  space_id int, dashboard_uuid uuid, name text, slug text, description text,
  created_at timestamp NOT NULL DEFAULT now(), deleted_at timestamp
);
CREATE TABLE saved_queries_versions (
  saved_queries_version_id serial PRIMARY KEY, saved_queries_version_uuid uuid NOT NULL DEFAULT gen_random_uuid(),
  saved_query_id int NOT NULL REFERENCES saved_queries (saved_query_id) ON DELETE CASCADE,
  created_at timestamp NOT NULL DEFAULT now(), explore_name text, filters jsonb, row_limit int, chart_config jsonb,
  timezone text
);
CREATE TABLE analytics_chart_views (
  user_uuid uuid REFERENCES users (user_uuid) ON DELETE SET NULL,
  chart_uuid uuid NOT NULL REFERENCES saved_queries (saved_query_uuid) ON DELETE CASCADE,
  context jsonb, timestamp timestamp DEFAULT now()
);
CREATE TABLE scheduler_log (
  task text NOT NULL, scheduler_uuid uuid, job_id text NOT NULL, job_group text,
  created_at timestamp NOT NULL DEFAULT now(), scheduled_time timestamp NOT NULL DEFAULT now(),
  status text NOT NULL, target text, target_type text, details jsonb
);
CREATE TABLE query_history (
  query_uuid uuid PRIMARY KEY DEFAULT gen_random_uuid(), created_at timestamp NOT NULL DEFAULT now(),
  created_by_user_uuid uuid REFERENCES users (user_uuid), project_uuid uuid REFERENCES projects (project_uuid),
  context text, compiled_sql text, metric_query jsonb, status text
);
CREATE TABLE sessions (sid varchar PRIMARY KEY, sess json NOT NULL, expired timestamptz NOT NULL);`;

/** All tables of a present-day instance, without rows but those of its ledger. */
export function instanceTables(ledger: LedgerState): string {
  return [
    knexTables(ledger),
    leaseTable,
    runLedgerTable,
    parkedErrorClassColumn,
    graphileWorkerTables,
    largeTables,
  ].join('\n');
}

/** Graphile Worker since it keeps jobs behind a view. */
export const privateJobs = `
ALTER TABLE graphile_worker.jobs RENAME TO _private_jobs;
ALTER TABLE graphile_worker._private_jobs ENABLE ROW LEVEL SECURITY;
CREATE VIEW graphile_worker.jobs AS SELECT id, task_identifier, run_at, attempts, max_attempts, last_error,
  created_at, updated_at, locked_at, locked_by FROM graphile_worker._private_jobs;`;
