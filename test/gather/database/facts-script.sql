-- What an upgrade of Lightdash needs to know of its database. It only reads, and changes nothing.
--   psql -X -A -t -f facts.sql <database> > facts.json
-- Then: lightspan upgrade-preflight --facts facts.json
\set QUIET on
\set ON_ERROR_STOP off
\set ON_ERROR_ROLLBACK off
\set SINGLELINE off
\set SINGLESTEP off
\timing off
\pset format unaligned
\pset tuples_only on
\pset null ''
\pset pager off
\pset recordsep '\n'
\encoding UTF8
BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY;
SELECT
  pg_catalog.set_config('lightspan.path', pg_catalog.current_setting('search_path'), true),
  pg_catalog.set_config('lightspan.set', (
    SELECT COALESCE(pg_catalog.string_agg(name, ','), '') FROM pg_catalog.pg_settings
    WHERE source OPERATOR(pg_catalog.=) ANY (ARRAY['client', 'user', 'database user', 'session'])
  ), true) \gset unused_
SELECT pg_catalog.set_config('statement_timeout', '5000', true), pg_catalog.set_config('lock_timeout', '1000', true), pg_catalog.set_config('idle_in_transaction_session_timeout', '60000', true), pg_catalog.set_config('row_security', 'off', true), pg_catalog.set_config('standard_conforming_strings', 'on', true), pg_catalog.set_config('TimeZone', 'UTC', true), pg_catalog.set_config('client_encoding', 'UTF8', true), pg_catalog.set_config('application_name', 'lightspan', true), pg_catalog.set_config('max_parallel_workers_per_gather', '0', true), pg_catalog.set_config('jit', 'off', true), pg_catalog.set_config('work_mem', '32MB', true) \gset unused_
SELECT pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true) \gset unused_
SELECT max(set_config(name, 'view, foreign-table', true))
  FROM pg_settings WHERE name = 'restrict_nonsystem_relation_kind' \gset unused_
