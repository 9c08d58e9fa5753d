import { underKeys } from '../../core/text/quoted-words.js';
import type { WorkloadFact } from '../../instance/facts/deployment-facts.js';
import {
  isOtherChart,
  isUpgradedByHelm,
  runsLightdash,
  servingContainers,
  upgradeJobs,
} from '../../instance/facts/lightdash-containers.js';
import type { FactOf, UnmetNeed } from '../../instance/facts/needs.js';
import {
  type Chart,
  chartOfRelease,
  chartWith,
  type StrategySetBy,
  strategySetBy,
} from '../../instance/first-versions.js';
import { rollingOf } from '../../instance/pods-at-once.js';
import {
  type JobFacts,
  migrationJobState,
  scalerOf,
  swarmNotSeen,
  workloadName,
  workloadsNotSeen,
} from '../../instance/workloads.js';
import { countOf, listNames } from '../../words/phrase.js';
import { defineCheck, lacks, ok, stop, warn } from '../check.js';
import { kubectl, namedWorkload, scaleTo } from '../commands.js';

/** What a chart takes the strategy from, as values. */
const recreateValues: Record<StrategySetBy, readonly string[]> = {
  'upgrade-mode': ['upgrade:', '  mode: Recreate'],
  strategies: ['lightdashBackend:', '  strategy:', '    type: Recreate'],
  nothing: [],
};

const notProven = 'the upgrade is not proven to roll';

