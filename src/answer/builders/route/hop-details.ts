import type { Route } from '../../../core/results.js';
import { withWaysBack } from '../../../core/route/way-back.js';
import { forecastHops, type LineFacts } from '../../../instance/forecast/hops.js';
import type { TimeRange } from '../../../instance/forecast/work-time.js';
import { newestMigrationOf } from '../../../instance/ledger.js';
import { measuredHops } from '../../../instance/rehearsed.js';
import type { ShownRoute } from '../../../words/route/route.js';

export function withHopDetails(route: Route, known: LineFacts): ShownRoute {
  const times = timesOfHops(route.hops, known);
  const shown = withWaysBack(route, {
    artifacts: new Map(
      known.line.span.flatMap(({ version, artifact }) =>
        artifact === undefined ? [] : [[version, artifact]],
      ),
    ),
    newestMigration: newestMigrationOf(known.line, known.facts, route.fromVersion),
  });
  const measured = measuredHops(route.hops, {
    from: route.fromVersion,
    to: route.toVersion,
    facts: known.facts,
  });
  const hops = shown.hops.map((hop, i) => ({ ...hop, time: times?.[i], measured: measured[i] }));
  return { ...shown, hops };
}

/** How long the migrations of each hop take; undefined if the tables were not seen. */
export function timesOfHops(
  hops: Parameters<typeof forecastHops>[0],
  known: LineFacts,
): readonly TimeRange[] | undefined {
  return known.facts.tables?.status === 'seen' ? forecastHops(hops, known) : undefined;
}
