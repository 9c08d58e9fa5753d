import { Command, Option } from 'commander';
import type { Act } from '../context.js';
import { addKnownIssueSources } from '../known-issue-options.js';
import { addArtifactOptions, addSourceOptions, once, readSource, readVersion } from '../shared-options.js';
import { addUsage } from '../usage.js';
import type { IndexMirrorOptions } from './run.js';

export function declareIndexMirror(act: Act): Command {
  const command = new Command('mirror')
    .description(
      'Write an index, artifacts, known issues and their SHA256SUMS to a folder that --index takes, also offline.',
    )
    .addOption(
      new Option('--out <folder>', 'the folder to write, or to bring up to date')
        .argParser(once(readSource))
        .makeOptionMandatory(),
    )
    .option('--artifacts', 'with the artifact of every release that is not backfilled')
    .addOption(
      new Option('--from <version>', 'of artifacts, only those of releases newer than this').argParser(
        once(readVersion('--from')),
      ),
    )
    .addOption(
      new Option('--to <version>', 'of artifacts, only those up to this release').argParser(
        once(readVersion('--to')),
      ),
    );
  addSourceOptions(command);
  addArtifactOptions(command);
  addKnownIssueSources(command);
  command
    .option('--json', 'write one line of JSON to standard output')
    .option('--verbose', 'say on standard error where the index came from');
  return addUsage(
    command.action((options: IndexMirrorOptions) =>
      act(async (context) => (await import('./run.js')).indexMirror(options, context)),
    ),
    {
      notes: `--from or --to alone imply --artifacts. Run again, it fetches only what is new; interrupted, it leaves the last good
mirror. One run at a time writes a folder: another that comes meanwhile ends in exit 3, and changes nothing.`,
      exitCodes: {
        0: 'the mirror holds all that was asked for',
        2: 'the request is wrong, or the folder holds something else',
        3: 'the index or some artifacts are unavailable, and what is available is in the mirror; or the folder cannot be written, another run writes it, or its index is newer than the one that came',
        4: 'an index came that cannot be trusted, or the mirror holds known issues that cannot be',
      },
      examples: [
        'lightspan index mirror --out ./mirror --from 1.121.0 --to 1.156.0',
        'lightspan index mirror --out ./mirror --artifacts',
        'lightspan upgrade-check --from 1.121.0 --to 1.156.0 --index ./mirror --offline --verify-artifacts',
      ],
    },
  );
}
