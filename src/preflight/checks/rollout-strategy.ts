import type { WorkloadFact } from '../../facts/deployment-facts.js';
import { runsLightdash, servingContainers } from '../../facts/lightdash-containers.js';
import { upgradeJobs } from '../../facts/migration-jobs.js';
import { isOtherChart, isUpgradedByHelm } from '../../facts/publisher-names.js';
import { type Chart, chartOfRelease, chartWith, isChartBefore } from '../chart-eras.js';
import {
  type Answers,
  defineCheck,
  type FactOf,
  foundOrOk,
  type Judgement,
  type Lacking,
  stop,
  warn,
} from '../check.js';
import { type JobFacts, migrationJobState } from '../migration-job.js';
import { lackingSwarm, lackingWorkloads, nameOf, scalerOf } from '../workloads.js';

/** The values that decide it: the mode for all, the strategy of each, or none that this chart knows. */
export type SetBy = 'upgrade-mode' | 'strategies' | 'nothing';

export type RolloutStrategyEvidence =
  | {
      readonly kind: 'chart-would-roll';
      readonly workloads: readonly string[];
      readonly chart: string | null;
      readonly setBy: SetBy;
      /** The keys under which the values of Lightdash are. */
      readonly path: readonly string[];
    }
  | {
      readonly kind: 'workload-would-roll';
      readonly workload: Pick<WorkloadFact, 'kind' | 'name' | 'namespace'>;
      readonly replicas: number | null;
    }
  | {
      readonly kind: 'pods-live-while-job-migrates';
      readonly job: string;
      readonly workloads: readonly Pick<WorkloadFact, 'kind' | 'name' | 'namespace'>[];
    }
  | {
      readonly kind: 'backend-at-zero';
      readonly workloads: readonly Pick<WorkloadFact, 'kind' | 'name' | 'namespace'>[];
    }
  | {
      readonly kind: 'rolls-as-proven';
      readonly workloads: readonly string[];
      /** Releases whose artifact was not read: of them, the index alone proves it. */
      readonly unread: number;
      readonly of: number;
    }
  | { readonly kind: 'recreated-though-proven' }
  | { readonly kind: 'recreated'; readonly workloads: readonly string[] }
  | { readonly kind: 'compose-stops' };

/**
 * Whether the deployment keeps old and new pods apart if the upgrade is not proven to roll. The chart does not check
 * the verdict: the operator sets the mode (the contract's "Deployment mapping").
 */
export const rolloutStrategy = defineCheck({
  id: 'rollout-strategy',
  group: 'deployment',
  canStop: true,
  needs: ['deployment', 'workloads'],
  needsOrAbsent: ['helm'],
  mayNeed: ['chartValues', 'stated', 'migration-job', 'artifacts', 'autoscalers', 'ledger'],
  needsArtifacts: false,
  judge({ line: { rolling, span, unread }, backDated, facts }): Answers<RolloutStrategyEvidence> {
    const { deployment, workloads, helm, chartValues, autoscalers } = facts;
    if (deployment.kind === 'compose') {
      const overlapping = rolling ? [] : workloads.filter(overlapsInSwarm);
      return foundOrOk(lackingSwarm(overlapping, 'starts new containers before all old ones have stopped'), {
        kind: 'compose-stops',
      });
    }
    const lacking = lackingWorkloads(deployment, workloads);
    if (lacking.length > 0) return lacking;

    const serving = [...new Set(servingContainers(workloads).map(({ workload }) => workload))];
    const paused = serving
      .filter(({ kind, suspended }) => kind === 'Deployment' && suspended === true)
      .map(lackingRollout);
    const left = judgeStopped(serving, facts);
    // The meaning of values is known only for the publisher's chart; another chart is judged by its objects as they
    // are.
    const publishers = isOtherChart(helm?.chart) ? null : helm;
    const chart = chartOfRelease(helm);
    const applied = { deployment, helm: publishers, chart, chartValues, autoscalers };
    const next = serving.map((workload) => ({ workload, how: nextRollout(workload, applied) }));
    const that = (wanted: Rollout) =>
      next.filter(({ how }) => how === wanted).map(({ workload }) => workload);
    const rolls = that('rolls');
    // For an install the chart stops nothing.
    const stopsPods = publishers !== null && isUpgradedByHelm(publishers);
    const besideJob = stopsPods ? [] : judgeJob(serving, facts);
    const mayOverlap = besideJob.length > 0 || that('recreates').length < serving.length;
    if (mayOverlap && typeof backDated === 'string') return [{ lacks: backDated }];
    if (rolling) {
      return foundOrOk(
        [...left, ...paused],
        rolls.length === 0
          ? { kind: 'recreated-though-proven' }
          : { kind: 'rolls-as-proven', workloads: rolls.map(nameOf), unread, of: span.length },
      );
    }
    const notReported = (['chartValues', 'autoscalers'] as const).flatMap((lacks) =>
      that(lacks).length > 0 ? [{ lacks }] : [],
    );
    return foundOrOk([...judgeRolling(rolls, applied), ...besideJob, ...left, ...paused, ...notReported], {
      kind: 'recreated',
      workloads: serving.map(nameOf),
    });
  },
});

/** Swarm replaces several containers one after the other. */
function overlapsInSwarm(workload: WorkloadFact): boolean {
  const { strategy, replicas } = workload;
  if (!runsLightdash(workload) || replicas === 0) return false;
  return strategy === 'stop-first' ? (replicas ?? 1) > 1 : strategy !== null;
}

