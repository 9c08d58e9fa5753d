import { describe, expect, it } from 'vitest';
import { rolloutStrategy } from '../../src/checks/rollout-strategy.js';
import type { AppliedBy, WorkloadFact } from '../../src/facts/deployment-facts.js';
import type { FactOf } from '../../src/facts/needs.js';
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
} from '../support/deployment.js';
import { itFinds, pastedFor, type ReleaseCase, type Situation } from '../support/preflight.js';

const to = (told: Partial<ReleaseCase>): readonly ReleaseCase[] => [
  { version: '2.0.0' },
  { version: '2.1.0', ...told },
];
const proven = to({});
const unproven = to({ entry: { rollingUpdateSafe: 'unknown' } });
const unread = to({ artifact: 'missing' });

const chart = deployedAt('2.0.0');
const rolls: Partial<WorkloadFact> = { strategy: null };
const rollingPods = [backendOf('2.0.0', rolls), workerOf('2.0.0', rolls)];
const publishers = { release: 'lightdash', namespace: 'lightdash', chart: 'lightdash' };
const values = (told: Partial<FactOf<'chartValues'>>, chartVersion = '2.16.361'): DeploymentFacts => ({
  ...chart,
  helm: { ...publishers, chartVersion },
  chartValues: chartValuesOf({ upgradeMode: null, ...told }),
});
/** What would be applied, of no chart. */
const plain = (...workloads: WorkloadFact[]): DeploymentFacts => ({
  ...seenThrough(chart, { origin: 'rendered' }),
  helm: 'absent',
  chartValues: 'absent',
  workloads,
});
const ofOtherChart: DeploymentFacts = {
  ...values({ upgradeMode: 'Recreate' }),
  helm: { release: 'bi', namespace: 'lightdash', chart: 'our-lightdash', chartVersion: '3.1.0' },
};
const stopsChart = 'stop chart-would-roll lightdash';
const backend = 'stop workload-would-roll Deployment lightdash-backend';
const appliedBy = (by: AppliedBy): DeploymentFacts => ({
  ...chart,
  helm: { ...publishers, chartVersion: '2.16.361', appliedBy: by },
});
const byArgo = appliedBy('argo-cd');
const ofCompose = (told: Partial<WorkloadFact>) => composedAt('2.0.0', told);
const after = { events: ['post-upgrade'], deletePolicies: [] };
const withoutJob = { stated: { 'migration-job': 'off' } } as Partial<DeploymentFacts>;
const serverOf = (told: Partial<WorkloadFact>) => servingOf('2.0.0', told);
const withJob = [serverOf({}), migrationJobOf('2.0.0')];
const livesOn = 'stop pods-live-while-job-migrates Job lightdash-migrate';
const scaling = (targetKind: string, maxReplicas: number): DeploymentFacts['autoscalers'] => [
  { name: 'bi', targetKind, targetName: 'lightdash-backend', minReplicas: 1, maxReplicas },
];
const on = (releases: readonly ReleaseCase[], facts: DeploymentFacts): Situation => ({ releases, facts });

const atZero = backendOf('2.0.0', { replicas: 0 });
const leftAtZero = [atZero, workerOf('2.0.0', { replicas: 0 })];

it('starts again, one by one, what a failed upgrade left at zero', () => {
  expect(pastedFor(rolloutStrategy, on(unproven, { ...chart, workloads: leftAtZero }))).toEqual([
    'kubectl --namespace lightdash scale deployment/lightdash-backend --replicas 1',
    'kubectl --namespace lightdash scale deployment/lightdash-worker --replicas 1',
  ]);
});

