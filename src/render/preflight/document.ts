import type { CheckEvidence, CheckId } from '../../preflight/checks.js';
import type { Decision, FailOn } from '../../preflight/decision.js';
import type { PreflightResult } from '../../preflight/run-checks.js';
import type { Version } from '../../release-safety/version.js';

/** A preflight as every format takes it. */
export interface PreflightDocument {
  readonly result: PreflightResult<CheckId, CheckEvidence>;
  readonly decision: Decision;
  readonly failOn: FailOn;
  /** How many hops the index asks for on the way; 0 where there is no route. */
  readonly hops: number;
  /** Where the version that runs was found. */
  readonly fromSource: string;
  readonly index: {
    readonly source: string;
    /** ISO 8601. */
    readonly generatedAt: string;
    readonly latestVersion: Version;
    readonly sha256: string;
  };
  readonly facts: {
    /** A file, or the database, without any password. */
    readonly source: string;
    /** ISO 8601. */
    readonly collectedAt: string;
    readonly ageMs: number;
  };
}

/** What of it stands in a report, too. */
export type PreflightOfReport = Pick<PreflightDocument, 'result' | 'decision' | 'facts'>;
