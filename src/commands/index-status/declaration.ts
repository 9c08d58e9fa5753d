import { Command } from 'commander';
import type { Act } from '../context.js';
import {
  addOutputOptions,
  addSourceOptions,
  type OutputOptions,
  type SourceOptions,
} from '../shared-options.js';

export type IndexStatusOptions = SourceOptions & OutputOptions;

export function declareIndexStatus(act: Act): Command {
  const command = new Command('status').description(
    'Say how old an index is, what it covers, and which is its newest green span.',
  );
  addSourceOptions(command);
  addOutputOptions(command);
  return command.action((options: IndexStatusOptions) =>
    act(async (context) => (await import('./run.js')).indexStatus(options, context)),
  );
}
