import type { InstanceState, VerifyOutcome } from '../../instance-state.js';
import type { Version } from '../../release-safety/version.js';
import type { VerifyFinding } from '../../verify/finding.js';

/** Which facts were judged, without any password. */
export interface UsedFacts {
  readonly source: string;
  /** ISO 8601. */
  readonly collectedAt: string;
  readonly ageMs: number;
}

/** What upgrade-verify saw, as every format takes it. */
export interface VerifyDocument {
  /** The exit code is 0. */
  readonly safe: boolean;
  readonly outcome: VerifyOutcome;
  readonly instance: string;
  readonly version: Version;
  readonly polls: number;
  readonly pollsInRow: number;
  readonly elapsedMs: number;
  readonly lastState: InstanceState;
  /** Null where nothing beside the instance was asked. */
  readonly facts: UsedFacts | null;
  /** Those that were taken before the upgrade; null where none were given. */
  readonly before: UsedFacts | null;
  /** What was found beside readiness; empty where nothing else was asked. */
  readonly findings: readonly VerifyFinding[];
}
