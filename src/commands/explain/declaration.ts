import { Command } from 'commander';
import type { Act } from '../context.js';
import { addUsage } from '../usage.js';
import type { ExplainOptions } from './run.js';

export function declareExplain(act: Act): Command {
  return addUsage(
    new Command('explain')
      .description('Explain a word of an answer: the rule behind a reason, and what to do about it.')
      .argument(
        '[words...]',
        'words of an answer ("Direct upgrade", SAFE), reasons, errors, rules (rule-1, or 1) or exit codes (exit-3), or a kind of them, whose words are listed; without one, the kinds are listed',
      )
      .option('--json', 'write one line of JSON to standard output')
      .action((words: readonly string[], options: ExplainOptions) =>
        act(async (context) => (await import('./run.js')).explain(words, options, context)),
      ),
    {
      exitCodes: {
        0: 'the word is explained, or the words of the kind are listed',
        2: 'there is no such word, and no such kind',
      },
      examples: [
        'lightspan explain required-stop',
        'lightspan explain unsafe-release rule-5',
        'lightspan explain reasons',
        'lightspan explain --json',
      ],
    },
  );
}
