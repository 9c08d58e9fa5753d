import { type Answers, defineCheck, foundOrOk, type Judgement, stop, warn } from '../check.js';
import { withPartitions } from '../partitions.js';
import { isOpaque, pendingMigrations, tablesOf } from '../pending.js';

export type MigrationRightsEvidence =
  | {
      readonly kind: 'table-not-owned';
      readonly schema: string;
      readonly table: string;
      readonly owner: string;
      readonly role: string;
      readonly migration: string;
    }
  | {
      readonly kind: 'table-maybe-not-owned';
      readonly schema: string;
      readonly tables: readonly string[];
      readonly role: string;
      readonly migration: string;
    }
  | { readonly kind: 'queue-not-owned'; readonly owners: readonly string[]; readonly role: string }
  | {
      readonly kind: 'no-right-to-create';
      readonly role: string;
      readonly schema: string;
      readonly usage: boolean;
    }
  | { readonly kind: 'event-trigger'; readonly trigger: string }
  | { readonly kind: 'rights-held'; readonly role: string; readonly tables: number };

/** Whether the role that migrates may do what the pending migrations of all releases on the route do. */
export const migrationRights = defineCheck({
  id: 'migration-rights',
  group: 'database',
  canStop: true,
  needs: ['ledger', 'tables', 'migrator'],
  needsArtifacts: true,
  judge(given): Answers<MigrationRightsEvidence> {
    const { migrator, tables } = given.facts;
    const { name: role, schema, schemaUsage, schemaCreate, superuser, queueOwners: owners = [] } = migrator;
    const pending = pendingMigrations(given);
    const named = tablesOf(pending);
    // A change of a table changes its partitions as well.
    const changedBy = new Map<string, string>();
    for (const [table, first] of named) {
      for (const { name } of withPartitions([table], tables)) {
        if (!changedBy.has(name)) changedBy.set(name, first.name);
      }
    }
    const notOwned = superuser ? [] : tables.filter(({ owned }) => !owned);
    const findings: Judgement<MigrationRightsEvidence>[] = [];
    if (!superuser && !(schemaUsage && schemaCreate)) {
      findings.push(stop(schema, { kind: 'no-right-to-create', role, schema, usage: schemaUsage }));
    }
    for (const { name: table, owner } of notOwned) {
      const migration = changedBy.get(table);
      if (migration === undefined) continue;
      findings.push(stop(table, { kind: 'table-not-owned', schema, table, owner, role, migration }));
    }
    const opaque = pending.find(isOpaque)?.name;
    const others = notOwned.map(({ name }) => name).filter((name) => !changedBy.has(name));
    if (opaque !== undefined && others.length > 0) {
      findings.push(
        warn(opaque, { kind: 'table-maybe-not-owned', schema, tables: others, role, migration: opaque }),
      );
    }
    // Nothing shows whether the release brings migrations of Graphile Worker, which run after its own.
    if (!superuser && owners.length > 0) {
      findings.push(warn('graphile_worker', { kind: 'queue-not-owned', owners, role }));
    }
    for (const trigger of migrator.eventTriggers) {
      findings.push(warn(trigger, { kind: 'event-trigger', trigger }));
    }
    return foundOrOk(findings, { kind: 'rights-held', role, tables: named.size }, role);
  },
});
