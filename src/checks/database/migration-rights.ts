import { sqlName, sqlText } from '../../core/text/quoted-words.js';
import { pendingWork } from '../../instance/backfills/pending.js';
import { withPartitions } from '../../instance/forecast/forecast.js';
import { isOpaque, tablesOf } from '../../instance/ledger.js';
import { countOf, listNames } from '../../words/phrase.js';
import { defineCheck, ok, stop, warn } from '../check.js';
import { qualifiedName } from '../commands.js';
import { changesAnyTable } from '../phrases.js';

export const migrationRights = defineCheck({
  id: 'migration-rights',
  needs: ['ledger', 'tables', 'migrator'],
  needsArtifacts: true,
  *judge(input) {
    const { migrator, tables: all } = input.facts;
    const { name: role, schema, schemaUsage, schemaCreate, superuser, queueOwners: owners = [] } = migrator;
    const pending = pendingWork(input);
    const named = tablesOf(pending);
    if (!superuser) {
      if (!(schemaUsage && schemaCreate))
        yield stop(schema, { kind: 'no-right-to-create', role, schema, usage: schemaUsage });
      // A change of a table changes its partitions as well.
      const changedBy = new Map<string, string>();
      for (const [table, { name: migration }] of named) {
        for (const { name } of withPartitions([table], all))
          changedBy.set(name, changedBy.get(name) ?? migration);
      }
      const tables: string[] = [];
      for (const { name: table, owner } of all.filter(({ owned }) => !owned)) {
        const migration = changedBy.get(table);
        if (migration === undefined) tables.push(table);
        else yield stop(table, { kind: 'table-not-owned', schema, table, owner, role, migration });
      }
      const migration = pending.find(isOpaque)?.name;
      if (migration !== undefined && tables.length > 0)
        yield warn(migration, { kind: 'table-maybe-not-owned', schema, tables, role, migration });
      // Nothing shows whether the release brings migrations of Graphile Worker, which run after its own.
      if (owners.length > 0) yield warn('graphile_worker', { kind: 'queue-not-owned', owners, role });
    }
    for (const trigger of migrator.eventTriggers) yield warn(trigger, { kind: 'event-trigger', trigger });
    return ok({ kind: 'rights-held', role, tables: named.size }, role);
  },
})({
  label: 'Rights of the migrating role',
  meaning:
    'Whether the role that migrates has the rights that the pending migrations of the whole route need. What ' +
    'it looks at: USAGE and CREATE on the schema. Who owns the tables that pending migrations name, with their ' +
    'partitions, or every table if one names none. Who owns the tables and functions of Graphile Worker. ' +
    'Enabled event triggers. The role is the one you name, otherwise the owner of knex_migrations if no other ' +
    'role may write that table.',
  traitsOf: {
    'table-not-owned': { settledOnCopy: ['roles'] },
    'table-maybe-not-owned': { settledOnCopy: ['roles'] },
  },
  finds: {
    'table-not-owned': {
      meaning:
        'A pending migration changes a table that the migrating role does not own: it will be refused.',
      remedy: 'Give it to the migrating role, as a superuser or as a member of both roles.',
      describe: ({ table, owner, role, migration }) =>
        `${migration} changes ${table}, which is owned by ${owner}, not by ${role}`,
      psql: ({ schema, table, role }) => [giveTable(schema, table, role)],
    },
    'table-maybe-not-owned': {
      meaning:
        'A pending migration names no table, and the role does not own all of them: it may be refused.',
      remedy: 'Give the tables to the migrating role, as a superuser or as a member of both roles.',
      describe: ({ tables, role, migration }) =>
        `${changesAnyTable(migration)}, and ${role} does not own ${listNames(tables)}`,
      psql: ({ schema, tables, role }) => tables.map((table) => giveTable(schema, table, role)),
    },
    'queue-not-owned': {
      meaning: 'If a release brings migrations of Graphile Worker, they must run as the owner of its tables.',
      remedy: 'Give them to the migrating role, as a superuser.',
      describe: ({ owners, role }) =>
        `${listNames(owners)} ${owners.length === 1 ? 'owns' : 'own'} tables or functions in graphile_worker, ` +
        `and ${role} does not`,
      psql: ({ role }) => [
        `SELECT pg_catalog.format('ALTER TABLE %s OWNER TO %I', oid::regclass, ${sqlText(role)}) FROM pg_class ` +
          `WHERE relnamespace = 'graphile_worker'::regnamespace AND relkind IN ('r', 'p', 'v') \\gexec`,
        `SELECT pg_catalog.format('ALTER ROUTINE %s OWNER TO %I', oid::regprocedure, ${sqlText(role)}) FROM ` +
          `pg_proc WHERE pronamespace = 'graphile_worker'::regnamespace \\gexec`,
      ],
    },
    'no-right-to-create': {
      meaning: 'The migrating role cannot create tables in the schema that Lightdash uses.',
      remedy: 'Grant it, as the owner of the schema or as a superuser.',
      describe: ({ role, schema, usage }) =>
        `${role} has no ${usage ? 'CREATE' : 'USAGE and CREATE'} on schema ${schema}`,
      psql: ({ role, schema }) => [`GRANT USAGE, CREATE ON SCHEMA ${sqlName(schema)} TO ${sqlName(role)};`],
    },
    'event-trigger': {
      meaning: 'The server runs code on every schema change. It may refuse a migration, or only log it.',
      remedy: 'Read what it does. If it may refuse a change, disable it for the upgrade, as a superuser.',
      describe: ({ trigger }) => `the event trigger ${trigger} runs on schema changes, and may refuse them`,
      psql: ({ trigger }) => [
        'SELECT evtevent, evttags, evtenabled, pg_catalog.pg_get_functiondef(evtfoid) FROM pg_event_trigger ' +
          `WHERE evtname = ${sqlText(trigger)};`,
        `-- to disable it: ALTER EVENT TRIGGER ${sqlName(trigger)} DISABLE;`,
        '-- after the upgrade, with ENABLE ALWAYS where evtenabled was A: ALTER EVENT TRIGGER ' +
          `${sqlName(trigger)} ENABLE;`,
      ],
    },
    'rights-held': ({ role, tables }) =>
      `${role} may create in the schema and owns what pending migrations change (${countOf(tables, 'table')} named)`,
  },
});

function giveTable(schema: string, table: string, role: string): string {
  return `ALTER TABLE ${qualifiedName(schema, table)} OWNER TO ${sqlName(role)};`;
}
