import type { DeepReadonly } from '../../shared/deep-readonly.js';
import { renderDocument } from './document.js';
import type { UpgradeVerifyResult } from './result-schemas.js';

/** What upgrade-verify saw. It is `verified` where the instance was ready and served `version`, `polls` times in a row. */
export type VerifyResult = DeepReadonly<Omit<UpgradeVerifyResult, 'schemaVersion'>>;

/** One line with a schemaVersion of its own. */
export function renderUpgradeVerifyJson(result: VerifyResult): string {
  return renderDocument<UpgradeVerifyResult>(result);
}