/** The chart does not check the verdict: the operator sets the mode (the contract's "Deployment mapping"). */
export const rolloutStrategy = defineCheck({
  id: 'rollout-strategy',
  needs: ['deployment', 'workloads'],
  needsOrAbsent: ['helm'],
  mayNeed: ['chartValues', 'stated', 'migration-job', 'artifacts', 'autoscalers', 'ledger'],
  traits: { settledBy: 'recreate' },
  *judge({ line: { rolling, span, unread }, backDated, facts }) {
    const { deployment, workloads, helm, chartValues, autoscalers } = facts;
    if (deployment.kind === 'compose') {
      const overlapping = rolling ? [] : workloads.filter(overlapsInSwarm);
      yield* swarmNotSeen(overlapping, 'starts new containers before all old ones have stopped');
      return ok({ kind: 'compose-stops' });
    }
    const lacking = workloadsNotSeen(deployment, workloads);
    if (lacking.length > 0) return yield* lacking;

    const serving = [...new Set(servingContainers(workloads).map(({ workload }) => workload))];
    // Another chart, whose values may mean anything, is judged by its objects as they are.
    const publishers = isOtherChart(helm?.chart) ? null : helm;
    const chart = chartOfRelease(helm);
    const applied = { deployment, helm: publishers, chart, chartValues, autoscalers };
    const that = (how: Rollout) => serving.filter((workload) => nextRollout(workload, applied) === how);
    // For an install the chart stops nothing.
    const stopsPods = publishers !== null && isUpgradedByHelm(publishers);
    const besideJob = stopsPods ? [] : [...judgeJob(serving, facts)];
    const mayOverlap = besideJob.length > 0 || that('recreates').length < serving.length;
    if (mayOverlap && typeof backDated === 'string') return lacks(backDated);

    yield* judgeStopped(serving, deployment);
    yield* serving.flatMap(pausedNotSeen);
    const rolls = that('rolls');
    const names = rolls.map(workloadName);
    if (rolling) {
      for (const workload of rolls) yield* judgeRolling(workload, autoscalers);
      return names.length === 0
        ? ok({ kind: 'recreated-though-proven' })
        : ok({ kind: 'rolls-as-proven', workloads: names, unread, of: span.length });
    }
    if (publishers === null) {
      for (const workload of rolls) {
        const evidence = { workload: namedWorkload(workload), replicas: workload.replicas };
        yield stop(workloadName(workload), { kind: 'workload-would-roll', ...evidence });
      }
    } else if (names.length > 0) {
      // The path is that of the values of Lightdash.
      const how = { chart: publishers.chartVersion, setBy: setByOf(chart), path: chartValues?.path ?? [] };
      yield stop(publishers.release, { kind: 'chart-would-roll', workloads: names, ...how });
    }
    yield* besideJob;
    if (publishers !== null) yield* judgeHelmClient(serving, publishers);
    if (that('chartValues').length > 0) yield lacks('chartValues');
    if (that('autoscalers').length > 0) yield lacks('autoscalers');
    return ok({ kind: 'recreated', workloads: serving.map(workloadName) });
  },
})({
  label: 'Rollout strategy',
  meaning:
    'Whether old and new pods are kept apart if the upgrade is not proven to roll. What it looks at: The ' +
    'verdict of every release on the route, with its known issues; from 1.125.0 to 1.259.0, the ledger, ' +
    'because old pods do not start again after a back-dated migration. And how each workload that runs ' +
    'Lightdash would be replaced: in a cluster, by upgrade.mode and lightdashBackend.strategy of the values; ' +
    'for manifests to be applied, by the strategy of the objects. A Deployment without a strategy rolls. One ' +
    'that is scaled to 0 does not matter, but if the backend is at 0, a failed upgrade may have left it so. What ' +
    'a paused one does is not known. If a job migrates and no chart of the publisher stops the pods ' +
    'first: whether they run. If a Helm 4 of this machine applies the release: whether it can make a Deployment Recreate. If the upgrade is proven to roll: whether a backend keeps pods meanwhile ' +
    '(maxUnavailable), and whether new pods can have the claims of old ones. Compose always stops the old container. Under settings that only Swarm follows, ' +
    'such as deploy.update_config, what happens is not known if Swarm would let old and new containers overlap.',
  finds: {
    'chart-would-roll': {
      meaning: 'The chart would roll an upgrade that is not proven to roll: old pods fail on the new schema.',
      remedy:
        'Set Recreate in the values, and apply it together with the upgrade; lightspan upgrade-plan prints the ' +
        `steps. Charts from ${chartWith.scaleDown} on have upgrade.mode, those from ${chartWith.strategy} on a ` +
        'strategy for the backend and every worker. With an older chart, scale every workload to 0 before the ' +
        'upgrade. Recreate means downtime.',
      describe: ({ workloads, chart }) =>
        `${notProven}, and ${chart === null ? 'the chart' : `chart ${chart}`} would roll ${listNames(workloads)}`,
      values: ({ setBy, path }) => (setBy === 'nothing' ? [] : underKeys(path, recreateValues[setBy])),
    },
    'workload-would-roll': {
      meaning: 'A workload would roll, but the upgrade is not proven to: old pods fail on the new schema.',
      remedy:
        'Give it the strategy Recreate, also in what you apply, or scale it to 0 before the upgrade. A ' +
        'StatefulSet has no such strategy, and a DaemonSet can only be deleted. This means downtime.',
      describe: ({ workload, replicas }) =>
        `${notProven}, and ` +
        `${workloadName(workload)}${replicas === null ? '' : ` (${countOf(replicas, 'replica')})`} would roll`,
      shell({ workload }) {
        const { kind, name, namespace } = workload;
        if (kind !== 'Deployment') return scaleTo(0, [workload]);
        const recreate = '[{"op":"replace","path":"/spec/strategy","value":{"type":"Recreate"}}]';
        return [kubectl(namespace, 'patch', 'deployment', name, '--type', 'json', '--patch', recreate)];
      },
    },
    'pods-live-while-job-migrates': {
      meaning: 'Nothing that was read stops the pods before the job, so the database changes under them.',
      remedy:
        'Stop the pods by hand before the upgrade, and check again with --kubernetes. KEDA, Argo CD ' +
        'or Flux would bring them back: remove or pause it first.',
      describe: ({ job, workloads }) =>
        `${notProven}, and ${listNames(workloads.map(workloadName))} would keep running while ${job} migrates`,
      shell: ({ workloads }) => scaleTo(0, workloads),
    },
    'backend-at-zero': {
      meaning:
        'The backend is scaled to 0, so nothing serves. If nobody did that for this upgrade, an upgrade with ' +
        'Recreate failed: the chart then restores neither the Deployments it scaled to 0 nor the autoscaler of ' +
        'the backend.',
      remedy:
        'If you stopped it for this upgrade, continue. Otherwise the logs of the last migration job, and the checks of ' +
        'the database, show why that upgrade failed. Once nothing migrates, run it again with helm upgrade, which also ' +
        'brings back the autoscaler. Then start what is still at 0, but no release older than the newest migration ' +
        'that has run.',
      describe: ({ workloads }) => `${listNames(workloads.map(workloadName))} at 0 replicas: nothing serves`,
      shell: ({ workloads }) => scaleTo(1, workloads),
    },
    'helm-keeps-rolling-update': {
      meaning:
        'Helm 4 applies a release that it installed itself on the server, which has filled in rollingUpdate: that ' +
        'stays, and the server forbids it beside Recreate. So the upgrade fails before anything is replaced.',
      remedy:
        'Run this upgrade with --server-side=false, as the steps of lightspan upgrade-plan do; or with a Helm 3.',
      describe: ({ client, workloads }) =>
        `Helm ${client} last applied ${listNames(workloads)} on the server, with RollingUpdate, and cannot make it Recreate`,
    },
    'rolls-without-pods': {
      meaning:
        'The upgrade is proven to roll, but the Deployment may stop all of its old pods at once: downtime.',
      remedy: 'Lower maxUnavailable, such as to 0 with a maxSurge of 1; or plan the downtime.',
      describe: ({ workload, replicas, maxSurge, maxUnavailable }) =>
        `${workload} (${countOf(replicas, 'replica')}) may stop all of its pods at once: maxSurge ` +
        `${maxSurge}, maxUnavailable ${maxUnavailable}`,
    },
    'claim-of-one-node': {
      meaning:
        'The upgrade is proven to roll, but new pods start beside old ones, and the claim that both have can be ' +
        'on one node only: a new pod on another node waits for a volume that it never gets.',
      remedy:
        'Use a claim that several nodes can have (ReadWriteMany), set maxSurge to 0, or use Recreate. The last ' +
        'two mean downtime with one replica.',
      describe: ({ workload, claims }) =>
        `${workload} would start new pods beside old ones, and ${listNames(claims)} can be on one node only`,
    },
    'rolls-as-proven': ({ workloads, unread, of }) =>
      `the upgrade is proven to roll${
        unread === 0 ? '' : ` by the index (${unread} of ${countOf(of, 'artifact')} not read)`
      }, and rolls ${listNames(workloads)}`,
    'recreated-though-proven': 'The upgrade is proven to roll, but the strategy means downtime.',
    recreated: ({ workloads }) => `not proven to roll, and does not roll: ${listNames(workloads)}`,
    'compose-stops': 'Compose stops the old container first: downtime, whatever the verdict.',
  },
});

