import type { ReleaseSafetyIndex } from '../core/index/release-safety-index.js';
import type { AppliedNote } from '../core/results.js';
import { majorsCrossed, releasesOfSpan, type Span } from '../core/span.js';
import { compareVersions, requireVersion, type Version } from '../core/version.js';
import type { Horizon } from './records.js';

/** What an upgrade demands of the operator, besides what is judged: it takes no yes away. */
export interface Demands {
  /** The majors that it crosses, oldest first. */
  readonly majors: readonly Version[];
  /** The notes that apply, or may apply, to the instance. */
  readonly notes: readonly AppliedNote[];
  /** How far known issues reach, if that is not as far as the upgrade. */
  readonly beyond: Horizon | undefined;
  /**
   * Stops that releases of the span require and that are later than its target, so that no route can have them before.
   * The index contradicts itself there, and which of the two is wrong is not known.
   */
  readonly laterStops: readonly { readonly stop: Version; readonly demandedBy: readonly Version[] }[];
}

/** @param known undefined where only the publisher counts (`--publisher-only`) */
export function demandsOf(
  known:
    | { readonly notesOf: (span: Span) => readonly AppliedNote[]; readonly knownThrough: Horizon }
    | undefined,
  index: ReleaseSafetyIndex,
  span: Span,
): Demands {
  const isBeyond =
    known !== undefined && compareVersions(span.to, requireVersion(known.knownThrough.version)) > 0;
  return {
    majors: majorsCrossed(span),
    notes: known?.notesOf(span) ?? [],
    beyond: isBeyond && span.from !== span.to ? known.knownThrough : undefined,
    laterStops: laterStopsOf(index, span),
  };
}

/** The demands of several upgrades together, each once. */
export function joinDemands(all: readonly Demands[]): Demands {
  const notes = new Map<string, AppliedNote>();
  for (const note of all.flatMap((demands) => demands.notes)) {
    // A note that is known to concern one of them is no longer one that may.
    if (notes.get(note.id)?.notKnown.length !== 0) notes.set(note.id, note);
  }
  const stops = new Map<Version, readonly Version[]>();
  for (const { stop, demandedBy } of all.flatMap(({ laterStops }) => laterStops))
    stops.set(stop, [...new Set([...(stops.get(stop) ?? []), ...demandedBy])]);
  return {
    majors: [...new Set(all.flatMap(({ majors }) => majors))].toSorted(compareVersions),
    notes: [...notes.values()].toSorted((a, b) => compareVersions(a.version, b.version)),
    beyond: all.find(({ beyond }) => beyond !== undefined)?.beyond,
    laterStops: [...stops].map(([stop, demandedBy]) => ({ stop, demandedBy })),
  };
}

function laterStopsOf(index: ReleaseSafetyIndex, span: Span): Demands['laterStops'] {
  const stops = new Map<Version, Version[]>();
  for (const { version, requiredStops } of releasesOfSpan(index, span)) {
    for (const stop of requiredStops) {
      if (compareVersions(stop, span.to) > 0) stops.set(stop, [...(stops.get(stop) ?? []), version]);
    }
  }
  return [...stops].map(([stop, demandedBy]) => ({ stop, demandedBy }));
}
