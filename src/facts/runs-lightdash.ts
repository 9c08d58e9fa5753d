import type { WorkloadFact } from './deployment-facts.js';

/** Whether a workload is of Lightdash: its backend, a worker, or what migrates for them. */
export function runsLightdash({ role }: Pick<WorkloadFact, 'role'>): boolean {
  return role === 'backend' || role === 'worker' || role === 'migration';
}
