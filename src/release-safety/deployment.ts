import type { Verdict } from './index-schema.js';

/** How the workloads are replaced; the value of the chart's `upgrade.mode` (contract, "Deployment mapping"). */
export type Strategy = 'RollingUpdate' | 'Recreate';

/** `RollingUpdate` only for exactly `true` (span rule 1); anything else means a short downtime. */
export function strategyFor(verdict: Verdict): Strategy {
  return verdict === true ? 'RollingUpdate' : 'Recreate';
}

/** From this version of the chart on, Recreate stops the workloads before the migration hook (contract, "Versioning"). */
export const firstChartThatStopsWorkloads = '2.16.284';
export const lastChartThatNeedsScaleDown = '2.16.283';

/** Whether the chart itself stops the workloads for a Recreate; `unknown` where its version is not known. */
export type ChartRecreate = 'stops-workloads' | 'needs-scale-down' | 'unknown';

/** What is deployed with, as far as the steps of a hop depend on it. */
export type Deployment =
  | { readonly kind: 'helm'; readonly chartRecreate: ChartRecreate; readonly migrationJob: boolean }
  | { readonly kind: 'compose' };

/** One thing to do for a hop. Words and commands for it are made where it is shown. */
export type DeploymentStep =
  | { readonly kind: 'back-up-database' }
  | { readonly kind: 'set-helm-values' }
  | { readonly kind: 'scale-down-workloads'; readonly onlyOlderCharts: boolean }
  | { readonly kind: 'helm-upgrade'; readonly workloadsStop: WorkloadsStop }
  | { readonly kind: 'wait-for-migration-job' }
  | { readonly kind: 'wait-for-rollout' }
  | { readonly kind: 'compose-down' }
  | { readonly kind: 'set-compose-tag' }
  | { readonly kind: 'compose-up' }
  | { readonly kind: 'confirm-version' };

/** When a Helm upgrade stops the pods that run: never, as it replaces them one by one, or before what. */
export type WorkloadsStop =
  | 'never'
  | 'before-this-step'
  | 'before-migration-job'
  | 'before-migration-job-if-newer-chart'
  | 'while-applying';

/**
 * The steps of one hop, in order; the next hop may begin only when the last of them has been done.
 *
 * The rules named below are those of the contract's "Deployment mapping".
 */
export function stepsFor(strategy: Strategy, deployment: Deployment): readonly DeploymentStep[] {
  const recreate = strategy === 'Recreate';
  if (deployment.kind === 'compose') {
    return [
      { kind: 'back-up-database' },
      ...(recreate ? [{ kind: 'compose-down' } as const] : []),
      { kind: 'set-compose-tag' },
      { kind: 'compose-up' },
      { kind: 'confirm-version' },
    ];
  }
  const { chartRecreate, migrationJob } = deployment;
  // Rule 3 makes no difference between charts with a migration job and without.
  const scaleDown = recreate && chartRecreate !== 'stops-workloads';
  return [
    { kind: 'back-up-database' },
    { kind: 'set-helm-values' },
    ...(scaleDown
      ? [{ kind: 'scale-down-workloads', onlyOlderCharts: chartRecreate === 'unknown' } as const]
      : []),
    { kind: 'helm-upgrade', workloadsStop: recreate ? stopOfRecreate(chartRecreate, migrationJob) : 'never' },
    ...(migrationJob ? [{ kind: 'wait-for-migration-job' } as const] : []),
    { kind: 'wait-for-rollout' },
    { kind: 'confirm-version' },
  ];
}

function stopOfRecreate(chartRecreate: ChartRecreate, migrationJob: boolean): WorkloadsStop {
  // Rule 3: by hand, before.
  if (chartRecreate === 'needs-scale-down') return 'before-this-step';
  // Rule 4.
  if (!migrationJob) return 'while-applying';
  // Rule 2.
  return chartRecreate === 'unknown' ? 'before-migration-job-if-newer-chart' : 'before-migration-job';
}
