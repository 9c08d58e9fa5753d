import { Argument, Command } from 'commander';
import type { Act } from '../context.js';
import { addArtifactOptions, addOutputOptions, addSourceOptions, readVersion } from '../shared-options.js';
import { addUsage } from '../usage.js';
import type { ReleaseShowOptions } from './run.js';

export function declareReleaseShow(act: Act): Command {
  const command = new Command('show')
    .description(
      'Show what the artifact of a release tells: verdict, migrations, breaking changes, variables.',
    )
    .addArgument(new Argument('<version>', 'the release').argParser(readVersion('the release')));
  addArtifactOptions(command);
  addSourceOptions(command);
  addOutputOptions(command);
  return addUsage(
    command.action((version: string, options: ReleaseShowOptions) =>
      act(async (context) => (await import('./run.js')).releaseShow(version, options, context)),
    ),
    {
      exitCodes: {
        0: 'the release is shown, whatever its verdict',
        2: 'the request is wrong',
        3: 'no artifact is available',
        4: 'an artifact came that cannot be trusted',
      },
      examples: [
        'lightspan release show 2.134.2',
        'lightspan release show 2.134.2 --artifact-url ./mirror --json',
      ],
    },
  );
}
