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

/** Whether the chart itself stops the workloads for a Recreate; `unknown` if its version is not known. */
export type ChartRecreate = 'stops-workloads' | 'needs-scale-down' | 'unknown';

/** How the instance is deployed, as far as the steps of a hop depend on it. */
export type Deployment =
  | { readonly kind: 'helm'; readonly chartRecreate: ChartRecreate; readonly migrationJob: boolean }
  | { readonly kind: 'compose' };

/** One step of a hop. The renderers make words and commands for it. */
export type DeploymentStep =
  | { readonly kind: 'confirm-start' }
  | { readonly kind: 'check-values' }
  | { readonly kind: 'rehearse-upgrade' }
  | { readonly kind: 'scale-down-workloads'; readonly why: WhyScaleDown }
  | { readonly kind: 'pull-image' }
  | { readonly kind: 'rehearse-backup'; readonly where: 'compose' | 'cluster' }
  | { readonly kind: 'stop-services' }
  | {
      readonly kind: 'back-up-database';
      readonly where: 'compose' | 'cluster';
      readonly writersStopped: boolean;
    }
  | { readonly kind: 'helm-upgrade'; readonly migrationJob: boolean; readonly overlap: boolean }
  | { readonly kind: 'wait-for-rollout'; readonly mayBeScaledToZero: boolean }
  | { readonly kind: 'compose-down' }
  | { readonly kind: 'compose-up'; readonly isDown: boolean }
  | { readonly kind: 'confirm-version' };

/**
 * What would happen to the workloads in a Recreate if they were not scaled down by hand. The backup needs the
 * scale-down in any case: whatever is written after the backup is lost when it is restored.
 */
export type WhyScaleDown =
  | 'chart-never-stops-them'
  | 'chart-may-never-stop-them'
  | 'chart-stops-them-before-migrating'
  | 'chart-stops-them-while-applying';

/**
 * The steps of one hop, in order. The next hop may begin only when the last step is done. Steps that can fail without
 * harm (the chart, the image, the file, access to the database) come before anything stops.
 *
 * The rules named below are those of "Deployment mapping" in the contract.
 */
export function stepsFor(strategy: Strategy, deployment: Deployment): readonly DeploymentStep[] {
  const recreate = strategy === 'Recreate';
  if (deployment.kind === 'compose') {
    return [
      { kind: 'confirm-start' },
      { kind: 'pull-image' },
      ...(recreate
        ? ([{ kind: 'rehearse-backup', where: 'compose' }, { kind: 'stop-services' }] as const)
        : []),
      { kind: 'back-up-database', where: 'compose', writersStopped: recreate },
      ...(recreate ? [{ kind: 'compose-down' } as const] : []),
      { kind: 'compose-up', isDown: recreate },
      { kind: 'confirm-version' },
    ];
  }
  const { migrationJob } = deployment;
  return [
    { kind: 'confirm-start' },
    { kind: 'check-values' },
    { kind: 'rehearse-upgrade' },
    ...(recreate
      ? ([
          { kind: 'rehearse-backup', where: 'cluster' },
          { kind: 'scale-down-workloads', why: whyScaleDown(deployment) },
        ] as const)
      : []),
    { kind: 'back-up-database', where: 'cluster', writersStopped: recreate },
    { kind: 'helm-upgrade', migrationJob, overlap: !recreate },
    { kind: 'wait-for-rollout', mayBeScaledToZero: recreate },
    { kind: 'confirm-version' },
  ];
}

function whyScaleDown({ chartRecreate, migrationJob }: Extract<Deployment, { kind: 'helm' }>): WhyScaleDown {
  // Rule 3 treats charts with and without a migration job the same.
  if (chartRecreate === 'needs-scale-down') return 'chart-never-stops-them';
  if (chartRecreate === 'unknown') return 'chart-may-never-stop-them';
  // Rules 2 and 4.
  return migrationJob ? 'chart-stops-them-before-migrating' : 'chart-stops-them-while-applying';
}
