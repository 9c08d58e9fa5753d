import { describe, expect, it } from 'vitest';
import { verifyChecks } from '../../../src/checks/after-upgrade/checks.js';
import { pods } from '../../../src/checks/after-upgrade/pods.js';
import { runChecks } from '../../../src/checks/run-checks.js';
import type { PodFact, WorkloadFact } from '../../../src/instance/facts/deployment-facts.js';
import {
  backendOf,
  backupJobOf,
  deployedAt,
  imageOf,
  migrationJobOf,
  workerOf,
  containerOf as workloadContainerOf,
} from '../../support/deployment.js';
import { inputOf, recordEvidence, type Situation } from '../../support/preflight.js';
import { verifyLines } from '../../support/verify-lines.js';

type ContainerTold = Partial<PodFact['containers'][number]>;

const containerOf = (version: string, told: ContainerTold = {}): PodFact['containers'][number] => ({
  name: 'lightdash',
  init: false,
  image: imageOf(version),
  ready: true,
  restarts: 0,
  reason: null,
  lastReason: null,
  lastExitCode: null,
  ...told,
});

function podOf(
  name: string,
  version: string,
  told: Partial<PodFact> = {},
  container: ContainerTold = {},
): PodFact {
  return {
    name,
    namespace: 'bi',
    workload: 'lightdash-backend',
    phase: 'Running',
    ending: false,
    containers: [containerOf(version, container)],
    ...told,
  };
}

const worker = podOf('w', '2.1.0', { workload: 'lightdash-worker' });
const backends = [podOf('a', '2.1.0'), podOf('b', '2.1.0')];
const healthy = [...backends, worker];

/** What is told of the first backend, beside others. */
const first = (...told: readonly [Partial<PodFact>?, ContainerTold?]) => [
  podOf('a', '2.1.0', ...told),
  podOf('b', '2.1.0'),
  worker,
];
/** One more than are healthy. */
const beside = (...pod: Parameters<typeof podOf>) => [...healthy, podOf(...pod)];

const withDigest = (digest: string) => ({ image: imageOf('2.1.0', { digest }) });
const exporter = workloadContainerOf('2.1.0', { name: 'export', starts: 'other' });
const cluster = (...more: readonly WorkloadFact[]) => ({ workloads: deployedAt('2.1.0', ...more).workloads });

const proxy = imageOf('1', { reference: 'proxy:1', repository: 'proxy' });
const withProxy = (pod: PodFact, told: ContainerTold = {}): PodFact => ({
  ...pod,
  containers: [containerOf('1', { name: 'proxy', image: proxy, ...told }), ...pod.containers],
});

/** What is found of a cluster in which 2.1.0 was deployed. */
function findingsOf(pods: readonly PodFact[], told: Situation['facts'] = {}) {
  const input = inputOf({
    from: '2.1.0',
    to: '2.1.0',
    facts: { ...deployedAt('2.1.0'), pods: [...pods], ...told },
  });
  return runChecks(
    verifyChecks.filter(({ id }) => id === 'pods'),
    input,
  );
}

const found = (pods: readonly PodFact[], told: Situation['facts'] = {}): string[] => {
  const { findings } = findingsOf(pods, told);
  recordEvidence(findings);
  return verifyLines(findings);
};

