import { type Answers, defineCheck, foundOrOk, type Judgement, warn } from '../check.js';
import { isOpaque, pendingMigrations, tablesOf } from '../pending.js';

export type InvalidIndexesEvidence =
  | {
      readonly kind: 'index-invalid';
      readonly index: string;
      readonly table: string;
      readonly schema: string;
      /** A pending migration that may be affected; null if the index is on another table. */
      readonly migration: string | null;
    }
  | { readonly kind: 'indexes-valid'; readonly indexes: number };

/** Whether a concurrent build has left an invalid index: it slows down writes, serves no query, and keeps its name. */
export const invalidIndexes = defineCheck({
  id: 'invalid-indexes',
  group: 'database',
  canStop: false,
  needs: ['ledger', 'indexes', 'migrator'],
  needsArtifacts: true,
  judge(given): Answers<InvalidIndexesEvidence> {
    const { indexes, migrator } = given.facts;
    const pending = pendingMigrations(given);
    const named = tablesOf(pending);
    const opaque = pending.find(isOpaque)?.name ?? null;
    const findings = indexes
      .filter(({ valid }) => !valid)
      .map(
        ({ name: index, table }): Judgement<InvalidIndexesEvidence> =>
          warn(index, {
            kind: 'index-invalid',
            index,
            table,
            schema: migrator.schema,
            migration: named.get(table)?.name ?? opaque,
          }),
      );
    return foundOrOk(findings, { kind: 'indexes-valid', indexes: indexes.length });
  },
});
