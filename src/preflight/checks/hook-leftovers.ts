import { mayNotSee } from '../../facts/may-not-see.js';
import { migrationJobs } from '../../facts/migration-jobs.js';
import { type Chart, chartOfRelease, chartWith, isChartBefore } from '../chart-eras.js';
import { type Answers, defineCheck, type FactOf, foundOrOk, type Given, ok, stop } from '../check.js';
import { migrationJobState } from '../migration-job.js';

/** An object that a hook has left behind. */
export interface LeftObject {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | null;
}

export type HookLeftoversEvidence =
  | {
      readonly kind: 'hooks-left-over';
      readonly objects: readonly LeftObject[];
      readonly chart: string | null;
    }
  | {
      readonly kind: 'hooks-in-use';
      readonly objects: readonly LeftObject[];
      /** Null if jobs may not be seen. */
      readonly job: string | null;
    }
  | { readonly kind: 'hooks-replaced'; readonly chart: string }
  | { readonly kind: 'no-hooks-run' }
  | { readonly kind: 'no-hook-left' };

/** What an interrupted upgrade leaves behind, and what the hooks of the next one collide with. */
export const hookLeftovers = defineCheck({
  id: 'hook-leftovers',
  group: 'deployment',
  canStop: true,
  needs: ['deployment', 'workloads'],
  needsOrAbsent: ['helm'],
  mayNeed: ['hookObjects', 'chartValues', 'stated'],
  needsArtifacts: false,
  judge({ facts }): Answers<HookLeftoversEvidence> {
    const { deployment, helm, workloads, hookObjects } = facts;
    if (helm === null || migrationJobState(facts) === 'off') {
      return [ok({ kind: 'no-hooks-run' })];
    }
    const chart = chartOfRelease(helm);
    if (chart !== undefined && !collides(chart)) {
      return [ok({ kind: 'hooks-replaced', chart: chart.text })];
    }
    if (deployment.origin !== 'cluster') return [{ lacks: 'hookObjects', why: 'not-asked' }];
    if (hookObjects == null) return [{ lacks: 'hookObjects' }];
    const left = hookObjects.filter(
      (object) => isOfMigration(object) && (chart !== undefined || stays(object)),
    );
    const unseen: Answers<HookLeftoversEvidence> = mayNotSee(
      deployment,
      'ServiceAccount',
      'ConfigMap',
      'Secret',
    )
      ? [{ lacks: 'hookObjects', why: 'not-permitted', detail: deployment.unseenKinds.join(', ') }]
      : [];
    const [first] = left;
    if (first === undefined) return foundOrOk(unseen, { kind: 'no-hook-left' });
    const objects = left.map(({ kind, name, namespace }) => ({ kind, name, namespace }));
    const job = livingJob(deployment, workloads);
    const evidence: HookLeftoversEvidence =
      job === undefined
        ? { kind: 'hooks-left-over', objects, chart: helm.chartVersion }
        : { kind: 'hooks-in-use', objects, job };
    return [stop(first.name, evidence), ...unseen];
  },
});

type HookObject = FactOf<'hookObjects'>[number];

function collides(chart: Chart): boolean {
  return !isChartBefore(chart, chartWith.collidingHooks) && isChartBefore(chart, chartWith.hooksReplaced);
}

/** Objects that the chart names `<fullname>-migration`, with or without a suffix. */
function isOfMigration({ name }: HookObject): boolean {
  return /-migration(?:-configmap|-secrets|-scale-down)?$/.test(name);
}

function stays({ hook }: HookObject): boolean {
  return !hook.deletePolicies.includes('before-hook-creation');
}

/**
 * A migration job that may not have ended: its objects must not be removed. Null if jobs may not be seen, undefined if
 * there is none.
 */
function livingJob(
  deployment: Given<'deployment', never>['facts']['deployment'],
  workloads: FactOf<'workloads'>,
): string | null | undefined {
  if (mayNotSee(deployment, 'Job')) return null;
  return migrationJobs(workloads).find(({ workload: { succeeded, failed, backoffLimit } }) => {
    const gaveUp = failed !== null && backoffLimit !== null && failed > backoffLimit;
    return !gaveUp && (succeeded ?? 0) === 0;
  })?.workload.name;
}
