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

/** What names the artifacts of a way, and states the edition. */
export type WayOptions = SourceOptions & ArtifactOptions & Pick<KnownIssueOptions, 'fact'>;

/** A route with what facts of a database, and the artifacts of the way, tell of each hop. Other facts tell nothing, and nothing is read. */
export async function lookAtHops(
  route: Route,
  index: ReleaseSafetyIndex,
  { facts }: FactsFile,
  options: WayOptions,
  context: CommandContext,
): Promise<ShownRoute> {
  if (!tellsOfMigrations(facts) || route.hops.length === 0) return withWaysBack(route);
  return tellHops(route, await readWay(route, index, facts, options, context));
}

/** The artifacts of a way, and those of before it as far as facts tell what has run; with what else tells of its hops. */
export async function readWay(
  { fromVersion: from, toVersion: to }: Pick<Route, 'fromVersion' | 'toVersion'>,
  index: ReleaseSafetyIndex,
  facts: ObservedFacts,
  options: WayOptions,
  context: CommandContext,
): Promise<LineFacts> {
  const load = await openArtifacts(options, context);
  const span = { from, to };
  const line = tellsOfMigrations(facts)
    ? await loadLine(index, span, load)
    : layLine(index, span, from, await load(releasesToVerify(index, span)));
  return { line, edition: editionOf(options, facts), facts };
}

/** A route with how long its migrations take, and what going back costs. */
export function tellHops(route: Route, known: LineFacts): ShownRoute {
  const times = timesOfHops(route, known);
  const told = withWaysBack(route, {
    artifacts: artifactsOf(known),
    newestMigration: newestMigrationOf(known.line, known.facts, route.fromVersion),
  });
  return { ...told, hops: told.hops.map((hop, i) => ({ ...hop, time: times?.[i] })) };
}

/** How long the migrations of each hop take; undefined where the tables were not seen. */
export function timesOfHops(
  { hops }: Pick<Route, 'hops'>,
  known: LineFacts,
): readonly TimeRange[] | undefined {
  return known.facts.tables?.status === 'seen' ? forecastHops(hops, known) : undefined;
}

function tellsOfMigrations({ tables, ledger }: ObservedFacts): boolean {
  return tables?.status === 'seen' || ledger?.status === 'seen';
}

/** What the command line states of it counts before what the facts tell. */
function editionOf({ fact }: WayOptions, facts: ObservedFacts): Edition {
  const edition = fact?.get('edition');
  return edition === 'community' || edition === 'enterprise' ? edition : knownEdition(facts);
}

function artifactsOf({ line }: LineFacts): ReadonlyMap<string, ReleaseArtifact> {
  return new Map(
    line.span.flatMap(({ version, artifact }) => (artifact === undefined ? [] : [[version, artifact]])),
  );
}
