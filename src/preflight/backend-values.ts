import type { WorkloadFact } from '../facts/deployment-facts.js';
import { isOtherChart } from '../facts/publisher-names.js';
import type { FactOf } from './check.js';

/** The facts that show where the values of a workload are. */
export interface ValuesFacts {
  readonly helm: FactOf<'helm'> | null | undefined;
  readonly chartValues: FactOf<'chartValues'> | null | undefined;
}

/**
 * The keys under which `lightdashBackend` is in the values: empty if it is at the top level, or no values were read.
 * Null if it does not affect the workload: for a worker, and if the publisher's chart was not seen to have deployed it.
 */
export function pathOfBackendValues(
  { role }: Pick<WorkloadFact, 'role'>,
  { helm, chartValues }: ValuesFacts,
): readonly string[] | null {
  if (role !== 'backend' || helm == null || isOtherChart(helm.chart)) return null;
  return chartValues?.path ?? [];
}
