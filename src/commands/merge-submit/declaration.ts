import { Command, InvalidArgumentError, Option } from 'commander';
import { addConnectionOptions, connectionNotes } from '../connection-options.js';
import type { Act } from '../context.js';
import { addRowOptions } from '../row-options.js';
import { choice, once, readDuration, readText, several } from '../shared-options.js';
import { addUsage } from '../usage.js';
import type { MergeSubmitOptions } from './run.js';

export function declareMergeSubmit(act: Act): Command {
  const command = new Command('submit')
    .description('Submit a merge, and with --wait fetch its result.')
    .argument('<file>', 'merge request as YAML or JSON: a file, or - for standard input');
  addConnectionOptions(command, { project: true });
  return addUsage(
    addRowOptions(command, 'with --wait: ')
      .addOption(
        choice('--mode <mode>', 'execution mode, instead of the one in the file', ['interactive', 'export']),
      )
      .option('--export-limit <n>', 'mode export with at most this many rows, or all', once(readExportLimit))
      .option(
        '--param <name=value>',
        'set a parameter to a text, or with := to JSON, such as limit:=5 or years:=[2025,2026]; may be repeated',
        several(String),
      )
      .option(
        '--params-file <file>',
        'set parameters from a map in YAML or JSON: a file, or - for standard input',
        once(readText),
      )
      .option('--invalidate-cache', 'ask for cached results to be bypassed')
      .option(
        '--context <value>',
        'where the query is issued from (default: the one in the file, else cli)',
        once(readText),
      )
      .option('--no-validate', 'send without checking the merge first, and let the server judge')
      .addOption(new Option('--dry-run', 'show the request, and send nothing').conflicts('wait'))
      .option(
        '--wait [duration]',
        'wait for the result and write its rows (default: 10m)',
        once(readDuration),
      )
      .option(
        '--color',
        'colour the text (else NO_COLOR, FORCE_COLOR, then whether it is a terminal, decide)',
      )
      .option('--no-color', 'do not colour the text')
      .action((file: string, options: MergeSubmitOptions) =>
        act(async (context) => (await import('./run.js')).mergeSubmit(file, options, context)),
      ),
    {
      notes: connectionNotes,
      exitCodes: {
        0: 'the merge has started and, with --wait, its result is complete',
        1: 'the merge breaks a rule or is refused, or the query failed, was cancelled, expired or is not known',
        2: 'the request is wrong; nothing was sent',
        3: 'no answer is available: network, timeout, login, an error of the server, or the wait was over first',
        4: 'an answer does not match the contract',
      },
      examples: [
        'lightspan merge submit merge.yaml --dry-run',
        'lightspan merge submit merge.yaml --wait --output csv --out result.csv',
        "lightspan merge submit merge.yaml --param region=EU --param 'years:=[2025, 2026]' --export-limit all",
      ],
    },
  );
}

function readExportLimit(text: string): number | 'all' {
  if (text === 'all') return text;
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('Write a whole number from 1, or all.');
  return Number(text);
}
