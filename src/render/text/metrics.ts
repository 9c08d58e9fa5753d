import { plainPalette } from '../palette.js';
import { countOf } from '../phrase.js';
import { renderTable } from './table.js';

export interface CatalogMetricLine {
  readonly name: string;
  readonly label: string;
  readonly tableName: string;
  readonly tags: readonly string[];
}

export function renderMetricsText(metrics: readonly CatalogMetricLine[], width: number | undefined): string {
  if (metrics.length === 0) return 'No metrics.\n';
  return renderTable(
    ['LABEL', 'METRIC', 'TABLE', 'TAGS'],
    metrics.map(({ label, name, tableName, tags }) => [label, name, tableName, tags.join(', ')]),
    plainPalette,
    width,
  );
}

/** Which part of the catalog one page is, for users who did not request all of it. */
export function renderWhichPage({
  page,
  pagination,
}: {
  readonly page: number;
  readonly pagination:
    | { readonly totalPageCount: number | undefined; readonly totalResults: number | undefined }
    | undefined;
}): string {
  const { totalPageCount, totalResults } = pagination ?? {};
  if (totalPageCount !== undefined && totalPageCount <= 1) return '';
  const count = totalResults === undefined ? '' : `, ${countOf(totalResults, 'metric')} in all`;
  const pages = totalPageCount === undefined ? 'of how many is not known' : `of ${totalPageCount}`;
  return `Page ${page} ${pages}${count}; --all lists every metric.\n`;
}
