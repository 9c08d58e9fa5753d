import { LightspanError } from '../../errors.js';
import { type ExitCode, exitCodes } from '../../exit-codes.js';
import { renderResponseJson } from '../../render/json/response.js';
import { renderSql } from '../../render/text/sql.js';
import { parseExactJson } from '../../shared/exact-json.js';
import { isRecord } from '../../shared/is-record.js';
import { maxJsonNesting, nestsTooDeep } from '../../shared/json-scan.js';
import { readInputText } from '../../sources/input-text.js';
import { connect } from '../connection.js';
import type { ConnectionOptions } from '../connection-options.js';
import type { CommandContext } from '../context.js';

export interface QueryCompileOptions extends ConnectionOptions {
  readonly explore?: string;
}

/** `lightspan query compile` */
export async function queryCompile(
  file: string,
  options: QueryCompileOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const text = await readInputText({ source: file, stdin: context.stdin, what: 'metric query' });
  const metricQuery = parseMetricQuery(text, file);
  const client = await connect(options, { project: true }, context);
  const response = await client.compileQuery(metricQuery, options.explore, text);
  context.stdout.write(
    options.json === true ? renderResponseJson(response) : renderSql(response.results.query),
  );
  return exitCodes.yes;
}

/** A metric query may come from a newer instance than the contract describes, so only the server checks its content. */
function parseMetricQuery(text: string, file: string): Readonly<Record<string, unknown>> {
  const name = `the metric query ${file === '-' ? 'on standard input' : file}`;
  if (nestsTooDeep(text)) {
    throw new LightspanError('usage', `${name} nests deeper than ${maxJsonNesting} levels`);
  }
  let query: unknown;
  try {
    query = parseExactJson(text);
  } catch (error) {
    const what = text.trim() === '' ? 'is empty' : 'is not JSON';
    throw new LightspanError('usage', `${name} ${what}`, { cause: error });
  }
  if (isRecord(query)) return query;
  throw new LightspanError('usage', `${name} is not a JSON object`);
}
