import { type FactQuery, jsonRow, jsonRows, type Names, schemaId } from './sql.js';
import { nameWithin, withParts } from './table-queries.js';

/** What others have made that hangs on the tables of the schema. It reads catalogs that every role may read. */
export const dependentQueries: readonly FactQuery[] = [
  {
    fact: 'dependents',
    select: (names) =>
      jsonRow(`SELECT
  (${jsonRows(objects(names), 'one."table", one.kind, one.name')}) AS objects,
  (${jsonRows(triggers(names), 'one."table", one.name')}) AS triggers,
  (${jsonRows(unidentified(names), 'one."table", one.publication')}) AS unidentified`),
  },
];

/**
 * What uses a table or its columns, so that the server refuses to drop it or to change its type. What belongs to the
 * table itself, such as its indexes, constraints and defaults, changes with it.
 */
function objects({ schema }: Names): string {
  return `SELECT
  kind, name, owner, used.relname AS "table",
  coalesce(array_agg(DISTINCT attname::text) FILTER (WHERE attname IS NOT NULL), '{}') AS columns
FROM (
  SELECT
    refobjid, refobjsubid,
    CASE
      WHEN classid = 'pg_proc'::regclass THEN 'function'
      WHEN classid = 'pg_policy'::regclass THEN 'policy'
      WHEN classid = 'pg_trigger'::regclass THEN 'trigger'
      WHEN classid = 'pg_publication_rel'::regclass THEN 'publication'
      WHEN rulename <> '_RETURN' THEN 'rule'
      WHEN relkind = 'm' THEN 'materialized view'
      ELSE 'view'
    END AS kind,
    coalesce(
      CASE WHEN rulename = '_RETURN' THEN ${nameWithin(schema, 'by')} END,
      rulename, polname, tgname, pubname, proc.oid::regprocedure::text
    ) AS name,
    pg_get_userbyid(coalesce(by.relowner, proowner, pubowner))::text AS owner
  FROM pg_depend
  LEFT JOIN pg_rewrite ON classid = 'pg_rewrite'::regclass AND pg_rewrite.oid = objid
  LEFT JOIN pg_policy ON classid = 'pg_policy'::regclass AND pg_policy.oid = objid
  LEFT JOIN pg_trigger ON classid = 'pg_trigger'::regclass AND pg_trigger.oid = objid
  LEFT JOIN pg_publication_rel ON classid = 'pg_publication_rel'::regclass AND pg_publication_rel.oid = objid
  LEFT JOIN pg_publication ON pg_publication.oid = prpubid
  LEFT JOIN pg_proc AS proc ON classid = 'pg_proc'::regclass AND proc.oid = objid
  LEFT JOIN pg_class AS by ON by.oid = coalesce(ev_class, polrelid, tgrelid)
  WHERE refclassid = 'pg_class'::regclass AND deptype = 'n' AND classid IN (
    'pg_rewrite'::regclass, 'pg_policy'::regclass, 'pg_trigger'::regclass, 'pg_publication_rel'::regclass,
    'pg_proc'::regclass
  )
) AS dependent
JOIN pg_class AS used ON used.oid = refobjid
LEFT JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid AND attnum > 0
WHERE used.relnamespace = ${schemaId(schema)} AND used.relkind IN ('r', 'p')
GROUP BY kind, name, owner, used.relname`;
}

/** The triggers that run in an ordinary session when rows change. */
function triggers({ schema }: Names): string {
  return `SELECT
  tgname AS name, relname AS "table", tgfoid::regproc::text AS function,
  tgtype & 8 <> 0 AS "onDelete", tgtype & 16 <> 0 AS "onUpdate", tgtype & 4 <> 0 AS "onInsert",
  tgtype & 1 <> 0 AS "forEachRow"
FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
WHERE relnamespace = ${schemaId(schema)} AND NOT tgisinternal AND tgenabled IN ('O', 'A')`;
}

/**
 * Tables of which changed or deleted rows are published although the server cannot tell which row that is: by the
 * index that identifies it, or by all of it. Columns that a publication leaves out identify nothing, and a filter may
 * use no others. What changes of a partitioned table are its partitions.
 */
function unidentified({ schema }: Names): string {
  return `SELECT pubname AS publication, ${nameWithin(schema, 'pg_class')} AS "table", pubupdate AS updates, pubdelete AS deletes
FROM pg_publication
JOIN LATERAL pg_get_publication_tables(pubname) AS published ON true
LEFT JOIN LATERAL pg_partition_tree(published.relid) AS part ON true
JOIN pg_class ON pg_class.oid = coalesce(part.relid, published.relid) AND relkind = 'r'
LEFT JOIN LATERAL (
  SELECT string_to_array(indkey::text, ' ') AS key FROM pg_index
  WHERE indrelid = pg_class.oid AND indisvalid AND indimmediate AND CASE relreplident
    WHEN 'd' THEN indisprimary WHEN 'i' THEN indisreplident ELSE false
  END LIMIT 1
) AS identity ON true
LEFT JOIN LATERAL (
  SELECT oid, string_to_array(translate(to_jsonb(each) ->> 'prattrs', '[],', ''), ' ') AS "columns" FROM pg_publication_rel AS each
  WHERE prpubid = pg_publication.oid AND prrelid = published.relid
) AS listed ON true
WHERE (pubupdate OR pubdelete)
  AND published.relid IN (${withParts(schema)})
  AND NOT CASE
    WHEN relreplident = 'f' THEN "columns" IS NULL
    WHEN key IS NULL THEN false
    ELSE ("columns" IS NULL OR key <@ "columns") AND NOT EXISTS (
      SELECT FROM pg_depend
      WHERE classid = 'pg_publication_rel'::regclass AND objid = listed.oid AND refobjsubid > 0
        AND refobjsubid::text <> ALL (key || coalesce("columns", '{}'))
    )
  END`;
}
