import type { InstanceState, VerifyOutcome } from '../../instance-state.js';
import type { Version } from '../../release-safety/version.js';
import { renderDocument } from './document.js';
import type { UpgradeVerifyResult } from './result-schemas.js';

export interface VerifyResult {
  readonly instance: string;
  readonly version: Version;
  /** `verified`, or `superseded` where that is allowed. */
  readonly safe: boolean;
  /** The instance was ready and served `version`, `polls` times in a row. */
  readonly verified: boolean;
  readonly outcome: VerifyOutcome;
  readonly polls: number;
  /** How many times in a row it was so at the end. */
  readonly pollsInRow: number;
  readonly elapsedMs: number;
  /** What was seen last. */
  readonly lastState: InstanceState;
}

/** One line with a schemaVersion of its own. */
export function renderUpgradeVerifyJson(result: VerifyResult): string {
  return renderDocument<UpgradeVerifyResult>(result);
}
