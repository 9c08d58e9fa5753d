import type { FactsFile, ObservedFacts } from '../../facts/facts-schema.js';
import { forecastHops, type LineFacts, workOfReleases } from '../../preflight/forecast/hops.js';
import { type CountedBy, underRecreate, workOf } from '../../preflight/forecast/recreate-work.js';
import { knownEdition } from '../../preflight/known-edition.js';
import { newestMigrationOf } from '../../preflight/newest-migration.js';
import { type Edition, layLine, type ReleaseLine } from '../../preflight/release-line.js';
import type { ReleaseSafetyIndex } from '../../release-safety/parse-index.js';
import { releasesToVerify } from '../../release-safety/reconcile.js';
import { planRoute, type Route } from '../../release-safety/route.js';
import type { Span } from '../../release-safety/span.js';
import { withWaysBack } from '../../release-safety/way-back.js';
import type { LeastDowntime } from '../../render/plan-details.js';
import type { ShownRoute } from '../../render/shown-route.js';
import type { CommandContext } from '../context.js';
import type { KnownIssueOptions } from '../known-issue-options.js';
import { openArtifactSource, withProgress } from '../read-artifacts.js';
import { loadLine } from '../release-line.js';
import type { ArtifactOptions, SourceOptions } from '../shared-options.js';

type Options = SourceOptions & ArtifactOptions & Pick<KnownIssueOptions, 'fact'>;

/**
 * The route that leaves the least to Recreate hops, with what the artifacts of the way, and facts of a database, tell of
 * each hop; and what it spares beside the one with the fewest hops. It goes by the time of migrations where facts tell of
 * the tables, else by how many migrations the artifacts tell.
 */
export async function planLeastDowntime(
  fewestHops: Route,
  index: ReleaseSafetyIndex,
  file: FactsFile | undefined,
  options: Options,
  context: CommandContext,
): Promise<{ readonly route: ShownRoute; readonly leastDowntime: LeastDowntime | undefined }> {
  if (fewestHops.hops.length === 0) return { route: withWaysBack(fewestHops), leastDowntime: undefined };
  const facts = file?.facts ?? {};
  const span = { from: fewestHops.fromVersion, to: fewestHops.toVersion };
  const line = await loadWay(index, span, facts, options, context);
  const known = { line, edition: editionOf(options, facts), facts };
  const countedBy: CountedBy = facts.tables?.status === 'seen' ? 'migration-time' : 'migrations';
  const works = workOfReleases(known);
  const route = planRoute(index, {
    from: fewestHops.fromVersion,
    to: fewestHops.requestedTarget,
    workOf: workOf(works, countedBy),
  });
  return {
    route: tellRoute(route, known, countedBy),
    leastDowntime: {
      countedBy,
      chosen: underRecreate(route.hops, works, countedBy),
      fewestHops: underRecreate(fewestHops.hops, works, countedBy),
    },
  };
}

/** What ran before the span is looked for only where a database tells what has run. */
async function loadWay(
  index: ReleaseSafetyIndex,
  span: Span,
  { tables, ledger }: ObservedFacts,
  options: Options,
  context: CommandContext,
): Promise<ReleaseLine> {
  const source = await openArtifactSource(options, context);
  const { loadArtifacts } = await import('../../sources/artifacts.js');
  const load = (versions: readonly string[]) =>
    withProgress('Artifacts', context, (onProgress) => loadArtifacts(versions, source, { onProgress }));
  if (tables?.status === 'seen' || ledger?.status === 'seen') return await loadLine(index, span, load);
  return layLine(index, span, span.from, await load(releasesToVerify(index, span)));
}

function tellRoute(route: Route, known: LineFacts, countedBy: CountedBy): ShownRoute {
  const { line, facts } = known;
  const times = countedBy === 'migration-time' ? forecastHops(route.hops, known) : [];
  const artifacts = line.span.flatMap(({ version, artifact }) =>
    artifact === undefined ? [] : [[version, artifact] as const],
  );
  const told = withWaysBack(route, {
    artifacts: new Map(artifacts),
    newestMigration: newestMigrationOf(line, facts, route.fromVersion),
  });
  return { ...told, hops: told.hops.map((hop, i) => ({ ...hop, time: times[i] })) };
}

/** What the command line states of it counts before what the facts tell. */
function editionOf({ fact }: Options, facts: ObservedFacts): Edition {
  const edition = fact?.get('edition');
  return edition === 'community' || edition === 'enterprise' ? edition : knownEdition(facts);
}
