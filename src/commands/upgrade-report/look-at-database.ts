import type { FactsFile } from '../../facts/facts-schema.js';
import type { TimeRange } from '../../preflight/forecast/range.js';
import { newestMigrationOf } from '../../preflight/newest-migration.js';
import type { ReleaseSafetyIndex } from '../../release-safety/parse-index.js';
import type { Route } from '../../release-safety/route.js';
import type { Span } from '../../release-safety/span.js';
import { tellsOfDatabase, timesOfHops } from '../look-at-hops.js';
import { type LoadArtifacts, loadLine } from '../release-line.js';

/** What facts of a database tell of a way. */
export interface SeenOfWay {
  /** The newest that the release which runs holds. */
  readonly newestMigration: string | undefined;
  /** How long the migrations of each hop take. */
  readonly timesOf: (route: Pick<Route, 'hops'>) => readonly TimeRange[] | undefined;
}

/** Undefined where they are of no database; then no artifact is loaded. */
export async function lookAtDatabase(
  file: FactsFile,
  index: ReleaseSafetyIndex,
  span: Span,
  load: LoadArtifacts,
): Promise<SeenOfWay | undefined> {
  if (!tellsOfDatabase(file)) return undefined;
  const line = await loadLine(index, span, load);
  return {
    newestMigration: newestMigrationOf(line, file.facts, span.from),
    timesOf: (route) => timesOfHops(route, line, file),
  };
}
