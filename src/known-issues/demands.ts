import type { AppliedNote } from '../core/results.js';
import { majorsCrossed, type Span } from '../core/span.js';
import { compareVersions, requireVersion, type Version } from '../core/version.js';
import type { Horizon } from './records.js';

/** What an upgrade asks of whoever does it, besides what is judged: it takes no yes away. */
export interface Demands {
  /** The majors that it crosses, oldest first. */
  readonly majors: readonly Version[];
  /** The notes that apply, or may apply, to the instance. */
  readonly notes: readonly AppliedNote[];
  /** How far known issues reach, if that is not as far as the upgrade. */
  readonly beyond: Horizon | undefined;
}

/** @param known undefined where only the publisher is asked */
export function demandsOf(
  known:
    | { readonly notesOf: (span: Span) => readonly AppliedNote[]; readonly knownThrough: Horizon }
    | undefined,
  span: Span,
): Demands {
  const isBeyond =
    known !== undefined && compareVersions(span.to, requireVersion(known.knownThrough.version)) > 0;
  return {
    majors: majorsCrossed(span),
    notes: known?.notesOf(span) ?? [],
    beyond: isBeyond && span.from !== span.to ? known.knownThrough : undefined,
  };
}
