import { backfills } from '../../instance/backfills/built-in.js';
import type { Condition } from '../../instance/backfills/records.js';
import { isRowStep } from '../../instance/forecast/backfill-time.js';
import { escapeLiteral, type FactQuery, isPlain, type Lookup } from './sql.js';

/**
 * The conditions, by the records of backfills, under which rows change. The server's planner estimates how many rows
 * meet them; no row is read.
 */
export const conditions: readonly (Condition & { readonly migration: string; readonly table: string })[] =
  backfills.flatMap(({ name: migration, steps }) =>
    steps.flatMap((step) =>
      isRowStep(step) && typeof step.rows === 'object'
        ? [{ migration, table: step.table, ...step.rows }]
        : [],
    ),
  );

/** Settings of this transaction, in which the result of a block without parameters and columns is handed on. */
const schemaSetting = 'lightspan.schema';
const resultSetting = 'lightspan.backfill_rows';

/** Only where the server has statistics of the column, without which it would guess. */
const listed = `SELECT listed.*, pg_stat_get_mod_since_analyze(pg_class.oid) AS modified
    FROM (VALUES
${conditions
  .map(
    (condition) =>
      `      (${[condition.migration, condition.table, condition.column, condition.holds].map(escapeLiteral).join(', ')})`,
  )
  .join(',\n')}
    ) AS listed (migration, name, attribute, holds)
    JOIN pg_class ON relname = name AND relnamespace = quote_ident(current_setting('${schemaSetting}'))::regnamespace
    JOIN pg_stats ON schemaname = current_setting('${schemaSetting}') AND tablename = name AND attname = attribute
    WHERE relkind = 'r' AND NOT inherited AND NOT row_security_active(pg_class.oid) AND ${isPlain('pg_class.oid')}`;

/** EXPLAIN is no query: its answer can be had by a block alone. A condition that the server refuses is left out. */
const estimate = `DO $estimate$
DECLARE
  one record;
  plan json;
  answers json[] := '{}';
BEGIN
  FOR one IN
    ${listed}
  LOOP
    BEGIN
      EXECUTE format('EXPLAIN (FORMAT JSON) SELECT FROM %I.%I WHERE %I %s', current_setting('${schemaSetting}'), one.name, one.attribute, one.holds)
        INTO plan;
      answers := answers || (SELECT row_to_json(seen) FROM (
        SELECT one.migration, one.name AS "table",
          (plan -> 0 -> 'Plan' ->> 'Plan Rows')::bigint AS "rows", one.modified AS "modifiedRows"
      ) AS seen);
    EXCEPTION WHEN query_canceled OR OTHERS THEN
      NULL;
    END;
  END LOOP;
  PERFORM set_config('${resultSetting}', array_to_json(answers)::text, true);
END
$estimate$`;

/** The schema is handed to the block, and then the block is run. */
export const backfillLookup: readonly Lookup[] = [
  {
    facts: [],
    select: ({ schema }) => `SELECT set_config('${schemaSetting}', ${schema.literal}, true) AS unused`,
  },
  { facts: ['backfillRows'], select: () => estimate },
];

export const backfillRows: FactQuery = {
  fact: 'backfillRows',
  select: () => `SELECT current_setting('${resultSetting}')::json`,
};
