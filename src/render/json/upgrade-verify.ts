import type { InstanceState } from '../../instance-state.js';
import { renderDocument } from './document.js';
import type { UpgradeVerifyResult } from './result-schemas.js';

export interface VerifyResult {
  readonly instance: string;
  readonly version: string;
  /** The instance was ready and served `version`, `polls` times in a row. */
  readonly verified: boolean;
  readonly polls: number;
  /** How many times in a row it was so at the end. */
  readonly pollsInRow: number;
  readonly elapsedMs: number;
  /** What was seen last. */
  readonly lastState: InstanceState;
}

/** One line with a schemaVersion of its own; `safe` is `verified`. */
export function renderUpgradeVerifyJson(result: VerifyResult): string {
  return renderDocument<UpgradeVerifyResult>({ safe: result.verified, ...result });
}
