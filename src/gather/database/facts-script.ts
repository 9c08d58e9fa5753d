import { type FactsWanted, lookUpNames, opening, type Statement, statements } from './queries.js';
import {
  answerOf,
  type FactQuery,
  maxDetail,
  namesBy,
  observation,
  rollback,
  statusOfSqlState,
} from './sql.js';

/**
 * The same statements as one script, for operators who cannot connect from where lightspan runs. The output of psql 12
 * or later is the facts file that a connection yields, byte for byte except for times. A refused statement is reported
 * in place of its fact, and on standard error; the script continues.
 */
export function factsScript(wanted: FactsWanted = {}): string {
  const [begin, ...settings] = opening;
  const queries = statements(wanted);
  const last = queries.findLast(({ kind }) => kind === 'fact');
  return [
    head,
    `${begin};`,
    ...settings.map(discardResult),
    `${lookUpNames(wanted)} \\gset`,
    `SELECT '{"schemaVersion":"1","collectedAt":"' || :'collected_at' || '","facts":{';`,
    ...queries.map((statement) => linesOf(statement, statement === last ? '' : "','")),
    `\\echo '}}'\n`,
  ].join('\n');
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

/** The results of a statement go into variables of psql, and not into the file. */
const discardResult = (sql: string) => `${sql} \\gset unused_`;

const names = namesBy((column) => ({ identifier: `:"${column}"`, literal: `:'${column}'` }));

function linesOf(statement: Statement, comma: string): string {
  if (statement.kind === 'order') {
    return statement.run.startsWith('SELECT') ? discardResult(statement.run) : `${statement.run};`;
  }
  if (statement.kind === 'lookup') return askForFacts(statement.select(names), statement.facts);
  const { fact, select } = statement;
  const column = answerOf(fact);
  // A variable whose column is null is unset.
  return `\\if :{?${column}}
\\else
${askForFacts(observation(fact, select(names)), [fact])}
\\endif
\\echo '"${fact}":':${column}${comma}`;
}

/** The row as variables; if it is refused, why, in the variable of each fact. */
function askForFacts(sql: string, facts: readonly FactQuery['fact'][]): string {
  const columns = facts.map((fact) => `observation AS "${answerOf(fact)}"`);
  return `${sql} \\gset
\\if :ERROR
${rollback};
SELECT ${columns.join(', ')} FROM (${refusal}) AS refused (observation) \\gset
\\endif`;
}

const refusal = `SELECT row_to_json(answer)::text FROM (
  SELECT
    CASE :'LAST_ERROR_SQLSTATE' ${Object.entries(statusOfSqlState)
      .map(([sqlState, status]) => `WHEN '${sqlState}' THEN '${status}'`)
      .join(' ')} ELSE 'failed' END AS status,
    'database' AS source,
    left(:'LAST_ERROR_MESSAGE', ${maxDetail}) AS detail
) AS answer`;
