import { maxDetail, type TableName } from './sql.js';

/**
 * A relation with all that is read with it, its partitions and children, and of each the `hazard`: code of its owner
 * that would run with the rights of whoever reads it. A view has such code, and a foreign table, a type with casts of
 * its own, and an index or a condition, whose functions the planner may call. What belongs to PostgreSQL itself is not
 * in `pg_depend`.
 */
const parts = (oid: string) => `WITH RECURSIVE part AS (
    SELECT ${oid}::oid AS oid UNION SELECT inhrelid FROM pg_inherits JOIN part ON part.oid = inhparent
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
  FROM part JOIN pg_class AS read USING (oid)`;

/** Whether a relation, by its OID, may be read. */
export const isPlain = (oid: string) =>
  `NOT EXISTS (SELECT FROM (${parts(oid)}) AS each WHERE hazard IS NOT NULL)`;

/**
 * The value of why tables are not read, as an observation, the gravest reason first; null if all of them are there and
 * plain. They are looked up by OID: the server expands and plans, and so runs, what a statement names.
 */
export function whyNotRead(tables: readonly TableName[]): string {
  const wanted = tables.map(({ schema, table }, place) => `(${place}, ${schema.literal}, ${table.literal})`);
  return `(SELECT row_to_json(unread)::text FROM (
  SELECT status, 'database' AS source, left(detail, ${maxDetail}) AS detail
  FROM (VALUES ${wanted.join(', ')}) AS wanted (place, schema, name)
  LEFT JOIN (
    SELECT pg_class.oid, nspname, relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  ) AS relation ON nspname = schema AND relname = name
  CROSS JOIN LATERAL (
    SELECT 'absent' AS status, 'there is no table ' || schema || '.' || name AS detail WHERE relation.oid IS NULL
    UNION ALL
    SELECT 'unsafe', schema || '.' || name || CASE WHEN each.oid = relation.oid THEN ' ' ELSE
      ' has the part ' || each.oid::regclass || ', which '
    END || hazard
    FROM (${parts('relation.oid')}) AS each WHERE hazard IS NOT NULL
    UNION ALL
    SELECT 'not-permitted', 'row security hides rows of ' || schema || '.' || name WHERE row_security_active(relation.oid)
  ) AS found
  ORDER BY status DESC, place, detail LIMIT 1
) AS unread)`;
}
