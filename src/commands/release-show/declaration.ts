import { Argument, Command } from 'commander';
import type { Version } from '../../release-safety/version.js';
import type { Act } from '../context.js';
import { addKnownIssueSources } from '../known-issue-options.js';
import { addArtifactOptions, addOutputOptions, addSourceOptions, readVersion } from '../shared-options.js';
import { addUsage } from '../usage.js';
import type { ReleaseShowOptions } from './run.js';

export function declareReleaseShow(act: Act): Command {
  const command = new Command('show')
    .description(
      'Show what the artifact of a release contains (verdict, migrations, breaking changes, variables), and known issues.',
    )
    .addArgument(new Argument('<version>', 'the release').argParser(readVersion('the release')));
  addArtifactOptions(command);
  addKnownIssueSources(command);
  addSourceOptions(command);
  addOutputOptions(command);
  return addUsage(
    command.action((version: Version, options: ReleaseShowOptions) =>
      act(async (context) => (await import('./run.js')).releaseShow(version, options, context)),
    ),
    {
      exitCodes: {
        0: 'the release is shown, whatever its verdict',
        2: 'the request is wrong',
        3: 'no artifact is available, or a source of known issues is unavailable',
        4: 'the artifact or known issues cannot be trusted',
      },
      examples: [
        'lightspan release show 2.134.2',
        'lightspan release show 2.134.2 --artifact-url ./mirror --json',
      ],
    },
  );
}
