import { describe, expect, it } from 'vitest';
import { rolloutStrategy } from '../../../src/checks/deployment/rollout-strategy.js';
import type { AppliedBy, WorkloadFact } from '../../../src/instance/facts/deployment-facts.js';
import type { FactOf } from '../../../src/instance/facts/needs.js';
import {
  backendOf,
  chartValuesOf,
  composedAt,
  type DeploymentFacts,
  deployedAt,
  migrationJobOf,
  seenThrough,
  servingOf,
  workerOf,
} from '../../support/deployment.js';
import { autoscalerOf } from '../../support/facts.js';
import { itFinds, pastedFor, type ReleaseCase } from '../../support/preflight.js';

const to = (told: Partial<ReleaseCase>): readonly ReleaseCase[] => [
  { version: '2.0.0' },
  { version: '2.1.0', ...told },
];
const proven = to({});
const unproven = to({ entry: { rollingUpdateSafe: 'unknown' } });
const unread = to({ artifact: 'missing' });

const chart = deployedAt('2.0.0');
const rolls: Partial<WorkloadFact> = { strategy: null };
const rolling = (maxSurge: string, maxUnavailable: string) => ({
  rollout: { maxSurge, maxUnavailable, progressDeadlineSeconds: 600 },
});
const rollingPods = [backendOf('2.0.0', rolls), workerOf('2.0.0', rolls)];
const publishers = { release: 'lightdash', namespace: 'lightdash', chart: 'lightdash' };
const values = (told: Partial<FactOf<'chartValues'>>, chartVersion = '2.16.361'): DeploymentFacts => ({
  ...chart,
  helm: { ...publishers, chartVersion },
  chartValues: chartValuesOf({ upgradeMode: null, ...told }),
});
const recreate = values({ upgradeMode: 'Recreate' });
/** What would be applied, of no chart. */
const plain = (...workloads: WorkloadFact[]): DeploymentFacts => ({
  ...seenThrough(chart, { origin: 'rendered' }),
  ...{ helm: 'absent', chartValues: 'absent', workloads },
});
const ofOtherChart: DeploymentFacts = {
  ...recreate,
  helm: { release: 'bi', namespace: 'lightdash', chart: 'our-lightdash', chartVersion: '3.1.0' },
};
const chartRolls = 'stop chart-would-roll lightdash';
const backendRolls = 'stop workload-would-roll Deployment lightdash-backend';
const workerRolls = 'stop workload-would-roll Deployment lightdash-worker';
const appliedBy = (by: AppliedBy): DeploymentFacts => ({
  ...chart,
  helm: { ...publishers, chartVersion: '2.16.361', appliedBy: by },
});
const byArgo = appliedBy('argo-cd');
const ofCompose = (told: Partial<WorkloadFact> = {}) => composedAt('2.0.0', told);
const noJob = { stated: { 'migration-job': 'off' } } as Partial<DeploymentFacts>;
const serverOf = (told: Partial<WorkloadFact>) => servingOf('2.0.0', told);
const jobOf = (told: Partial<WorkloadFact> = {}) => migrationJobOf('2.0.0', told);
const later = jobOf({ name: 'later', hook: { events: ['post-upgrade'], deletePolicies: [] } });
const withJob = [serverOf({}), jobOf()];
const livesOn = 'stop pods-live-while-job-migrates Job lightdash-migrate';
const stateful = (told: Partial<WorkloadFact> = {}) =>
  backendOf('2.0.0', { kind: 'StatefulSet', strategy: null, replicas: null, ...told });
const daemon = (of: typeof backendOf, strategy: string | null = null) =>
  of('2.0.0', { kind: 'DaemonSet', strategy, replicas: null });
const scaled = (told: Parameters<typeof autoscalerOf>[0]) => ({
  ...{ ...plain(stateful()), autoscalers: [autoscalerOf({ name: 'bi', ...told })] },
});
const atZero = backendOf('2.0.0', { replicas: 0 });
const leftAtZero = { ...chart, workloads: [atZero, workerOf('2.0.0', { replicas: 0 })] };
const paused = plain(backendOf('2.0.0', { suspended: true }));

it('has no value to set where the chart knows no strategy', () => {
  const facts = values({ path: ['bi', 'lightdash'], backendStrategy: 'Recreate' }, '2.12.0');
  expect(pastedFor(rolloutStrategy, { releases: unproven, facts })).toEqual([]);
});

