import { LightspanError } from '../core/lightspan-error.js';
import { isRefusedStatement } from '../core/refused-statement.js';
import { quoteName } from '../gather/database/sql.js';
import { type CopyServer, isOfUsers, type Restored } from './restore.js';
import type { Row, Session } from './session.js';

/** A copy that is ready to be migrated. */
export interface Copy {
  readonly database: string;
  /** The role that migrates, as it is named there. */
  readonly migratingRole: string;
  /** The schema of `knex_migrations`. */
  readonly schema: string;
  /** The role that watches: no superuser, and it sees what others do. */
  readonly watcher: string;
  /** Begins each line of the log that the copy writes for us. */
  readonly mark: string;
}

interface CopyRequest {
  /** `--role`; else it is the owner of `knex_migrations`. */
  readonly role: string | undefined;
  readonly full: boolean;
  readonly suffix: string;
}

/**
 * Lets the restored database tell of its migrations: a trigger on `knex_migrations` writes to the log which one has
 * been applied, and an event trigger which locks a change of the schema took. Both stand in the copy alone.
 */
export async function prepareCopy(
  server: CopyServer,
  restored: Restored,
  { role, full, suffix }: CopyRequest,
): Promise<Copy> {
  const { database, restorer, owner, settings } = restored;
  const asRestorer = await server.connect(restorer, database);
  const superuser = await server.connect(server.superuser, database);
  const at = { schema: `lightspan_${suffix}`, mark: `lightspan-${suffix}` };
  try {
    for (const session of [asRestorer, superuser]) {
      await session.query("SELECT pg_catalog.set_config('search_path', 'pg_catalog', false)");
    }
    const ledger = await findLedger(asRestorer);
    const migratingRole = role ?? ledger.owner;
    if (full) await asRestorer.query('ANALYZE');
    else await continueSequences(asRestorer);
    await addRoles(superuser, { restorer, migratingRole, suffix });
    const ofDatabase = owner ?? quoteName(migratingRole).identifier;
    await superuser.query(`ALTER DATABASE ${database} OWNER TO ${ofDatabase}`);
    for (const { name, statement } of settings) {
      if (await isOfUsers(superuser, name)) await superuser.query(`ALTER DATABASE ${database} ${statement}`);
    }
    await superuser.query(publicSchemaBack(restorer));
    for (const statement of tellers(at)) await superuser.query(statement);
    await asRestorer.query(
      `CREATE TRIGGER ${at.schema} AFTER INSERT ON ${quoteName(ledger.schema).identifier}.knex_migrations ` +
        `FOR EACH ROW EXECUTE FUNCTION ${at.schema}.applied()`,
    );
    // From here on, code of the dump runs with the rights of whoever changes the schema: no superuser does.
    for (const statement of restored.eventTriggers) await superuser.query(statement);
    return { database, migratingRole, schema: ledger.schema, watcher: watcherOf(suffix), mark: at.mark };
  } catch (error) {
    if (!isRefusedStatement(error)) throw error;
    throw new LightspanError(
      'unreadable-source',
      `the copy cannot be made ready: ${error.message} (${error.details.sqlState})`,
    );
  } finally {
    await asRestorer.end();
    await superuser.end();
  }
}

const watcherOf = (suffix: string) => `lightspan_watch_${suffix}`;

async function findLedger(session: Session): Promise<{ readonly schema: string; readonly owner: string }> {
  const [row] = await session.query(
    `SELECT n.nspname AS schema, pg_get_userbyid(c.relowner) AS owner
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relname = 'knex_migrations' AND c.relkind = 'r'
     ORDER BY n.nspname <> 'public', n.nspname LIMIT 1`,
  );
  if (row === undefined) {
    throw new LightspanError('unreadable-source', 'the dump has no table knex_migrations', {
      hint: 'Dump the database of Lightdash itself, with all of its schemas.',
    });
  }
  return { schema: String(row.schema), owner: String(row.owner) };
}

