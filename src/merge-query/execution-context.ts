import * as z from 'zod/mini';

/** QueryExecutionContext: where a query was issued from. */
export const queryExecutionContextSchema = z.enum([
  'dashboardView',
  'autorefreshedDashboard',
  'exploreView',
  'filterAutocomplete',
  'chartView',
  'chartHistory',
  'sqlChartView',
  'sqlRunner',
  'viewUnderlyingData',
  'alert',
  'scheduledDelivery',
  'csvDownload',
  'gsheets',
  'scheduledGsheetsChart',
  'scheduledGsheetsDashboard',
  'scheduledGsheetsSqlChart',
  'scheduledChart',
  'scheduledDashboard',
  'calculateTotal',
  'calculateSubtotal',
  'embed',
  'ai',
  'mcp.run_metric_query',
  'mcp.run_sql',
  'mcp.search_field_values',
  'api',
  'cli',
  'metricsExplorer',
  'preAggregateMaterialization',
  'composeSqlRunner',
  'multiSourceQuery',
  'dataAppSample',
]);

export type QueryExecutionContext = z.infer<typeof queryExecutionContextSchema>;
