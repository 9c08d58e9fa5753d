import type { WorkloadFact } from '../facts/deployment-facts.js';
import { isOtherChart } from '../facts/publisher-names.js';
import type { FactOf } from './check.js';

/** What tells where the values of a workload stand. */
export interface ValuesFacts {
  readonly helm: FactOf<'helm'> | null | undefined;
  readonly chartValues: FactOf<'chartValues'> | null | undefined;
}

/**
 * Under which keys `lightdashBackend` stands in the values: none where it stands at the top, or no values were read. Null
 * where it does not reach a workload: of a worker, and where the publisher's chart was not seen to have deployed it.
 */
export function pathOfBackendValues(
  { role }: Pick<WorkloadFact, 'role'>,
  { helm, chartValues }: ValuesFacts,
): readonly string[] | null {
  if (role !== 'backend' || helm == null || isOtherChart(helm.chart)) return null;
  return chartValues?.path ?? [];
}
