-- The least role that sees what an upgrade needs to know. Run it as a superuser, in the database of Lightdash.
BEGIN;
SET LOCAL search_path = pg_catalog, pg_temp;
DO $grants$
DECLARE
  looker text := 'o''looker';
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
      (place, 'knex_migrations', 'id'),
      (place, 'knex_migrations', 'name'),
      (place, 'knex_migrations', 'batch'),
      (place, 'knex_migrations', 'migration_time'),
      (place, 'knex_migrations_lock', 'is_locked'),
      (place, 'migration_lease', 'lease_key'),
      (place, 'migration_lease', 'claim_token'),
      (place, 'migration_lease', 'holder_hostname'),
      (place, 'migration_lease', 'holder_pod_name'),
      (place, 'migration_lease', 'app_version'),
      (place, 'migration_lease', 'current_migration'),
      (place, 'migration_lease', 'last_heartbeat'),
      (place, 'migration_lease', 'parked_at'),
      (place, 'migration_lease', 'parked_app_version'),
      (place, 'migration_lease', 'parked_migration'),
      (place, 'migration_lease', 'parked_error_class'),
      (place, 'migration_run_ledger', 'app_version'),
      (place, 'migration_run_ledger', 'attempt'),
      (place, 'migration_run_ledger', 'started_at'),
      (place, 'migration_run_ledger', 'outcome'),
      (place, 'migration_run_ledger', 'failing_migration'),
      ('graphile_worker', 'jobs', 'attempts'),
      ('graphile_worker', 'jobs', 'max_attempts'),
      ('graphile_worker', 'jobs', 'locked_at'),
      ('graphile_worker', 'jobs', 'run_at'),
      ('graphile_worker', '_private_jobs', 'attempts'),
      ('graphile_worker', '_private_jobs', 'max_attempts'),
      ('graphile_worker', '_private_jobs', 'locked_at'),
      ('graphile_worker', '_private_jobs', 'run_at'),
      (place, 'spaces', 'parent_space_uuid'),
      (place, 'scoped_roles', 'scope_name'),
      (place, 'metrics_tree_edges', 'source'),
      (place, 'saved_queries_versions', 'timezone'),
      (place, 'users', 'is_setup_complete')
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
