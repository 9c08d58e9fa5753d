import type { Verdict } from './index-schema.js';

/** How the workloads are replaced; the value of the chart's `upgrade.mode` (contract, "Deployment mapping"). */
export type Strategy = 'RollingUpdate' | 'Recreate';

/** `RollingUpdate` only for exactly `true` (span rule 1); anything else means a short downtime. */
export function strategyFor(verdict: Verdict): Strategy {
  return verdict === true ? 'RollingUpdate' : 'Recreate';
}