/** Which strategy a Deployment has is no question of its pods: one that is scaled to 0 counts too. */
function* judgeHelmClient(serving: readonly WorkloadFact[], { client, release }: FactOf<'helm'>) {
  if (client === undefined || Number.parseInt(client, 10) < 4) return;
  const rolling = serving.filter(
    ({ kind, strategy, appliedOnServer }) =>
      kind === 'Deployment' && strategy !== 'Recreate' && appliedOnServer === true,
  );
  const workloads = rolling.map(workloadName);
  if (workloads.length > 0) yield warn(release, { kind: 'helm-keeps-rolling-update', client, workloads });
}

/** Whether what is proven to roll also does: something serves all the time, and new pods can start. */
function* judgeRolling(workload: WorkloadFact, autoscalers: FactOf<'autoscalers'> | null | undefined) {
  const { kind, role, rollout, claimsOfOneNode: claims = [] } = workload;
  if (kind !== 'Deployment' || rollout === undefined) return;
  const called = workloadName(workload);
  const replicas = scalerOf(workload, autoscalers)?.minReplicas ?? workload.replicas ?? 1;
  const { surge, unavailable } = rollingOf(workload, replicas);
  const { maxSurge, maxUnavailable } = rollout;
  if (role === 'backend' && replicas > 0 && unavailable >= replicas)
    yield warn(called, { kind: 'rolls-without-pods', workload: called, replicas, maxSurge, maxUnavailable });
  if (claims.length > 0 && surge > 0)
    yield warn(called, { kind: 'claim-of-one-node', workload: called, claims });
}

