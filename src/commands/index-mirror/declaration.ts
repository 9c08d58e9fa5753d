import { Command } from 'commander';
import type { Act } from '../context.js';
import { addKnownIssueSources } from '../known-issue-options.js';
import { addArtifactOptions, addSourceOptions, once, readSource, readVersion } from '../shared-options.js';
import { addUsage } from '../usage.js';
import type { IndexMirrorOptions } from './run.js';

export function declareIndexMirror(act: Act): Command {
  const command = new Command('mirror')
    .description(
      'Write an index, artifacts, known issues and their SHA256SUMS to a folder that --index reads, also offline.',
    )
    .requiredOption('--out <folder>', 'the folder to write or update', once(readSource))
    .option('--artifacts', 'include the artifact of every release that is not backfilled')
    .option('--from <version>', 'only artifacts of releases newer than this one', once(readVersion('--from')))
    .option('--to <version>', 'only artifacts of releases up to this one', once(readVersion('--to')));
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
      notes: `--from or --to alone imply --artifacts. A later run fetches only what is new; an interrupted one leaves the last good
mirror. One run at a time writes a folder: another one meanwhile ends with exit 3, and changes nothing.`,
      exitCodes: {
        0: 'the mirror contains everything requested',
        2: 'the request is wrong, or the folder contains something else',
        3: 'the index or some artifacts are unavailable, and what is available is in the mirror; or the folder cannot be written, another run is writing it, or its index is newer than the fetched one',
        4: 'the index cannot be trusted, or the mirror contains known issues that cannot',
      },
      examples: [
        'lightspan index mirror --out ./mirror --from 1.121.0 --to 1.156.0',
        'lightspan index mirror --out ./mirror --artifacts',
        'lightspan upgrade-check --from 1.121.0 --to 1.156.0 --index ./mirror --offline --verify-artifacts',
      ],
    },
  );
}
