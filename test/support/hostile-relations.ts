import { instanceTables } from './lightdash-tables.js';
import type { Cluster } from './postgres.js';

/** What stands in the log of a server where another role than the owner of a database has run code of the owner. */
const canary = 'canary-4711 ran';

/** Once in a session: nobody reads the log while a test waits for psql, and a server waits for whoever reads it. */
const sing = `IF current_user OPERATOR(pg_catalog.<>) 'lightdash' AND pg_catalog.current_setting('spy.told', true) IS NULL THEN
    PERFORM pg_catalog.set_config('spy.told', 'yes', false);
    RAISE LOG '${canary} as %', current_user;
  END IF;`;

/** That code. It says that it is immutable, so that the planner runs it too. */
export const spy = `
CREATE FUNCTION public.spy(anyelement) RETURNS anyelement LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  ${sing}
  RETURN $1;
END $$;`;

/** How often it has run, as the log has it. */
export async function songsOf(cluster: Cluster): Promise<number> {
  return (await cluster.log()).split(canary).length - 1;
}

interface HostileRelation {
  readonly name: string;
  /** What makes it, as the owner. */
  readonly sql: string;
  /** The fact that is not read for it, and what is said of it. */
  readonly unsafe?: readonly [fact: string, detail: string] | undefined;
}

const moved = 'ALTER TABLE knex_migrations RENAME TO kept;';
const columns = 'id int, name varchar(255), batch int, migration_time timestamptz';

/** As of an extension that is not installed here: made by a superuser, in each of these databases. */
const elsewhere = `CREATE FOREIGN DATA WRAPPER none; CREATE SERVER elsewhere FOREIGN DATA WRAPPER none;
  GRANT USAGE ON FOREIGN SERVER elsewhere TO lightdash`;

const ledger = (what: string): HostileRelation['unsafe'] => ['ledger', `public.knex_migrations ${what}`];
const runs = (what: string): HostileRelation['unsafe'] => ['runs', `public.migration_run_ledger ${what}`];

/** What may stand by the name of a table that is read, with code that would run with the rights of whoever reads it. */
export const hostileRelations: readonly HostileRelation[] = [
  {
    name: 'a view',
    sql: `${moved} CREATE VIEW knex_migrations AS SELECT id, spy(name) AS name, batch, migration_time FROM kept`,
    unsafe: ledger('is a view'),
  },
  {
    name: 'a view whose code the planner runs',
    sql: `ALTER TABLE migration_run_ledger RENAME TO kept;
      CREATE VIEW migration_run_ledger AS SELECT * FROM kept WHERE spy(1) = 1`,
    unsafe: runs('is a view'),
  },
  {
    name: 'a materialized view',
    sql: `${moved} CREATE MATERIALIZED VIEW knex_migrations AS SELECT * FROM kept`,
    unsafe: ledger('is a materialized view'),
  },
  {
    name: 'a foreign table',
    sql: `${moved} CREATE FOREIGN TABLE knex_migrations (${columns}) SERVER elsewhere`,
    unsafe: ledger('is a foreign table'),
  },
  {
    name: 'a partitioned table with a foreign partition',
    sql: `${moved} CREATE TABLE knex_migrations (${columns}) PARTITION BY RANGE (id);
      CREATE TABLE half PARTITION OF knex_migrations FOR VALUES FROM (0) TO (10) PARTITION BY RANGE (id);
      CREATE FOREIGN TABLE far PARTITION OF half FOR VALUES FROM (0) TO (10) SERVER elsewhere`,
    unsafe: ledger('has the part public.far, which is a foreign table'),
  },
  {
    name: 'a table with a foreign child',
    sql: 'CREATE FOREIGN TABLE far () INHERITS (migration_run_ledger) SERVER elsewhere',
    unsafe: runs('has the part public.far, which is a foreign table'),
  },
  {
    name: 'a table with a rule',
    sql: 'CREATE RULE quiet AS ON UPDATE TO knex_migrations_lock DO ALSO SELECT spy(1)',
    unsafe: ['ledgerLock', 'public.knex_migrations_lock has a rule'],
  },
  {
    name: 'a table with a column whose type brings casts',
    sql: `CREATE TYPE mood AS ENUM ('20260101000000_a.js', '20260102000000_b.js');
      CREATE FUNCTION told(mood) RETURNS json LANGUAGE sql AS $$ SELECT to_json(spy($1::text)) $$;
      CREATE CAST (mood AS json) WITH FUNCTION told(mood);
      ALTER TABLE knex_migrations ALTER name TYPE mood USING name::text::mood`,
    unsafe: ledger('uses type public.mood'),
  },
  {
    name: 'a table with an index that calls a function',
    sql: 'CREATE INDEX ON migration_lease ((lease_key || spy(1)))',
    unsafe: ['lease', 'public.migration_lease uses function public.spy(anyelement)'],
  },
  {
    name: 'a table with a condition that calls a function',
    sql: 'ALTER TABLE knex_migrations ADD CHECK (spy(1) = 1)',
    unsafe: ledger('uses function public.spy(anyelement)'),
  },
  {
    name: 'a partitioned table whose key calls a function',
    sql: `${moved} CREATE TABLE knex_migrations (${columns}) PARTITION BY RANGE ((id + spy(1)));
      CREATE TABLE part PARTITION OF knex_migrations FOR VALUES FROM (0) TO (10)`,
    unsafe: ledger('uses function public.spy(anyelement)'),
  },
  {
    name: 'a view of the jobs of a queue that has no table of its own for them',
    sql: `ALTER TABLE graphile_worker.jobs RENAME TO kept;
      CREATE VIEW graphile_worker.jobs AS SELECT * FROM graphile_worker.kept WHERE spy(1) = 1`,
    unsafe: ['queue', 'graphile_worker.jobs is a view'],
  },
  {
    name: 'the largest table, which is read for its rate, with an index that calls a function',
    sql: `INSERT INTO users SELECT gen_random_uuid() FROM generate_series(1, 1000);
      CREATE INDEX ON users ((user_uuid::text || spy(1))); ANALYZE users`,
  },
];

