import { Command } from 'commander';
import type { Act } from '../context.js';
import { addKnownIssueSources } from '../known-issue-options.js';
import { addSourceOptions, once, readVersion } from '../shared-options.js';
import { addUsage } from '../usage.js';
import type { KnownIssuesListOptions, KnownIssuesShowOptions } from './run.js';
import type { KnownIssuesVerifyOptions } from './verify.js';

const unanswered = {
  3: 'a source of known issues is unavailable',
  4: 'known issues cannot be trusted',
} as const;

export function declareKnownIssuesList(act: Act): Command {
  const command = new Command('list')
    .description('List problems of releases that came to light after their verdict was published.')
    .option('--from <version>', 'only issues of releases newer than this one', once(readVersion('--from')))
    .option('--to <version>', 'only issues of releases up to this one', once(readVersion('--to')));
  return addUsage(
    withSources(command).action((options: KnownIssuesListOptions) =>
      act(async (context) => (await import('./run.js')).knownIssuesList(options, context)),
    ),
    {
      exitCodes: { 0: 'they are listed, even if there are none', 2: 'the request is wrong', ...unanswered },
      examples: [
        'lightspan known-issues list --from 1.123.1 --to 1.134.0',
        'lightspan known-issues list --known-issues ./our-issues --json',
      ],
    },
  );
}

export function declareKnownIssuesShow(act: Act): Command {
  const command = new Command('show')
    .description('Show a known issue: releases, conditions, what to do, and the evidence.')
    .argument('<id>', 'the id of the known issue');
  return addUsage(
    withSources(command).action((id: string, options: KnownIssuesShowOptions) =>
      act(async (context) => (await import('./run.js')).knownIssuesShow(id, options, context)),
    ),
    {
      exitCodes: { 0: 'it is shown', 2: 'there is no such known issue', ...unanswered },
      examples: [
        'lightspan known-issues show start-check-refuses-skips',
        'lightspan known-issues show our-issue --known-issues ./our-issues --json',
      ],
    },
  );
}

export function declareKnownIssuesVerify(act: Act): Command {
  return addUsage(
    new Command('verify')
      .description('Name every fault of known issues that you keep yourself.')
      .argument('<file...>', 'records, as YAML or JSON: files, or - for standard input')
      .option('--json', 'write one line of JSON to standard output')
      .action((files: readonly string[], options: KnownIssuesVerifyOptions) =>
        act(async (context) => (await import('./verify.js')).knownIssuesVerify(files, options, context)),
      ),
    {
      notes: `Keys, facts and words that the schema does not know are faults, and so are ranges without a release and stops out of
order: ignoring them would widen or narrow what a record takes back.`,
      exitCodes: {
        0: 'no fault',
        2: 'the request is wrong',
        3: 'a file cannot be read',
        4: 'at least one fault',
      },
      examples: [
        'lightspan known-issues verify our-issues/slow-disk.yaml',
        'lightspan known-issues verify our-issues/*.yaml --json',
      ],
    },
  );
}

function withSources(command: Command): Command {
  return addSourceOptions(addKnownIssueSources(command)).option(
    '--json',
    'write one line of JSON to standard output',
  );
}
