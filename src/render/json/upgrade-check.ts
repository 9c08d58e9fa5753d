import type { SpanResult } from '../../release-safety/span.js';
import type { DeepReadonly } from '../../shared/deep-readonly.js';
import type { UpgradeCheckResult } from './result-schemas.js';

/**
 * The public machine-readable form of the contract ("Upgrade-check result"): one line, exactly these nine keys in this
 * order. Existing automation refuses a tenth.
 */
export function renderUpgradeCheckJson(result: SpanResult): string {
  return `${JSON.stringify(upgradeCheckFields(result))}\n`;
}

/** The nine keys alone. */
export function upgradeCheckFields(result: SpanResult): DeepReadonly<UpgradeCheckResult> {
  const { fromVersion, toVersion, direction, safe, verdict } = result;
  const { requiredStops, minPreviousVersion, coveredVersions, missingRanges } = result;
  return {
    fromVersion,
    toVersion,
    direction,
    safe,
    verdict,
    requiredStops,
    minPreviousVersion,
    coveredVersions,
    missingRanges,
  };
}
