import { plainPalette } from '../palette.js';
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
