import {
  answerOf,
  escapeLiteral,
  type FactQuery,
  isPlain,
  jsonRow,
  type Lookup,
  schemaId,
  type Unseen,
} from './sql.js';

/** A read of at most 256 MiB, in steps, so that a slow disk yields a rate and not a timeout. */
const stepBlocks = 1024;
const maxSteps = 32;

/** The rows of one sort, which fits in its memory: nothing goes to disk. */
const sortedRows = 50_000;

/** Milliseconds after which a pass begins no further step. The limit of the statement is a little above their sum. */
const firstPassMs = 900;
const secondPassMs = 300;
export const readLimitMs = 1400;
export const sortLimitMs = 600;

const none = (unseen: Omit<Unseen, 'source'>) =>
  escapeLiteral(JSON.stringify({ ...unseen, source: 'database' }));

/**
 * The table to read from: the largest readable one that is not locked, and its current blocks; or why there is none.
 */
export const probeLookup: Lookup = {
  facts: ['readRate'],
  select: ({ schema }) => {
    const readable = `has_schema_privilege(relnamespace, 'USAGE') AND has_column_privilege(oid, (-1)::int2, 'SELECT')
    AND NOT row_security_active(oid) AND ${isPlain('pg_class.oid')}`;
    return `WITH filled AS (
  SELECT oid, relname, relpages, coalesce(${readable}, false) AS readable FROM pg_class
  WHERE relnamespace = ${schemaId(schema)} AND relkind = 'r' AND relpersistence = 'p' AND relpages > 0
)
SELECT
  relname AS probe, pages::text AS probe_pages,
  CASE
    WHEN pages IS NOT NULL THEN NULL
    WHEN EXISTS (SELECT FROM filled WHERE NOT readable)
      THEN ${none({ status: 'not-permitted', detail: 'no table with rows may be read, or those that may are locked' })}
    ELSE ${none({ status: 'absent', detail: 'no table is known to contain rows' })}
  END AS "${answerOf('readRate')}"
FROM (SELECT) AS once LEFT JOIN (
  SELECT relname, nullif(pg_relation_size(oid), 0) / current_setting('block_size')::bigint AS pages FROM (
    SELECT oid, relname FROM filled WHERE readable AND oid NOT IN (
      SELECT relation FROM pg_locks WHERE locktype = 'relation' AND mode = 'AccessExclusiveLock' AND relation IS NOT NULL
    ) ORDER BY relpages DESC, relname LIMIT 1
  ) AS largest
) AS probe ON pages IS NOT NULL`;
  },
};

/**
 * Counts rows block range by block range, twice. Before PostgreSQL 14, each would read the whole table: a sample is
 * read.
 */
export const readRate: FactQuery = {
  fact: 'readRate',
  select: ({ schema, probe, probePages }) => {
    const pages = `${probePages.literal}::bigint`;
    const table = `${schema.identifier}.${probe.identifier}`;
    const rows = `SELECT CASE WHEN current_setting('server_version_num')::int >= 140000 THEN (
        SELECT count(ctid) FROM ${table}
        WHERE ctid >= format('(%s,0)', step * ${stepBlocks})::tid AND ctid < format('(%s,0)', (step + 1) * ${stepBlocks})::tid
      ) ELSE (
        SELECT count(ctid) FROM ${table}
        TABLESAMPLE SYSTEM (least(100, 100.0 * ${stepBlocks} / ${pages})) REPEATABLE (step)
      ) END AS n`;
    // The time depends on the row of the count, and so is taken after it.
    const next = `step + 1, began, (SELECT CASE WHEN n >= 0 THEN clock_timestamp() END FROM (${rows}) AS counted)`;
    const steps = `least(${maxSteps}, (${pages} + ${stepBlocks} - 1) / ${stepBlocks})`;
    const result = (pass: string) =>
      `SELECT
      least(step * ${stepBlocks}, ${pages}) * current_setting('block_size')::bigint AS bytes,
      round(extract(epoch FROM at - began) * 1000000)::bigint AS microseconds
    FROM ${pass} ORDER BY step DESC LIMIT 1`;
    return jsonRow(`WITH RECURSIVE first AS (
    SELECT 0 AS step, clock_timestamp() AS began, clock_timestamp() AS at
    UNION ALL
    SELECT ${next} FROM first WHERE step < ${steps} AND at < began + interval '${firstPassMs} ms'
  ), again AS (
    SELECT 0 AS step, at AS began, at FROM (SELECT CASE WHEN max(step) >= 0 THEN clock_timestamp() END AS at FROM first) AS start
    UNION ALL
    SELECT ${next} FROM again
    WHERE step < (SELECT max(step) FROM first) AND at < began + interval '${secondPassMs} ms'
  )
  SELECT
    ${probe.literal} AS "table",
    "first".bytes AS "firstBytes", "first".microseconds AS "firstMicroseconds",
    "second".bytes AS "againBytes", "second".microseconds AS "againMicroseconds"
  FROM (${result('first')}) AS "first", (${result('again')}) AS "second"`);
  },
};

export const sortRate: FactQuery = {
  fact: 'sortRate',
  select: () =>
    jsonRow(`SELECT
  ${sortedRows} AS rows,
  round(extract(epoch FROM ended - began) * 1000000)::bigint AS microseconds
FROM (
  SELECT began, CASE WHEN middle IS NOT NULL THEN clock_timestamp() END AS ended FROM (
    SELECT clock_timestamp() AS began OFFSET 0
  ) AS start CROSS JOIN LATERAL (
    SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY md5(number::text)) AS middle
    FROM generate_series(1, ${sortedRows}) AS number WHERE began IS NOT NULL
  ) AS sorted
) AS measured`),
};
