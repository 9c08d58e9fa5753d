import type { TimeRange } from '../instance/forecast/forecast.js';
import { forecastHops, type LineFacts } from '../instance/forecast/hops.js';
import { newestMigrationOf } from '../instance/ledger.js';
import type { ReleaseArtifact } from '../release-safety/artifact.js';
import type { Route } from '../release-safety/results.js';
import { withWaysBack } from '../release-safety/way-back.js';
import type { ShownRoute } from '../words/route.js';

/** A route with the time of its migrations, and the cost of going back. */
export function withHopDetails(route: Route, known: LineFacts): ShownRoute {
  const times = timesOfHops(route.hops, known);
  const told = withWaysBack(route, {
    artifacts: artifactsOf(known),
    newestMigration: newestMigrationOf(known.line, known.facts, route.fromVersion),
  });
  return { ...told, hops: told.hops.map((hop, i) => ({ ...hop, time: times?.[i] })) };
}

/** How long the migrations of each hop take; undefined if the tables were not seen. */
export function timesOfHops(
  hops: Parameters<typeof forecastHops>[0],
  known: LineFacts,
): readonly TimeRange[] | undefined {
  return known.facts.tables?.status === 'seen' ? forecastHops(hops, known) : undefined;
}

function artifactsOf({ line }: LineFacts): ReadonlyMap<string, ReleaseArtifact> {
  return new Map(
    line.span.flatMap(({ version, artifact }) => (artifact === undefined ? [] : [[version, artifact]])),
  );
}
