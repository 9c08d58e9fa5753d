import type { FactsFile, ObservedFacts } from '../facts/facts-schema.js';
import { forecastHops, type LineFacts } from '../preflight/forecast/hops.js';
import type { TimeRange } from '../preflight/forecast/range.js';
import { knownEdition } from '../preflight/known-edition.js';
import { newestMigrationOf } from '../preflight/newest-migration.js';
import { type Edition, layLine } from '../preflight/release-line.js';
import type { ReleaseArtifact } from '../release-safety/artifact-schema.js';
import type { ReleaseSafetyIndex } from '../release-safety/parse-index.js';
import { releasesToVerify } from '../release-safety/reconcile.js';
import type { Route } from '../release-safety/route.js';
import { withWaysBack } from '../release-safety/way-back.js';
import type { ShownRoute } from '../render/shown-route.js';
import type { CommandContext } from './context.js';
import type { KnownIssueOptions } from './known-issue-options.js';
import { openArtifacts } from './read-artifacts.js';
import { loadLine } from './release-line.js';
import type { ArtifactOptions, SourceOptions } from './shared-options.js';

/** The options for the artifacts of a route, and for the edition. */
export type WayOptions = SourceOptions & ArtifactOptions & Pick<KnownIssueOptions, 'fact'>;

/**
 * A route with what database facts and the artifacts on the route say of each hop. Without such facts, no artifact is
 * read.
 */
export async function lookAtHops(
  route: Route,
  index: ReleaseSafetyIndex,
  { facts }: FactsFile,
  options: WayOptions,
  context: CommandContext,
): Promise<ShownRoute> {
  if (!knowsMigrations(facts) || route.hops.length === 0) return withWaysBack(route);
  return withHopDetails(route, await readWay(route, index, facts, options, context));
}

/** The artifacts on a route and, if facts show what has run, those before it; with the other facts about its hops. */
export async function readWay(
  { fromVersion: from, toVersion: to }: Pick<Route, 'fromVersion' | 'toVersion'>,
  index: ReleaseSafetyIndex,
  facts: ObservedFacts,
  options: WayOptions,
  context: CommandContext,
): Promise<LineFacts> {
  const load = await openArtifacts(options, context);
  const span = { from, to };
  const line = knowsMigrations(facts)
    ? await loadLine(index, span, load)
    : layLine(index, span, from, await load(releasesToVerify(index, span)));
  return { line, edition: editionOf(options, facts), facts };
}

/** A route with the time of its migrations, and the cost of going back. */
export function withHopDetails(route: Route, known: LineFacts): ShownRoute {
  const times = timesOfHops(route, known);
  const told = withWaysBack(route, {
    artifacts: artifactsOf(known),
    newestMigration: newestMigrationOf(known.line, known.facts, route.fromVersion),
  });
  return { ...told, hops: told.hops.map((hop, i) => ({ ...hop, time: times?.[i] })) };
}

/** How long the migrations of each hop take; undefined if the tables were not seen. */
export function timesOfHops(
  { hops }: Pick<Route, 'hops'>,
  known: LineFacts,
): readonly TimeRange[] | undefined {
  return known.facts.tables?.status === 'seen' ? forecastHops(hops, known) : undefined;
}

function knowsMigrations({ tables, ledger }: ObservedFacts): boolean {
  return tables?.status === 'seen' || ledger?.status === 'seen';
}

/** The edition on the command line takes precedence over the facts. */
function editionOf({ fact }: WayOptions, facts: ObservedFacts): Edition {
  const edition = fact?.get('edition');
  return edition === 'community' || edition === 'enterprise' ? edition : knownEdition(facts);
}

function artifactsOf({ line }: LineFacts): ReadonlyMap<string, ReleaseArtifact> {
  return new Map(
    line.span.flatMap(({ version, artifact }) => (artifact === undefined ? [] : [[version, artifact]])),
  );
}
