import type { Finding, NotChecked } from '../../preflight/finding.js';
import { runChecks } from '../../preflight/run-checks.js';
import { statedEdition } from '../../preflight/stated-edition.js';
import type { Version } from '../../release-safety/version.js';
import type { UsedFacts } from '../../render/verify/document.js';
import { type VerifyEvidence, verifyChecks } from '../../verify/checks.js';
import type { CommandContext } from '../context.js';
import { openArtifactSource, withProgress } from '../read-artifacts.js';
import { readIndex } from '../read-index.js';
import { loadLine } from '../release-line.js';
import type { ArtifactOptions, SourceOptions } from '../shared-options.js';
import { type FactsOptions, readFacts, requireOneSource } from '../upgrade-preflight/facts.js';

export type LookOptions = FactsOptions & SourceOptions & ArtifactOptions;

/** What was found beside readiness. */
export interface Looked {
  readonly facts: UsedFacts;
  readonly findings: readonly Finding<string, VerifyEvidence | NotChecked>[];
}

/**
 * What looks at the facts of an instance, as often as it is asked; a file of them is read once.
 *
 * @throws {LightspanError} `usage`; where the index is unavailable
 */
export async function openLook(
  options: LookOptions,
  context: CommandContext,
): Promise<(served: Version) => Promise<Looked>> {
  requireOneSource(options);
  const { index } = await readIndex(options, context);
  const artifacts = await openArtifactSource(options, context);
  const load = (versions: readonly Version[]) =>
    withProgress('Artifacts', context, async (onProgress) => {
      const { loadArtifacts } = await import('../../sources/artifacts.js');
      return await loadArtifacts(versions, artifacts, { onProgress });
    });
  const kept = options.facts === undefined ? undefined : await readFacts(options, context);

  return async (served) => {
    const { file, source, ageMs } = kept ?? (await readFacts({ ...options, measure: false }, context));
    const { facts, collectedAt } = file;
    const span = { from: served, to: served };
    const { findings } = runChecks(verifyChecks, {
      ...span,
      line: await loadLine(index, span, load),
      issues: undefined,
      diskFree: undefined,
      edition: statedEdition(facts),
      facts,
    });
    return { facts: { source, collectedAt, ageMs }, findings };
  };
}
