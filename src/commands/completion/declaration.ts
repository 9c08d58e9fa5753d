import { Argument, Command } from 'commander';
import type { Act } from '../context.js';
import { addUsage } from '../usage.js';
import type { Shell } from './run.js';

const shells: readonly Shell[] = ['bash', 'zsh', 'fish'];

export function declareCompletion(act: Act): Command {
  return addUsage(
    new Command('completion')
      .description('Write the completion script of a shell to standard output.')
      .addArgument(new Argument('<shell>', 'the shell it is for').choices(shells))
      .action((shell: Shell) =>
        act(async (context) => (await import('./run.js')).completion(shell, context)),
      ),
    {
      exitCodes: { 0: 'the script is written', 2: 'the request is wrong' },
      examples: [
        'source <(lightspan completion bash)                                  # in ~/.bashrc',
        'source <(lightspan completion zsh)                                   # in ~/.zshrc, after compinit',
        'lightspan completion fish | source                                   # in ~/.config/fish/config.fish',
      ],
    },
  );
}
