import type { WorkloadFact } from '../../instance/facts/deployment-facts.js';
import { keepsData } from '../../instance/workloads.js';
import { lacks, stop } from '../check.js';

/**
 * Whether what replaces a container finds its data again.
 *
 * @param kind of the finding if it does not
 * @param called the workload, by its name in words
 */
export function* judgeKeptData<Kind extends string>(kind: Kind, workload: WorkloadFact, called: string) {
  const isKept = keepsData(workload);
  if (isKept === undefined || workload.data === undefined)
    yield lacks('workloads', { why: 'failed', detail: `where ${called} has its data` });
  else if (!isKept) yield stop(workload.name, { kind, workload: called, ...workload.data });
}
