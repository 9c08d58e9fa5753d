import type { Verdict } from './index-schema.js';
import type { Strategy } from './results.js';

export type { Strategy };

/** `RollingUpdate` only for exactly `true` (span rule 1); anything else means a downtime. */
export function strategyFor(verdict: Verdict): Strategy {
  return verdict === true ? 'RollingUpdate' : 'Recreate';
}

/** From this version of the chart on, Recreate stops the workloads before the migration hook (contract, "Versioning"). */
export const firstChartThatStopsWorkloads = '2.16.284';
export const lastChartThatNeedsScaleDown = '2.16.283';