/** Rows of a dry copy came without the values of their sequences: the next row would have the number of another. */
async function continueSequences(session: Session): Promise<void> {
  const statements: readonly Row[] = await session.query(
    `SELECT format('SELECT pg_catalog.setval(%L, pg_catalog.max(%I)) FROM %I.%I', s.name, a.attname, n.nspname, c.relname) AS sql
     FROM pg_class c
     JOIN pg_namespace n ON n.oid = c.relnamespace
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     CROSS JOIN LATERAL pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), a.attname) AS s (name)
     WHERE c.relkind = 'r' AND s.name IS NOT NULL
       AND (c.relname IN ('knex_migrations', 'knex_migrations_lock') OR (n.nspname, c.relname) = ('graphile_worker', 'migrations'))`,
  );
  for (const { sql } of statements) await session.query(String(sql));
}

async function addRoles(
  superuser: Session,
  { restorer, migratingRole, suffix }: { restorer: string; migratingRole: string; suffix: string },
): Promise<void> {
  const watcher = watcherOf(suffix);
  const { identifier, literal } = quoteName(migratingRole);
  const [existingRole] = await superuser.query(`SELECT FROM pg_roles WHERE rolname = ${literal}`);
  if (existingRole === undefined) await superuser.query(`CREATE ROLE ${identifier}`);
  await superuser.query(`ALTER ROLE ${identifier} LOGIN`);
  await superuser.query(`CREATE ROLE ${watcher} LOGIN`);
  await superuser.query(`GRANT pg_monitor, ${identifier}, ${restorer} TO ${watcher}`);
}

/** As it was before the restore, unless the dump gave it to somebody. */
function publicSchemaBack(restorer: string): string {
  return `DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_namespace WHERE nspname = 'public' AND pg_get_userbyid(nspowner) = '${restorer}')
    THEN ALTER SCHEMA public OWNER TO CURRENT_USER; END IF; END $$`;
}

/** The triggers run with the rights of whoever migrates, call only PostgreSQL's own functions, and change nothing. */
function tellers({ schema, mark }: { readonly schema: string; readonly mark: string }): readonly string[] {
  const isolated = 'LANGUAGE plpgsql SET search_path = pg_catalog';
  // What the upgrade itself has created is in nobody's way, and the tables of the migrator are locked by every run.
  const held = `(
       SELECT json_agg(json_build_array(l.mode, n.nspname || '.' || c.relname))
       FROM pg_locks l JOIN pg_class c ON c.oid = l.relation JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE l.pid = pg_backend_pid() AND l.granted AND c.relkind IN ('r', 'p')
         AND c.oid <= (SELECT s.oid FROM ${schema}.begun s)
         AND c.relname NOT IN ('knex_migrations', 'knex_migrations_lock', 'migration_lease')
         AND n.nspname NOT IN ('pg_catalog', 'information_schema', '${schema}'))`;
  return [
    `CREATE SCHEMA ${schema}`,
    `GRANT USAGE ON SCHEMA ${schema} TO PUBLIC`,
    `CREATE FUNCTION ${schema}.applied() RETURNS trigger ${isolated} AS $$
     BEGIN
       RAISE LOG '${mark} locked %', ${held};
       RAISE LOG '${mark} applied %', to_json(NEW.name);
       RETURN NULL;
     END $$`,
    `CREATE FUNCTION ${schema}.locked() RETURNS event_trigger ${isolated} AS $$
     BEGIN RAISE LOG '${mark} locked %', ${held}; END $$`,
    `CREATE TABLE ${schema}.begun AS SELECT max(oid) AS oid FROM pg_class`,
    `GRANT SELECT ON ${schema}.begun TO PUBLIC`,
    `CREATE EVENT TRIGGER ${schema} ON ddl_command_end EXECUTE FUNCTION ${schema}.locked()`,
  ];
}
