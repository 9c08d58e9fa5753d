import { whyNotRead } from './plain-tables.js';
import {
  type FactsWanted,
  factQueries,
  lookUpNames,
  opening,
  savepoint,
  statementLimit,
  wantedColumns,
} from './queries.js';
import {
  noReadableTable,
  readableTable,
  readLimitMs,
  readRate,
  sortLimitMs,
  sortRate,
} from './rate-queries.js';
import {
  type FactQuery,
  literalOf,
  maxDetail,
  type Name,
  type Names,
  observation,
  rollback,
  statusOfSqlState,
  type TableName,
} from './sql.js';

/**
 * The same queries as one script, for operators who cannot connect from where lightspan runs. The output of psql 12 or
 * later is the facts file that a connection yields, byte for byte except for times. A refused statement is reported in
 * place of its fact, and on standard error; the script continues.
 */
export function factsScript(wanted: FactsWanted = {}): string {
  const { columns = wantedColumns, measure = true } = wanted;
  const facts = factQueries(columns).map(({ fact, select, orElse, doubt, reads }) =>
    ifRead(fact, reads?.(names), line(fact, select(names), orElse?.(names), doubt?.(names))),
  );
  return [head, ...beginning(wanted), ...facts, ...(measure ? measured() : notAsked()), closing].join('\n');
}

const head = `-- What an upgrade of Lightdash needs to know of its database. It only reads, and changes nothing.
--   psql -X -A -t -f facts.sql <database> > facts.json
-- Then: lightspan upgrade-preflight --facts facts.json
\\set QUIET on
\\set ON_ERROR_STOP off
\\set ON_ERROR_ROLLBACK off
\\set SINGLELINE off
\\set SINGLESTEP off
\\timing off
\\pset format unaligned
\\pset tuples_only on
\\pset null ''
\\pset pager off
\\pset recordsep '\\n'
\\encoding UTF8`;

const variable = (name: string): Name => ({ identifier: `:"${name}"`, literal: `:'${name}'` });

const names: Names = {
  schema: variable('schema'),
  migrator: variable('migrator'),
  migratorOrigin: variable('migrator_origin'),
  jobs: variable('jobs'),
};

/** The results of a statement go into variables of psql, and not into the file. */
const silently = (sql: string) => `${sql} \\gset unused_`;

function beginning(wanted: FactsWanted): string[] {
  const [begin, ...settings] = opening;
  return [
    `${begin};`,
    ...settings.map(silently),
    `${lookUpNames(wanted)} \\gset`,
    `SELECT '{"schemaVersion":"1","collectedAt":"' || :'collected_at' || '","facts":{';`,
    `${savepoint};`,
  ];
}

const closing = `\\echo '}}'
COMMIT;
`;

/** The line of a fact if the tables that it is read from are plain tables, or else why they are not read. */
function ifRead(fact: string, tables: readonly TableName[] | undefined, read: string): string {
  if (tables === undefined) return read;
  // A variable whose column is null is unset.
  return `SELECT ${whyNotRead(tables)} AS unread \\gset
\\if :ERROR
${rollback};
${unseen(fact)}
\\elif :{?unread}
${print(fact, "SELECT :'unread'::text AS observation")}
\\else
${read}
\\endif`;
}

/** A line of the file: an observation, or why there is none. */
function line(fact: FactQuery['fact'], select: string, orElse?: string, doubt?: string): string {
  const seen = (value: string) =>
    print(fact, `SELECT "${fact}" AS observation FROM (${observation(fact, value, doubt)}) AS told`);
  return `${seen(select)}
\\if :ERROR
${rollback};
${orElse === undefined ? unseen(fact) : otherwise(fact, seen(orElse))}
\\else
${rollback};
\\endif`;
}

function otherwise(fact: string, next: string): string {
  return `SELECT :'LAST_ERROR_SQLSTATE' IN (${timeouts.join(', ')}) AS timed_out \\gset
\\if :timed_out
${next}
\\if :ERROR
${rollback};
${unseen(fact)}
\\endif
\\else
${unseen(fact)}
\\endif`;
}

const timeouts = Object.entries(statusOfSqlState)
  .filter(([, status]) => status === 'timeout')
  .map(([sqlState]) => literalOf(sqlState));

function unseen(fact: string): string {
  const cases = Object.entries(statusOfSqlState).map(
    ([sqlState, status]) => `WHEN '${sqlState}' THEN '${status}'`,
  );
  return print(
    fact,
    `SELECT row_to_json(told)::text AS observation FROM (
  SELECT
    CASE :'LAST_ERROR_SQLSTATE' ${cases.join(' ')} ELSE 'failed' END AS status,
    'database' AS source,
    left(:'LAST_ERROR_MESSAGE', ${maxDetail}) AS detail
) AS told`,
  );
}

function print(fact: string, select: string): string {
  const comma = fact === 'sortRate' ? '' : ',';
  return `SELECT '"${fact}":' || observation || '${comma}' FROM (${select}) AS line;`;
}

function fixed(fact: string, status: string, detail?: string): string {
  const told = JSON.stringify({ status, source: 'database', ...(detail === undefined ? {} : { detail }) });
  return print(fact, `SELECT ${literalOf(told)}::text AS observation`);
}

function measured(): string[] {
  const rate = (ranges: boolean) =>
    line('readRate', readRate(names.schema, variable('probe_table'), ':probe_pages', ranges));
  return [
    `${readableTable(names.schema)} \\gset`,
    `\\if :ERROR
${rollback};
${unseen('readRate')}
\\elif :probed
${silently(statementLimit(readLimitMs))}
\\if :ranges
${rate(true)}
\\else
${rate(false)}
\\endif
\\elif :refused
${fixed('readRate', 'not-permitted', noReadableTable['not-permitted'])}
\\else
${fixed('readRate', 'absent', noReadableTable.absent)}
\\endif`,
    silently(statementLimit(sortLimitMs)),
    line('sortRate', sortRate.select(names)),
  ];
}

function notAsked(): string[] {
  return [fixed('readRate', 'not-asked'), fixed('sortRate', 'not-asked')];
}
