import { type Answers, defineCheck, foundOrOk, type Judgement } from '../check.js';
import { pendingMigrations, tablesOf } from '../pending.js';

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
      readonly kind: 'no-right-to-create';
      readonly role: string;
      readonly schema: string;
      readonly usage: boolean;
    }
  | { readonly kind: 'rights-held'; readonly role: string; readonly tables: number };

/** Whether the role that migrates may do what the pending migrations of all releases of the way do. */
export const migrationRights = defineCheck({
  id: 'migration-rights',
  group: 'database',
  canStop: true,
  needs: ['ledger', 'tables', 'migrator'],
  needsArtifacts: true,
  judge(given): Answers<MigrationRightsEvidence> {
    const { migrator, tables } = given.facts;
    const { name: role, schema, schemaUsage, schemaCreate, superuser } = migrator;
    const named = tablesOf(pendingMigrations(given));
    const findings: Judgement<MigrationRightsEvidence>[] = [];
    if (!superuser && !(schemaUsage && schemaCreate)) {
      findings.push({
        status: 'stop',
        subject: schema,
        evidence: { kind: 'no-right-to-create', role, schema, usage: schemaUsage },
      });
    }
    for (const { name: table, owner, owned } of tables) {
      const [first] = named.get(table) ?? [];
      if (owned || superuser || first === undefined) continue;
      findings.push({
        status: 'stop',
        subject: table,
        evidence: { kind: 'table-not-owned', schema, table, owner, role, migration: first.name },
      });
    }
    return foundOrOk(findings, { kind: 'rights-held', role, tables: named.size }, role);
  },
});
