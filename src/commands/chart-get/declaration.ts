import { Command } from 'commander';
import { addConnectionOptions, connectionExitCodes, connectionNotes } from '../connection-options.js';
import type { Act } from '../context.js';
import { addUsage } from '../usage.js';
import type { ChartGetOptions } from './run.js';

export function declareChartGet(act: Act): Command {
  const command = new Command('get')
    .description('Show a saved chart, or the metric query in it.')
    .argument('<chartUuid>', 'UUID of the chart')
    .option('--metric-query', 'write the metric query alone, as JSON that "query compile -" reads');
  return addUsage(
    addConnectionOptions(command, { project: false }).action((chartUuid: string, options: ChartGetOptions) =>
      act(async (context) => (await import('./run.js')).chartGet(chartUuid, options, context)),
    ),
    {
      notes: connectionNotes,
      exitCodes: connectionExitCodes,
      examples: [
        'lightspan chart get 8c1f0e52-6f0a-4a8b-9d2e-1f3a5b7c9d0e',
        'lightspan chart get 8c1f0e52-6f0a-4a8b-9d2e-1f3a5b7c9d0e --metric-query | lightspan query compile -',
      ],
    },
  );
}
