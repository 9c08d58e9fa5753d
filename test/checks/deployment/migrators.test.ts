import { describe } from 'vitest';
import { migrators } from '../../../src/checks/deployment/migrators.js';
import type { ContainerFact, WorkloadFact } from '../../../src/instance/facts/deployment-facts.js';
import {
  backendOf,
  chartValuesOf,
  composedAt,
  containerOf,
  type DeploymentFacts,
  deployedAt,
  migrationJobOf,
  workerOf,
} from '../../support/deployment.js';
import { autoscalerOf } from '../../support/facts.js';
import { itFinds, type Situation } from '../../support/preflight.js';

type Told = NonNullable<Situation['facts']>;

const rendered = (hooksSeen: boolean) => ({
  deployment: {
    ...{ kind: 'kubernetes' as const, origin: 'rendered' as const, sources: ['manifests.yaml'] },
    ...{ namespace: null, hooksSeen, unseenKinds: [] },
  },
});
const helm = { release: 'bi', namespace: 'bi', chart: 'lightdash' };
const chart = (chartVersion: string | null) => ({ helm: { ...helm, chartVersion } });
const ofOther = (chartVersion: string) => ({ helm: { ...helm, chart: 'our-lightdash', chartVersion } });
const values = (migrationJobEnabled: boolean | null) => ({
  chartValues: chartValuesOf({ migrationJobEnabled }),
});
const stated = (job: 'on' | 'off') => ({ stated: { 'migration-job': job } });
const unseen = { chartValues: 'absent' as const };
const noChart = { ...unseen, helm: 'absent' as const };
const oldTo = { to: '1.122.0' };
const pods = (...workloads: WorkloadFact[]) => ({ workloads });
const one = backendOf('2.0.0', { replicas: 1 });
const serving = (starts: 'server' | 'worker') => ({
  containers: [containerOf('2.0.0', { entrypointReplaced: true, starts })],
});
const server = backendOf('2.0.0', serving('server'));
const starting = (starts: 'migration' | 'other', init = false) => {
  const container = containerOf('2.0.0', { init, entrypointReplaced: true, starts });
  return backendOf('2.0.0', { containers: [container, ...(init ? server.containers : [])] });
};
const job = migrationJobOf('2.0.0');
const jobAt = (databaseHost: 'loopback' | 'outside', ...beside: ContainerFact[]) =>
  migrationJobOf('2.0.0', {
    containers: [containerOf('2.0.0', { name: 'migrate', starts: 'migration', databaseHost }), ...beside],
  });
const former = (version: string) => migrationJobOf(version, { hook: null, succeeded: 1 });
const composedWith = (told: Partial<WorkloadFact>): DeploymentFacts => {
  const facts = composedAt('2.0.0', { containers: server.containers });
  const service = migrationJobOf('2.0.0', { kind: 'service', hook: null, ...told });
  return { ...facts, workloads: [...(facts.workloads as WorkloadFact[]), service] };
};