it('starts again, one by one, what a failed upgrade left at zero', () => {
  expect(pastedFor(rolloutStrategy, { releases: unproven, facts: leftAtZero })).toEqual([
    'kubectl --namespace lightdash scale deployment/lightdash-backend --replicas 1',
    'kubectl --namespace lightdash scale deployment/lightdash-worker --replicas 1',
  ]);
});

describe('a rollout that is proven', () => {
  itFinds(rolloutStrategy, (facts: DeploymentFacts) => ({ releases: proven, facts }), {
    'ok compose-stops': { 'may overlap in Swarm': ofCompose({ strategy: 'start-first' }) },
    'ok rolls-as-proven': {
      rolls: plain(...rollingPods),
      'keeps some of its pods': plain(
        backendOf('2.0.0', { ...rolls, replicas: 4, ...rolling('25%', '50%') }),
      ),
      'keeps its only pod until there is another': plain(
        backendOf('2.0.0', { ...rolls, replicas: 1, ...rolling('25%', '25%') }),
      ),
      'leaves no worker meanwhile': plain(
        backendOf('2.0.0', { ...rolls, ...rolling('25%', '25%') }),
        workerOf('2.0.0', { ...rolls, ...rolling('0', '1') }),
      ),
      'waits for a claim of one node': plain(
        backendOf('2.0.0', { ...rolls, replicas: 2, ...rolling('0', '1'), claimsOfOneNode: ['dbt'] }),
      ),
    },
    'warn rolls-without-pods Deployment lightdash-backend': {
      'may stop all pods': plain(backendOf('2.0.0', { ...rolls, replicas: 3, ...rolling('25%', '100%') })),
      'stops its only pod first': plain(
        backendOf('2.0.0', { ...rolls, replicas: 1, ...rolling('0', '25%') }),
      ),
      'stops the only pod that an autoscaler keeps': {
        ...plain(backendOf('2.0.0', { ...rolls, replicas: null, ...rolling('25%', '1') })),
        autoscalers: [
          autoscalerOf({ targetKind: 'Deployment', targetName: 'lightdash-backend', minReplicas: 1 }),
        ],
      },
    },
    'warn claim-of-one-node Deployment lightdash-backend': {
      'starts pods beside those that have its claim': plain(
        backendOf('2.0.0', { ...rolls, ...rolling('25%', '25%'), claimsOfOneNode: ['dbt'] }),
      ),
    },
    'warn claim-of-one-node Deployment lightdash-worker': {
      'starts workers beside those that have its claim': plain(
        backendOf('2.0.0', rolls),
        workerOf('2.0.0', { ...rolls, ...rolling('1', '0'), claimsOfOneNode: ['dbt'] }),
      ),
    },
    'ok recreated-though-proven': {
      'is a downtime where none is needed': chart,
      'leaves the pods to a job': plain(...withJob),
    },
    'warn backend-at-zero Deployment lightdash-backend': { 'finds a backend at zero': leftAtZero },
    'not-checked facts-not-seen': { 'is not known of what is paused': paused },
  });
});

describe('a rollout that the index proves, and the artifact was not read', () => {
  itFinds(rolloutStrategy, (facts: DeploymentFacts) => ({ releases: unread, facts }), {
    'ok rolls-as-proven': { rolls: plain(...rollingPods) },
    'ok recreated-though-proven': { 'is a downtime': chart, 'leaves the pods to a job': plain(...withJob) },
  });
});

describe('a rollout that is proven, but for back-dated migrations, of which nothing is known', () => {
  const old = '1.200.0';
  const releases = [{ version: old }, { version: '1.201.0' }];
  itFinds(rolloutStrategy, (facts: DeploymentFacts) => ({ releases, facts }), {
    'not-checked facts-not-seen': {
      'is not known where it rolls': plain(backendOf(old, rolls)),
      'is not known where values that were not seen decide': {
        ...deployedAt(old),
        chartValues: 'not-permitted',
      },
      'is not known where it rolls beside what does not': plain(backendOf(old), workerOf(old, rolls)),
      'is not known where it leaves the pods to a job': plain(servingOf(old), migrationJobOf(old)),
    },
    'ok recreated-though-proven': { 'is a downtime': deployedAt(old) },
  });
});

describe('a rollout against which speaks', () => {
  itFinds(
    rolloutStrategy,
    (told: Partial<ReleaseCase>) => ({ releases: to(told), facts: plain(...rollingPods) }),
    {
      [`${backendRolls}; ${workerRolls}`]: {
        'a release': { entry: { rollingUpdateSafe: false } },
        'an artifact': { artifact: { compatibility: { rollingUpdateSafe: false } } },
      },
    },
  );
});

