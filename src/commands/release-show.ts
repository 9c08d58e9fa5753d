import { renderDocument } from '../answer/json/document.js';
import type { ReleaseShowResult } from '../answer/json/index-schemas.js';
import { factsOfRelease } from '../answer/outputs/release.js';
import { renderFacts } from '../answer/text.js';
import { LightspanError } from '../errors.js';
import { exitCodes } from '../exit-codes.js';
import { timeForRecords } from '../known-issues/built-in.js';
import { isAboutRelease } from '../known-issues/known-issues.js';
import { ReleaseSafetyError } from '../release-safety/errors.js';
import { type ArtifactFault, strategyContradictsVerdict } from '../release-safety/reconcile.js';
import { loadArtifact } from '../sources/artifacts.js';
import { choosePalette } from './context.js';
import { defineCommand } from './declare.js';
import { artifacts, colour, issueSources, json, sourcesOfAnyAge } from './options.js';
import { openArtifactSource } from './read-artifacts.js';
import { readRecords } from './read-index.js';
import { readVersion } from './readers.js';

export const command = defineCommand({
  takes: {
    version: { flags: '<version>', description: 'the release', read: readVersion('the release') },
    ...artifacts,
    ...issueSources,
    ...sourcesOfAnyAge,
    ...json,
    ...colour,
  },
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
  /** Exit 0 if there is an artifact to show, whatever it says. */
  run: async (options, context) => {
    const { version } = options;
    const artifacts = await openArtifactSource(options, context);
    const source = artifacts.locate(version);
    const loaded = await loadArtifact(version, artifacts);
    if (loaded.kind !== 'artifact') throw notHad(version, loaded);
    const { artifact } = loaded;
    if (artifact.version !== version) {
      throw new ReleaseSafetyError('invalid-artifact', `${source} is the artifact of ${artifact.version}`);
    }
    const { records } = await readRecords(options, context);
    const now = timeForRecords(context.now());
    const knownIssues = records.filter((record) => isAboutRelease(record, version, now));
    const recommendationContradictsVerdict = strategyContradictsVerdict(artifact);
    context.stdout.write(
      options.json === true
        ? renderDocument<ReleaseShowResult>({
            source,
            recommendationContradictsVerdict,
            knownIssues,
            artifact,
          })
        : renderFacts(factsOfRelease(artifact, { source, knownIssues }), {
            palette: await choosePalette(options, context),
          }),
    );
    return exitCodes.yes;
  },
});

function notHad(version: string, { kind, message }: ArtifactFault): Error {
  switch (kind) {
    case 'invalid-artifact':
      return new ReleaseSafetyError(
        'invalid-artifact',
        `the artifact of ${version} cannot be trusted: ${message}`,
      );
    case 'unavailable-artifact':
      return new LightspanError('unreadable-source', `the artifact of ${version} is unavailable: ${message}`);
    case 'missing-artifact':
      return new LightspanError('unreadable-source', `${version} has no artifact: ${message}`, {
        hint: 'Backfilled releases have none, and neither has a version that was never released.',
      });
  }
}
