import fc from 'fast-check';
import type { IndexEntry } from '../../src/core/index/index-schema.js';
import { parseReleaseSafetyIndex } from '../../src/core/index/parse-index.js';
import type { ReleaseSafetyIndex } from '../../src/core/index/release-safety-index.js';
import { compareVersions } from '../../src/library/library.js';
import { indexOf } from './real-index.js';

export interface Ends {
  readonly from: string;
  readonly to: string;
}

/** A release that is marked as a stop is one. */
export const stopsOf = ({ version, requiredStops, syntheticRequiredStop }: IndexEntry): readonly string[] =>
  syntheticRequiredStop ? [...requiredStops, version] : requiredStops;

/** The rule for one hop, word by word and without any haste; the stops are those of the whole span. */
export function mayTake(index: ReleaseSafetyIndex, span: Ends, a: string, b: string): boolean {
  const newer = (x: string, y: string) => compareVersions(x, y) > 0;
  const between = (x: string, low: string, high: string) => newer(x, low) && newer(high, x);
  const crossed = ({ from, to }: Ends) =>
    index.entries.filter((e) => newer(e.version, from) && !newer(e.version, to));
  return (
    !crossed(span).some((e) => stopsOf(e).some((stop) => between(stop, a, b))) &&
    !crossed({ from: a, to: b }).some((e) => e.minPreviousVersion && newer(e.minPreviousVersion, a)) &&
    !(index.backfillFloorVersion !== null && between(index.backfillFloorVersion, a, b))
  );
}

/** Every route with the fewest hops, by plain breadth-first search; none where there is no route. */
export function shortestRoutes(index: ReleaseSafetyIndex, span: Ends): string[][] {
  const versions = index.entries.map((e) => e.version).filter((v) => compareVersions(v, span.to) <= 0);
  let routes: string[][] = [[]];
  while (routes.length > 0) {
    const arrived = routes.filter((route) => route.at(-1) === span.to);
    if (arrived.length > 0) return arrived;
    routes = routes.flatMap((route) => {
      const at = route.at(-1) ?? span.from;
      return versions
        .filter((v) => compareVersions(v, at) > 0 && mayTake(index, span, at, v))
        .map((v) => [...route, v]);
    });
  }
  return [];
}

export function furthestFirst(a: readonly string[], b: readonly string[]): number {
  for (const [i, version] of a.entries()) {
    const order = compareVersions(b[i] ?? version, version);
    if (order !== 0) return order;
  }
  return 0;
}

/** Small indexes with stops, minimums, gaps and floors, some of which name versions that the index lacks. */
export function smallIndex(verdict: fc.Arbitrary<boolean | 'unknown'>) {
  const version = fc.integer({ min: 0, max: 11 }).map((n) => `1.0.${n}`);
  const row = fc.record({
    rollingUpdateSafe: verdict,
    requiredStops: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(version, { maxLength: 2 })),
    minPreviousVersion: fc.option(version, { freq: 1 }),
    previousVersion: fc.constantFrom(...Array<undefined>(15).fill(undefined), '0.9.0'),
    backfilled: fc.constantFrom(...Array<boolean>(15).fill(false), true),
    syntheticRequiredStop: fc.constantFrom(...Array<boolean>(15).fill(false), true),
  });
  return fc
    .record({
      versions: fc.uniqueArray(version, { minLength: 1, maxLength: 8 }),
      rows: fc.array(row, { minLength: 8, maxLength: 8 }),
      floor: fc.option(version),
      ends: fc.tuple(version, version),
    })
    .map(({ versions, rows, floor, ends }) => {
      const json = indexOf(
        ...versions.sort(compareVersions).map((version, i) => {
          const { previousVersion, ...fields } = rows[i] ?? {};
          return { version, ...fields, ...(previousVersion === undefined ? {} : { previousVersion }) };
        }),
      );
      if (floor !== null) json.backfillFloorVersion = floor;
      const [from, to] = ends.sort(compareVersions);
      return { index: parseReleaseSafetyIndex(json), from, to };
    });
}
