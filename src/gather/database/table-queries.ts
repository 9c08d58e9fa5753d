import { currentDatabaseId, type FactQuery, jsonRows, type Name, type Names, schemaId } from './sql.js';

/** Queries for tables. They read catalogs and statistics: no row of any table. */
export const tableQueries: readonly FactQuery[] = [
  {
    fact: 'tables',
    select: tables,
  },
  {
    fact: 'indexes',
    select: ({ schema }) =>
      jsonRows(
        `SELECT
  index.relname AS name,
  "table".relname AS "table",
  indisvalid AS valid,
  amname AS method
FROM pg_index
JOIN pg_class AS index ON index.oid = indexrelid
JOIN pg_am ON pg_am.oid = index.relam
JOIN pg_class AS "table" ON "table".oid = indrelid
WHERE "table".relnamespace = ${schemaId(schema)} AND "table".relkind IN ('r', 'p')
UNION ALL
SELECT index.relnamespace::regnamespace || '.' || index.relname, "table".relname, false, amname
FROM pg_index
JOIN pg_class AS index ON index.oid = indexrelid
JOIN pg_am ON pg_am.oid = index.relam
JOIN pg_class AS "table" ON "table".reltoastrelid = indrelid
WHERE NOT indisvalid AND "table".relnamespace = ${schemaId(schema)}`,
        'one."table", one.name',
      ),
  },
];

const blockBytes = "current_setting('block_size')::bigint";

/**
 * Partitions may be in any schema, and contain the rows.
 *
 * Reading file sizes takes the lock of a reader, which a table under ACCESS EXCLUSIVE does not grant: its sizes are
 * those of the last vacuum or analyze.
 */
function tables({ schema, migrator }: Names): string {
  const locked = `EXISTS (
    SELECT FROM pg_locks WHERE locktype = 'relation' AND mode = 'AccessExclusiveLock'
    AND database = ${currentDatabaseId} AND relation IN ("table".oid, "table".reltoastrelid)
  )`;
  return jsonRows(
    `SELECT
  name, kind, "partitionOf",
  CASE
    WHEN kind = 'partitioned' THEN CASE WHEN reltuples > 0 THEN reltuples::bigint END
    WHEN "heapBytes" = 0 THEN 0
    WHEN reltuples < 0 OR relpages = 0 THEN NULL
    ELSE round(reltuples::numeric / relpages * coalesce("heapBytes" / ${blockBytes}, relpages))::bigint
  END AS "estimatedRows",
  "deadRows", "heapBytes", "toastBytes", "indexBytes",
  CASE WHEN locked THEN 'statistics' ELSE 'files' END AS "sizedBy",
  owner, owned
FROM (
  SELECT
    ${nameWithin(schema, '"table"')} AS name,
    CASE relkind WHEN 'p' THEN 'partitioned' ELSE 'table' END AS kind,
    (
      SELECT ${nameWithin(schema, 'parent')} FROM pg_inherits JOIN pg_class AS parent ON parent.oid = inhparent
      WHERE inhrelid = "table".oid ORDER BY inhseqno LIMIT 1
    ) AS "partitionOf",
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
    pg_has_role(${migrator.literal}, relowner, 'USAGE') AS owned
  FROM (
    SELECT *, ${locked} AS locked FROM pg_class AS "table"
    WHERE oid IN (${withParts(schema)}) AND relkind IN ('r', 'p') OFFSET 0
  ) AS "table"
) AS sized`,
    'one.name',
  );
}

/** The relations of a schema, and what is a part of one of them. */
export function withParts(schema: Name): string {
  return `WITH RECURSIVE ours AS (
    SELECT oid FROM pg_class WHERE relnamespace = ${schemaId(schema)}
    UNION SELECT inhrelid FROM pg_inherits JOIN ours ON ours.oid = inhparent
  ) SELECT oid FROM ours`;
}

/** The name of a table, with its schema if that is another one. */
export function nameWithin(schema: Name, table: string): string {
  return `CASE WHEN ${table}.relnamespace = ${schemaId(schema)} THEN ${table}.relname::text
    ELSE ${table}.relnamespace::regnamespace || '.' || ${table}.relname END`;
}
