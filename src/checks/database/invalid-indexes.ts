import { sqlText } from '../../core/text/quoted-words.js';
import { pendingWork } from '../../instance/backfills/pending.js';
import { isOpaque, tablesOf } from '../../instance/ledger.js';
import { countOf } from '../../words/phrase.js';
import { defineCheck, ok, warn } from '../check.js';
import { qualifiedName } from '../commands.js';

const dropIt = 'Drop it; the command to paste does so only if it is not being built.';

export const invalidIndexes = defineCheck({
  id: 'invalid-indexes',
  canStop: false,
  needs: ['ledger', 'indexes', 'migrator'],
  needsArtifacts: true,
  *judge(input) {
    const { indexes, migrator } = input.facts;
    const pending = pendingWork(input);
    const named = tablesOf(pending);
    const opaque = pending.find(isOpaque)?.name ?? null;
    const { schema } = migrator;
    for (const { name: index, table } of indexes.filter(({ valid }) => !valid)) {
      const migration = named.get(table)?.name ?? opaque;
      yield warn(index, { kind: 'index-invalid', index, table, schema, migration });
    }
    return ok({ kind: 'indexes-valid', indexes: indexes.length });
  },
})({
  label: 'Invalid indexes',
  meaning:
    'Whether a concurrent index build has left an index that is not valid. What it looks at: pg_index, also of what is stored out of line (pg_toast). Such an ' +
    'index slows every write, serves no query, and blocks a migration that creates one with the same name. An ' +
    'index that is being built now is not valid either.',
  traitsOf: { 'index-invalid': { afterUpgrade: 'stop' } },
  finds: {
    'index-invalid': {
      meaning: 'An index is not valid.',
      remedy: dropIt,
      advise: ({ index }) => (index.startsWith('pg_toast.') ? `As a superuser: ${dropIt}` : dropIt),
      describe: ({ index, table, migration }) =>
        `${index} on ${table} is not valid${migration === null ? '' : `; ${migration} may meet it`}`,
      psql: ({ index, schema }) => {
        const name = qualifiedName(schema, index);
        return [`SELECT ${sqlText(`DROP INDEX CONCURRENTLY ${name}`)} WHERE ${notBeingBuilt(name)} \\gexec`];
      },
    },
    'indexes-valid': ({ indexes }) => countOf(indexes, 'index, which is valid', 'indexes, all valid'),
  },
});

/** A role that may not read all statistics sees that other roles build indexes, but not which. */
function notBeingBuilt(index: string): string {
  return (
    'NOT EXISTS (SELECT FROM pg_stat_progress_create_index WHERE datname = pg_catalog.current_database() AND ' +
    `coalesce(index_relid = pg_catalog.to_regclass(${sqlText(index)}), true))`
  );
}