/** A healthy database, but for that relation. */
export function hostileDatabase(cluster: Cluster, { name, sql }: HostileRelation): string {
  const database = `hostile_${hostileRelations.findIndex((one) => one.name === name)}`;
  cluster.database(database, instanceTables({ names: ['20260101000000_a.js', '20260102000000_b.js'] }), spy);
  cluster.sql(database, elsewhere);
  cluster.sql(database, sql, 'lightdash');
  cluster.sql(database, 'ANALYZE knex_migrations_lock, migration_lease', 'lightdash');
  return database;
}

/**
 * A database in which `public` comes before PostgreSQL's own names, and has a function and an operator of each of these
 * names with the same arguments. Whoever calls one without saying whose runs code of the owner.
 */
export function shadowed(database: string, functions: readonly string[]): string {
  const body = `$spy$BEGIN ${sing} RETURN NULL; END$spy$`;
  const names = functions.map((name) => `'${name}'`).join(', ');
  return `
DO $$
DECLARE one record;
BEGIN
  FOR one IN
    SELECT format('%I(%s) RETURNS %s', proname, pg_get_function_identity_arguments(oid), pg_get_function_result(oid)) AS head
    FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND pronargs > 0 AND proname IN (${names})
    -- What is of any type has an exact match for the types of each call.
    UNION ALL SELECT format('format(%s) RETURNS text', array_to_string(array_fill('text'::text, ARRAY[n]), ', ')) FROM generate_series(2, 6) AS n
    UNION ALL SELECT 'format(text, regclass, text) RETURNS text'
    UNION ALL SELECT 'format(text, regprocedure, text) RETURNS text'
    UNION ALL SELECT 'format(text, name, text) RETURNS text'
  LOOP
    BEGIN
      EXECUTE 'CREATE FUNCTION public.' || one.head || ' LANGUAGE plpgsql AS ' || quote_literal(${body});
    EXCEPTION WHEN OTHERS THEN NULL;
    END;
  END LOOP;
  FOR one IN
    SELECT oid, oprname, oprleft::regtype AS left, oprright::regtype AS right, oprresult::regtype AS result
    FROM pg_operator WHERE oprname IN ('=', '<>', '||', '>=', '<', '+', '-', '~~') AND oprleft <> 0
  LOOP
    BEGIN
      EXECUTE format('CREATE FUNCTION public.operator_%s(%s, %s) RETURNS %s LANGUAGE plpgsql AS ', one.oid, one.left, one.right, one.result)
        || quote_literal(${body});
      EXECUTE format('CREATE OPERATOR public.%s (FUNCTION = public.operator_%s, LEFTARG = %s, RIGHTARG = %s)', one.oprname, one.oid, one.left, one.right);
    EXCEPTION WHEN OTHERS THEN NULL;
    END;
  END LOOP;
END $$;
ALTER DATABASE ${database} SET search_path = public, pg_catalog;`;
}
