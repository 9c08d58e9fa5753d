import type { Target } from '../core/version.js';

/** What an upgrade should reach. */
export interface TargetQuestion {
  readonly to: Target;
  /** How old a release must be that a name stands for, in milliseconds; undefined: `recommended` has its own. */
  readonly minAgeMs: number | undefined;
  /** Records of known issues that are older than this age are no answer. */
  readonly requireRecords: boolean;
}