/** Whatever starts its pods starts them as they were when it was paused: by its strategy, nothing can be said. */
function lackingRollout(workload: WorkloadFact): Lacking {
  const detail = `${nameOf(workload)} is paused: it keeps its release until kubectl rollout resume`;
  return { lacks: 'workloads', why: 'failed', detail };
}

/**
 * How an upgrade replaces the pods of a workload. `recreates`: the old ones are gone before new ones start. Otherwise the
 * missing fact.
 */
type Rollout = 'rolls' | 'recreates' | 'chartValues' | 'autoscalers';

interface Applied {
  readonly deployment: FactOf<'deployment'>;
  /** Of the publisher's chart; null if it was not seen to have deployed it. */
  readonly helm: FactOf<'helm'> | null;
  readonly chart: Chart | undefined;
  readonly chartValues: FactOf<'chartValues'> | null | undefined;
  readonly autoscalers: FactOf<'autoscalers'> | null | undefined;
}

function nextRollout(workload: WorkloadFact, applied: Applied): Rollout {
  const { kind, replicas } = workload;
  if (replicas === 0) return 'recreates';
  if (kind === 'StatefulSet') {
    if ((replicas ?? 1) > 1) return 'rolls';
    if (applied.autoscalers === undefined) return 'autoscalers';
    const scaler = scalerOf(workload, applied.autoscalers);
    return scaler === undefined || scaler.maxReplicas === 1 ? 'recreates' : 'rolls';
  }
  const written = kind === 'Deployment' && workload.strategy === 'Recreate' ? 'recreates' : 'rolls';
  // What a chart applies next is defined by its values, not by what it has applied.
  const { deployment, helm, chartValues } = applied;
  if (kind !== 'Deployment' || deployment.origin !== 'cluster' || helm === null) return written;
  if (chartValues == null) return written === 'rolls' ? 'rolls' : 'chartValues';
  return rolloutByValues(workload, chartValues, applied.chart) ?? written;
}

/** Undefined if the values that were read do not set it for this workload. */
function rolloutByValues(
  { role }: WorkloadFact,
  { upgradeMode, backendStrategy }: FactOf<'chartValues'>,
  chart: Chart | undefined,
): Rollout | undefined {
  const setBy = setByOf(chart);
  if (upgradeMode !== null && upgradeMode !== '') {
    if (chart === undefined) return 'chartValues';
    if (setBy === 'upgrade-mode') return upgradeMode === 'Recreate' ? 'recreates' : 'rolls';
  }
  if (role !== 'backend') return undefined;
  return setBy !== 'nothing' && backendStrategy === 'Recreate' ? 'recreates' : 'rolls';
}

function setByOf(chart: Chart | undefined): SetBy {
  if (chart === undefined || !isChartBefore(chart, chartWith.scaleDown)) return 'upgrade-mode';
  return isChartBefore(chart, chartWith.strategy) ? 'nothing' : 'strategies';
}

function judgeRolling(
  rolls: readonly WorkloadFact[],
  { helm, chart, chartValues }: Applied,
): readonly Judgement<RolloutStrategyEvidence>[] {
  if (rolls.length === 0) return [];
  if (helm === null) {
    return rolls.map((workload) =>
      stop(nameOf(workload), {
        kind: 'workload-would-roll',
        workload: namesOf(workload),
        replicas: workload.replicas,
      }),
    );
  }
  return [
    stop(helm.release, {
      kind: 'chart-would-roll',
      workloads: rolls.map(nameOf),
      chart: helm.chartVersion,
      setBy: setByOf(chart),
      path: chartValues?.path ?? [],
    }),
  ];
}

/**
 * Finds a job that migrates before the pods are replaced, with nothing that stops them for it. Whether the publisher's
 * chart stops them depends on its version: another check reports that.
 */
function judgeJob(serving: readonly WorkloadFact[], facts: JobFacts): Answers<RolloutStrategyEvidence> {
  const live = serving.filter(({ replicas }) => replicas !== 0);
  const state = migrationJobState(facts);
  if (live.length === 0 || state === 'off') return [];
  if (state === 'not-told') return [{ lacks: 'migration-job' }];
  const jobs = upgradeJobs(facts.workloads).map(({ workload }) => workload);
  const [first] = jobs.filter(({ hook }) => hook === null || hook.events.includes('pre-upgrade'));
  if (first === undefined && jobs.length > 0) return [];
  const job = first === undefined ? 'the migration job' : nameOf(first);
  return [stop(job, { kind: 'pods-live-while-job-migrates', job, workloads: live.map(namesOf) })];
}

/**
 * The chart scales all its Deployments to 0 before its job migrates, and removes the autoscaler of the backend. If the
 * upgrade fails then, it restores neither.
 */
function judgeStopped(
  serving: readonly WorkloadFact[],
  { deployment }: Pick<JobFacts, 'deployment'>,
): readonly Judgement<RolloutStrategyEvidence>[] {
  const stopped = serving.filter(({ kind, replicas }) => kind !== 'DaemonSet' && replicas === 0);
  const serves = serving.some(({ role, replicas }) => role === 'backend' && replicas !== 0);
  const [first] = stopped;
  if (deployment.origin !== 'cluster' || serves || first === undefined) return [];
  return [warn(nameOf(first), { kind: 'backend-at-zero', workloads: stopped.map(namesOf) })];
}

function namesOf({ kind, name, namespace }: WorkloadFact): Pick<WorkloadFact, 'kind' | 'name' | 'namespace'> {
  return { kind, name, namespace };
}
