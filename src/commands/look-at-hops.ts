import type { FactsFile } from '../facts/facts-schema.js';
import { forecastHops } from '../preflight/forecast/hops.js';
import type { TimeRange } from '../preflight/forecast/range.js';
import { knownEdition } from '../preflight/known-edition.js';
import { newestMigrationOf } from '../preflight/newest-migration.js';
import type { ReleaseLine } from '../preflight/release-line.js';
import type { ReleaseArtifact } from '../release-safety/artifact-schema.js';
import type { ReleaseSafetyIndex } from '../release-safety/parse-index.js';
import type { Route } from '../release-safety/route.js';
import { withWaysBack } from '../release-safety/way-back.js';
import type { ShownRoute } from '../render/shown-route.js';
import type { CommandContext } from './context.js';
import type { KnownIssueOptions } from './known-issue-options.js';
import { openArtifactSource, withProgress } from './read-artifacts.js';
import { loadLine } from './release-line.js';
import type { ArtifactOptions, SourceOptions } from './shared-options.js';
import { withStated } from './upgrade-preflight/facts.js';

/** A route with what facts of a database, and the artifacts of the way, tell of each hop. Other facts tell nothing, and nothing is read. */
export async function lookAtHops(
  route: Route,
  index: ReleaseSafetyIndex,
  given: FactsFile,
  options: SourceOptions & ArtifactOptions & Pick<KnownIssueOptions, 'fact'>,
  context: CommandContext,
): Promise<ShownRoute> {
  if (!tellsOfDatabase(given) || route.hops.length === 0) return withWaysBack(route);
  const file = withStated(given, options.fact ?? new Map());
  const artifacts = await openArtifactSource(options, context);
  const line = await loadLine(index, { from: route.fromVersion, to: route.toVersion }, (versions) =>
    withProgress('Artifacts', context, async (onProgress) => {
      const { loadArtifacts } = await import('../sources/artifacts.js');
      return await loadArtifacts(versions, artifacts, { onProgress });
    }),
  );
  const times = timesOfHops(route, line, file);
  const told = withWaysBack(route, {
    artifacts: artifactsOf(line),
    newestMigration: newestMigrationOf(line, file.facts, route.fromVersion),
  });
  return { ...told, hops: told.hops.map((hop, i) => ({ ...hop, time: times?.[i] })) };
}

/** Whether what a file holds bears on migrations. */
function tellsOfDatabase({ facts }: FactsFile): boolean {
  return facts.tables?.status === 'seen' || facts.ledger?.status === 'seen';
}

/** How long the migrations of each hop take; undefined where the tables were not seen. */
export function timesOfHops(
  { hops }: Pick<Route, 'hops'>,
  line: ReleaseLine,
  { facts }: FactsFile,
): readonly TimeRange[] | undefined {
  if (facts.tables?.status !== 'seen') return undefined;
  return forecastHops(hops, { line, edition: knownEdition(facts), facts });
}

function artifactsOf({ span }: ReleaseLine): ReadonlyMap<string, ReleaseArtifact> {
  return new Map(
    span.flatMap(({ version, artifact }) => (artifact === undefined ? [] : [[version, artifact]])),
  );
}
