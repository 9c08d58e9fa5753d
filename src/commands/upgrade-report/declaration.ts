import { Command, Option } from 'commander';
import type { Act } from '../context.js';
import { addKnownIssueOptions } from '../known-issue-options.js';
import {
  addArtifactOptions,
  addCurrentVersionOptions,
  addOutputOptions,
  addSourceOptions,
  choice,
  diskFreeOption,
  once,
  onlyOption,
  readSource,
  targetOption,
} from '../shared-options.js';
import { addUsage } from '../usage.js';
import type { ReportFormat, UpgradeReportOptions } from './run.js';

const reportFormats: readonly ReportFormat[] = ['text', 'markdown', 'html', 'json'];

export function declareUpgradeReport(act: Act): Command {
  const command = new Command('upgrade-report').description(
    'Everything to know about an upgrade before you approve it, from the index and the artifacts, as a document to read and attach.',
  );
  addCurrentVersionOptions(command);
  command.addOption(targetOption());
  command
    .addOption(
      choice(
        '--format <format>',
        'how the report is written: text (default), markdown, html or json (as --json)',
        reportFormats,
      ),
    )
    .option('--out <file>', 'write the report to a file, complete or not at all', once(readSource))
    .option(
      '--variables <file>',
      'the environment variables that you set, to show first what to change: a .env file, or values.yaml#path (names are read, values never shown)',
      once(readSource),
    )
    // Another name of `--variables`. Node itself reads an option of this name, wherever it is, and ends if the file is
    // not a .env file: so help does not show this name.
    .addOption(new Option('--env-file <file>').argParser(once(readSource)).conflicts('variables').hideHelp());
  addSourceOptions(command);
  addKnownIssueOptions(command);
  command.addOption(diskFreeOption()).addOption(onlyOption());
  addArtifactOptions(command);
  addOutputOptions(command);
  return addUsage(
    command.action((options: UpgradeReportOptions) =>
      act(async (context) => (await import('./run.js')).upgradeReport(options, context)),
    ),
    {
      notes: `The report is written whatever the answer is; the exit code is the answer. Artifacts that disagree with
the index are named in it, and are no yes; those that could not be read are counted, and change nothing. With --facts of an instance (upgrade-preflight --facts-out) it has what a preflight
finds in them, and --max-age limits their age, too.`,
      exitCodes: {
        0: 'the index proves the whole span safe to roll in one step, and no artifact that was read contradicts it; with --facts of an instance, nothing there stops it, and everything that can was checked',
        1: 'it does not: a release is false or unknown, an artifact disagrees or cannot be trusted, or a rule forbids the direct upgrade; or something of the instance stops it',
        2: 'the request is wrong',
        3: 'something of the instance that can stop it was not checked; or no index, or no answer from the instance, is available, or the report could not be written',
        4: 'the index, or an answer of the instance, cannot be trusted',
      },
      examples: [
        'lightspan upgrade-report --from 1.111.0 --to latest --format html --out report.html',
        'lightspan upgrade-report --from 1.198.1 --to 2.134.2 --facts facts.json --only database --format html --out r.html',
        'lightspan upgrade-report --from-file values.yaml --to 2.134.2 --variables .env --format markdown',
      ],
    },
  );
}
