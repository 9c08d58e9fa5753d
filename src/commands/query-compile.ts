import { renderResponseJson } from '../answer/json/document.js';
import { connect } from '../app/lightdash/connection.js';
import { parseExactJson } from '../core/json/exact-json.js';
import { isRecord } from '../core/json/is-record.js';
import { LightspanError } from '../core/lightspan-error.js';
import { printableLines } from '../core/text/printable.js';
import { defineCommand } from '../door/declare.js';
import { exitCodes } from '../door/exit-codes.js';
import {
  connectionExitCodes,
  connectionNotes,
  connectionOf,
  projectConnection,
} from '../door/options/connection-options.js';
import { fileOrInput } from '../door/options/phrases.js';
import { readText } from '../door/readers.js';
import { writeResult } from '../door/write-answer.js';
import { readInputText } from '../gather/files/read-file.js';

/** Its JSON: the answer of the API as it came, with the version of our own output. */
export const resultSchema = async () => (await import('../gather/api/client.js')).compiledQuerySchema;

export const command = defineCommand({
  takes: {
    file: { flags: '<file>', description: `metric query as JSON: ${fileOrInput}` },
    explore: {
      flags: '--explore <name>',
      description: 'explore to compile against (default: exploreName of the query)',
      read: readText,
    },
    ...projectConnection,
  },
  notes: connectionNotes,
  exitCodes: connectionExitCodes,
  examples: [
    'lightspan query compile metric-query.json --explore orders',
    'lightspan chart get 8c1f0e52-6f0a-4a8b-9d2e-1f3a5b7c9d0e --metric-query | lightspan query compile -',
  ],
  run: async (options, context) => {
    const { file } = options;
    const text = await readInputText({ source: file, stdin: context.stdin, what: 'metric query' });
    const metricQuery = parseMetricQuery(text, file);
    const client = await connect(connectionOf(options), { project: true }, context);
    const response = await client.compileQuery(metricQuery, options.explore);
    await writeResult(options, context, {
      json: () => renderResponseJson(response),
      text: () => renderSql(response.results.query),
    });
    return exitCodes.yes;
  },
});

export function renderSql(sql: string): string {
  return printableLines(sql).replace(/\n?$/, '\n');
}

/** A metric query may come from a newer instance than the contract describes, so only the server checks its content. */
function parseMetricQuery(text: string, file: string): Readonly<Record<string, unknown>> {
  let cause: unknown;
  try {
    const query = parseExactJson(text);
    if (isRecord(query)) return query;
  } catch (error) {
    cause = error;
  }
  const name = file === '-' ? 'on standard input' : file;
  throw new LightspanError('usage', `the metric query ${name} is not a JSON object`, { cause });
}