describe('a rollout', () => {
  itFinds(
    rolloutStrategy,
    (situation: Situation) => situation,
    {
      'ok recreated': {
        'is a downtime by the mode': on(unproven, chart),
        'does not matter where it is scaled down': on(
          unproven,
          plain(backendOf('2.0.0', { ...rolls, replicas: 0 })),
        ),
        'does not matter of what ends by itself': on(
          unproven,
          plain(backendOf('2.0.0'), migrationJobOf('2.0.0', { hook: after })),
        ),
        'of a stateful set of one ends the old pod first': on(
          unproven,
          plain(backendOf('2.0.0', { kind: 'StatefulSet', strategy: null, replicas: null })),
        ),
        'is a downtime by the mode, whatever the cluster has': on(unproven, {
          ...values({ upgradeMode: 'Recreate' }),
          workloads: rollingPods,
        }),
        'is a downtime by the strategy of an older chart': on(
          unproven,
          values({ backendStrategy: 'Recreate' }, '2.16.283'),
        ),
        'leaves no pods to a job where they are scaled down': on(
          unproven,
          plain(serverOf({ replicas: 0 }), migrationJobOf('2.0.0')),
        ),
        'leaves them to a job that is stated to be off': on(unproven, {
          ...plain(...withJob),
          ...withoutJob,
        }),
        'is a downtime that Argo CD applies, without a job': on(unproven, byArgo),
        'stops them before the job by that chart in a HelmRelease of Flux, which Helm upgrades': on(
          unproven,
          { ...appliedBy('flux'), workloads: withJob },
        ),
        'stops them before the job by the chart of the publisher': on(unproven, {
          ...chart,
          workloads: withJob,
        }),
        'is a downtime as it stands by another chart': on(unproven, { ...ofOtherChart, ...withoutJob }),
        'may leave a worker at zero': on(unproven, {
          ...chart,
          workloads: [backendOf('2.0.0'), workerOf('2.0.0', { replicas: 0 })],
        }),
        'is to be applied at zero': on(unproven, plain(atZero)),
      },
      'ok compose-stops': {
        'is a downtime of compose': on(unproven, composedAt('2.0.0')),
        'is a downtime of compose for several': on(unproven, ofCompose({ replicas: 3 })),
        'of Swarm stops the one container first': on(unproven, ofCompose({ strategy: 'stop-first' })),
        'of Swarm overlaps nothing where it is at zero': on(
          unproven,
          ofCompose({ strategy: 'start-first', replicas: 0 }),
        ),
        'of Swarm may overlap where that is proven': on(proven, ofCompose({ strategy: 'start-first' })),
        'of compose is at zero': on(unproven, ofCompose({ replicas: 0 })),
      },
      'ok rolls-as-proven': {
        'rolls where that is proven': on(proven, plain(...rollingPods)),
        'rolls where the index proves that, and the artifact was not read': on(unread, plain(...rollingPods)),
      },
      'ok recreated-though-proven': {
        'is a downtime where none is needed': on(proven, chart),
        'is a downtime, and needs no artifact': on(unread, chart),
        'leaves them to a job, as is proven': on(proven, plain(...withJob)),
        'leaves them to a job, as the index proves, and the artifact was not read': on(
          unread,
          plain(...withJob),
        ),
      },
      [`${backend}; stop workload-would-roll Deployment lightdash-worker`]: {
        'rolls where that is not proven': on(unproven, plain(...rollingPods)),
        'rolls as it stands by another chart, whatever its values say': on(unproven, {
          ...ofOtherChart,
          ...withoutJob,
          workloads: rollingPods,
        }),
      },
      [backend]: {
        'rolls where a release says no': on(
          to({ entry: { rollingUpdateSafe: false } }),
          plain(backendOf('2.0.0', rolls)),
        ),
        'rolls where an artifact says no': on(
          to({ artifact: { compatibility: { rollingUpdateSafe: false } } }),
          plain(backendOf('2.0.0', rolls)),
        ),
        'rolls by name': on(unproven, plain(backendOf('2.0.0', { strategy: 'RollingUpdate' }))),
      },
      'stop workload-would-roll Deployment lightdash-worker': {
        'rolls of one workload alone': on(unproven, plain(backendOf('2.0.0'), workerOf('2.0.0', rolls))),
      },
      [stopsChart]: {
        'rolls by a mode that the chart does not know': on(unproven, {
          ...values({ upgradeMode: 'recreate' }),
          workloads: rollingPods,
        }),
        'rolls by the mode': on(unproven, values({ upgradeMode: 'RollingUpdate' })),
        'rolls by the values, which say nothing': on(unproven, values({})),
        'rolls by the values, whose mode is empty': on(unproven, values({ upgradeMode: '' })),
        'rolls by values of a dependency': on(unproven, values({ path: ['bi', 'lightdash'] })),
        'rolls where an older chart does not know the mode': on(
          unproven,
          values({ upgradeMode: 'Recreate' }, '2.16.283'),
        ),
        'rolls where a chart knows no strategy': on(
          unproven,
          values({ backendStrategy: 'Recreate' }, '2.12.0'),
        ),
        'rolls of a daemon set, whatever the mode of the chart': on(unproven, {
          ...values({ upgradeMode: 'Recreate' }),
          workloads: [
            backendOf('2.0.0'),
            workerOf('2.0.0', { kind: 'DaemonSet', strategy: null, replicas: null }),
          ],
        }),
        'rolls by what is rendered, whatever values are given beside it': on(unproven, {
          ...seenThrough(values({ upgradeMode: 'Recreate' }), { origin: 'rendered' }),
          workloads: rollingPods,
        }),
        'rolls of a worker, which the strategy of an older chart does not reach': on(unproven, {
          ...values({ backendStrategy: 'Recreate' }, '2.16.283'),
          workloads: rollingPods,
        }),
        'rolls as it stands, where the values were not seen': on(unproven, {
          ...chart,
          workloads: rollingPods,
          chartValues: 'absent',
        }),
        'of a chart that does not tell its version rolls': on(unproven, {
          ...plain(...rollingPods),
          helm: { release: 'lightdash', namespace: null, chart: null, chartVersion: null },
        }),
      },
      'stop workload-would-roll DaemonSet lightdash-backend': {
        'rolls of what is no Deployment, whatever strategy it names': on(
          unproven,
          plain(backendOf('2.0.0', { kind: 'DaemonSet', strategy: 'Recreate' })),
        ),
        'of a daemon set overlaps': on(
          unproven,
          plain(backendOf('2.0.0', { kind: 'DaemonSet', strategy: null, replicas: null })),
        ),
      },
      'stop workload-would-roll StatefulSet lightdash-backend': {
        'of a stateful set of two overlaps': on(
          unproven,
          plain(backendOf('2.0.0', { kind: 'StatefulSet', strategy: null })),
        ),
      },
      'not-checked facts-not-seen': {
        'is not known by the mode of an unknown chart': on(
          unproven,
          values({ upgradeMode: 'Recreate' }, 'latest'),
        ),
        'is not known where the values that are next were not seen': on(unproven, {
          ...chart,
          chartValues: 'not-permitted',
        }),
        'leaves them to a job that an upgrade may not run': on(
          unproven,
          plain(serverOf({}), migrationJobOf('2.0.0', { suspended: true })),
        ),
        'leaves them perhaps to a job without any chart, which a cluster forgets': on(unproven, {
          ...chart,
          helm: 'absent',
        }),
        'leaves them perhaps to a job of another chart, which a cluster forgets': on(unproven, ofOtherChart),
        'is not known where no backend was read': on(unproven, { ...chart, workloads: [] }),
      },
      [livesOn]: {
        'leaves the old pods to a job that migrates': on(unproven, plain(...withJob)),
        'leaves them to a job that is no hook': on(
          unproven,
          plain(serverOf({}), migrationJobOf('2.0.0', { hook: null })),
        ),
        'leaves them to a job that is no hook, beside one that runs after them': on(
          unproven,
          plain(
            serverOf({}),
            migrationJobOf('2.0.0', { name: 'later', hook: after }),
            migrationJobOf('2.0.0', { hook: null }),
          ),
        ),
        'leaves them to a job of another chart': on(unproven, { ...ofOtherChart, workloads: withJob }),
        'leaves pods whose number is not written to a job': on(
          unproven,
          plain(serverOf({ replicas: null }), migrationJobOf('2.0.0')),
        ),
        'leaves them to the job of the chart, which something unknown applies': on(unproven, {
          ...appliedBy('other'),
          workloads: withJob,
        }),
        'leaves them to the job of the chart, which Argo CD applies as of an install': on(unproven, {
          ...byArgo,
          workloads: withJob,
        }),
      },
      [`${backend}; ${livesOn}`]: {
        'leaves them to a job, and rolls': on(
          unproven,
          plain(serverOf({ strategy: null }), migrationJobOf('2.0.0')),
        ),
      },
      'stop pods-live-while-job-migrates the migration job': {
        'leaves them to a job of that chart that was not seen, by values': on(unproven, {
          ...byArgo,
          chartValues: chartValuesOf({ migrationJobEnabled: true }),
        }),
      },
      'warn backend-at-zero Deployment lightdash-backend': {
        'finds a backend at zero, with all that is': on(proven, { ...chart, workloads: leftAtZero }),
        'finds a backend at zero, where nothing proves that it rolls': on(unproven, {
          ...chart,
          workloads: leftAtZero,
        }),
        'finds a backend at zero beside a worker that runs': on(unproven, {
          ...chart,
          workloads: [atZero, workerOf('2.0.0')],
        }),
      },
    },
    [
      ...[{ strategy: 'start-first' }, { strategy: 'global' }, { strategy: 'stop-first', replicas: 2 }].map(
        (told): [string, Situation, string[]] => [
          `may be one of Swarm, which overlaps: ${Object.values(told)}`,
          on(unproven, ofCompose(told)),
          ['not-checked facts-not-seen'],
        ],
      ),
      ...[proven, unproven].map((releases, i): [string, Situation, string[]] => [
        `is not known of what is paused, ${i === 0 ? '' : 'not '}proven to roll`,
        on(releases, plain(backendOf('2.0.0', { suspended: true }))),
        ['not-checked facts-not-seen'],
      ]),
      ...(
        [
          ['overlaps', scaling('StatefulSet', 3), ['stop workload-would-roll StatefulSet lightdash-backend']],
          ['ends the old pod first', scaling('StatefulSet', 1), ['ok recreated']],
          ['ends the old pod first, whatever scales another', scaling('Deployment', 3), ['ok recreated']],
          ['is not known', 'not-permitted', ['not-checked facts-not-seen']],
        ] as const
      ).map(([what, autoscalers, found]): [string, Situation, string[]] => [
        `of a stateful set of one, which an autoscaler may change, ${what}`,
        on(unproven, {
          ...plain(backendOf('2.0.0', { kind: 'StatefulSet', strategy: null, replicas: null })),
          autoscalers,
        }),
        [...found],
      ]),
      ...[null, ''].map((upgradeMode): [string, Situation, string[]] => [
        `rolls by the values of an unknown chart, whose mode is ${upgradeMode}`,
        on(unproven, values({ upgradeMode }, 'latest')),
        [stopsChart],
      ]),
    ],
  );
});
