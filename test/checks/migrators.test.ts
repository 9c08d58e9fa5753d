import { describe, expect, it } from 'vitest';
import { migrators } from '../../src/checks/migrators.js';
import type { WorkloadFact } from '../../src/facts/deployment-facts.js';
import {
  backendOf,
  chartValuesOf,
  composedAt,
  containerOf,
  type DeploymentFacts,
  deployedAt,
  migrationJobOf,
  workerOf,
} from '../support/deployment.js';
import { foundBy } from '../support/preflight.js';

type Told = Partial<DeploymentFacts>;

const rendered = (hooksSeen: boolean) => ({
  deployment: {
    kind: 'kubernetes' as const,
    origin: 'rendered' as const,
    sources: ['manifests.yaml'],
    namespace: null,
    hooksSeen,
    unseenKinds: [],
  },
});
const chart = (chartVersion: string | null) => ({
  helm: { release: 'bi', namespace: 'bi', chart: 'lightdash', chartVersion },
});
const values = (migrationJobEnabled: boolean | null) => ({
  chartValues: chartValuesOf({ migrationJobEnabled }),
});
const statedOff = { stated: { 'migration-job': 'off' } } as Told;
const one = backendOf('2.0.0', { replicas: 1 });
const server = backendOf('2.0.0', {
  containers: [containerOf('2.0.0', { entrypointReplaced: true, starts: 'server' })],
});
const starting = (starts: 'migration' | 'other', init = false) =>
  backendOf('2.0.0', {
    containers: [
      containerOf('2.0.0', { init, entrypointReplaced: true, starts }),
      ...(init ? server.containers : []),
    ],
  });
const job = migrationJobOf('2.0.0');
const former = (version: string) => migrationJobOf(version, { hook: null, succeeded: 1 });
const notByUpgrade: readonly [string, Partial<WorkloadFact>][] = [
  ['that an install alone runs', { hook: { events: ['pre-install', 'test'], deletePolicies: [] } }],
  ['that is suspended', { suspended: true }],
];
const composedWith = (told: Partial<WorkloadFact>): DeploymentFacts => {
  const facts = composedAt('2.0.0', { containers: server.containers });
  const service = migrationJobOf('2.0.0', { kind: 'service', hook: null, ...told });
  return { ...facts, workloads: [...(facts.workloads as WorkloadFact[]), service] };
};
const unseen = { chartValues: 'absent' as const };