const ofImage = (name: string, version = '2.0.0') => ({
  image: imageOf(version, { reference: `${name}:${version}`, repository: name.replace(/.*\//, '') }),
});
const workloadsOf = (...workloads: WorkloadFact[]) => ({ workloads });
const [backend21, worker21] = [backendOf('2.1.0'), workerOf('2.1.0')];
const withJob = (...told: Parameters<typeof migrationJobOf>) =>
  workloadsOf(backend21, worker21, migrationJobOf(...told));
const byClock = (image: ReturnType<typeof imageOf>) =>
  cluster(backupJobOf({ containers: [{ ...exporter, image }] }));

const fine = 'ok pods-run-the-release';
const another = 'stop pod-of-another-release';
const noRelease = 'stop pod-release-not-told a';
const notReady = 'stop pod-not-ready a';
const lacking = 'stop workload-lacks-pods Deployment';
const behind = 'stop workload-of-another-release';
const unseen = 'not-checked facts-not-seen';

describe('the pods after an upgrade', () => {
  it.each<[string, readonly PodFact[], string, Situation['facts']?]>([
    ['all run the release', healthy, fine],
    ['an old one is left', beside('old', '2.0.0'), `${another} old`],
    ['an old one is ending', beside('old', '2.0.0', { ending: true }), `${another} old`],
    ['a newer one that nothing owns', beside('stray', '2.2.0', { workload: null }), `${another} stray`],
    [
      'an old one of a workload that is gone, whose image is called otherwise',
      beside('old', '2.0.0', { workload: 'lightdash' }, ofImage('acme/bi')),
      `${another} old`,
    ],
    [
      'a pod of something else',
      beside('db', '16', { workload: 'db' }, { name: 'db', ...ofImage('postgres', '16') }),
      fine,
    ],
    ['a tag that moves', [podOf('a', 'latest'), podOf('b', '2.1.0'), worker], noRelease],
    ['a pre-release', [podOf('a', '2.1.0-rc.1'), podOf('b', '2.1.0'), worker], noRelease],
    [
      'two digests beside one tag',
      [
        podOf('a', '2.1.0', {}, withDigest('sha256:a')),
        podOf('b', '2.1.0', {}, withDigest('sha256:b')),
        worker,
      ],
      unseen,
    ],
    ['a digest beside one tag, and none beside another', first({}, withDigest('sha256:a')), fine],
    [
      'a job by the clock that stays behind',
      healthy,
      `${behind} CronJob lightdash-migrate`,
      cluster(migrationJobOf('2.0.0', { kind: 'CronJob', hook: null })),
    ],
    [
      'a job by the clock with an image of Lightdash that stays behind',
      healthy,
      `${behind} CronJob lightdash-backup`,
      byClock(imageOf('2.0.0')),
    ],
    ['a job by the clock whose image tells no release', healthy, unseen, byClock(imageOf('latest'))],
    ['a job by the clock with an image of the release', healthy, fine, byClock(imageOf('2.1.0'))],
    ['a suffix of ones own', [podOf('a', 'v2.1.0-ours'), podOf('b', '2.1.0'), worker], fine],
    ['one that crashes', first({}, { ready: false, reason: 'CrashLoopBackOff', restarts: 7 }), notReady],
    ['a proxy that is not ready', [...healthy, withProxy(podOf('a', '2.1.0'), { ready: false })], notReady],
    ['one that is not there yet', first({ phase: 'Pending' }, { ready: false }), notReady],
    ['one that ends, and is no longer ready', beside('c', '2.1.0', { ending: true }, { ready: false }), fine],
    ['one that was restarted once', first({}, { restarts: 1 }), 'warn pod-restarted a'],
    [
      'one in which only what ran before was restarted',
      first({
        containers: [containerOf('2.1.0', { name: 'wait', init: true, restarts: 1 }), containerOf('2.1.0')],
      }),
      fine,
    ],
    [
      'one that was evicted, beside one that took its place',
      beside('gone', '2.0.0', { phase: 'Failed' }, { ready: false, reason: 'Evicted' }),
      'warn pod-failed gone',
    ],
    [
      'an old one of a workload of Lightdash, whatever it is called',
      beside('old', '2.0.0', {}, { name: 'app', ...ofImage('acme/bi') }),
      `${another} old`,
    ],
    [
      'an old one that nothing owns, with a proxy before it',
      [...healthy, withProxy(podOf('stray', '2.0.0', { workload: null }))],
      `${another} stray`,
    ],
    [
      'an old one that nothing owns, of a container of the name in the chart',
      beside('stray', '2.0.0', { workload: null }, ofImage('acme/bi')),
      `${another} stray`,
    ],
    [
      'an old one that nothing owns, of a registry of that name',
      beside('stray', '2.0.0', { workload: null }, { name: 'app', ...ofImage('lightdash.example/bi') }),
      `${another} stray`,
    ],
    [
      'an old one that nothing owns, of another name',
      beside('stray', '2.0.0', { workload: null }, { name: 'app', ...ofImage('acme/bi') }),
      fine,
    ],
    ['an old one that has ended', beside('done', '2.0.0', { workload: null, phase: 'Succeeded' }), fine],
    [
      'an old one of a job, which is none that serves',
      beside('m', '2.0.0', { workload: 'lightdash-migrate' }),
      fine,
      withJob('2.0.0'),
    ],
    ['one of which its node says nothing, that was ready', first({ phase: 'Unknown' }), notReady],
    ['too few', [podOf('a', '2.1.0'), worker], `${lacking} lightdash-backend`],
    [
      'one that ends, and nothing in its place',
      [podOf('a', '2.1.0'), podOf('b', '2.1.0', { ending: true }), worker],
      `${lacking} lightdash-backend`,
    ],
    [
      'none of a worker that an autoscaler counts',
      backends,
      `${lacking} lightdash-worker`,
      workloadsOf(backend21, workerOf('2.1.0', { replicas: null })),
    ],
    [
      'a backend at zero',
      [worker],
      'stop workload-at-zero Deployment lightdash-backend',
      workloadsOf(backendOf('2.1.0', { replicas: 0 }), worker21),
    ],
    [
      'a worker at zero',
      backends,
      'warn workload-at-zero Deployment lightdash-worker',
      workloadsOf(backend21, workerOf('2.1.0', { replicas: 0 })),
    ],
    [
      'a worker that was left behind',
      [...backends, podOf('w', '2.0.0', { workload: 'lightdash-worker' })],
      `${behind} Deployment lightdash-worker, ${another} w`,
      workloadsOf(backend21, workerOf('2.0.0')),
    ],
    [
      'a job that failed',
      healthy,
      'stop migration-job-failed Job lightdash-migrate',
      withJob('2.1.0', { failed: 3 }),
    ],
    [
      'a job that has not ended',
      healthy,
      'stop migration-job-not-ended Job lightdash-migrate',
      withJob('2.1.0', { failed: 0, succeeded: 0 }),
    ],
    [
      'a job of which one container alone is of the release',
      healthy,
      'stop migration-job-failed Job lightdash-migrate',
      withJob('2.1.0', {
        failed: 1,
        containers: [workloadContainerOf('2.1.0'), workloadContainerOf('2.0.0')],
      }),
    ],
    ...[
      migrationJobOf('2.0.0', { failed: 0, succeeded: 0 }),
      migrationJobOf('2.1.0', { failed: 1, succeeded: 1 }),
      migrationJobOf('2.0.0', { failed: 3 }),
      migrationJobOf('2.1.0', { failed: 0, succeeded: null }),
      migrationJobOf('2.1.0', { failed: 3, role: 'other' }),
      migrationJobOf('2.1.0', { failed: 3, kind: 'service' }),
      migrationJobOf('2.1.0', { failed: null, succeeded: null }),
      backendOf('2.0.0', { name: 'other', role: 'other' }),
      workerOf('2.1.0', { kind: 'DaemonSet', name: 'd', replicas: null }),
    ].map((other): [string, readonly PodFact[], string, Situation['facts']] => [
      `nothing of ${JSON.stringify([other.kind, other.failed, other.containers[0]?.image.tag])}`,
      healthy,
      fine,
      workloadsOf(backend21, worker21, other),
    ]),
    ['no backend at all', healthy, unseen, { workloads: [] }],
    ['pods that may not be seen', [], unseen, { pods: 'not-permitted' }],
    ['what would be applied alone', [], unseen, { pods: 'absent' }],
  ])('%s', (_, pods, expected, told) => {
    expect(found(pods, told)).toEqual(expected.split(', '));
  });

  const one = (name: string, told: ContainerTold = {}) => containerOf('2.1.0', { name, ...told });
  const unready = (name: string, reason: string | null = null, restarts = 0) =>
    one(name, { ready: false, reason, restarts });
  const done = one('wait', { init: true, reason: 'Completed' });
  const crashing = one('migrate', { init: true, ready: false, reason: 'CrashLoopBackOff', restarts: 5 });
  it.each<[string, Partial<PodFact>, container: string | null, reason: string | null, restarts: number]>([
    [
      'the container that says why',
      { containers: [unready('lightdash'), unready('proxy', 'ImagePullBackOff', 2)] },
      ...(['proxy', 'ImagePullBackOff', 2] as const),
    ],
    [
      'the first, where none does',
      { containers: [unready('lightdash', null, 1), unready('proxy')] },
      ...(['lightdash', null, 1] as const),
    ],
    [
      'what runs before, where that is why',
      { phase: 'Pending', containers: [done, crashing, unready('lightdash', 'PodInitializing')] },
      ...(['migrate', 'CrashLoopBackOff', 5] as const),
    ],
    [
      'not what ran before, and is done, or says nothing',
      { containers: [done, one('other', { init: true }), unready('lightdash', 'Error')] },
      ...(['lightdash', 'Error', 0] as const),
    ],
    ['none, where all are ready', { phase: 'Unknown' }, null, null, 0],
  ])('of a pod that is not ready, name %s', (_, told, container, reason, restarts) => {
    const evidence = { kind: 'pod-not-ready', container, reason, restarts };
    expect(findingsOf(beside('c', '2.1.0', told)).findings).toMatchObject([{ subject: 'c', evidence }]);
  });

  it('why a pod failed is what the first container says that says anything', () => {
    const containers = [unready('proxy'), one('lightdash', { reason: 'Evicted' })];
    const { findings } = findingsOf(beside('c', '2.1.0', { phase: 'Failed', containers }));
    expect(findings).toMatchObject([{ subject: 'c', evidence: { kind: 'pod-failed', reason: 'Evicted' } }]);
  });

  it('a rollout that goes on is waited for, and a workload that was forgotten is not', () => {
    const passing = [
      'pod-of-another-release',
      'pod-not-ready',
      'workload-lacks-pods',
      'migration-job-not-ended',
    ];
    const transient = Object.entries(pods.traitsOf ?? {}).filter(([, traits]) => traits?.transient);
    expect(transient.map(([kind]) => kind)).toEqual(passing);
  });
});
