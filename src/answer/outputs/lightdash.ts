import type { EchoedMetricQuery } from '../../merge-query/response.js';
import { compact } from '../../shared/compact.js';
import { type Exact, isExactNumber } from '../../shared/exact-json.js';
import { isRecord } from '../../shared/is-record.js';
import { printableLines } from '../../words/printable.js';
import { renderPrettyJson } from '../json/document.js';
import { renderTable } from '../wrap.js';
import { renderLines } from './messages.js';

/** A setting and where it was found. */
interface Setting {
  readonly value: string;
  readonly where: string;
}

/** Which connection is used, for `--verbose`. The token is already masked. */
export function renderConnection(
  settings: Readonly<Record<'url' | 'project' | 'token', Setting | undefined>>,
): string {
  const { url, project, token } = settings;
  const line = (name: string, setting: Setting | undefined) =>
    setting && `${name}: ${setting.value} (from ${setting.where})`;
  return renderLines(compact(line('Instance', url), line('Project', project), line('Token', token)));
}

/** A saved chart for a person: its name, if the server returns one, and its metric query. */
export function renderChartText({
  name,
  description,
  metricQuery,
}: {
  readonly name?: unknown;
  readonly description?: unknown;
  readonly metricQuery: Exact<EchoedMetricQuery>;
}): string {
  const { exploreName, dimensions, metrics, sorts, limit, tableCalculations } = metricQuery;
  const sortedBy = sorts.map(
    ({ fieldId, descending }) => `${fieldId} ${descending ? 'descending' : 'ascending'}`,
  );
  return renderLines(
    compact(
      typeof name === 'string' && `Chart: ${name}`,
      typeof description === 'string' && description !== '' && `Description: ${description}`,
      `Explore: ${exploreName}`,
      `Dimensions: ${dimensions.join(', ') || 'none'}`,
      `Metrics: ${metrics.join(', ') || 'none'}`,
      `Sorted by: ${sortedBy.join(', ') || 'none'}`,
      `Calculations: ${tableCalculations.length || 'none'}`,
      `Limit: ${limit}`,
    ),
  );
}

/** Compiled SQL, ready for a file or another program. */
export function renderSql(sql: string): string {
  const text = printableLines(sql);
  return text.endsWith('\n') ? text : `${text}\n`;
}

export function renderMetricsText(
  metrics: readonly {
    readonly name: string;
    readonly label: string;
    readonly tableName: string;
    readonly tags: readonly string[];
  }[],
): string {
  if (metrics.length === 0) return 'No metrics.\n';
  const rows = metrics.map(({ label, name, tableName, tags }) => [label, name, tableName, tags.join(', ')]);
  return renderTable(['LABEL', 'METRIC', 'TABLE', 'TAGS'], rows);
}

/**
 * The known fields of a user. The contract does not show the shape, so a column is shown only if users have the field.
 */
const userColumns = ['email', 'firstName', 'lastName', 'role', 'isActive', 'userUuid'] as const;

/** The users as a table. If the answer is not a list of users with a known field, the JSON as it came. */
export function renderUsersText(results: unknown): string {
  // Some versions answer with the list, some with a page of it.
  const users = isRecord(results) ? results.data : results;
  if (!Array.isArray(users) || !users.every(isRecord)) return renderPrettyJson(results ?? null);
  if (users.length === 0) return 'No users.\n';
  const columns = userColumns.filter((column) => users.some((user) => isShown(user[column])));
  if (columns.length === 0) return renderPrettyJson(results);
  return renderTable(
    columns.map((column) => column.toUpperCase()),
    users.map((user) => columns.map((column) => (isShown(user[column]) ? String(user[column]) : ''))),
  );
}

function isShown(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value) || isExactNumber(value);
}