WITH looking AS (
  SELECT (SELECT nspname FROM regexp_matches(current_setting('lightspan.path'), '("([^"]|"")*"|[^,"\s]+)', 'g') WITH ORDINALITY AS part (entry, place),
    LATERAL (SELECT CASE WHEN entry[1] LIKE '"%' THEN replace(substr(entry[1], 2, length(entry[1]) - 2), '""', '"')
    ELSE lower(entry[1]) END AS name) AS named
    JOIN pg_namespace ON nspname = CASE WHEN name = '$user' THEN current_user::text ELSE name END
    WHERE nspname <> 'pg_catalog' ORDER BY place LIMIT 1) AS schema
), path AS (
  SELECT looking.schema AS looked, role.name AS role, CASE
    WHEN 'search_path' <> ALL (string_to_array(current_setting('lightspan.set'), ',')) THEN coalesce((
    SELECT substr(entry, 13) FROM pg_db_role_setting, unnest(setconfig) AS entry
    WHERE setrole = (SELECT oid FROM pg_roles WHERE rolname = role.name) AND setdatabase = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()) AND starts_with(entry, 'search_path=')
  ), (
    SELECT substr(entry, 13) FROM pg_db_role_setting, unnest(setconfig) AS entry
    WHERE setrole = (SELECT oid FROM pg_roles WHERE rolname = role.name) AND setdatabase = 0 AND starts_with(entry, 'search_path=')
  ), current_setting('lightspan.path'))
  END AS path
  FROM looking, LATERAL (SELECT 'o''migrator''s' AS name) AS role
), place AS (
  SELECT role, looked, CASE WHEN path IS NULL THEN looked ELSE (SELECT nspname FROM regexp_matches(path, '("([^"]|"")*"|[^,"\s]+)', 'g') WITH ORDINALITY AS part (entry, place),
    LATERAL (SELECT CASE WHEN entry[1] LIKE '"%' THEN replace(substr(entry[1], 2, length(entry[1]) - 2), '""', '"')
    ELSE lower(entry[1]) END AS name) AS named
    JOIN pg_namespace ON nspname = CASE WHEN name = '$user' THEN role::text ELSE name END
    WHERE nspname <> 'pg_catalog' ORDER BY place LIMIT 1) END AS schema FROM path
)
SELECT
  coalesce(schema, '(none)') AS schema,
  'o''migrator''s' AS migrator,
  (
    SELECT coalesce(min(relname::text COLLATE "C"), 'jobs') FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = 'graphile_worker' AND relname IN ('_private_jobs', 'jobs')
  ) AS jobs,
  to_char((now()) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS collected_at
FROM place \gset
SELECT '{"schemaVersion":"1","collectedAt":"' || :'collected_at' || '","facts":{';
SAVEPOINT facts;
\if :{?answer_server}
\else
SELECT CASE
  WHEN value IS NULL THEN '{"status":"absent","source":"database"}'
  ELSE (SELECT row_to_json(seen) FROM (
    SELECT 'seen' AS status, value, to_char((clock_timestamp()) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "seenAt", 'database' AS source
  ) AS seen)::text
END AS "answer_server" FROM (SELECT (SELECT row_to_json(one) FROM (SELECT
  current_setting('server_version_num')::int AS "versionNum",
  pg_is_in_recovery() AS "inRecovery",
  current_setting('max_connections')::int AS "maxConnections",
  current_setting('superuser_reserved_connections')::int
    + coalesce(current_setting('reserved_connections', true)::int, 0) AS "reservedConnections",
  (SELECT count(*) FROM pg_stat_activity WHERE usesysid IS NOT NULL AND coalesce(backend_type, 'client backend') = 'client backend') AS "usedConnections",
  (SELECT count(*) FROM pg_stat_activity WHERE usesysid IS NOT NULL AND coalesce(backend_type, 'client backend') = 'client backend' AND backend_type IS NULL) AS "hiddenConnections",
  (SELECT max(age(datfrozenxid)) FROM pg_database) AS "oldestTransactionAge",
  (SELECT max(mxid_age(datminmxid)) FROM pg_database) AS "oldestMultixactAge") AS one) AS value OFFSET 0) AS fact \gset
\if :ERROR
ROLLBACK TO SAVEPOINT facts;
SELECT observation AS "answer_server" FROM (SELECT row_to_json(answer)::text FROM (
  SELECT
    CASE :'LAST_ERROR_SQLSTATE' WHEN '42501' THEN 'not-permitted' WHEN '57014' THEN 'timeout' WHEN '3F000' THEN 'absent' WHEN '55P03' THEN 'timeout' ELSE 'failed' END AS status,
    'database' AS source,
    left(:'LAST_ERROR_MESSAGE', 200) AS detail
) AS answer) AS refused (observation) \gset
\endif
\endif
\echo '"server":':answer_server','
\if :{?answer_role}
\else
SELECT CASE
  WHEN value IS NULL THEN '{"status":"absent","source":"database"}'
  ELSE (SELECT row_to_json(seen) FROM (
    SELECT 'seen' AS status, value, to_char((clock_timestamp()) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "seenAt", 'database' AS source
  ) AS seen)::text
END AS "answer_role" FROM (SELECT (SELECT row_to_json(one) FROM (SELECT rolname AS name, rolsuper AS superuser FROM pg_roles WHERE rolname = current_user) AS one) AS value OFFSET 0) AS fact \gset
\if :ERROR
ROLLBACK TO SAVEPOINT facts;
SELECT observation AS "answer_role" FROM (SELECT row_to_json(answer)::text FROM (
  SELECT
    CASE :'LAST_ERROR_SQLSTATE' WHEN '42501' THEN 'not-permitted' WHEN '57014' THEN 'timeout' WHEN '3F000' THEN 'absent' WHEN '55P03' THEN 'timeout' ELSE 'failed' END AS status,
    'database' AS source,
    left(:'LAST_ERROR_MESSAGE', 200) AS detail
) AS answer) AS refused (observation) \gset
\endif
\endif
\echo '"role":':answer_role','
\if :{?answer_migrator}
\else
SELECT CASE
  WHEN value IS NULL THEN '{"status":"absent","source":"database"}'
  ELSE (SELECT row_to_json(seen) FROM (
    SELECT 'seen' AS status, value, to_char((clock_timestamp()) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "seenAt", 'database' AS source
  ) AS seen)::text
END AS "answer_migrator" FROM (SELECT (SELECT row_to_json(one) FROM (SELECT
  rolname AS name,
  rolsuper AS superuser,
  ARRAY(
    SELECT other.rolname::text FROM pg_roles AS other
    WHERE other.oid <> role.oid AND other.rolcanlogin AND NOT other.rolsuper AND CASE WHEN current_setting('server_version_num')::int < 160000
    THEN pg_has_role(other.oid, role.oid, 'MEMBER')
    ELSE pg_has_role(other.oid, role.oid, 'SET') OR pg_has_role(other.oid, role.oid, 'USAGE') END
    ORDER BY other.rolname
  ) AS "actedAsBy",
  ARRAY(
    SELECT evtname::text FROM pg_event_trigger WHERE evtenabled IN ('O', 'A') ORDER BY evtname
  ) AS "eventTriggers",
  :'schema' AS schema,
  has_schema_privilege(oid, quote_ident(:'schema')::regnamespace, 'USAGE') AS "schemaUsage",
  has_schema_privilege(oid, quote_ident(:'schema')::regnamespace, 'CREATE') AS "schemaCreate",
  has_database_privilege(oid, current_database(), 'CREATE') AS "databaseCreate",
  ARRAY(
    SELECT pg_get_userbyid(owner)::text FROM (
      SELECT relowner AS owner, relnamespace AS place FROM pg_class WHERE relkind IN ('r', 'p', 'v')
      UNION SELECT proowner, pronamespace FROM pg_proc
    ) AS queue
    WHERE place = to_regnamespace('graphile_worker') AND NOT pg_has_role(role.oid, owner, 'USAGE') ORDER BY 1
  ) AS "queueOwners",
  (SELECT CASE
    WHEN NOT EXISTS (SELECT FROM pg_settings WHERE name = 'statement_timeout') THEN 0
    WHEN value ~ '^\s*[0-9.]+\s*$' THEN ceil(value::numeric)
    WHEN value ~ '^\s*[0-9.]+\s*(us|ms|s|min|h|d)\s*$' THEN ceil(extract(epoch FROM value::interval) * 1000)
  END::bigint FROM (SELECT coalesce(
    (
    SELECT substr(entry, 19) FROM pg_db_role_setting, unnest(setconfig) AS entry
    WHERE setrole = role.oid AND setdatabase = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()) AND starts_with(entry, 'statement_timeout=')
  ), (
    SELECT substr(entry, 19) FROM pg_db_role_setting, unnest(setconfig) AS entry
    WHERE setrole = role.oid AND setdatabase = 0 AND starts_with(entry, 'statement_timeout=')
  ), (
    SELECT substr(entry, 19) FROM pg_db_role_setting, unnest(setconfig) AS entry
    WHERE setrole = 0 AND setdatabase = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()) AND starts_with(entry, 'statement_timeout=')
  ), (
    SELECT substr(entry, 19) FROM pg_db_role_setting, unnest(setconfig) AS entry
    WHERE setrole = 0 AND setdatabase = 0 AND starts_with(entry, 'statement_timeout=')
  ),
    (SELECT reset_val FROM pg_settings WHERE name = 'statement_timeout' AND name <> ALL (string_to_array(current_setting('lightspan.set'), ',')))
  ) AS value) AS begun) AS "statementTimeoutMs",
  (SELECT CASE
    WHEN NOT EXISTS (SELECT FROM pg_settings WHERE name = 'lock_timeout') THEN 0
    WHEN value ~ '^\s*[0-9.]+\s*$' THEN ceil(value::numeric)
    WHEN value ~ '^\s*[0-9.]+\s*(us|ms|s|min|h|d)\s*$' THEN ceil(extract(epoch FROM value::interval) * 1000)
  END::bigint FROM (SELECT coalesce(
    (
    SELECT substr(entry, 14) FROM pg_db_role_setting, unnest(setconfig) AS entry
    WHERE setrole = role.oid AND setdatabase = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()) AND starts_with(entry, 'lock_timeout=')
  ), (
    SELECT substr(entry, 14) FROM pg_db_role_setting, unnest(setconfig) AS entry
    WHERE setrole = role.oid AND setdatabase = 0 AND starts_with(entry, 'lock_timeout=')
  ), (
    SELECT substr(entry, 14) FROM pg_db_role_setting, unnest(setconfig) AS entry
    WHERE setrole = 0 AND setdatabase = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()) AND starts_with(entry, 'lock_timeout=')
  ), (
    SELECT substr(entry, 14) FROM pg_db_role_setting, unnest(setconfig) AS entry
    WHERE setrole = 0 AND setdatabase = 0 AND starts_with(entry, 'lock_timeout=')
  ),
    (SELECT reset_val FROM pg_settings WHERE name = 'lock_timeout' AND name <> ALL (string_to_array(current_setting('lightspan.set'), ',')))
  ) AS value) AS begun) AS "lockTimeoutMs",
  (SELECT CASE
    WHEN NOT EXISTS (SELECT FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout') THEN 0
    WHEN value ~ '^\s*[0-9.]+\s*$' THEN ceil(value::numeric)
    WHEN value ~ '^\s*[0-9.]+\s*(us|ms|s|min|h|d)\s*$' THEN ceil(extract(epoch FROM value::interval) * 1000)
  END::bigint FROM (SELECT coalesce(
    (
    SELECT substr(entry, 37) FROM pg_db_role_setting, unnest(setconfig) AS entry
    WHERE setrole = role.oid AND setdatabase = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()) AND starts_with(entry, 'idle_in_transaction_session_timeout=')
  ), (
    SELECT substr(entry, 37) FROM pg_db_role_setting, unnest(setconfig) AS entry
    WHERE setrole = role.oid AND setdatabase = 0 AND starts_with(entry, 'idle_in_transaction_session_timeout=')
  ), (
    SELECT substr(entry, 37) FROM pg_db_role_setting, unnest(setconfig) AS entry
    WHERE setrole = 0 AND setdatabase = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()) AND starts_with(entry, 'idle_in_transaction_session_timeout=')
  ), (
    SELECT substr(entry, 37) FROM pg_db_role_setting, unnest(setconfig) AS entry
    WHERE setrole = 0 AND setdatabase = 0 AND starts_with(entry, 'idle_in_transaction_session_timeout=')
  ),
    (SELECT reset_val FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout' AND name <> ALL (string_to_array(current_setting('lightspan.set'), ',')))
  ) AS value) AS begun) AS "idleInTransactionSessionTimeoutMs",
  (SELECT CASE
    WHEN NOT EXISTS (SELECT FROM pg_settings WHERE name = 'transaction_timeout') THEN 0
    WHEN value ~ '^\s*[0-9.]+\s*$' THEN ceil(value::numeric)
    WHEN value ~ '^\s*[0-9.]+\s*(us|ms|s|min|h|d)\s*$' THEN ceil(extract(epoch FROM value::interval) * 1000)
  END::bigint FROM (SELECT coalesce(
    (
    SELECT substr(entry, 21) FROM pg_db_role_setting, unnest(setconfig) AS entry
    WHERE setrole = role.oid AND setdatabase = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()) AND starts_with(entry, 'transaction_timeout=')
  ), (
    SELECT substr(entry, 21) FROM pg_db_role_setting, unnest(setconfig) AS entry
    WHERE setrole = role.oid AND setdatabase = 0 AND starts_with(entry, 'transaction_timeout=')
  ), (
    SELECT substr(entry, 21) FROM pg_db_role_setting, unnest(setconfig) AS entry
    WHERE setrole = 0 AND setdatabase = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()) AND starts_with(entry, 'transaction_timeout=')
  ), (
    SELECT substr(entry, 21) FROM pg_db_role_setting, unnest(setconfig) AS entry
    WHERE setrole = 0 AND setdatabase = 0 AND starts_with(entry, 'transaction_timeout=')
  ),
    (SELECT reset_val FROM pg_settings WHERE name = 'transaction_timeout' AND name <> ALL (string_to_array(current_setting('lightspan.set'), ',')))
  ) AS value) AS begun) AS "transactionTimeoutMs",
  (SELECT CASE
    WHEN NOT EXISTS (SELECT FROM pg_settings WHERE name = 'deadlock_timeout') THEN 0
    WHEN value ~ '^\s*[0-9.]+\s*$' THEN ceil(value::numeric)
    WHEN value ~ '^\s*[0-9.]+\s*(us|ms|s|min|h|d)\s*$' THEN ceil(extract(epoch FROM value::interval) * 1000)
  END::bigint FROM (SELECT coalesce(
    (
    SELECT substr(entry, 18) FROM pg_db_role_setting, unnest(setconfig) AS entry
    WHERE setrole = role.oid AND setdatabase = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()) AND starts_with(entry, 'deadlock_timeout=')
  ), (
    SELECT substr(entry, 18) FROM pg_db_role_setting, unnest(setconfig) AS entry
    WHERE setrole = role.oid AND setdatabase = 0 AND starts_with(entry, 'deadlock_timeout=')
  ), (
    SELECT substr(entry, 18) FROM pg_db_role_setting, unnest(setconfig) AS entry
    WHERE setrole = 0 AND setdatabase = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()) AND starts_with(entry, 'deadlock_timeout=')
  ), (
    SELECT substr(entry, 18) FROM pg_db_role_setting, unnest(setconfig) AS entry
    WHERE setrole = 0 AND setdatabase = 0 AND starts_with(entry, 'deadlock_timeout=')
  ),
    (SELECT reset_val FROM pg_settings WHERE name = 'deadlock_timeout' AND name <> ALL (string_to_array(current_setting('lightspan.set'), ',')))
  ) AS value) AS begun) AS "deadlockTimeoutMs",
  coalesce(
    (
    SELECT substr(entry, 20) FROM pg_db_role_setting, unnest(setconfig) AS entry
    WHERE setrole = role.oid AND setdatabase = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()) AND starts_with(entry, 'synchronous_commit=')
  ), (
    SELECT substr(entry, 20) FROM pg_db_role_setting, unnest(setconfig) AS entry
    WHERE setrole = role.oid AND setdatabase = 0 AND starts_with(entry, 'synchronous_commit=')
  ), (
    SELECT substr(entry, 20) FROM pg_db_role_setting, unnest(setconfig) AS entry
    WHERE setrole = 0 AND setdatabase = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()) AND starts_with(entry, 'synchronous_commit=')
  ), (
    SELECT substr(entry, 20) FROM pg_db_role_setting, unnest(setconfig) AS entry
    WHERE setrole = 0 AND setdatabase = 0 AND starts_with(entry, 'synchronous_commit=')
  ),
    (SELECT reset_val FROM pg_settings WHERE name = 'synchronous_commit' AND name <> ALL (string_to_array(current_setting('lightspan.set'), ',')))
  ) AS "synchronousCommit",
  coalesce(coalesce(
    (
    SELECT substr(entry, 31) FROM pg_db_role_setting, unnest(setconfig) AS entry
    WHERE setrole = role.oid AND setdatabase = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()) AND starts_with(entry, 'default_transaction_read_only=')
  ), (
    SELECT substr(entry, 31) FROM pg_db_role_setting, unnest(setconfig) AS entry
    WHERE setrole = role.oid AND setdatabase = 0 AND starts_with(entry, 'default_transaction_read_only=')
  ), (
    SELECT substr(entry, 31) FROM pg_db_role_setting, unnest(setconfig) AS entry
    WHERE setrole = 0 AND setdatabase = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()) AND starts_with(entry, 'default_transaction_read_only=')
  ), (
    SELECT substr(entry, 31) FROM pg_db_role_setting, unnest(setconfig) AS entry
    WHERE setrole = 0 AND setdatabase = 0 AND starts_with(entry, 'default_transaction_read_only=')
  ),
    (SELECT reset_val FROM pg_settings WHERE name = 'default_transaction_read_only' AND name <> ALL (string_to_array(current_setting('lightspan.set'), ',')))
  ), 'off')::boolean AS "readOnly",
  (SELECT coalesce(array_to_json(array_agg(row_to_json(one) ORDER BY one."of" DESC)), '[]') FROM (SELECT 'role' AS "of", rolconnlimit AS max, (
    SELECT count(*) FROM pg_stat_activity WHERE usesysid = role.oid AND coalesce(backend_type, 'client backend') = 'client backend'
  ) AS used WHERE rolconnlimit >= 0 AND NOT rolsuper
  UNION ALL
  SELECT 'database', datconnlimit, (
    SELECT count(*) FROM pg_stat_activity WHERE datid = pg_database.oid AND coalesce(backend_type, 'client backend') = 'client backend'
  ) FROM pg_database WHERE datname = current_database() AND datconnlimit >= 0 AND NOT rolsuper) AS one) AS "connectionLimits"