const client = (client: string, ...workloads: WorkloadFact[]): DeploymentFacts => ({
  ...recreate,
  helm: { ...publishers, chartVersion: '2.16.361', client },
  workloads,
});
const onServer = (told: Partial<WorkloadFact> = {}) =>
  backendOf('2.0.0', { ...rolls, appliedOnServer: true, ...told });

describe('a rollout that has to become a downtime, by helm', () => {
  itFinds(rolloutStrategy, (facts: DeploymentFacts) => ({ releases: unproven, facts }), {
    'warn helm-keeps-rolling-update lightdash': {
      'of version 4 on what it applied itself': client('4.1.4', onServer()),
    },
    'warn backend-at-zero Deployment lightdash-backend; warn helm-keeps-rolling-update lightdash': {
      'of version 4, at zero too': client('4.1.4', onServer({ replicas: 0 }), workerOf('2.0.0')),
    },
    'ok recreated': {
      'of version 3': client('3.17.2', onServer()),
      'of version 4 on what a Helm 3 applied': client('4.1.4', onServer({ appliedOnServer: false })),
      'of version 4, of which it is not known': client('4.1.4', backendOf('2.0.0', rolls)),
      'of version 4 on what does not roll': client('4.1.4', onServer({ strategy: 'Recreate' })),
    },
  });
  itFinds(rolloutStrategy, (facts: DeploymentFacts) => ({ releases: proven, facts }), {
    'ok recreated-though-proven': { 'of version 4 where it may roll': client('4.1.4', onServer()) },
  });
});

