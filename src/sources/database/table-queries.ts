import {
  currentDatabaseId,
  type FactQuery,
  jsonRows,
  literalOf,
  type Name,
  type Names,
  schemaId,
} from './sql.js';

/** A column whose share of nulls is collected. */
export interface ColumnName {
  readonly table: string;
  readonly column: string;
}

/** Queries for tables. They read catalogs and statistics: no row of any table. */
export const tableQueries = (columns: readonly ColumnName[]): FactQuery[] => [
  {
    fact: 'tables',
    select: (names) => tables(names, 'files'),
    orElse: (names) => tables(names, 'statistics'),
  },
  {
    fact: 'indexes',
    select: ({ schema }) =>
      jsonRows(
        `SELECT
  index.relname AS name,
  "table".relname AS "table",
  indisvalid AS valid,
  indisready AS ready,
  indisunique AS "unique",
  indisprimary AS "primary",
  indpred IS NOT NULL AS partial,
  amname AS method,
  ARRAY(
    SELECT attname::text FROM unnest(indkey::int2[]) WITH ORDINALITY AS key (number, place)
    LEFT JOIN pg_attribute ON attrelid = indrelid AND attnum = key.number AND key.number <> 0
    WHERE place <= indnkeyatts ORDER BY place
  ) AS columns,
  index.relpages::bigint * ${blockBytes} AS "estimatedBytes"
FROM pg_index
JOIN pg_class AS index ON index.oid = indexrelid
JOIN pg_class AS "table" ON "table".oid = indrelid
JOIN pg_am ON pg_am.oid = index.relam
WHERE "table".relnamespace = ${schemaId(schema)} AND "table".relkind IN ('r', 'p')`,
        'one."table", one.name',
      ),
  },
  {
    fact: 'constraints',
    select: ({ schema }) =>
      jsonRows(
        `SELECT
  conname AS name,
  ${nameWithin(schema, '"table"')} AS "table",
  CASE contype
    WHEN 'p' THEN 'primary-key' WHEN 'u' THEN 'unique' WHEN 'f' THEN 'foreign-key' WHEN 'c' THEN 'check'
    ELSE 'exclusion'
  END AS kind,
  ARRAY(
    SELECT attname::text FROM unnest(conkey) WITH ORDINALITY AS key (number, place)
    JOIN pg_attribute ON attrelid = conrelid AND attnum = key.number ORDER BY place
  ) AS columns,
  ${nameWithin(schema, 'other')} AS "references",
  convalidated AS validated
FROM pg_constraint
JOIN pg_class AS "table" ON "table".oid = conrelid
LEFT JOIN pg_class AS other ON other.oid = confrelid
WHERE contype IN ('p', 'u', 'f', 'c', 'x')
  AND ${schemaId(schema)} IN ("table".relnamespace, other.relnamespace)`,
        'one."table", one.name',
      ),
  },
  {
    fact: 'columns',
    select: ({ schema }) => {
      if (columns.length === 0) return "SELECT '[]'::json";
      const wanted = columns.map(({ table, column }) => `(${literalOf(table)}, ${literalOf(column)})`);
      return jsonRows(
        `SELECT
  wanted."table",
  wanted."column",
  pg_attribute.attname IS NOT NULL AS present,
  NOT attnotnull AS nullable,
  round(null_frac * 1000000)::bigint AS "nullsPerMillion",
  coalesce(has_column_privilege(pg_class.oid, attnum, 'SELECT') AND NOT row_security_active(pg_class.oid), false)
    AS readable
FROM (VALUES ${wanted.join(', ')}) AS wanted ("table", "column")
LEFT JOIN pg_class
  ON relname = wanted."table" AND relnamespace = ${schemaId(schema)} AND relkind IN ('r', 'p')
LEFT JOIN pg_attribute ON attrelid = pg_class.oid AND pg_attribute.attname = wanted."column"
  AND attnum > 0 AND NOT attisdropped
LEFT JOIN pg_stats AS stats
  ON stats.schemaname = ${schema.literal} AND stats.tablename = relname AND stats.attname = pg_attribute.attname
  AND stats.inherited = (relkind = 'p')`,
        'one."table", one."column"',
      );
    },
  },
];

