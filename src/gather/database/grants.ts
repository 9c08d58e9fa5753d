import { conditions } from './backfill-queries.js';
import { escapeLiteral, ownNames } from './sql.js';

/**
 * The columns that are read of each table, and those of backfills, of which no row is read. None contains free text
 * from a person or an error message.
 */
const columnsRead: Readonly<Record<string, readonly string[]>> = {
  knex_migrations: ['id', 'name', 'batch', 'migration_time'],
  knex_migrations_lock: ['is_locked'],
  migration_lease: [
    ...['lease_key', 'claim_token', 'holder_hostname', 'holder_pod_name', 'app_version', 'current_migration'],
    ...['last_heartbeat', 'parked_at', 'parked_app_version', 'parked_migration', 'parked_error_class'],
  ],
  migration_run_ledger: ['app_version', 'attempt', 'started_at', 'outcome', 'failing_migration'],
  jobs: ['attempts', 'max_attempts', 'locked_at', 'run_at'],
  _private_jobs: ['attempts', 'max_attempts', 'locked_at', 'run_at'],
  ...Object.fromEntries(
    conditions.map(({ table }) => [
      table,
      [...new Set(conditions.filter((condition) => condition.table === table).map(({ column }) => column))],
    ]),
  ),
};

/**
 * The least-privileged role that sees every fact, as SQL for a role that may grant it, such as a superuser. It sees
 * server activity and the columns that are read. Of every other table it sees only the positions of rows and nothing in
 * them, which is enough to measure reads. For tables that are added later, run it again.
 *
 * @param role of the collector; it is created if it does not exist
 */
export function grantsSql(role: string): string {
  const values = Object.entries(columnsRead).flatMap(([table, columns]) => {
    const schema = table.endsWith('jobs') ? escapeLiteral('graphile_worker') : 'place';
    return columns.map((column) => `      (${schema}, ${escapeLiteral(table)}, ${escapeLiteral(column)})`);
  });
  return `-- The least role that sees what an upgrade needs to know. Run it as a superuser, in the database of Lightdash.
BEGIN;
SET LOCAL search_path = ${ownNames};
DO $grants$
DECLARE
  looker text := ${escapeLiteral(role)};
  -- The schema that Lightdash uses: the one that has its ledger. Where several have one, write its name here.
  place text := coalesce((
    SELECT pg_catalog.min(nspname::text) FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE relname = 'knex_migrations' AND relkind IN ('r', 'p') HAVING pg_catalog.count(*) = 1
  ), 'public');
  readable record;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = looker) THEN
    -- It has no password yet: ALTER ROLE ... PASSWORD gives it one.
    EXECUTE pg_catalog.format('CREATE ROLE %I LOGIN', looker);
  END IF;
  EXECUTE pg_catalog.format('ALTER ROLE %I SET default_transaction_read_only = on', looker);
  EXECUTE pg_catalog.format('GRANT CONNECT ON DATABASE %I TO %I', pg_catalog.current_database(), looker);
  EXECUTE pg_catalog.format('GRANT USAGE ON SCHEMA %I TO %I', place, looker);
  -- What sessions, vacuums and standbys do. Texts of queries are among it, and are not read.
  EXECUTE pg_catalog.format('GRANT pg_read_all_stats TO %I', looker);
  -- Where a row stands, of every table: enough to measure how fast it is read, and nothing of what is in it.
  FOR readable IN
    SELECT relname FROM pg_class WHERE relnamespace = pg_catalog.quote_ident(place)::regnamespace AND relkind IN ('r', 'p')
  LOOP
    EXECUTE pg_catalog.format('GRANT SELECT (ctid) ON %I.%I TO %I', place, readable.relname, looker);
  END LOOP;
  -- The columns that are read, as far as they are there.
  FOR readable IN
    SELECT nspname, relname, pg_catalog.string_agg(pg_catalog.quote_ident(attname), ', ') AS columns
    FROM (VALUES
${values.join(',\n')}
    ) AS listed (nspname, relname, attname)
    JOIN pg_namespace USING (nspname)
    JOIN pg_class USING (relname)
    JOIN pg_attribute USING (attname)
    WHERE relnamespace = pg_namespace.oid AND relkind IN ('r', 'p') AND attrelid = pg_class.oid AND NOT attisdropped
    GROUP BY nspname, relname
  LOOP
    EXECUTE pg_catalog.format('GRANT SELECT (%s) ON %I.%I TO %I', readable.columns, readable.nspname, readable.relname, looker);
  END LOOP;
  IF pg_catalog.to_regnamespace('graphile_worker') IS NOT NULL THEN
    EXECUTE pg_catalog.format('GRANT USAGE ON SCHEMA graphile_worker TO %I', looker);
  END IF;
  -- Row security hides rows from all but the owner: that of Graphile Worker on its jobs, and others'.
  IF EXISTS (
    SELECT FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname IN (place, 'graphile_worker') AND relrowsecurity
  ) THEN
    EXECUTE pg_catalog.format('ALTER ROLE %I BYPASSRLS', looker);
  END IF;
END
$grants$;
COMMIT;
`;
}