describe('a rollout that is not proven', () => {
  itFinds(rolloutStrategy, (facts: DeploymentFacts) => ({ releases: unproven, facts }), {
    'ok recreated': {
      'is a downtime by the mode': chart,
      'is a downtime by the mode, whatever the cluster has': { ...recreate, workloads: rollingPods },
      'is a downtime by the strategy of an older chart': values({ backendStrategy: 'Recreate' }, '2.16.283'),
      'is a downtime that Argo CD applies, without a job': byArgo,
      'is a downtime as it stands by another chart': { ...ofOtherChart, ...noJob },
      'does not matter where it is scaled down': plain(backendOf('2.0.0', { ...rolls, replicas: 0 })),
      'does not matter of what ends by itself': plain(backendOf('2.0.0'), later),
      'of a stateful set of one ends the old pod first': plain(stateful()),
      'of a stateful set that an autoscaler leaves at one ends it first': scaled({
        ...{ targetKind: 'StatefulSet', maxReplicas: 1 },
      }),
      'of a stateful set of one ends it first, whatever scales another': scaled({}),
      'leaves no pods to a job where they are scaled down': plain(serverOf({ replicas: 0 }), jobOf()),
      'leaves none to a job that is stated to be off': { ...plain(...withJob), ...noJob },
      'stops them before the job by that chart in a HelmRelease of Flux, which Helm upgrades': {
        ...{ ...appliedBy('flux'), workloads: withJob },
      },
      'stops them before the job by the chart of the publisher': { ...chart, workloads: withJob },
      'may leave a worker at zero': {
        ...{ ...chart, workloads: [backendOf('2.0.0'), workerOf('2.0.0', { replicas: 0 })] },
      },
      'is to be applied at zero': plain(atZero),
    },
    'ok compose-stops': {
      'is a downtime of compose': ofCompose(),
      'is a downtime of compose for several': ofCompose({ replicas: 3 }),
      'of compose is at zero': ofCompose({ replicas: 0 }),
      'of Swarm stops the one container first': ofCompose({ strategy: 'stop-first' }),
      'of Swarm overlaps nothing where it is at zero': ofCompose({ strategy: 'start-first', replicas: 0 }),
    },
    [backendRolls]: { 'rolls by name': plain(backendOf('2.0.0', { strategy: 'RollingUpdate' })) },
    [`${backendRolls}; ${workerRolls}`]: {
      'rolls as it stands by another chart, whatever its values say': {
        ...{ ...ofOtherChart, ...noJob, workloads: rollingPods },
      },
    },
    [workerRolls]: { 'rolls of one workload alone': plain(backendOf('2.0.0'), workerOf('2.0.0', rolls)) },
    'stop workload-would-roll DaemonSet lightdash-backend': {
      'of a daemon set overlaps': plain(daemon(backendOf)),
      'rolls of what is no Deployment, whatever strategy it names': plain(daemon(backendOf, 'Recreate')),
    },
    'stop workload-would-roll StatefulSet lightdash-backend': {
      'of a stateful set of two overlaps': plain(stateful({ replicas: 2 })),
      'of a stateful set that an autoscaler may make several overlaps': scaled({ targetKind: 'StatefulSet' }),
    },
    [chartRolls]: {
      'rolls by the mode': values({ upgradeMode: 'RollingUpdate' }),
      'rolls by a mode that the chart does not know': values({ upgradeMode: 'recreate' }),
      'rolls by the values, which say nothing': values({}),
      'rolls by the values, whose mode is empty': values({ upgradeMode: '' }),
      'rolls by the values of an unknown chart, which say nothing': values({}, 'latest'),
      'rolls by the values of an unknown chart, whose mode is empty': values({ upgradeMode: '' }, 'latest'),
      'rolls by values of a dependency': values({ path: ['bi', 'lightdash'] }),
      'rolls where an older chart does not know the mode': values({ upgradeMode: 'Recreate' }, '2.16.283'),
      'rolls where a chart knows no strategy': values({ backendStrategy: 'Recreate' }, '2.12.0'),
      'rolls of a daemon set, whatever the mode of the chart': {
        ...{ ...recreate, workloads: [backendOf('2.0.0'), daemon(workerOf)] },
      },
      'rolls by what is rendered, whatever values are given beside it': {
        ...{ ...seenThrough(recreate, { origin: 'rendered' }), workloads: rollingPods },
      },
      'rolls of a worker, which the strategy of an older chart does not reach': {
        ...{ ...values({ backendStrategy: 'Recreate' }, '2.16.283'), workloads: rollingPods },
      },
      'rolls as it stands, where the values were not seen': {
        ...{ ...chart, workloads: rollingPods, chartValues: 'absent' },
      },
      'of a chart that does not tell its version rolls': {
        ...plain(...rollingPods),
        helm: { release: 'lightdash', namespace: null, chart: null, chartVersion: null },
      },
    },
    [livesOn]: {
      'leaves the old pods to a job that migrates': plain(...withJob),
      'leaves them to a job that is no hook': plain(serverOf({}), jobOf({ hook: null })),
      'leaves them to a job that is no hook, beside one that runs after them': {
        ...plain(serverOf({}), later, jobOf({ hook: null })),
      },
      'leaves them to a job of another chart': { ...ofOtherChart, workloads: withJob },
      'leaves pods whose number is not written to a job': plain(serverOf({ replicas: null }), jobOf()),
      'leaves them to the job of the chart, which something unknown applies': {
        ...{ ...appliedBy('other'), workloads: withJob },
      },
      'leaves them to the job of the chart, which Argo CD applies as of an install': {
        ...{ ...byArgo, workloads: withJob },
      },
    },
    [`${backendRolls}; ${livesOn}`]: {
      'leaves them to a job, and rolls': plain(serverOf({ strategy: null }), jobOf()),
    },
    'stop pods-live-while-job-migrates the migration job': {
      'leaves them to the job of that chart that was not seen, by values': {
        ...{ ...byArgo, chartValues: chartValuesOf({ migrationJobEnabled: true }) },
      },
    },
    'warn backend-at-zero Deployment lightdash-backend': {
      'finds a backend at zero, with all that is': leftAtZero,
      'finds a backend at zero beside a worker that runs': {
        ...{ ...chart, workloads: [atZero, workerOf('2.0.0')] },
      },
    },
    'not-checked facts-not-seen': {
      'is not known by the mode of an unknown chart': values({ upgradeMode: 'Recreate' }, 'latest'),
      'is not known where the values that are next were not seen': { ...chart, chartValues: 'not-permitted' },
      'leaves them to a job that an upgrade may not run': plain(serverOf({}), jobOf({ suspended: true })),
      'leaves them perhaps to a job without any chart, which a cluster forgets': { ...chart, helm: 'absent' },
      'leaves them perhaps to a job of another chart, which a cluster forgets': ofOtherChart,
      'is not known where no backend was read': { ...chart, workloads: [] },
      'is not known of what is paused': paused,
      'is not known of a stateful set whose autoscalers may not be read': {
        ...{ ...plain(stateful()), autoscalers: 'not-permitted' },
      },
      'may be one of Swarm that starts first': ofCompose({ strategy: 'start-first' }),
      'may be one of Swarm on every node': ofCompose({ strategy: 'global' }),
      'may be one of Swarm that stops one of two first': ofCompose({ strategy: 'stop-first', replicas: 2 }),
    },
  });
});
