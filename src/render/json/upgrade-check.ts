import type { SpanResult } from '../../release-safety/span.js';

/**
 * The public machine-readable form of the contract ("Upgrade-check result"): one line, exactly these nine keys in
 * this order. Existing automation refuses any tenth.
 */
export function renderUpgradeCheckJson(result: SpanResult): string {
  const { fromVersion, toVersion, direction, safe, verdict } = result;
  const { requiredStops, minPreviousVersion, coveredVersions, missingRanges } = result;
  return `${JSON.stringify({
    fromVersion,
    toVersion,
    direction,
    safe,
    verdict,
    requiredStops,
    minPreviousVersion,
    coveredVersions,
    missingRanges,
  })}\n`;
}
