import { Command, Option } from 'commander';
import { addConnectionOptions, connectionExitCodes, connectionNotes } from '../connection-options.js';
import type { Act } from '../context.js';
import { choice, once, readCount, readText, several } from '../shared-options.js';
import { addUsage } from '../usage.js';
import type { CatalogMetricsOptions } from './run.js';

export function declareCatalogMetrics(act: Act): Command {
  const command = new Command('metrics')
    .description('List the metrics of the catalog.')
    .option(
      '--tag <tag>',
      'only metrics with this tag; given several times, with any of them',
      several(String),
    )
    .option('--sort <field>', 'field to sort by, such as label', once(readText))
    .addOption(choice('--order <order>', 'direction of the sort', ['asc', 'desc']))
    .option('--page <number>', 'which page, from 1', once(readCount))
    .option('--page-size <number>', 'metrics a page', once(readCount))
    .addOption(new Option('--all', 'all pages').conflicts('page'));
  return addUsage(
    addConnectionOptions(command, { project: true }).action((options: CatalogMetricsOptions) =>
      act(async (context) => (await import('./run.js')).catalogMetrics(options, context)),
    ),
    {
      notes: connectionNotes,
      exitCodes: connectionExitCodes,
      examples: [
        'lightspan catalog metrics --tag finance --tag sales --sort label --order asc',
        'lightspan catalog metrics --all --json',
      ],
    },
  );
}