describe('who migrates', () => {
  it.each<[string, string, Told, string[]]>([
    ['is the pods', '1.123.0', {}, ['ok pods-migrate']],
    ['is the job', '1.122.0', { workloads: [server, job] }, ['ok job-migrates']],
    ['is the job, by values', '2.1.0', { workloads: [server], ...values(true) }, ['ok job-migrates']],
    [
      'is the job, as is stated',
      '2.1.0',
      { workloads: [server], stated: { 'migration-job': 'on' } } as Told,
      ['ok job-migrates'],
    ],
    ['is an init container', '2.1.0', { workloads: [starting('migration', true)] }, ['ok pods-migrate']],
    [
      'is job and pods, without a lease',
      '1.122.0',
      { workloads: [one, workerOf('2.0.0'), job], ...chart('2.8.0') },
      ['stop job-and-pods-migrate Deployment lightdash-backend'],
    ],
    [
      'is job and pods, of the chart that had the job on',
      '1.122.0',
      { workloads: [one], ...values(null), ...chart('2.6.0') },
      ['stop job-and-pods-migrate Deployment lightdash-backend'],
    ],
    [
      'is job and pods, with a lease',
      '1.123.0',
      { workloads: [one, job] },
      ['warn pods-wait-for-job Deployment lightdash-backend'],
    ],
    [
      'is two pods, without a lease',
      '1.122.0',
      {},
      ['warn several-migrate-at-start Deployment lightdash-backend'],
    ],
    [
      'is one pod of each of two workloads, without a lease',
      '1.122.0',
      { workloads: [one, backendOf('2.0.0', { name: 'lightdash-scheduler', replicas: 1 })] },
      ['warn several-migrate-at-start Deployment lightdash-backend'],
    ],
    ['is one pod, without a lease', '1.122.0', { workloads: [one] }, ['ok pods-migrate']],
    [
      'is one pod, as nothing else is said',
      '1.122.0',
      { workloads: [backendOf('2.0.0', { replicas: null })] },
      ['ok pods-migrate'],
    ],
    [
      'is as many as an autoscaler brings',
      '1.122.0',
      {
        workloads: [one],
        autoscalers: [
          {
            name: 'lightdash',
            targetKind: 'Deployment',
            targetName: 'lightdash-backend',
            minReplicas: 1,
            maxReplicas: 4,
          },
        ],
      },
      ['warn several-migrate-at-start Deployment lightdash-backend'],
    ],
    [
      'is one pod, whatever scales another',
      '1.122.0',
      {
        workloads: [one],
        autoscalers: [
          {
            name: 'other',
            targetKind: 'Deployment',
            targetName: 'other',
            minReplicas: 1,
            maxReplicas: 4,
          },
        ],
      },
      ['ok pods-migrate'],
    ],
    [
      'is as many as there are, whatever scales another kind of that name',
      '1.122.0',
      {
        autoscalers: [
          {
            name: 'lightdash',
            targetKind: 'StatefulSet',
            targetName: 'lightdash-backend',
            minReplicas: 1,
            maxReplicas: 1,
          },
        ],
      },
      ['warn several-migrate-at-start Deployment lightdash-backend'],
    ],
    [
      'is not known for autoscalers that may not be seen',
      '1.122.0',
      { workloads: [one], autoscalers: 'not-permitted' },
      ['not-checked facts-not-seen'],
    ],
    [
      'is one on every node',
      '1.122.0',
      { workloads: [backendOf('2.0.0', { kind: 'DaemonSet', replicas: null })] },
      ['warn several-migrate-at-start DaemonSet lightdash-backend'],
    ],
    [
      'is nobody',
      '2.1.0',
      { workloads: [server], ...values(false) },
      ['stop nobody-would-migrate Deployment lightdash-backend'],
    ],
    [
      'is nobody of the backend, though a worker is there',
      '2.1.0',
      {
        workloads: [
          workerOf('2.0.0', {
            containers: [containerOf('2.0.0', { entrypointReplaced: true, starts: 'worker' })],
          }),
          server,
        ],
        ...values(false),
      },
      ['stop nobody-would-migrate Deployment lightdash-backend'],
    ],
    [
      'is nobody, by all that is rendered',
      '2.1.0',
      { workloads: [server], ...unseen, ...rendered(true) },
      ['stop nobody-would-migrate Deployment lightdash-backend'],
    ],
    [
      'is a worker, and perhaps a job, which no backend that migrates rules out',
      '2.1.0',
      {
        workloads: [server, workerOf('2.0.0', { containers: [containerOf('2.0.0')] })],
        ...unseen,
        ...chart('2.16.361'),
      },
      ['not-checked facts-not-seen'],
    ],
    [
      'is nobody, of a chart without a job',
      '2.1.0',
      { workloads: [server], ...unseen, ...chart('2.5.9') },
      ['stop nobody-would-migrate Deployment lightdash-backend'],
    ],
    ...['1.0.0', '3.1.0'].map((chartVersion): [string, string, Told, string[]] => [
      `is not told by ${chartVersion} of another chart, whose hooks a cluster forgets`,
      '2.1.0',
      { helm: { release: 'bi', namespace: 'bi', chart: 'our-lightdash', chartVersion }, ...values(false) },
      ['not-checked facts-not-seen'],
    ]),
    [
      'is the pods, by all that is rendered of another chart',
      '2.1.0',
      {
        helm: { release: 'bi', namespace: 'bi', chart: 'our-lightdash', chartVersion: '3.1.0' },
        ...unseen,
        ...rendered(true),
      },
      ['ok pods-migrate'],
    ],
    [
      'is nobody, by all that is rendered without any chart',
      '2.1.0',
      { workloads: [server], ...unseen, ...rendered(true), helm: 'absent' },
      ['stop nobody-would-migrate Deployment lightdash-backend'],
    ],
    ...[server, one].map((workload): [string, string, Told, string[]] => [
      `is not told without any chart, by a cluster, which forgets jobs: ${workload.containers[0]?.starts}`,
      '2.1.0',
      { workloads: [workload], ...unseen, helm: 'absent' },
      ['not-checked facts-not-seen'],
    ]),
    [
      'is the pods without any chart, as is stated',
      '2.1.0',
      { workloads: [one], ...unseen, helm: 'absent', ...statedOff },
      ['ok pods-migrate'],
    ],
    [
      'is not told where jobs may not be seen',
      '2.1.0',
      {
        workloads: [server],
        ...unseen,
        helm: 'absent',
        deployment: { ...rendered(true).deployment, unseenKinds: ['Job'] },
      },
      ['not-checked facts-not-seen'],
    ],
    [
      'is not told where hooks are left out',
      '2.1.0',
      { workloads: [server], ...unseen, ...rendered(false) },
      ['not-checked facts-not-seen'],
    ],
    [
      'is not told of a cluster, which forgets jobs',
      '2.1.0',
      { workloads: [server], ...unseen },
      ['not-checked facts-not-seen'],
    ],
    [
      'is not told by values of a chart that is not told',
      '2.1.0',
      { workloads: [server], ...chart(null) },
      ['not-checked facts-not-seen'],
    ],
    [
      'is the pods, as the chart has it where the job is off',
      '1.122.0',
      { workloads: [one], ...unseen, ...chart('2.9.1') },
      ['ok pods-migrate'],
    ],
    [
      'is perhaps the job as well, of a chart that lets both',
      '1.122.0',
      { workloads: [one], ...unseen, ...chart('2.9.0') },
      ['not-checked facts-not-seen'],
    ],
    [
      'is not told by a command that is not known',
      '2.1.0',
      { workloads: [starting('other')], ...values(false) },
      ['not-checked facts-not-seen'],
    ],
    [
      'is not known of two workloads that start what cannot be told',
      '2.1.0',
      { workloads: [starting('other'), { ...starting('other'), name: 'lightdash-other' }], ...values(false) },
      ['not-checked facts-not-seen'],
    ],
    [
      'is a job of the release that runs',
      '2.1.0',
      { workloads: [server, former('2.0.0')], ...unseen, helm: 'absent' },
      ['ok job-migrates'],
    ],
    [
      'is perhaps a job of long ago',
      '2.1.0',
      { workloads: [server, former('1.9.0')], ...unseen, helm: 'absent' },
      ['not-checked facts-not-seen'],
    ],
    [
      'is perhaps what a clock starts',
      '2.1.0',
      {
        workloads: [server, migrationJobOf('2.0.0', { kind: 'CronJob', hook: null })],
        ...unseen,
        helm: 'absent',
      },
      ['not-checked facts-not-seen'],
    ],
    ...notByUpgrade.map(([which, told]): [string, string, Told, string[]] => [
      `is perhaps a job ${which}`,
      '2.1.0',
      { workloads: [server, migrationJobOf('2.0.0', told)], ...unseen, ...rendered(true) },
      ['not-checked facts-not-seen'],
    ]),
    [
      'is nobody, by values, whatever job there was',
      '2.1.0',
      { workloads: [server, former('1.9.0')], ...values(false) },
      ['stop nobody-would-migrate Deployment lightdash-backend'],
    ],
    [
      'is the pods, as is stated, whatever job there was',
      '1.122.0',
      { workloads: [one, job], stated: { 'migration-job': 'off' } } as Told,
      ['ok pods-migrate'],
    ],
    [
      'is perhaps the job as well, where values replace the command',
      '1.122.0',
      {
        workloads: [
          backendOf('2.0.0', {
            replicas: 1,
            containers: [containerOf('2.0.0', { entrypointReplaced: true })],
          }),
        ],
        ...unseen,
        ...chart('2.9.1'),
      },
      ['not-checked facts-not-seen'],
    ],
    ['is not told where no backend is', '2.1.0', { workloads: [job] }, ['not-checked facts-not-seen']],
  ])('%s', (_, to, facts, found) => {
    expect(foundBy(migrators, { from: '1.100.0', to, facts: { ...deployedAt('2.0.0'), ...facts } })).toEqual(
      found,
    );
  });

  it.each<[string, string, DeploymentFacts, string[]]>([
    ['is the service', '1.122.0', composedAt('2.0.0'), ['ok pods-migrate']],
    [
      'is two of a service',
      '1.122.0',
      composedAt('2.0.0', { replicas: 2 }),
      ['warn several-migrate-at-start service lightdash'],
    ],
    [
      'is nobody',
      '2.1.0',
      composedAt('2.0.0', { containers: server.containers }),
      ['stop nobody-would-migrate service lightdash'],
    ],
    ['is a service beside it', '2.1.0', composedWith({}), ['ok job-migrates']],
    [
      'is perhaps a service that a profile holds back',
      '2.1.0',
      composedWith({ suspended: true }),
      ['not-checked facts-not-seen'],
    ],
    [
      'is a service that a profile holds back, as is stated',
      '2.1.0',
      { ...composedWith({ suspended: true }), stated: { 'migration-job': 'on' } } as DeploymentFacts,
      ['ok job-migrates'],
    ],
  ])('of compose %s', (_, to, facts, found) => {
    expect(foundBy(migrators, { from: '1.100.0', to, facts })).toEqual(found);
  });
});
