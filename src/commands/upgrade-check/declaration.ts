import { Command } from 'commander';
import type { Act } from '../context.js';
import {
  addOutputOptions,
  addSourceOptions,
  addSpanOptions,
  type OutputOptions,
  type SourceOptions,
  type SpanOptions,
} from '../shared-options.js';

export type UpgradeCheckOptions = SpanOptions & SourceOptions & OutputOptions;

export function declareUpgradeCheck(act: Act): Command {
  const command = new Command('upgrade-check').description(
    'May this upgrade be one step, and may old and new pods overlap? Exits 0 only where both are proven.',
  );
  addSpanOptions(command);
  addSourceOptions(command);
  addOutputOptions(command);
  return command
    .addHelpText(
      'after',
      `
Exit codes:
  0  the whole span is proven safe to roll in one step
  1  it is not: a release in it is false or unknown, or a rule forbids the jump
  2  the request is wrong
  3  no index could be had
  4  an index came that cannot be trusted

Examples:
  $ lightspan upgrade-check --from 1.121.0 --to 1.156.0
  $ lightspan upgrade-check --from 1.111.0 --to 1.115.0 --index ./release-safety-index.json --json`,
    )
    .action((options: UpgradeCheckOptions) =>
      act(async (context) => (await import('./run.js')).upgradeCheck(options, context)),
    );
}