const blockBytes = "current_setting('block_size')::bigint";

/**
 * Partitions may be in any schema, and contain the rows.
 *
 * Reading file sizes takes the lock of a reader, which a table under ACCESS EXCLUSIVE does not grant. For such tables,
 * and for all tables if a wait for a lock was in vain, the sizes are those of the last vacuum or analyze.
 */
function tables({ schema, migrator }: Names, sizedBy: 'files' | 'statistics'): string {
  const locked =
    sizedBy === 'statistics'
      ? 'true'
      : `EXISTS (
    SELECT FROM pg_locks WHERE locktype = 'relation' AND mode = 'AccessExclusiveLock'
    AND database = ${currentDatabaseId} AND relation IN ("table".oid, "table".reltoastrelid)
  )`;
  return jsonRows(
    `WITH RECURSIVE ours AS (
  SELECT oid FROM pg_class WHERE relnamespace = ${schemaId(schema)}
  UNION SELECT inhrelid FROM pg_inherits JOIN ours ON ours.oid = inhparent
)
SELECT
  name, kind, "partitionOf", persistence,
  CASE
    WHEN kind = 'partitioned' THEN CASE WHEN reltuples > 0 THEN reltuples::bigint END
    WHEN "heapBytes" = 0 THEN 0
    WHEN reltuples < 0 OR relpages = 0 THEN NULL
    ELSE round(reltuples::numeric / relpages * coalesce("heapBytes" / ${blockBytes}, relpages))::bigint
  END AS "estimatedRows",
  "deadRows", "heapBytes", "toastBytes", "indexBytes",
  CASE WHEN locked THEN 'statistics' ELSE 'files' END AS "sizedBy",
  owner, owned, readable
FROM (
  SELECT
    ${nameWithin(schema, '"table"')} AS name,
    CASE relkind WHEN 'p' THEN 'partitioned' ELSE 'table' END AS kind,
    (
      SELECT ${nameWithin(schema, 'parent')} FROM pg_inherits JOIN pg_class AS parent ON parent.oid = inhparent
      WHERE inhrelid = "table".oid ORDER BY inhseqno LIMIT 1
    ) AS "partitionOf",
    CASE relpersistence WHEN 'p' THEN 'permanent' ELSE 'unlogged' END AS persistence,
    reltuples, relpages, locked,
    coalesce(pg_stat_get_dead_tuples("table".oid), 0) AS "deadRows",
    CASE
      WHEN relkind = 'p' THEN 0
      WHEN locked THEN nullif(relpages, 0) * ${blockBytes}
      ELSE pg_relation_size("table".oid)
    END AS "heapBytes",
    CASE
      WHEN reltoastrelid = 0 THEN 0
      WHEN locked THEN (SELECT nullif(relpages, 0) FROM pg_class AS toast WHERE toast.oid = reltoastrelid) * ${blockBytes}
      ELSE pg_total_relation_size(reltoastrelid)
    END AS "toastBytes",
    CASE
      WHEN locked THEN (
        SELECT coalesce(sum(relpages), 0) FROM pg_index JOIN pg_class AS index ON index.oid = indexrelid
        WHERE indrelid = "table".oid
      )::bigint * ${blockBytes}
      ELSE pg_indexes_size("table".oid)
    END AS "indexBytes",
    pg_get_userbyid(relowner) AS owner,
    pg_has_role(${migrator.literal}, relowner, 'USAGE') AS owned,
    coalesce(
      has_schema_privilege(relnamespace, 'USAGE') AND has_column_privilege("table".oid, (-1)::int2, 'SELECT')
        AND NOT row_security_active("table".oid),
      false
    ) AS readable
  FROM (
    SELECT *, ${locked} AS locked FROM pg_class AS "table"
    WHERE oid IN (SELECT oid FROM ours) AND relkind IN ('r', 'p') OFFSET 0
  ) AS "table"
) AS sized`,
    'one.name',
  );
}

/** The name of a table, with its schema if that is another one. */
function nameWithin(schema: Name, table: string): string {
  return `CASE WHEN ${table}.relnamespace = ${schemaId(schema)} THEN ${table}.relname::text
    ELSE ${table}.relnamespace::regnamespace || '.' || ${table}.relname END`;
}