/** Swarm replaces several containers one after the other. */
function overlapsInSwarm(workload: WorkloadFact): boolean {
  const { strategy, replicas } = workload;
  if (!runsLightdash(workload) || replicas === 0) return false;
  return strategy === 'stop-first' ? (replicas ?? 1) > 1 : strategy !== null;
}

/** A paused Deployment starts pods as they were when it was paused, whatever its strategy says. */
function pausedNotSeen(workload: WorkloadFact): readonly UnmetNeed[] {
  if (workload.kind !== 'Deployment' || workload.suspended !== true) return [];
  const detail = `${workloadName(workload)} is paused: it keeps its release until kubectl rollout resume`;
  return [lacks('workloads', { why: 'failed', detail })];
}

/**
 * How an upgrade replaces pods. `recreates`: the old ones are gone before new ones start. Otherwise the missing fact.
 */
type Rollout = 'rolls' | 'recreates' | 'chartValues' | 'autoscalers';

/** Without Helm, the publisher's chart was not seen to have deployed it. */
interface AppliedFacts extends Pick<JobFacts, 'deployment' | 'helm' | 'chartValues'> {
  readonly chart: Chart | undefined;
  readonly autoscalers: FactOf<'autoscalers'> | null | undefined;
}

function nextRollout({ kind, name, replicas, strategy, role }: WorkloadFact, applied: AppliedFacts): Rollout {
  const { deployment, helm, chart, chartValues, autoscalers } = applied;
  if (replicas === 0) return 'recreates';
  if (kind === 'StatefulSet') {
    if ((replicas ?? 1) > 1) return 'rolls';
    if (autoscalers === undefined) return 'autoscalers';
    return (scalerOf({ kind, name }, autoscalers)?.maxReplicas ?? 1) === 1 ? 'recreates' : 'rolls';
  }
  const written = kind === 'Deployment' && strategy === 'Recreate' ? 'recreates' : 'rolls';
  // What a chart applies next is defined by its values, not by what it has applied.
  if (kind !== 'Deployment' || deployment.origin !== 'cluster' || helm === null) return written;
  if (chartValues == null) return written === 'rolls' ? 'rolls' : 'chartValues';
  const { upgradeMode, backendStrategy } = chartValues;
  const setBy = setByOf(chart);
  if (upgradeMode && chart === undefined) return 'chartValues';
  if (upgradeMode && setBy === 'upgrade-mode') return upgradeMode === 'Recreate' ? 'recreates' : 'rolls';
  // The values that were read set it for the backend alone.
  if (role !== 'backend') return written;
  return setBy !== 'nothing' && backendStrategy === 'Recreate' ? 'recreates' : 'rolls';
}

/** The newest charts know the mode. */
function setByOf(chart: Chart | undefined): StrategySetBy {
  return chart === undefined ? 'upgrade-mode' : strategySetBy(chart);
}

/**
 * Finds a job that migrates before the pods are replaced, with nothing that stops them for it. Whether the publisher's
 * chart stops them depends on its version: another check reports that.
 */
function* judgeJob(serving: readonly WorkloadFact[], facts: JobFacts) {
  const live = serving.filter(({ replicas }) => replicas !== 0);
  const state = migrationJobState(facts);
  if (live.length === 0 || state === 'off') return;
  const jobs = upgradeJobs(facts.workloads).map(({ workload }) => workload);
  const first = jobs.find(({ hook }) => hook === null || hook.events.includes('pre-upgrade'));
  const job = first === undefined ? 'the migration job' : workloadName(first);
  if (state === 'not-seen') yield lacks('migration-job');
  else if (first !== undefined || jobs.length === 0)
    yield stop(job, { kind: 'pods-live-while-job-migrates', job, workloads: live.map(namedWorkload) });
}

/** If an upgrade fails after the chart has scaled its Deployments to 0, the chart does not restore them. */
function* judgeStopped(serving: readonly WorkloadFact[], { origin }: FactOf<'deployment'>) {
  const stopped = serving.filter(({ kind, replicas }) => kind !== 'DaemonSet' && replicas === 0);
  const serves = serving.some(({ role, replicas }) => role === 'backend' && replicas !== 0);
  const [first] = stopped;
  if (origin === 'cluster' && !serves && first !== undefined)
    yield warn(workloadName(first), { kind: 'backend-at-zero', workloads: stopped.map(namedWorkload) });
}
