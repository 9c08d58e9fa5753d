import type { FactsFile } from '../../facts/facts-schema.js';
import { forecastHops } from '../../preflight/forecast/hops.js';
import type { TimeRange } from '../../preflight/forecast/range.js';
import type { ReleaseSafetyIndex } from '../../release-safety/parse-index.js';
import type { Route } from '../../release-safety/route.js';
import type { CommandContext } from '../context.js';
import { openArtifactSource, withProgress } from '../read-artifacts.js';
import { loadLine } from '../release-line.js';
import type { ArtifactOptions, SourceOptions } from '../shared-options.js';

/** How long the migrations of each hop take; undefined where the facts are not of a database. Reads the artifacts of the way. */
export async function timesOfHops(
  route: Route,
  index: ReleaseSafetyIndex,
  { facts }: FactsFile,
  options: SourceOptions & ArtifactOptions,
  context: CommandContext,
): Promise<readonly TimeRange[] | undefined> {
  if (facts.tables?.status !== 'seen' || route.hops.length === 0) return undefined;
  const artifacts = await openArtifactSource(options, context);
  const line = await loadLine(index, { from: route.fromVersion, to: route.toVersion }, (versions) =>
    withProgress('Artifacts', context, async (onProgress) => {
      const { loadArtifacts } = await import('../../sources/artifacts.js');
      return await loadArtifacts(versions, artifacts, { onProgress });
    }),
  );
  const stated = facts.stated?.status === 'seen' ? facts.stated.value.edition : undefined;
  const edition = stated === 'community' || stated === 'enterprise' ? stated : undefined;
  return forecastHops(route.hops, { line, edition, facts });
}