FROM pg_roles AS role WHERE rolname = :'migrator') AS one) AS value OFFSET 0) AS fact \gset
\if :ERROR
ROLLBACK TO SAVEPOINT facts;
SELECT observation AS "answer_migrator" FROM (SELECT row_to_json(answer)::text FROM (
  SELECT
    CASE :'LAST_ERROR_SQLSTATE' WHEN '42501' THEN 'not-permitted' WHEN '57014' THEN 'timeout' WHEN '3F000' THEN 'absent' WHEN '55P03' THEN 'timeout' ELSE 'failed' END AS status,
    'database' AS source,
    left(:'LAST_ERROR_MESSAGE', 200) AS detail
) AS answer) AS refused (observation) \gset
\endif
\endif
\echo '"migrator":':answer_migrator','
\if :{?answer_database}
\else
SELECT CASE
  WHEN value IS NULL THEN '{"status":"absent","source":"database"}'
  ELSE (SELECT row_to_json(seen) FROM (
    SELECT 'seen' AS status, value, to_char((clock_timestamp()) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "seenAt", 'database' AS source
  ) AS seen)::text
END AS "answer_database" FROM (SELECT (SELECT row_to_json(one) FROM (SELECT current_database() AS name, pg_database_size(current_database()) AS "sizeBytes") AS one) AS value OFFSET 0) AS fact \gset
\if :ERROR
ROLLBACK TO SAVEPOINT facts;
SELECT observation AS "answer_database" FROM (SELECT row_to_json(answer)::text FROM (
  SELECT
    CASE :'LAST_ERROR_SQLSTATE' WHEN '42501' THEN 'not-permitted' WHEN '57014' THEN 'timeout' WHEN '3F000' THEN 'absent' WHEN '55P03' THEN 'timeout' ELSE 'failed' END AS status,
    'database' AS source,
    left(:'LAST_ERROR_MESSAGE', 200) AS detail
) AS answer) AS refused (observation) \gset
\endif
\endif
\echo '"database":':answer_database','
\if :{?answer_extensions}
\else
SELECT CASE
  WHEN value IS NULL THEN '{"status":"absent","source":"database"}'
  ELSE (SELECT row_to_json(seen) FROM (
    SELECT 'seen' AS status, value, to_char((clock_timestamp()) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "seenAt", 'database' AS source
  ) AS seen)::text
END AS "answer_extensions" FROM (SELECT (SELECT coalesce(array_to_json(array_agg(row_to_json(one) ORDER BY one.name)), '[]') FROM (SELECT
  coalesce(there.name, made.extname) AS name,
  there.default_version AS available,
  made.extversion AS installed,
  (
    SELECT bool_or((to_jsonb(each) ->> 'trusted')::boolean) FROM pg_available_extension_versions AS each
    WHERE each.name = there.name AND each.version = there.default_version
  ) AS trusted
FROM pg_available_extensions AS there FULL JOIN pg_extension AS made ON made.extname = there.name) AS one) AS value OFFSET 0) AS fact \gset
\if :ERROR
ROLLBACK TO SAVEPOINT facts;
SELECT observation AS "answer_extensions" FROM (SELECT row_to_json(answer)::text FROM (
  SELECT
    CASE :'LAST_ERROR_SQLSTATE' WHEN '42501' THEN 'not-permitted' WHEN '57014' THEN 'timeout' WHEN '3F000' THEN 'absent' WHEN '55P03' THEN 'timeout' ELSE 'failed' END AS status,
    'database' AS source,
    left(:'LAST_ERROR_MESSAGE', 200) AS detail
) AS answer) AS refused (observation) \gset
\endif
\endif
\echo '"extensions":':answer_extensions','
\if :{?answer_tables}
\else
SELECT CASE
  WHEN value IS NULL THEN '{"status":"absent","source":"database"}'
  ELSE (SELECT row_to_json(seen) FROM (
    SELECT 'seen' AS status, value, to_char((clock_timestamp()) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "seenAt", 'database' AS source
  ) AS seen)::text
END AS "answer_tables" FROM (SELECT (SELECT coalesce(array_to_json(array_agg(row_to_json(one) ORDER BY one.name)), '[]') FROM (SELECT
  name, kind, "partitionOf",
  CASE
    WHEN kind = 'partitioned' THEN CASE WHEN reltuples > 0 THEN reltuples::bigint END
    WHEN "heapBytes" = 0 THEN 0
    WHEN reltuples < 0 OR relpages = 0 THEN NULL
    ELSE round(reltuples::numeric / relpages * coalesce("heapBytes" / current_setting('block_size')::bigint, relpages))::bigint
  END AS "estimatedRows",
  "deadRows", "heapBytes", "toastBytes", "indexBytes",
  CASE WHEN locked THEN 'statistics' ELSE 'files' END AS "sizedBy",
  owner, owned
FROM (
  SELECT
    CASE WHEN "table".relnamespace = quote_ident(:'schema')::regnamespace THEN "table".relname::text
    ELSE "table".relnamespace::regnamespace || '.' || "table".relname END AS name,
    CASE relkind WHEN 'p' THEN 'partitioned' ELSE 'table' END AS kind,
    (
      SELECT CASE WHEN parent.relnamespace = quote_ident(:'schema')::regnamespace THEN parent.relname::text
    ELSE parent.relnamespace::regnamespace || '.' || parent.relname END FROM pg_inherits JOIN pg_class AS parent ON parent.oid = inhparent
      WHERE inhrelid = "table".oid ORDER BY inhseqno LIMIT 1
    ) AS "partitionOf",
    reltuples, relpages, locked,
    coalesce(pg_stat_get_dead_tuples("table".oid), 0) AS "deadRows",
    CASE
      WHEN relkind = 'p' THEN 0
      WHEN locked THEN nullif(relpages, 0) * current_setting('block_size')::bigint
      ELSE pg_relation_size("table".oid)
    END AS "heapBytes",
    CASE
      WHEN reltoastrelid = 0 THEN 0
      WHEN locked THEN (SELECT nullif(relpages, 0) FROM pg_class AS toast WHERE toast.oid = reltoastrelid) * current_setting('block_size')::bigint
      ELSE pg_total_relation_size(reltoastrelid)
    END AS "toastBytes",
    CASE
      WHEN locked THEN (
        SELECT coalesce(sum(relpages), 0) FROM pg_index JOIN pg_class AS index ON index.oid = indexrelid
        WHERE indrelid = "table".oid
      )::bigint * current_setting('block_size')::bigint
      ELSE pg_indexes_size("table".oid)
    END AS "indexBytes",
    pg_get_userbyid(relowner) AS owner,
    pg_has_role(:'migrator', relowner, 'USAGE') AS owned
  FROM (
    SELECT *, EXISTS (
    SELECT FROM pg_locks WHERE locktype = 'relation' AND mode = 'AccessExclusiveLock'
    AND database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()) AND relation IN ("table".oid, "table".reltoastrelid)
  ) AS locked FROM pg_class AS "table"
    WHERE oid IN (WITH RECURSIVE ours AS (
    SELECT oid FROM pg_class WHERE relnamespace = quote_ident(:'schema')::regnamespace
    UNION SELECT inhrelid FROM pg_inherits JOIN ours ON ours.oid = inhparent
  ) SELECT oid FROM ours) AND relkind IN ('r', 'p') OFFSET 0
  ) AS "table"
) AS sized) AS one) AS value OFFSET 0) AS fact \gset
\if :ERROR
ROLLBACK TO SAVEPOINT facts;
SELECT observation AS "answer_tables" FROM (SELECT row_to_json(answer)::text FROM (
  SELECT
    CASE :'LAST_ERROR_SQLSTATE' WHEN '42501' THEN 'not-permitted' WHEN '57014' THEN 'timeout' WHEN '3F000' THEN 'absent' WHEN '55P03' THEN 'timeout' ELSE 'failed' END AS status,
    'database' AS source,
    left(:'LAST_ERROR_MESSAGE', 200) AS detail
) AS answer) AS refused (observation) \gset
\endif
\endif
\echo '"tables":':answer_tables','
\if :{?answer_indexes}
\else
SELECT CASE
  WHEN value IS NULL THEN '{"status":"absent","source":"database"}'
  ELSE (SELECT row_to_json(seen) FROM (
    SELECT 'seen' AS status, value, to_char((clock_timestamp()) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "seenAt", 'database' AS source
  ) AS seen)::text
END AS "answer_indexes" FROM (SELECT (SELECT coalesce(array_to_json(array_agg(row_to_json(one) ORDER BY one."table", one.name)), '[]') FROM (SELECT
  index.relname AS name,
  "table".relname AS "table",
  indisvalid AS valid,
  amname AS method
FROM pg_index
JOIN pg_class AS index ON index.oid = indexrelid
JOIN pg_am ON pg_am.oid = index.relam
JOIN pg_class AS "table" ON "table".oid = indrelid
WHERE "table".relnamespace = quote_ident(:'schema')::regnamespace AND "table".relkind IN ('r', 'p')
UNION ALL
SELECT index.relnamespace::regnamespace || '.' || index.relname, "table".relname, false, amname
FROM pg_index
JOIN pg_class AS index ON index.oid = indexrelid
JOIN pg_am ON pg_am.oid = index.relam
JOIN pg_class AS "table" ON "table".reltoastrelid = indrelid
WHERE NOT indisvalid AND "table".relnamespace = quote_ident(:'schema')::regnamespace) AS one) AS value OFFSET 0) AS fact \gset
\if :ERROR
ROLLBACK TO SAVEPOINT facts;
SELECT observation AS "answer_indexes" FROM (SELECT row_to_json(answer)::text FROM (
  SELECT
    CASE :'LAST_ERROR_SQLSTATE' WHEN '42501' THEN 'not-permitted' WHEN '57014' THEN 'timeout' WHEN '3F000' THEN 'absent' WHEN '55P03' THEN 'timeout' ELSE 'failed' END AS status,
    'database' AS source,
    left(:'LAST_ERROR_MESSAGE', 200) AS detail
) AS answer) AS refused (observation) \gset
\endif
\endif
\echo '"indexes":':answer_indexes','
\if :{?answer_dependents}
\else
SELECT CASE
  WHEN value IS NULL THEN '{"status":"absent","source":"database"}'
  ELSE (SELECT row_to_json(seen) FROM (
    SELECT 'seen' AS status, value, to_char((clock_timestamp()) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "seenAt", 'database' AS source
  ) AS seen)::text
END AS "answer_dependents" FROM (SELECT (SELECT row_to_json(one) FROM (SELECT
  (SELECT coalesce(array_to_json(array_agg(row_to_json(one) ORDER BY one."table", one.kind, one.name)), '[]') FROM (SELECT
  kind, name, owner, used.relname AS "table",
  coalesce(array_agg(DISTINCT attname::text) FILTER (WHERE attname IS NOT NULL), '{}') AS columns
FROM (
  SELECT
    refobjid, refobjsubid,
    CASE
      WHEN classid = 'pg_proc'::regclass THEN 'function'
      WHEN classid = 'pg_policy'::regclass THEN 'policy'
      WHEN classid = 'pg_trigger'::regclass THEN 'trigger'
      WHEN classid = 'pg_publication_rel'::regclass THEN 'publication'
      WHEN rulename <> '_RETURN' THEN 'rule'
      WHEN relkind = 'm' THEN 'materialized view'
      ELSE 'view'
    END AS kind,
    coalesce(
      CASE WHEN rulename = '_RETURN' THEN CASE WHEN by.relnamespace = quote_ident(:'schema')::regnamespace THEN by.relname::text
    ELSE by.relnamespace::regnamespace || '.' || by.relname END END,
      rulename, polname, tgname, pubname, proc.oid::regprocedure::text
    ) AS name,
    pg_get_userbyid(coalesce(by.relowner, proowner, pubowner))::text AS owner
  FROM pg_depend
  LEFT JOIN pg_rewrite ON classid = 'pg_rewrite'::regclass AND pg_rewrite.oid = objid
  LEFT JOIN pg_policy ON classid = 'pg_policy'::regclass AND pg_policy.oid = objid
  LEFT JOIN pg_trigger ON classid = 'pg_trigger'::regclass AND pg_trigger.oid = objid
  LEFT JOIN pg_publication_rel ON classid = 'pg_publication_rel'::regclass AND pg_publication_rel.oid = objid
  LEFT JOIN pg_publication ON pg_publication.oid = prpubid
  LEFT JOIN pg_proc AS proc ON classid = 'pg_proc'::regclass AND proc.oid = objid
  LEFT JOIN pg_class AS by ON by.oid = coalesce(ev_class, polrelid, tgrelid)
  WHERE refclassid = 'pg_class'::regclass AND deptype = 'n' AND classid IN (
    'pg_rewrite'::regclass, 'pg_policy'::regclass, 'pg_trigger'::regclass, 'pg_publication_rel'::regclass,
    'pg_proc'::regclass
  )
) AS dependent
JOIN pg_class AS used ON used.oid = refobjid
LEFT JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid AND attnum > 0
WHERE used.relnamespace = quote_ident(:'schema')::regnamespace AND used.relkind IN ('r', 'p')
GROUP BY kind, name, owner, used.relname) AS one) AS objects,
  (SELECT coalesce(array_to_json(array_agg(row_to_json(one) ORDER BY one."table", one.name)), '[]') FROM (SELECT
  tgname AS name, relname AS "table", tgfoid::regproc::text AS function,
  tgtype & 8 <> 0 AS "onDelete", tgtype & 16 <> 0 AS "onUpdate", tgtype & 4 <> 0 AS "onInsert",
  tgtype & 1 <> 0 AS "forEachRow"
FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
WHERE relnamespace = quote_ident(:'schema')::regnamespace AND NOT tgisinternal AND tgenabled IN ('O', 'A')) AS one) AS triggers,
  (SELECT coalesce(array_to_json(array_agg(row_to_json(one) ORDER BY one."table", one.publication)), '[]') FROM (SELECT pubname AS publication, CASE WHEN pg_class.relnamespace = quote_ident(:'schema')::regnamespace THEN pg_class.relname::text
    ELSE pg_class.relnamespace::regnamespace || '.' || pg_class.relname END AS "table", pubupdate AS updates, pubdelete AS deletes
FROM pg_publication
JOIN LATERAL pg_get_publication_tables(pubname) AS published ON true
LEFT JOIN LATERAL pg_partition_tree(published.relid) AS part ON true
JOIN pg_class ON pg_class.oid = coalesce(part.relid, published.relid) AND relkind = 'r'
LEFT JOIN LATERAL (
  SELECT string_to_array(indkey::text, ' ') AS key FROM pg_index
  WHERE indrelid = pg_class.oid AND indisvalid AND indimmediate AND CASE relreplident
    WHEN 'd' THEN indisprimary WHEN 'i' THEN indisreplident ELSE false
  END LIMIT 1
) AS identity ON true
LEFT JOIN LATERAL (
  SELECT oid, string_to_array(translate(to_jsonb(each) ->> 'prattrs', '[],', ''), ' ') AS "columns" FROM pg_publication_rel AS each
  WHERE prpubid = pg_publication.oid AND prrelid = published.relid
) AS listed ON true
WHERE (pubupdate OR pubdelete)
  AND published.relid IN (WITH RECURSIVE ours AS (
    SELECT oid FROM pg_class WHERE relnamespace = quote_ident(:'schema')::regnamespace
    UNION SELECT inhrelid FROM pg_inherits JOIN ours ON ours.oid = inhparent
  ) SELECT oid FROM ours)
  AND NOT CASE
    WHEN relreplident = 'f' THEN "columns" IS NULL
    WHEN key IS NULL THEN false
    ELSE ("columns" IS NULL OR key <@ "columns") AND NOT EXISTS (
      SELECT FROM pg_depend
      WHERE classid = 'pg_publication_rel'::regclass AND objid = listed.oid AND refobjsubid > 0
        AND refobjsubid::text <> ALL (key || coalesce("columns", '{}'))
    )
  END) AS one) AS unidentified) AS one) AS value OFFSET 0) AS fact \gset
\if :ERROR
ROLLBACK TO SAVEPOINT facts;
SELECT observation AS "answer_dependents" FROM (SELECT row_to_json(answer)::text FROM (
  SELECT
    CASE :'LAST_ERROR_SQLSTATE' WHEN '42501' THEN 'not-permitted' WHEN '57014' THEN 'timeout' WHEN '3F000' THEN 'absent' WHEN '55P03' THEN 'timeout' ELSE 'failed' END AS status,
    'database' AS source,
    left(:'LAST_ERROR_MESSAGE', 200) AS detail
) AS answer) AS refused (observation) \gset
\endif
\endif
\echo '"dependents":':answer_dependents','
SELECT set_config('lightspan.schema', :'schema', true) AS unused \gset
\if :ERROR
ROLLBACK TO SAVEPOINT facts;
SELECT  FROM (SELECT row_to_json(answer)::text FROM (
  SELECT
    CASE :'LAST_ERROR_SQLSTATE' WHEN '42501' THEN 'not-permitted' WHEN '57014' THEN 'timeout' WHEN '3F000' THEN 'absent' WHEN '55P03' THEN 'timeout' ELSE 'failed' END AS status,
    'database' AS source,
    left(:'LAST_ERROR_MESSAGE', 200) AS detail
) AS answer) AS refused (observation) \gset
\endif
DO $estimate$
DECLARE
  one record;
  plan json;
  answers json[] := '{}';
BEGIN
  FOR one IN
    SELECT listed.*, pg_stat_get_mod_since_analyze(pg_class.oid) AS modified
    FROM (VALUES
      ('20260129134608_add_inherit_parent_permissions_to_spaces', 'spaces', 'parent_space_uuid', 'IS NULL'),
      ('20260417111420_grant_custom_fields_to_custom_sql_roles', 'scoped_roles', 'scope_name', '= ''manage:CustomSql'''),
      ('20260428120000_backfill_project_metrics_tree_from_legacy_ui_edges', 'metrics_tree_edges', 'source', '= ''ui'''),
      ('20260511094034_grant_custom_sql_table_calculations_to_custom_sql_roles', 'scoped_roles', 'scope_name', '= ''manage:CustomSql'''),
      ('20260610120000_default_saved_chart_timezone_to_project', 'saved_queries_versions', 'timezone', 'IS NULL'),
      ('20260720170411_grant_compiled_sql_view_to_custom_fields_roles', 'scoped_roles', 'scope_name', '= ''manage:CustomFields'''),
      ('20260722153938_grant_org_color_palette_scope_to_manage_org_roles', 'scoped_roles', 'scope_name', '= ''manage:Organization'''),
      ('20260731111612_grandfather_existing_incomplete_users_setup_complete', 'users', 'is_setup_complete', '= false')
    ) AS listed (migration, name, attribute, holds)
    JOIN pg_class ON relname = name AND relnamespace = quote_ident(current_setting('lightspan.schema'))::regnamespace
    JOIN pg_stats ON schemaname = current_setting('lightspan.schema') AND tablename = name AND attname = attribute
    WHERE relkind = 'r' AND NOT inherited AND NOT row_security_active(pg_class.oid) AND NOT EXISTS (SELECT FROM (WITH RECURSIVE part AS (
    SELECT pg_class.oid::oid AS oid UNION SELECT inhrelid FROM pg_inherits JOIN part ON part.oid = inhparent
  )
  SELECT read.oid, CASE
    WHEN relkind NOT IN ('r', 'p') THEN 'is ' || CASE relkind
      WHEN 'v' THEN 'a view' WHEN 'm' THEN 'a materialized view' WHEN 'f' THEN 'a foreign table' ELSE 'no table'
    END
    WHEN EXISTS (SELECT FROM pg_rewrite WHERE ev_class = read.oid) THEN 'has a rule'
    ELSE (
      SELECT 'uses ' || pg_describe_object(refclassid, refobjid, 0) FROM pg_depend
      WHERE refclassid IN ('pg_proc'::regclass, 'pg_type'::regclass, 'pg_operator'::regclass) AND (
        classid = 'pg_class'::regclass AND objid IN (
          SELECT read.oid UNION ALL SELECT indexrelid FROM pg_index WHERE indrelid = read.oid
        )
        OR classid = 'pg_constraint'::regclass AND objid IN (SELECT oid FROM pg_constraint WHERE conrelid = read.oid)
      ) ORDER BY 1 LIMIT 1
    )
  END AS hazard
  FROM part JOIN pg_class AS read USING (oid)) AS each WHERE hazard IS NOT NULL)
  LOOP
    BEGIN
      EXECUTE format('EXPLAIN (FORMAT JSON) SELECT FROM %I.%I WHERE %I %s', current_setting('lightspan.schema'), one.name, one.attribute, one.holds)
        INTO plan;
      answers := answers || (SELECT row_to_json(seen) FROM (
        SELECT one.migration, one.name AS "table",
          (plan -> 0 -> 'Plan' ->> 'Plan Rows')::bigint AS "rows", one.modified AS "modifiedRows"
      ) AS seen);
    EXCEPTION WHEN query_canceled OR OTHERS THEN
      NULL;
    END;
  END LOOP;
  PERFORM set_config('lightspan.backfill_rows', array_to_json(answers)::text, true);
END
$estimate$ \gset
\if :ERROR
ROLLBACK TO SAVEPOINT facts;
SELECT observation AS "answer_backfillRows" FROM (SELECT row_to_json(answer)::text FROM (
  SELECT
    CASE :'LAST_ERROR_SQLSTATE' WHEN '42501' THEN 'not-permitted' WHEN '57014' THEN 'timeout' WHEN '3F000' THEN 'absent' WHEN '55P03' THEN 'timeout' ELSE 'failed' END AS status,
    'database' AS source,
    left(:'LAST_ERROR_MESSAGE', 200) AS detail
) AS answer) AS refused (observation) \gset
\endif
\if :{?answer_backfillRows}
\else
SELECT CASE
  WHEN value IS NULL THEN '{"status":"absent","source":"database"}'
  ELSE (SELECT row_to_json(seen) FROM (
    SELECT 'seen' AS status, value, to_char((clock_timestamp()) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "seenAt", 'database' AS source
  ) AS seen)::text
END AS "answer_backfillRows" FROM (SELECT (SELECT current_setting('lightspan.backfill_rows')::json) AS value OFFSET 0) AS fact \gset
\if :ERROR
ROLLBACK TO SAVEPOINT facts;
SELECT observation AS "answer_backfillRows" FROM (SELECT row_to_json(answer)::text FROM (
  SELECT
    CASE :'LAST_ERROR_SQLSTATE' WHEN '42501' THEN 'not-permitted' WHEN '57014' THEN 'timeout' WHEN '3F000' THEN 'absent' WHEN '55P03' THEN 'timeout' ELSE 'failed' END AS status,
    'database' AS source,
    left(:'LAST_ERROR_MESSAGE', 200) AS detail
) AS answer) AS refused (observation) \gset
\endif
\endif
\echo '"backfillRows":':answer_backfillRows','
SELECT (SELECT row_to_json(unread)::text FROM (
  SELECT status, 'database' AS source, left(detail, 200) AS detail
  FROM (SELECT :'schema' AS schema, 'knex_migrations' AS name) AS wanted
  LEFT JOIN (
    SELECT pg_class.oid, nspname, relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  ) AS relation ON nspname = schema AND relname = name
  CROSS JOIN LATERAL (
    SELECT 'absent' AS status, 'there is no table ' || schema || '.' || name AS detail WHERE relation.oid IS NULL
    UNION ALL
    SELECT 'unsafe', schema || '.' || name || CASE WHEN each.oid = relation.oid THEN ' ' ELSE
      ' has the part ' || each.oid::regclass || ', which '
    END || hazard
    FROM (WITH RECURSIVE part AS (
    SELECT relation.oid::oid AS oid UNION SELECT inhrelid FROM pg_inherits JOIN part ON part.oid = inhparent
  )
  SELECT read.oid, CASE
    WHEN relkind NOT IN ('r', 'p') THEN 'is ' || CASE relkind
      WHEN 'v' THEN 'a view' WHEN 'm' THEN 'a materialized view' WHEN 'f' THEN 'a foreign table' ELSE 'no table'
    END
    WHEN EXISTS (SELECT FROM pg_rewrite WHERE ev_class = read.oid) THEN 'has a rule'
    ELSE (
      SELECT 'uses ' || pg_describe_object(refclassid, refobjid, 0) FROM pg_depend
      WHERE refclassid IN ('pg_proc'::regclass, 'pg_type'::regclass, 'pg_operator'::regclass) AND (
        classid = 'pg_class'::regclass AND objid IN (
          SELECT read.oid UNION ALL SELECT indexrelid FROM pg_index WHERE indrelid = read.oid
        )
        OR classid = 'pg_constraint'::regclass AND objid IN (SELECT oid FROM pg_constraint WHERE conrelid = read.oid)
      ) ORDER BY 1 LIMIT 1
    )
  END AS hazard
  FROM part JOIN pg_class AS read USING (oid)) AS each WHERE hazard IS NOT NULL
    UNION ALL
    SELECT 'not-permitted', 'row security hides rows of ' || schema || '.' || name WHERE row_security_active(relation.oid)
  ) AS found
  ORDER BY status DESC, detail LIMIT 1
) AS unread) AS "answer_ledger", (SELECT row_to_json(unread)::text FROM (
  SELECT status, 'database' AS source, left(detail, 200) AS detail
  FROM (SELECT :'schema' AS schema, 'knex_migrations_lock' AS name) AS wanted
  LEFT JOIN (
    SELECT pg_class.oid, nspname, relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  ) AS relation ON nspname = schema AND relname = name
  CROSS JOIN LATERAL (
    SELECT 'absent' AS status, 'there is no table ' || schema || '.' || name AS detail WHERE relation.oid IS NULL
    UNION ALL
    SELECT 'unsafe', schema || '.' || name || CASE WHEN each.oid = relation.oid THEN ' ' ELSE
      ' has the part ' || each.oid::regclass || ', which '
    END || hazard
    FROM (WITH RECURSIVE part AS (
    SELECT relation.oid::oid AS oid UNION SELECT inhrelid FROM pg_inherits JOIN part ON part.oid = inhparent
  )
  SELECT read.oid, CASE
    WHEN relkind NOT IN ('r', 'p') THEN 'is ' || CASE relkind
      WHEN 'v' THEN 'a view' WHEN 'm' THEN 'a materialized view' WHEN 'f' THEN 'a foreign table' ELSE 'no table'
    END
    WHEN EXISTS (SELECT FROM pg_rewrite WHERE ev_class = read.oid) THEN 'has a rule'
    ELSE (
      SELECT 'uses ' || pg_describe_object(refclassid, refobjid, 0) FROM pg_depend
      WHERE refclassid IN ('pg_proc'::regclass, 'pg_type'::regclass, 'pg_operator'::regclass) AND (
        classid = 'pg_class'::regclass AND objid IN (
          SELECT read.oid UNION ALL SELECT indexrelid FROM pg_index WHERE indrelid = read.oid
        )
        OR classid = 'pg_constraint'::regclass AND objid IN (SELECT oid FROM pg_constraint WHERE conrelid = read.oid)
      ) ORDER BY 1 LIMIT 1
    )
  END AS hazard
  FROM part JOIN pg_class AS read USING (oid)) AS each WHERE hazard IS NOT NULL
    UNION ALL
    SELECT 'not-permitted', 'row security hides rows of ' || schema || '.' || name WHERE row_security_active(relation.oid)
  ) AS found
  ORDER BY status DESC, detail LIMIT 1
) AS unread) AS "answer_ledgerLock", (SELECT row_to_json(unread)::text FROM (
  SELECT status, 'database' AS source, left(detail, 200) AS detail
  FROM (SELECT :'schema' AS schema, 'migration_lease' AS name) AS wanted
  LEFT JOIN (
    SELECT pg_class.oid, nspname, relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  ) AS relation ON nspname = schema AND relname = name
  CROSS JOIN LATERAL (
    SELECT 'absent' AS status, 'there is no table ' || schema || '.' || name AS detail WHERE relation.oid IS NULL
    UNION ALL
    SELECT 'unsafe', schema || '.' || name || CASE WHEN each.oid = relation.oid THEN ' ' ELSE
      ' has the part ' || each.oid::regclass || ', which '
    END || hazard
    FROM (WITH RECURSIVE part AS (
    SELECT relation.oid::oid AS oid UNION SELECT inhrelid FROM pg_inherits JOIN part ON part.oid = inhparent
  )
  SELECT read.oid, CASE
    WHEN relkind NOT IN ('r', 'p') THEN 'is ' || CASE relkind
      WHEN 'v' THEN 'a view' WHEN 'm' THEN 'a materialized view' WHEN 'f' THEN 'a foreign table' ELSE 'no table'
    END
    WHEN EXISTS (SELECT FROM pg_rewrite WHERE ev_class = read.oid) THEN 'has a rule'
    ELSE (
      SELECT 'uses ' || pg_describe_object(refclassid, refobjid, 0) FROM pg_depend
      WHERE refclassid IN ('pg_proc'::regclass, 'pg_type'::regclass, 'pg_operator'::regclass) AND (
        classid = 'pg_class'::regclass AND objid IN (
          SELECT read.oid UNION ALL SELECT indexrelid FROM pg_index WHERE indrelid = read.oid
        )
        OR classid = 'pg_constraint'::regclass AND objid IN (SELECT oid FROM pg_constraint WHERE conrelid = read.oid)
      ) ORDER BY 1 LIMIT 1
    )
  END AS hazard
  FROM part JOIN pg_class AS read USING (oid)) AS each WHERE hazard IS NOT NULL
    UNION ALL
    SELECT 'not-permitted', 'row security hides rows of ' || schema || '.' || name WHERE row_security_active(relation.oid)
  ) AS found
  ORDER BY status DESC, detail LIMIT 1
) AS unread) AS "answer_lease", (SELECT row_to_json(unread)::text FROM (
  SELECT status, 'database' AS source, left(detail, 200) AS detail
  FROM (SELECT :'schema' AS schema, 'migration_run_ledger' AS name) AS wanted
  LEFT JOIN (
    SELECT pg_class.oid, nspname, relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  ) AS relation ON nspname = schema AND relname = name
  CROSS JOIN LATERAL (
    SELECT 'absent' AS status, 'there is no table ' || schema || '.' || name AS detail WHERE relation.oid IS NULL
    UNION ALL
    SELECT 'unsafe', schema || '.' || name || CASE WHEN each.oid = relation.oid THEN ' ' ELSE
      ' has the part ' || each.oid::regclass || ', which '
    END || hazard
    FROM (WITH RECURSIVE part AS (
    SELECT relation.oid::oid AS oid UNION SELECT inhrelid FROM pg_inherits JOIN part ON part.oid = inhparent
  )
  SELECT read.oid, CASE
    WHEN relkind NOT IN ('r', 'p') THEN 'is ' || CASE relkind
      WHEN 'v' THEN 'a view' WHEN 'm' THEN 'a materialized view' WHEN 'f' THEN 'a foreign table' ELSE 'no table'
    END
    WHEN EXISTS (SELECT FROM pg_rewrite WHERE ev_class = read.oid) THEN 'has a rule'
    ELSE (
      SELECT 'uses ' || pg_describe_object(refclassid, refobjid, 0) FROM pg_depend
      WHERE refclassid IN ('pg_proc'::regclass, 'pg_type'::regclass, 'pg_operator'::regclass) AND (
        classid = 'pg_class'::regclass AND objid IN (
          SELECT read.oid UNION ALL SELECT indexrelid FROM pg_index WHERE indrelid = read.oid
        )
        OR classid = 'pg_constraint'::regclass AND objid IN (SELECT oid FROM pg_constraint WHERE conrelid = read.oid)
      ) ORDER BY 1 LIMIT 1
    )
  END AS hazard
  FROM part JOIN pg_class AS read USING (oid)) AS each WHERE hazard IS NOT NULL
    UNION ALL
    SELECT 'not-permitted', 'row security hides rows of ' || schema || '.' || name WHERE row_security_active(relation.oid)
  ) AS found
  ORDER BY status DESC, detail LIMIT 1
) AS unread) AS "answer_runs", (SELECT row_to_json(unread)::text FROM (
  SELECT status, 'database' AS source, left(detail, 200) AS detail
  FROM (SELECT 'graphile_worker' AS schema, :'jobs' AS name) AS wanted
  LEFT JOIN (
    SELECT pg_class.oid, nspname, relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  ) AS relation ON nspname = schema AND relname = name
  CROSS JOIN LATERAL (
    SELECT 'absent' AS status, 'there is no table ' || schema || '.' || name AS detail WHERE relation.oid IS NULL
    UNION ALL
    SELECT 'unsafe', schema || '.' || name || CASE WHEN each.oid = relation.oid THEN ' ' ELSE
      ' has the part ' || each.oid::regclass || ', which '
    END || hazard
    FROM (WITH RECURSIVE part AS (
    SELECT relation.oid::oid AS oid UNION SELECT inhrelid FROM pg_inherits JOIN part ON part.oid = inhparent
  )
  SELECT read.oid, CASE
    WHEN relkind NOT IN ('r', 'p') THEN 'is ' || CASE relkind
      WHEN 'v' THEN 'a view' WHEN 'm' THEN 'a materialized view' WHEN 'f' THEN 'a foreign table' ELSE 'no table'
    END
    WHEN EXISTS (SELECT FROM pg_rewrite WHERE ev_class = read.oid) THEN 'has a rule'
    ELSE (
      SELECT 'uses ' || pg_describe_object(refclassid, refobjid, 0) FROM pg_depend
      WHERE refclassid IN ('pg_proc'::regclass, 'pg_type'::regclass, 'pg_operator'::regclass) AND (
        classid = 'pg_class'::regclass AND objid IN (
          SELECT read.oid UNION ALL SELECT indexrelid FROM pg_index WHERE indrelid = read.oid
        )
        OR classid = 'pg_constraint'::regclass AND objid IN (SELECT oid FROM pg_constraint WHERE conrelid = read.oid)
      ) ORDER BY 1 LIMIT 1
    )
  END AS hazard
  FROM part JOIN pg_class AS read USING (oid)) AS each WHERE hazard IS NOT NULL
    UNION ALL
    SELECT 'not-permitted', 'row security hides rows of ' || schema || '.' || name WHERE row_security_active(relation.oid)
  ) AS found
  ORDER BY status DESC, detail LIMIT 1
) AS unread) AS "answer_queue" \gset
\if :ERROR
ROLLBACK TO SAVEPOINT facts;
SELECT observation AS "answer_ledger", observation AS "answer_ledgerLock", observation AS "answer_lease", observation AS "answer_runs", observation AS "answer_queue" FROM (SELECT row_to_json(answer)::text FROM (
  SELECT
    CASE :'LAST_ERROR_SQLSTATE' WHEN '42501' THEN 'not-permitted' WHEN '57014' THEN 'timeout' WHEN '3F000' THEN 'absent' WHEN '55P03' THEN 'timeout' ELSE 'failed' END AS status,
    'database' AS source,
    left(:'LAST_ERROR_MESSAGE', 200) AS detail
) AS answer) AS refused (observation) \gset
\endif
\if :{?answer_ledger}
\else
SELECT CASE
  WHEN value IS NULL THEN '{"status":"absent","source":"database"}'
  ELSE (SELECT row_to_json(seen) FROM (
    SELECT 'seen' AS status, value, to_char((clock_timestamp()) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "seenAt", 'database' AS source
  ) AS seen)::text
END AS "answer_ledger" FROM (SELECT (SELECT coalesce(array_to_json(array_agg(row_to_json(one) ORDER BY id)), '[]') FROM (
  SELECT id, (SELECT line FROM (SELECT coalesce(name, '') AS name, coalesce(batch, 0) AS batch, to_char((migration_time) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "migratedAt") AS line) AS one
  FROM :"schema".knex_migrations
) AS rows) AS value OFFSET 0) AS fact \gset
\if :ERROR
ROLLBACK TO SAVEPOINT facts;
SELECT observation AS "answer_ledger" FROM (SELECT row_to_json(answer)::text FROM (
  SELECT
    CASE :'LAST_ERROR_SQLSTATE' WHEN '42501' THEN 'not-permitted' WHEN '57014' THEN 'timeout' WHEN '3F000' THEN 'absent' WHEN '55P03' THEN 'timeout' ELSE 'failed' END AS status,
    'database' AS source,
    left(:'LAST_ERROR_MESSAGE', 200) AS detail
) AS answer) AS refused (observation) \gset
\endif
\endif
\echo '"ledger":':answer_ledger','
\if :{?answer_ledgerLock}
\else
SELECT CASE
  WHEN value IS NULL THEN '{"status":"absent","source":"database"}'
  ELSE (SELECT row_to_json(seen) FROM (
    SELECT 'seen' AS status, value, to_char((clock_timestamp()) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "seenAt", 'database' AS source
  ) AS seen)::text
END AS "answer_ledgerLock" FROM (SELECT (SELECT row_to_json(one) FROM (SELECT count(*) AS rows, count(*) FILTER (WHERE is_locked IS DISTINCT FROM 0) AS "lockedRows"
FROM :"schema".knex_migrations_lock) AS one) AS value OFFSET 0) AS fact \gset
\if :ERROR
ROLLBACK TO SAVEPOINT facts;
SELECT observation AS "answer_ledgerLock" FROM (SELECT row_to_json(answer)::text FROM (
  SELECT
    CASE :'LAST_ERROR_SQLSTATE' WHEN '42501' THEN 'not-permitted' WHEN '57014' THEN 'timeout' WHEN '3F000' THEN 'absent' WHEN '55P03' THEN 'timeout' ELSE 'failed' END AS status,
    'database' AS source,
    left(:'LAST_ERROR_MESSAGE', 200) AS detail
) AS answer) AS refused (observation) \gset
\endif
\endif
\echo '"ledgerLock":':answer_ledgerLock','
\if :{?answer_lease}
\else
SELECT CASE
  WHEN value IS NULL THEN '{"status":"absent","source":"database"}'
  ELSE (SELECT row_to_json(seen) FROM (
    SELECT 'seen' AS status, value, to_char((clock_timestamp()) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "seenAt", 'database' AS source
  ) AS seen)::text
END AS "answer_lease" FROM (SELECT (SELECT coalesce(array_to_json(array_agg(row_to_json(one) ORDER BY one.key)), '[]') FROM (SELECT
  lease_key AS key, claimed,
  holder_hostname AS "holderHostname", holder_pod_name AS "holderPodName",
  app_version AS "appVersion", current_migration AS "currentMigration",
  to_char((last_heartbeat) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "lastHeartbeat",
  CASE WHEN last_heartbeat IS NOT NULL
    THEN greatest(0, floor(extract(epoch FROM clock_timestamp() - last_heartbeat)))::bigint END AS "heartbeatAgeSeconds",
  to_char((lease.parked_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "parkedAt", lease.parked_app_version AS "parkedAppVersion",
  lease.parked_migration AS "parkedMigration", lease.parked_error_class AS "parkedErrorClass"
FROM (
  SELECT
    NULL::timestamptz AS parked_at, NULL::text AS parked_app_version,
    NULL::text AS parked_migration, NULL::text AS parked_error_class
) AS later
CROSS JOIN LATERAL (
  SELECT
    lease_key, claim_token IS NOT NULL AS claimed, holder_hostname, holder_pod_name, app_version, current_migration,
    last_heartbeat, parked_at, parked_app_version, parked_migration, parked_error_class
  FROM :"schema".migration_lease
) AS lease) AS one) AS value OFFSET 0) AS fact \gset
\if :ERROR
ROLLBACK TO SAVEPOINT facts;
SELECT observation AS "answer_lease" FROM (SELECT row_to_json(answer)::text FROM (
  SELECT
    CASE :'LAST_ERROR_SQLSTATE' WHEN '42501' THEN 'not-permitted' WHEN '57014' THEN 'timeout' WHEN '3F000' THEN 'absent' WHEN '55P03' THEN 'timeout' ELSE 'failed' END AS status,
    'database' AS source,
    left(:'LAST_ERROR_MESSAGE', 200) AS detail
) AS answer) AS refused (observation) \gset
\endif
\endif
\echo '"lease":':answer_lease','
\if :{?answer_runs}
\else
SELECT CASE
  WHEN value IS NULL THEN '{"status":"absent","source":"database"}'
  ELSE (SELECT row_to_json(seen) FROM (
    SELECT 'seen' AS status, value, to_char((clock_timestamp()) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "seenAt", 'database' AS source
  ) AS seen)::text
END AS "answer_runs" FROM (SELECT (SELECT row_to_json(one) FROM (SELECT (SELECT row_to_json(one) FROM (SELECT app_version AS "appVersion", outcome, failing_migration AS "failingMigration"
FROM :"schema".migration_run_ledger  ORDER BY started_at DESC, attempt DESC LIMIT 1) AS one) AS newest, (SELECT row_to_json(one) FROM (SELECT app_version AS "appVersion", outcome, failing_migration AS "failingMigration"
FROM :"schema".migration_run_ledger WHERE outcome = 'succeeded' ORDER BY started_at DESC, attempt DESC LIMIT 1) AS one) AS "lastSucceeded") AS one) AS value OFFSET 0) AS fact \gset
\if :ERROR
ROLLBACK TO SAVEPOINT facts;
SELECT observation AS "answer_runs" FROM (SELECT row_to_json(answer)::text FROM (
  SELECT
    CASE :'LAST_ERROR_SQLSTATE' WHEN '42501' THEN 'not-permitted' WHEN '57014' THEN 'timeout' WHEN '3F000' THEN 'absent' WHEN '55P03' THEN 'timeout' ELSE 'failed' END AS status,
    'database' AS source,
    left(:'LAST_ERROR_MESSAGE', 200) AS detail
) AS answer) AS refused (observation) \gset
\endif
\endif
\echo '"runs":':answer_runs','
\if :{?answer_queue}
\else
SELECT CASE
  WHEN value IS NULL THEN '{"status":"absent","source":"database"}'
  ELSE (SELECT row_to_json(seen) FROM (
    SELECT 'seen' AS status, value, to_char((clock_timestamp()) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "seenAt", 'database' AS source
  ) AS seen)::text
END AS "answer_queue" FROM (SELECT (SELECT row_to_json(one) FROM (WITH others AS (
  SELECT backend_type IS NULL OR coalesce(state, '') = 'disabled' AS hidden, backend_start, state_change, query
  FROM pg_stat_activity WHERE datid = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()) AND pid <> pg_backend_pid()
), worker AS (
  SELECT
    coalesce(bool_or(hidden), false) AS hidden,
    count(*) FILTER (WHERE query LIKE 'LISTEN "jobs:insert"%') AS connected,
    min(backend_start) FILTER (WHERE query LIKE 'LISTEN "jobs:insert"%') AS began,
    max(state_change) FILTER (WHERE (query LIKE 'SELECT * FROM "graphile_worker".get_job(%'
    OR query LIKE 'with j as (%' AND query LIKE '%"graphile_worker"._private_jobs%')) AS looked
  FROM others
)
SELECT
  count(*) AS jobs,
  count(*) FILTER (WHERE locked) AS locked,
  count(*) FILTER (WHERE locked_at < now() - interval '4 hours') AS "lockedTooLong",
  count(*) FILTER (WHERE locked AND spent) AS "lockedOnLastAttempt",
  CASE WHEN NOT (SELECT hidden FROM worker) THEN count(*) FILTER (WHERE abandoned) END AS "lockedWithoutWorker",
  CASE WHEN NOT (SELECT hidden FROM worker) THEN count(*) FILTER (WHERE abandoned AND spent) END AS "withoutWorkerOnLastAttempt",
  CASE WHEN NOT (SELECT hidden FROM worker) THEN (SELECT connected FROM worker) END AS workers,
  CASE WHEN NOT (SELECT hidden FROM worker) THEN (SELECT CASE WHEN looked IS NOT NULL
    THEN greatest(0, floor(extract(epoch FROM clock_timestamp() - looked)))::bigint END FROM worker) END AS "lookedSecondsAgo",
  count(*) FILTER (WHERE due) AS due,
  CASE WHEN min(run_at) FILTER (WHERE due) IS NOT NULL
    THEN greatest(0, floor(extract(epoch FROM clock_timestamp() - min(run_at) FILTER (WHERE due))))::bigint END AS "oldestDueSeconds",
  count(*) FILTER (WHERE NOT locked AND spent) AS failed,
  count(*) FILTER (WHERE NOT locked AND spent AND run_at > now() - interval '1 day') AS "failedLately"
FROM (
  SELECT
    attempts, locked_at, run_at, locked_at IS NOT NULL AS locked,
    locked_at >= now() - interval '4 hours' AND locked_at < coalesce((SELECT began FROM worker), 'infinity') AS abandoned,
    attempts >= max_attempts AS spent,
    run_at <= now() AND locked_at IS NULL AND attempts < max_attempts AS due
  FROM graphile_worker.:"jobs"
) AS job) AS one) AS value OFFSET 0) AS fact \gset
\if :ERROR
ROLLBACK TO SAVEPOINT facts;
SELECT observation AS "answer_queue" FROM (SELECT row_to_json(answer)::text FROM (
  SELECT
    CASE :'LAST_ERROR_SQLSTATE' WHEN '42501' THEN 'not-permitted' WHEN '57014' THEN 'timeout' WHEN '3F000' THEN 'absent' WHEN '55P03' THEN 'timeout' ELSE 'failed' END AS status,
    'database' AS source,
    left(:'LAST_ERROR_MESSAGE', 200) AS detail
) AS answer) AS refused (observation) \gset
\endif
\endif
\echo '"queue":':answer_queue','
ROLLBACK TO SAVEPOINT facts;
\if :{?answer_activity}
\else
SELECT CASE
  WHEN value IS NULL THEN '{"status":"absent","source":"database"}'
  ELSE (SELECT row_to_json(seen) FROM (
    SELECT 'seen' AS status, value, to_char((clock_timestamp()) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "seenAt", 'database' AS source
  ) AS seen)::text
END AS "answer_activity" FROM (SELECT (SELECT row_to_json(one) FROM (WITH others AS (
  SELECT
    *,
    backend_type IS NULL OR coalesce(state, '') = 'disabled' AS hidden,
    coalesce(state, '') = 'idle' AND xact_start IS NULL AND backend_xmin IS NULL AS idle
  FROM pg_stat_activity WHERE datid = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()) AND pid <> pg_backend_pid()
)
SELECT
  (SELECT coalesce(array_to_json(array_agg(row_to_json(one) ORDER BY one.pid)), '[]') FROM (SELECT
      pid, usename AS role, backend_type AS backend, state,
      CASE WHEN xact_start IS NOT NULL
    THEN greatest(0, floor(extract(epoch FROM clock_timestamp() - xact_start)))::bigint END AS "transactionSeconds",
      backend_xmin IS NOT NULL AS snapshot
    FROM others WHERE NOT hidden AND NOT idle) AS one) AS sessions,
  (SELECT count(*) FROM others WHERE hidden) AS "hiddenSessions",
  (SELECT count(*) FROM others WHERE hidden AND backend_xmin IS NOT NULL AND usesysid IS NOT NULL) AS "hiddenSnapshots",
  (SELECT max(age(backend_xmin)) FROM others WHERE hidden AND backend_xmin IS NOT NULL AND usesysid IS NOT NULL) AS "oldestHiddenSnapshot") AS one) AS value OFFSET 0) AS fact \gset
\if :ERROR
ROLLBACK TO SAVEPOINT facts;
SELECT observation AS "answer_activity" FROM (SELECT row_to_json(answer)::text FROM (
  SELECT
    CASE :'LAST_ERROR_SQLSTATE' WHEN '42501' THEN 'not-permitted' WHEN '57014' THEN 'timeout' WHEN '3F000' THEN 'absent' WHEN '55P03' THEN 'timeout' ELSE 'failed' END AS status,
    'database' AS source,
    left(:'LAST_ERROR_MESSAGE', 200) AS detail
) AS answer) AS refused (observation) \gset
\endif
\endif
\echo '"activity":':answer_activity','
\if :{?answer_locks}
\else
SELECT CASE
  WHEN value IS NULL THEN '{"status":"absent","source":"database"}'
  ELSE (SELECT row_to_json(seen) FROM (
    SELECT 'seen' AS status, value, to_char((clock_timestamp()) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "seenAt", 'database' AS source
  ) AS seen)::text
END AS "answer_locks" FROM (SELECT (SELECT coalesce(array_to_json(array_agg(row_to_json(one) ORDER BY one."table", one.pid, one."preparedTransaction", one.mode, one.granted)), '[]') FROM (SELECT
  relname AS "table", mode, granted, held.pid,
  gid AS "preparedTransaction",
  CASE WHEN coalesce(xact_start, prepared) IS NOT NULL
    THEN greatest(0, floor(extract(epoch FROM clock_timestamp() - coalesce(xact_start, prepared))))::bigint END AS "transactionSeconds"
FROM pg_locks AS held
JOIN pg_class ON pg_class.oid = relation
LEFT JOIN pg_stat_activity AS holder ON holder.pid = held.pid
LEFT JOIN (
  SELECT virtualtransaction, gid, prepared FROM pg_locks
  JOIN pg_prepared_xacts ON pg_prepared_xacts.transaction = transactionid
  WHERE locktype = 'transactionid' AND pid IS NULL
) AS prepared ON held.pid IS NULL AND prepared.virtualtransaction = held.virtualtransaction
WHERE locktype = 'relation' AND held.database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()) AND held.pid IS DISTINCT FROM pg_backend_pid()
  AND relnamespace = quote_ident(:'schema')::regnamespace AND relkind IN ('r', 'p')) AS one) AS value OFFSET 0) AS fact \gset
\if :ERROR
ROLLBACK TO SAVEPOINT facts;
SELECT observation AS "answer_locks" FROM (SELECT row_to_json(answer)::text FROM (
  SELECT
    CASE :'LAST_ERROR_SQLSTATE' WHEN '42501' THEN 'not-permitted' WHEN '57014' THEN 'timeout' WHEN '3F000' THEN 'absent' WHEN '55P03' THEN 'timeout' ELSE 'failed' END AS status,
    'database' AS source,
    left(:'LAST_ERROR_MESSAGE', 200) AS detail
) AS answer) AS refused (observation) \gset
\endif
\endif
\echo '"locks":':answer_locks','
\if :{?answer_preparedTransactions}
\else
SELECT CASE
  WHEN value IS NULL THEN '{"status":"absent","source":"database"}'
  ELSE (SELECT row_to_json(seen) FROM (
    SELECT 'seen' AS status, value, to_char((clock_timestamp()) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "seenAt", 'database' AS source
  ) AS seen)::text
END AS "answer_preparedTransactions" FROM (SELECT (SELECT coalesce(array_to_json(array_agg(row_to_json(one) ORDER BY one.name)), '[]') FROM (SELECT gid AS name, owner, CASE WHEN prepared IS NOT NULL
    THEN greatest(0, floor(extract(epoch FROM clock_timestamp() - prepared)))::bigint END AS "ageSeconds"
FROM pg_prepared_xacts WHERE database = current_database()) AS one) AS value OFFSET 0) AS fact \gset
\if :ERROR
ROLLBACK TO SAVEPOINT facts;
SELECT observation AS "answer_preparedTransactions" FROM (SELECT row_to_json(answer)::text FROM (
  SELECT
    CASE :'LAST_ERROR_SQLSTATE' WHEN '42501' THEN 'not-permitted' WHEN '57014' THEN 'timeout' WHEN '3F000' THEN 'absent' WHEN '55P03' THEN 'timeout' ELSE 'failed' END AS status,
    'database' AS source,
    left(:'LAST_ERROR_MESSAGE', 200) AS detail
) AS answer) AS refused (observation) \gset
\endif
\endif
\echo '"preparedTransactions":':answer_preparedTransactions','
\if :{?answer_replication}
\else
SELECT CASE
  WHEN value IS NULL THEN '{"status":"absent","source":"database"}'
  ELSE (SELECT row_to_json(seen) FROM (
    SELECT 'seen' AS status, value, to_char((clock_timestamp()) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "seenAt", 'database' AS source
  ) AS seen)::text
END AS "answer_replication" FROM (SELECT (SELECT row_to_json(one) FROM (SELECT
  (SELECT coalesce(array_to_json(array_agg(row_to_json(one) ORDER BY one.name)), '[]') FROM (SELECT
      slot_name AS name,
      slot_type AS kind,
      active,
      CASE WHEN restart_lsn IS NOT NULL AND NOT pg_is_in_recovery() THEN
        greatest(0, pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn))::bigint
      END AS "keptBytes",
      to_jsonb(slot) ->> 'wal_status' AS "walStatus"
    FROM pg_replication_slots AS slot) AS one) AS slots,
  ARRAY(
    SELECT subname::text FROM pg_subscription WHERE subdbid = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()) AND subenabled AND subname IN (
      SELECT worker.subname FROM pg_stat_subscription AS worker
      JOIN pg_subscription_rel ON srsubid = subid JOIN pg_class ON pg_class.oid = srrelid
      WHERE relname = 'knex_migrations' AND relnamespace = quote_ident(:'schema')::regnamespace
    ) ORDER BY subname
  ) AS subscriptions,
  (SELECT row_to_json(one) FROM (SELECT
    coalesce(substring(names FROM '(?i)^\s*(?:(?:first|any)\s+)?([0-9]+)\s*[(]')::int, 1) AS needed,
    (SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')) AS connected,
    (SELECT count(*) FROM pg_stat_replication WHERE sync_state IS NULL) AS hidden
  FROM (SELECT current_setting('synchronous_standby_names') AS names) AS setting WHERE names ~ '\S') AS one) AS synchronous) AS one) AS value OFFSET 0) AS fact \gset
\if :ERROR
ROLLBACK TO SAVEPOINT facts;
SELECT observation AS "answer_replication" FROM (SELECT row_to_json(answer)::text FROM (
  SELECT
    CASE :'LAST_ERROR_SQLSTATE' WHEN '42501' THEN 'not-permitted' WHEN '57014' THEN 'timeout' WHEN '3F000' THEN 'absent' WHEN '55P03' THEN 'timeout' ELSE 'failed' END AS status,
    'database' AS source,
    left(:'LAST_ERROR_MESSAGE', 200) AS detail
) AS answer) AS refused (observation) \gset
\endif
\endif
\echo '"replication":':answer_replication','
\if :{?answer_archiver}
\else
SELECT CASE
  WHEN value IS NULL THEN '{"status":"absent","source":"database"}'
  ELSE (SELECT row_to_json(seen) FROM (
    SELECT 'seen' AS status, value, to_char((clock_timestamp()) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "seenAt", 'database' AS source
  ) AS seen)::text
END AS "answer_archiver" FROM (SELECT (SELECT row_to_json(one) FROM (SELECT
  current_setting('archive_mode') <> 'off' AND (
    current_setting('archive_command') ~ '%[fp]' OR coalesce(current_setting('archive_library', true), '') <> ''
  ) AS enabled,
  CASE WHEN last_archived_time IS NOT NULL
    THEN greatest(0, floor(extract(epoch FROM clock_timestamp() - last_archived_time)))::bigint END AS "archivedSecondsAgo",
  CASE WHEN last_failed_time IS NOT NULL
    THEN greatest(0, floor(extract(epoch FROM clock_timestamp() - last_failed_time)))::bigint END AS "failedSecondsAgo"
FROM pg_stat_archiver) AS one) AS value OFFSET 0) AS fact \gset
\if :ERROR
ROLLBACK TO SAVEPOINT facts;
SELECT observation AS "answer_archiver" FROM (SELECT row_to_json(answer)::text FROM (
  SELECT
    CASE :'LAST_ERROR_SQLSTATE' WHEN '42501' THEN 'not-permitted' WHEN '57014' THEN 'timeout' WHEN '3F000' THEN 'absent' WHEN '55P03' THEN 'timeout' ELSE 'failed' END AS status,
    'database' AS source,
    left(:'LAST_ERROR_MESSAGE', 200) AS detail
) AS answer) AS refused (observation) \gset
\endif
\endif
\echo '"archiver":':answer_archiver','
\if :{?answer_vacuums}
\else
SELECT CASE
  WHEN value IS NULL THEN '{"status":"absent","source":"database"}'
  ELSE (SELECT row_to_json(seen) FROM (
    SELECT 'seen' AS status, value, to_char((clock_timestamp()) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "seenAt", 'database' AS source
  ) AS seen)::text
END AS "answer_vacuums" FROM (SELECT (SELECT row_to_json(one) FROM (SELECT
  (SELECT coalesce(array_to_json(array_agg(row_to_json(one) ORDER BY one."table", one.pid)), '[]') FROM (SELECT
      progress.pid, relname AS "table",
      coalesce(backend_type, '') = 'autovacuum worker' AS automatic,
      coalesce(query, '') LIKE '%(to prevent wraparound)' AS "preventsWraparound"
    FROM pg_stat_progress_vacuum AS progress
    JOIN pg_class ON progress.relid IN (pg_class.oid, reltoastrelid)
    LEFT JOIN pg_stat_activity AS worker ON worker.pid = progress.pid
    WHERE progress.datid = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()) AND relnamespace = quote_ident(:'schema')::regnamespace) AS one) AS running,
  (SELECT count(*) FROM pg_stat_progress_vacuum WHERE datid = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()) AND relid IS NULL) AS hidden) AS one) AS value OFFSET 0) AS fact \gset
\if :ERROR
ROLLBACK TO SAVEPOINT facts;
SELECT observation AS "answer_vacuums" FROM (SELECT row_to_json(answer)::text FROM (
  SELECT
    CASE :'LAST_ERROR_SQLSTATE' WHEN '42501' THEN 'not-permitted' WHEN '57014' THEN 'timeout' WHEN '3F000' THEN 'absent' WHEN '55P03' THEN 'timeout' ELSE 'failed' END AS status,
    'database' AS source,
    left(:'LAST_ERROR_MESSAGE', 200) AS detail
) AS answer) AS refused (observation) \gset
\endif
\endif
\echo '"vacuums":':answer_vacuums','
WITH filled AS (
  SELECT oid, relname, relpages, coalesce(has_schema_privilege(relnamespace, 'USAGE') AND has_column_privilege(oid, (-1)::int2, 'SELECT')
    AND NOT row_security_active(oid) AND NOT EXISTS (SELECT FROM (WITH RECURSIVE part AS (
    SELECT pg_class.oid::oid AS oid UNION SELECT inhrelid FROM pg_inherits JOIN part ON part.oid = inhparent
  )
  SELECT read.oid, CASE
    WHEN relkind NOT IN ('r', 'p') THEN 'is ' || CASE relkind
      WHEN 'v' THEN 'a view' WHEN 'm' THEN 'a materialized view' WHEN 'f' THEN 'a foreign table' ELSE 'no table'
    END
    WHEN EXISTS (SELECT FROM pg_rewrite WHERE ev_class = read.oid) THEN 'has a rule'
    ELSE (
      SELECT 'uses ' || pg_describe_object(refclassid, refobjid, 0) FROM pg_depend
      WHERE refclassid IN ('pg_proc'::regclass, 'pg_type'::regclass, 'pg_operator'::regclass) AND (
        classid = 'pg_class'::regclass AND objid IN (
          SELECT read.oid UNION ALL SELECT indexrelid FROM pg_index WHERE indrelid = read.oid
        )
        OR classid = 'pg_constraint'::regclass AND objid IN (SELECT oid FROM pg_constraint WHERE conrelid = read.oid)
      ) ORDER BY 1 LIMIT 1
    )
  END AS hazard
  FROM part JOIN pg_class AS read USING (oid)) AS each WHERE hazard IS NOT NULL), false) AS readable FROM pg_class
  WHERE relnamespace = quote_ident(:'schema')::regnamespace AND relkind = 'r' AND relpersistence = 'p' AND relpages > 0
)
SELECT
  relname AS probe, pages::text AS probe_pages,
  CASE
    WHEN pages IS NOT NULL THEN NULL
    WHEN EXISTS (SELECT FROM filled WHERE NOT readable)
      THEN '{"status":"not-permitted","detail":"no table with rows may be read, or those that may are locked","source":"database"}'
    ELSE '{"status":"absent","detail":"no table is known to contain rows","source":"database"}'
  END AS "answer_readRate"
FROM (SELECT) AS once LEFT JOIN (
  SELECT relname, nullif(pg_relation_size(oid), 0) / current_setting('block_size')::bigint AS pages FROM (
    SELECT oid, relname FROM filled WHERE readable AND oid NOT IN (
      SELECT relation FROM pg_locks WHERE locktype = 'relation' AND mode = 'AccessExclusiveLock' AND relation IS NOT NULL
    ) ORDER BY relpages DESC, relname LIMIT 1
  ) AS largest
) AS probe ON pages IS NOT NULL \gset
\if :ERROR
ROLLBACK TO SAVEPOINT facts;
SELECT observation AS "answer_readRate" FROM (SELECT row_to_json(answer)::text FROM (
  SELECT
    CASE :'LAST_ERROR_SQLSTATE' WHEN '42501' THEN 'not-permitted' WHEN '57014' THEN 'timeout' WHEN '3F000' THEN 'absent' WHEN '55P03' THEN 'timeout' ELSE 'failed' END AS status,
    'database' AS source,
    left(:'LAST_ERROR_MESSAGE', 200) AS detail
) AS answer) AS refused (observation) \gset
\endif
SELECT pg_catalog.set_config('statement_timeout', '1400', true) \gset unused_
\if :{?answer_readRate}
\else
SELECT CASE
  WHEN value IS NULL THEN '{"status":"absent","source":"database"}'
  ELSE (SELECT row_to_json(seen) FROM (
    SELECT 'seen' AS status, value, to_char((clock_timestamp()) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "seenAt", 'database' AS source
  ) AS seen)::text
END AS "answer_readRate" FROM (SELECT (SELECT row_to_json(one) FROM (WITH RECURSIVE first AS (
    SELECT 0 AS step, clock_timestamp() AS began, clock_timestamp() AS at
    UNION ALL
    SELECT step + 1, began, (SELECT CASE WHEN n >= 0 THEN clock_timestamp() END FROM (SELECT CASE WHEN current_setting('server_version_num')::int >= 140000 THEN (
        SELECT count(ctid) FROM :"schema".:"probe"
        WHERE ctid >= format('(%s,0)', step * 1024)::tid AND ctid < format('(%s,0)', (step + 1) * 1024)::tid
      ) ELSE (
        SELECT count(ctid) FROM :"schema".:"probe"
        TABLESAMPLE SYSTEM (least(100, 100.0 * 1024 / :'probe_pages'::bigint)) REPEATABLE (step)
      ) END AS n) AS counted) FROM first WHERE step < least(32, (:'probe_pages'::bigint + 1024 - 1) / 1024) AND at < began + interval '900 ms'
  ), again AS (
    SELECT 0 AS step, at AS began, at FROM (SELECT CASE WHEN max(step) >= 0 THEN clock_timestamp() END AS at FROM first) AS start
    UNION ALL
    SELECT step + 1, began, (SELECT CASE WHEN n >= 0 THEN clock_timestamp() END FROM (SELECT CASE WHEN current_setting('server_version_num')::int >= 140000 THEN (
        SELECT count(ctid) FROM :"schema".:"probe"
        WHERE ctid >= format('(%s,0)', step * 1024)::tid AND ctid < format('(%s,0)', (step + 1) * 1024)::tid
      ) ELSE (
        SELECT count(ctid) FROM :"schema".:"probe"
        TABLESAMPLE SYSTEM (least(100, 100.0 * 1024 / :'probe_pages'::bigint)) REPEATABLE (step)
      ) END AS n) AS counted) FROM again
    WHERE step < (SELECT max(step) FROM first) AND at < began + interval '300 ms'
  )
  SELECT
    :'probe' AS "table",
    "first".bytes AS "firstBytes", "first".microseconds AS "firstMicroseconds",
    "second".bytes AS "againBytes", "second".microseconds AS "againMicroseconds"
  FROM (SELECT
      least(step * 1024, :'probe_pages'::bigint) * current_setting('block_size')::bigint AS bytes,
      round(extract(epoch FROM at - began) * 1000000)::bigint AS microseconds
    FROM first ORDER BY step DESC LIMIT 1) AS "first", (SELECT
      least(step * 1024, :'probe_pages'::bigint) * current_setting('block_size')::bigint AS bytes,
      round(extract(epoch FROM at - began) * 1000000)::bigint AS microseconds
    FROM again ORDER BY step DESC LIMIT 1) AS "second") AS one) AS value OFFSET 0) AS fact \gset
\if :ERROR
ROLLBACK TO SAVEPOINT facts;
SELECT observation AS "answer_readRate" FROM (SELECT row_to_json(answer)::text FROM (
  SELECT
    CASE :'LAST_ERROR_SQLSTATE' WHEN '42501' THEN 'not-permitted' WHEN '57014' THEN 'timeout' WHEN '3F000' THEN 'absent' WHEN '55P03' THEN 'timeout' ELSE 'failed' END AS status,
    'database' AS source,
    left(:'LAST_ERROR_MESSAGE', 200) AS detail
) AS answer) AS refused (observation) \gset
\endif
\endif
\echo '"readRate":':answer_readRate','
ROLLBACK TO SAVEPOINT facts;
SELECT pg_catalog.set_config('statement_timeout', '600', true) \gset unused_
\if :{?answer_sortRate}
\else
SELECT CASE
  WHEN value IS NULL THEN '{"status":"absent","source":"database"}'
  ELSE (SELECT row_to_json(seen) FROM (
    SELECT 'seen' AS status, value, to_char((clock_timestamp()) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "seenAt", 'database' AS source
  ) AS seen)::text
END AS "answer_sortRate" FROM (SELECT (SELECT row_to_json(one) FROM (SELECT
  50000 AS rows,
  round(extract(epoch FROM ended - began) * 1000000)::bigint AS microseconds
FROM (
  SELECT began, CASE WHEN middle IS NOT NULL THEN clock_timestamp() END AS ended FROM (
    SELECT clock_timestamp() AS began OFFSET 0
  ) AS start CROSS JOIN LATERAL (
    SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY md5(number::text)) AS middle
    FROM generate_series(1, 50000) AS number WHERE began IS NOT NULL
  ) AS sorted
) AS measured) AS one) AS value OFFSET 0) AS fact \gset
\if :ERROR
ROLLBACK TO SAVEPOINT facts;
SELECT observation AS "answer_sortRate" FROM (SELECT row_to_json(answer)::text FROM (
  SELECT
    CASE :'LAST_ERROR_SQLSTATE' WHEN '42501' THEN 'not-permitted' WHEN '57014' THEN 'timeout' WHEN '3F000' THEN 'absent' WHEN '55P03' THEN 'timeout' ELSE 'failed' END AS status,
    'database' AS source,
    left(:'LAST_ERROR_MESSAGE', 200) AS detail
) AS answer) AS refused (observation) \gset
\endif
\endif
\echo '"sortRate":':answer_sortRate
COMMIT;
\echo '}}'
