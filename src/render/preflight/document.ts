import type { CheckEvidence, CheckId } from '../../preflight/checks.js';
import type { Decision, FailOn } from '../../preflight/decision.js';
import type { PreflightResult } from '../../preflight/run-checks.js';
import type { Version } from '../../release-safety/version.js';

/** A preflight in the form that every format uses. */
export interface PreflightDocument {
  readonly result: PreflightResult<CheckId, CheckEvidence>;
  readonly decision: Decision;
  readonly failOn: FailOn;
  /** How many hops the index requires for the route; 0 if there is no route. */
  readonly hops: number;
  /** Where the running version was found. */
  readonly fromSource: string;
  readonly index: {
    readonly source: string;
    /** ISO 8601. */
    readonly generatedAt: string;
    readonly latestVersion: Version;
    readonly sha256: string;
  };
  readonly facts: {
    /** A file, or the database, without a password. */
    readonly source: string;
    /** ISO 8601. */
    readonly collectedAt: string;
    readonly ageMs: number;
  };
}

/** The part of it that a report contains, too. */
export type PreflightOfReport = Pick<PreflightDocument, 'result' | 'decision' | 'facts'>;
