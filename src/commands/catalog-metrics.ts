import { renderTable } from '../answer/formats/wrap.js';
import { renderResponseJson } from '../answer/json/document.js';
import { connect } from '../app/lightdash/connection.js';
import { defineCommand } from '../door/declare.js';
import { exitCodes } from '../door/exit-codes.js';
import {
  connectionExitCodes,
  connectionNotes,
  connectionOf,
  projectConnection,
} from '../door/options/connection-options.js';
import { asksJson, readCount, readText } from '../door/readers.js';
import { writeResult } from '../door/write-answer.js';
import type { CatalogMetric } from '../gather/api/client.js';

/** Its JSON: the answer of the API as it came, with the version of our own output. */
export const resultSchema = async () => (await import('../gather/api/client.js')).metricsCatalogSchema;

export const command = defineCommand({
  takes: {
    tag: {
      flags: '--tag <tag>',
      description: 'only metrics with this tag; repeatable, any of them matches',
      read: String,
      several: true,
    },
    sort: { flags: '--sort <field>', description: 'field to sort by, such as label', read: readText },
    order: { flags: '--order <order>', description: 'direction of the sort', choices: ['asc', 'desc'] },
    page: { flags: '--page <number>', description: 'which page, from 1', read: readCount },
    pageSize: { flags: '--page-size <number>', description: 'metrics per page', read: readCount },
    all: { flags: '--all', description: 'all pages', conflicts: 'page' },
    ...projectConnection,
  },
  notes: connectionNotes,
  exitCodes: connectionExitCodes,
  examples: [
    'lightspan catalog metrics --tag finance --tag sales --sort label --order asc',
    'lightspan catalog metrics --all --json',
  ],
  run: async (options, context) => {
    const { tag: tags, sort, order, page, pageSize } = options;
    const client = await connect(connectionOf(options), { project: true }, context);
    const response =
      options.all === true
        ? await client.listAllMetrics({ tags, sort, order, pageSize })
        : await client.listMetrics({ tags, sort, order, page, pageSize });
    const { data } = response.results;
    await writeResult(options, context, {
      json: () => renderResponseJson(response),
      text: () => renderMetricsText(data),
    });
    // If the first page has no metrics, there are none.
    if (!asksJson(options) && options.all !== true && (data.length > 0 || page !== undefined)) {
      context.stderr.write(`This is page ${page ?? 1}; --all lists every metric.\n`);
    }
    return exitCodes.yes;
  },
});

export function renderMetricsText(
  metrics: readonly Pick<CatalogMetric, 'label' | 'name' | 'tableName' | 'tags'>[],
): string {
  if (metrics.length === 0) return 'No metrics.\n';
  const rows = metrics.map(({ label, name, tableName, tags }) => [label, name, tableName, tags.join(', ')]);
  return renderTable(['LABEL', 'METRIC', 'TABLE', 'TAGS'], rows);
}
