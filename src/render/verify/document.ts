import type { InstanceState, VerifyOutcome } from '../../instance-state.js';
import type { Version } from '../../release-safety/version.js';
import type { VerifyFinding } from '../../verify/describe.js';
import type { UsedFacts } from '../preflight/document.js';

/** The result of upgrade-verify, in the form that every format uses. */
export interface VerifyDocument {
  /** Whether the exit code is 0. */
  readonly safe: boolean;
  readonly outcome: VerifyOutcome;
  readonly instance: string;
  readonly version: Version;
  readonly polls: number;
  readonly pollsInRow: number;
  readonly elapsedMs: number;
  readonly lastState: InstanceState;
  /** Null if nothing was checked besides readiness. */
  readonly facts: UsedFacts | null;
  /** The findings besides readiness; empty if nothing else was requested. */
  readonly findings: readonly VerifyFinding[];
}
