import { Command, Option } from 'commander';
import { addConnectionOptions, connectionExitCodes, connectionNotes } from '../connection-options.js';
import type { Act } from '../context.js';
import { choice, once, readCount, readText } from '../shared-options.js';
import { addUsage } from '../usage.js';
import type { CatalogMetricsOptions } from './run.js';

export function declareCatalogMetrics(act: Act): Command {
  const command = new Command('metrics')
    .description('List the metrics of the catalog.')
    .addOption(
      new Option(
        '--tag <tag>',
        'only metrics with this tag; given several times, with any of them',
      ).argParser((tag: string, tags: readonly string[] = []) => [...tags, tag]),
    )
    .addOption(new Option('--sort <field>', 'field to sort by, such as label').argParser(once(readText)))
    .addOption(choice('--order <order>', 'direction of the sort', ['asc', 'desc']))
    .addOption(new Option('--page <number>', 'which page, from 1').argParser(once(readCount)))
    .addOption(new Option('--page-size <number>', 'metrics a page').argParser(once(readCount)))
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