describe('who migrates', () => {
  itFinds(
    migrators,
    ({ to = '2.1.0', ...facts }: Told & { readonly to?: string }) => ({
      ...{ from: '1.100.0', to, facts: { ...deployedAt('2.0.0'), ...facts } },
    }),
    {
      'stop job-reaches-no-database Job lightdash-migrate': {
        'is a job with its database at its own loopback': pods(server, jobAt('loopback')),
      },
      'warn job-may-not-scale Job lightdash-migrate': {
        'is a job that stops the pods without a role for it': pods(
          server,
          migrationJobOf('2.0.0', { mayScale: false }),
        ),
      },
      'ok pods-migrate': {
        'is the pods': { to: '1.123.0' },
        'is an init container': pods(starting('migration', true)),
        'is one pod, without a lease': { ...oldTo, ...pods(one) },
        'is one pod, as nothing else is said': { ...oldTo, ...pods(backendOf('2.0.0', { replicas: null })) },
        'is one pod, whatever scales another': {
          ...{ ...oldTo, ...pods(one), autoscalers: [autoscalerOf({ name: 'other', targetName: 'other' })] },
        },
        'is the pods, by all that is rendered of another chart': {
          ...ofOther('3.1.0'),
          ...unseen,
          ...rendered(true),
        },
        'is the pods without any chart, as is stated': { ...pods(one), ...noChart, ...stated('off') },
        'is the pods, as the chart has it where the job is off': {
          ...oldTo,
          ...pods(one),
          ...unseen,
          ...chart('2.9.1'),
        },
        'is the pods, as is stated, whatever job there was': {
          ...oldTo,
          ...pods(one, job),
          ...stated('off'),
        },
      },
      'ok job-migrates': {
        'is a job that may stop the pods': pods(server, migrationJobOf('2.0.0', { mayScale: true })),
        'is a job with a proxy beside it': pods(
          server,
          jobAt('loopback', containerOf('2.0.0', { name: 'proxy', starts: 'other' })),
        ),
        'is a job with a database elsewhere': pods(server, jobAt('outside')),
        'is the job': { ...oldTo, ...pods(server, job) },
        'is the job, by values': { ...pods(server), ...values(true) },
        'is the job, as is stated': { ...pods(server), ...stated('on') },
        'is a job of the release that runs': { ...pods(server, former('2.0.0')), ...noChart },
      },
      'stop job-and-pods-migrate Deployment lightdash-backend': {
        'is job and pods, without a lease': {
          ...oldTo,
          ...pods(one, workerOf('2.0.0'), job),
          ...chart('2.8.0'),
        },
        'is job and pods, of the chart that had the job on': {
          ...oldTo,
          ...pods(one),
          ...values(null),
          ...chart('2.6.0'),
        },
      },
      'warn pods-wait-for-job Deployment lightdash-backend': {
        'is job and pods, with a lease': { to: '1.123.0', ...pods(one, job) },
      },
      'warn several-migrate-at-start Deployment lightdash-backend': {
        'is two pods, without a lease': oldTo,
        'is one pod of each of two workloads, without a lease': {
          ...{ ...oldTo, ...pods(one, backendOf('2.0.0', { name: 'lightdash-scheduler', replicas: 1 })) },
        },
        'is as many as an autoscaler brings': { ...oldTo, ...pods(one), autoscalers: [autoscalerOf()] },
        'is as many as there are, whatever scales another kind of that name': {
          ...{ ...oldTo, autoscalers: [autoscalerOf({ targetKind: 'StatefulSet', maxReplicas: 1 })] },
        },
      },
      'warn several-migrate-at-start DaemonSet lightdash-backend': {
        'is one on every node': {
          ...oldTo,
          ...pods(backendOf('2.0.0', { kind: 'DaemonSet', replicas: null })),
        },
      },
      'not-checked facts-not-seen': {
        'is not known for autoscalers that may not be seen': {
          ...oldTo,
          ...pods(one),
          autoscalers: 'not-permitted',
        },
        'is a worker, and perhaps a job, which no backend that migrates rules out': {
          ...pods(server, workerOf('2.0.0', { containers: [containerOf('2.0.0')] })),
          ...{ ...unseen, ...chart('2.16.361') },
        },
        'is not told where jobs may not be seen': {
          ...{ ...pods(server), ...noChart },
          deployment: { ...rendered(true).deployment, unseenKinds: ['Job'] },
        },
        'is not told where hooks are left out': { ...pods(server), ...unseen, ...rendered(false) },
        'is not told of a cluster, which forgets jobs': { ...pods(server), ...unseen },
        'is not told by values of a chart that is not told': { ...pods(server), ...chart(null) },
        'is perhaps the job as well, of a chart that lets both': {
          ...oldTo,
          ...pods(one),
          ...unseen,
          ...chart('2.9.0'),
        },
        'is not told by a command that is not known': { ...pods(starting('other')), ...values(false) },
        'is not known of two workloads that start what cannot be told': {
          ...pods(starting('other'), { ...starting('other'), name: 'lightdash-other' }),
          ...values(false),
        },
        'is perhaps a job of long ago': { ...pods(server, former('1.9.0')), ...noChart },
        'is perhaps what a clock starts': {
          ...pods(server, migrationJobOf('2.0.0', { kind: 'CronJob', hook: null })),
          ...noChart,
        },
        'is perhaps a job that an install alone runs': {
          ...pods(
            server,
            migrationJobOf('2.0.0', { hook: { events: ['pre-install', 'test'], deletePolicies: [] } }),
          ),
          ...{ ...unseen, ...rendered(true) },
        },
        'is perhaps a job that is suspended': {
          ...pods(server, migrationJobOf('2.0.0', { suspended: true })),
          ...{ ...unseen, ...rendered(true) },
        },
        'is perhaps the job as well, where values replace the command': {
          ...pods(
            backendOf('2.0.0', {
              replicas: 1,
              containers: [containerOf('2.0.0', { entrypointReplaced: true })],
            }),
          ),
          ...{ ...oldTo, ...unseen, ...chart('2.9.1') },
        },
        'is not told where no backend is': pods(job),
        'is not told by 3.1.0 of another chart, whose hooks a cluster forgets': {
          ...ofOther('3.1.0'),
          ...values(false),
        },
        'is not told without any chart, by a cluster, which forgets jobs: server': {
          ...pods(server),
          ...noChart,
        },
        'is not told without any chart, by a cluster, which forgets jobs: entrypoint': {
          ...pods(one),
          ...noChart,
        },
      },
      'stop nobody-would-migrate Deployment lightdash-backend': {
        'is nobody': { ...pods(server), ...values(false) },
        'is nobody of the backend, though a worker is there': {
          ...pods(workerOf('2.0.0', serving('worker')), server),
          ...values(false),
        },
        'is nobody, by all that is rendered': { ...pods(server), ...unseen, ...rendered(true) },
        'is nobody, of a chart without a job': { ...pods(server), ...unseen, ...chart('2.5.9') },
        'is nobody, by all that is rendered without any chart': {
          ...pods(server),
          ...noChart,
          ...rendered(true),
        },
        'is nobody, by values, whatever job there was': {
          ...pods(server, former('1.9.0')),
          ...values(false),
        },
      },
    },
  );

  itFinds(migrators, ([to, facts]: readonly [string, DeploymentFacts]) => ({ from: '1.100.0', to, facts }), {
    'ok pods-migrate': { 'of compose is the service': ['1.122.0', composedAt('2.0.0')] },
    'warn several-migrate-at-start service lightdash': {
      'of compose is two of a service': ['1.122.0', composedAt('2.0.0', { replicas: 2 })],
    },
    'stop nobody-would-migrate service lightdash': {
      'of compose is nobody': ['2.1.0', composedAt('2.0.0', { containers: server.containers })],
    },
    'ok job-migrates': {
      'of compose is a service beside it': ['2.1.0', composedWith({})],
      'of compose is a service that a profile holds back, as is stated': [
        '2.1.0',
        { ...composedWith({ suspended: true }), stated: { 'migration-job': 'on' } } as DeploymentFacts,
      ],
    },
    'not-checked facts-not-seen': {
      'of compose is perhaps a service that a profile holds back': [
        '2.1.0',
        composedWith({ suspended: true }),
      ],
    },
  });
});
