import utils from 'pg/lib/utils.js';
import type { ObservedFacts } from '../../instance/facts/facts-schema.js';

/** What pg itself escapes with. Node finds no names in that file of CommonJS, so they are taken from its default. */
export const { escapeIdentifier, escapeLiteral } = utils;

/**
 * The facts of a database are queried in SQL alone: each query is an expression that returns the value of one fact as
 * JSON, in the shape of its schema. A connection and a script for psql run the same text, and so see the same.
 */
export interface FactQuery {
  readonly fact: keyof ObservedFacts;
  /** A SELECT of one value, as JSON; no row or null if its source does not exist. */
  readonly select: (names: Names) => string;
}

/** A SELECT of one row before others: of names for them, and of what answers some of these facts (`answerOf`). */
export interface Lookup {
  readonly facts: readonly FactQuery['fact'][];
  readonly select: (names: Names) => string;
}

/** The parameters of a query: names that are looked up first, each in the column of a row. */
export const namesBy = (name: (column: string) => Name) => ({
  schema: name('schema'),
  migrator: name('migrator'),
  /** The table in which Graphile Worker keeps its jobs: since its migration 16 that is behind the view `jobs`. */
  jobs: name('jobs'),
  /** The table whose reading is measured, and its blocks. */
  probe: name('probe'),
  probePages: name('probe_pages'),
});

export type Names = ReturnType<typeof namesBy>;

export interface Name {
  readonly identifier: string;
  readonly literal: string;
}

export function quoteName(text: string): Name {
  return { identifier: escapeIdentifier(text), literal: escapeLiteral(text) };
}

/** A search path with which no object of another role replaces what a statement means. */
export const ownNames = 'pg_catalog, pg_temp';

/** A `timestamptz` as ISO 8601 in UTC. */
export const isoTime = (expression: string) =>
  `to_char((${expression}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Whole seconds since a `timestamptz`, by the clock of the server; never negative, and null stays null. */
export const secondsSince = (expression: string) =>
  `CASE WHEN ${expression} IS NOT NULL
    THEN greatest(0, floor(extract(epoch FROM clock_timestamp() - ${expression})))::bigint END`;

export const jsonRows = (select: string, order: string) =>
  `SELECT coalesce(array_to_json(array_agg(row_to_json(one) ORDER BY ${order})), '[]') FROM (${select}) AS one`;

export const jsonRow = (select: string) => `SELECT row_to_json(one) FROM (${select}) AS one`;

export const currentDatabaseId =
  '(SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())';

/** The setting of a role in a database, `0` for any. */
export const settingOfRole = (setting: string, role: string, database: string) => `(
    SELECT substr(entry, ${setting.length + 2}) FROM pg_db_role_setting, unnest(setconfig) AS entry
    WHERE setrole = ${role} AND setdatabase = ${database} AND starts_with(entry, '${setting}=')
  )`;

/** The settings that are this session's own: by its role, or by its connection address. */
export const settingsOfSession = "string_to_array(current_setting('lightspan.set'), ',')";

/**
 * The column with the observation of a fact. In the row of a lookup it is null if the fact still needs its own
 * statement.
 */
export const answerOf = (fact: FactQuery['fact']) => `answer_${fact}`;

/** A schema by its name, in the type of `pg_class.relnamespace`. An error, "does not exist", if there is none. */
export const schemaId = ({ literal }: Name) => `quote_ident(${literal})::regnamespace`;

/**
 * An observation in the form of `facts.json`, from a SELECT of its value. Its column has the name of the fact, so that
 * it cannot be mistaken for another, should answers and queries ever be out of step.
 */
export const observation = (fact: FactQuery['fact'], select: string) => `SELECT CASE
  WHEN value IS NULL THEN '{"status":"absent","source":"database"}'
  ELSE (SELECT row_to_json(seen) FROM (
    SELECT 'seen' AS status, value, ${isoTime('clock_timestamp()')} AS "seenAt", 'database' AS source
  ) AS seen)::text
END AS "${answerOf(fact)}" FROM (SELECT (${select}) AS value OFFSET 0) AS fact`;

export interface Unseen {
  readonly status: 'not-asked' | 'not-permitted' | 'absent' | 'timeout' | 'failed';
  readonly source: 'database';
  readonly detail?: string;
}

export const maxDetail = 200;

/** Why a query failed, by its SQLSTATE: the status of the fact that was not seen. Anything else is `failed`. */
export const statusOfSqlState: Readonly<Record<string, Unseen['status']>> = {
  // insufficient_privilege
  '42501': 'not-permitted',
  // invalid_schema_name
  '3F000': 'absent',
  // query_canceled by statement_timeout, lock_not_available by lock_timeout
  '57014': 'timeout',
  '55P03': 'timeout',
};

/** Run after a refused statement, so that the next one can run; otherwise it releases the locks. */
export const rollback = 'ROLLBACK TO SAVEPOINT facts';

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
 * The value of why a table is not read, as an observation, the gravest reason first; null if it is there and plain. It
 * is looked up by OID: the server expands and plans, and so runs, what a statement names.
 */
export function whyNotRead(schema: Name, table: Name): string {
  return `(SELECT row_to_json(unread)::text FROM (
  SELECT status, 'database' AS source, left(detail, ${maxDetail}) AS detail
  FROM (SELECT ${schema.literal} AS schema, ${table.literal} AS name) AS wanted
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
  ORDER BY status DESC, detail LIMIT 1
) AS unread)`;
}
