import { describe, expect, it } from 'vitest';
import { runChecks } from '../../src/checks/run-checks.js';
import type { PodFact, WorkloadFact } from '../../src/facts/deployment-facts.js';
import { groupsWithFacts, mayPass, verifyChecks } from '../../src/verify/checks.js';
import {
  backendOf,
  backupJobOf,
  deployedAt,
  imageOf,
  migrationJobOf,
  workerOf,
  containerOf as workloadContainerOf,
} from '../support/deployment.js';
import { factsOf, inputOf, recordEvidence, type Situation } from '../support/preflight.js';
import { verifyLines } from '../support/verify-lines.js';

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
const withProxy = (pod: PodFact): PodFact => ({
  ...pod,
  containers: [containerOf('1', { name: 'proxy', image: proxy }), ...pod.containers],
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

describe('the pods after an upgrade', () => {
  it.each<[string, readonly PodFact[], Situation['facts'], readonly string[]]>([
    ['all run the release', healthy, {}, ['ok pods-run-the-release']],
    ['an old one is left', beside('old', '2.0.0'), {}, ['stop pod-of-another-release old']],
    [
      'an old one is ending',
      beside('old', '2.0.0', { ending: true }),
      {},
      ['stop pod-of-another-release old'],
    ],
    [
      'a newer one that nothing owns',
      beside('stray', '2.2.0', { workload: null }),
      {},
      ['stop pod-of-another-release stray'],
    ],
    [
      'an old one of a workload that is gone, whose image is called otherwise',
      beside(
        'old',
        '2.0.0',
        { workload: 'lightdash' },
        { image: imageOf('2.0.0', { reference: 'acme/bi:2.0.0', repository: 'acme/bi' }) },
      ),
      {},
      ['stop pod-of-another-release old'],
    ],
    [
      'a pod of something else',
      beside(
        'db',
        '16',
        { workload: 'db' },
        { name: 'db', image: imageOf('16', { reference: 'postgres:16', repository: 'postgres' }) },
      ),
      {},
      ['ok pods-run-the-release'],
    ],
    [
      'a tag that moves',
      [podOf('a', 'latest'), podOf('b', '2.1.0'), worker],
      {},
      ['stop pod-release-not-told a'],
    ],
    [
      'a pre-release',
      [podOf('a', '2.1.0-rc.1'), podOf('b', '2.1.0'), worker],
      {},
      ['stop pod-release-not-told a'],
    ],
    [
      'two digests beside one tag',
      [
        podOf('a', '2.1.0', {}, withDigest('sha256:a')),
        podOf('b', '2.1.0', {}, withDigest('sha256:b')),
        worker,
      ],
      {},
      ['not-checked facts-not-seen'],
    ],
    [
      'a digest beside one tag, and none beside another',
      first({}, withDigest('sha256:a')),
      {},
      ['ok pods-run-the-release'],
    ],
    [
      'a job by the clock that stays behind',
      healthy,
      cluster(migrationJobOf('2.0.0', { kind: 'CronJob', hook: null })),
      ['stop workload-of-another-release CronJob lightdash-migrate'],
    ],
    [
      'a job by the clock with an image of Lightdash that stays behind',
      healthy,
      cluster(backupJobOf({ containers: [{ ...exporter, image: imageOf('2.0.0') }] })),
      ['stop workload-of-another-release CronJob lightdash-backup'],
    ],
    [
      'a job by the clock whose image tells no release',
      healthy,
      cluster(backupJobOf({ containers: [{ ...exporter, image: imageOf('latest') }] })),
      ['not-checked facts-not-seen'],
    ],
    [
      'a job by the clock with an image of the release',
      healthy,
      cluster(backupJobOf({ containers: [exporter] })),
      ['ok pods-run-the-release'],
    ],
    [
      'a suffix of ones own',
      [podOf('a', 'v2.1.0-ours'), podOf('b', '2.1.0'), worker],
      {},
      ['ok pods-run-the-release'],
    ],
    [
      'one that crashes',
      first({}, { ready: false, reason: 'CrashLoopBackOff', restarts: 7 }),
      {},
      ['stop pod-not-ready a'],
    ],
    [
      'one that is not there yet',
      first({ phase: 'Pending' }, { ready: false }),
      {},
      ['stop pod-not-ready a'],
    ],
    [
      'one that ends, and is no longer ready',
      beside('c', '2.1.0', { ending: true }, { ready: false }),
      {},
      ['ok pods-run-the-release'],
    ],
    [
      'one that was restarted',
      first({}, { restarts: 2, lastReason: 'OOMKilled', lastExitCode: 137 }),
      {},
      ['warn pod-restarted a'],
    ],
    ['one that was restarted once', first({}, { restarts: 1 }), {}, ['warn pod-restarted a']],
    [
      'one in which only what ran before was restarted',
      first({
        containers: [containerOf('2.1.0', { name: 'wait', init: true, restarts: 1 }), containerOf('2.1.0')],
      }),
      {},
      ['ok pods-run-the-release'],
    ],
    [
      'one that was evicted, beside one that took its place',
      beside('gone', '2.0.0', { phase: 'Failed' }, { ready: false, reason: 'Evicted' }),
      {},
      ['warn pod-failed gone'],
    ],
    [
      'an old one of a workload of Lightdash, whatever it is called',
      beside('old', '2.0.0', {}, { name: 'app', image: imageOf('2.0.0', { reference: 'acme/bi:2.0.0' }) }),
      {},
      ['stop pod-of-another-release old'],
    ],
    [
      'an old one that nothing owns, with a proxy before it',
      [...healthy, withProxy(podOf('stray', '2.0.0', { workload: null }))],
      {},
      ['stop pod-of-another-release stray'],
    ],
    ...(
      [
        [
          'of a container of the name in the chart',
          'lightdash',
          'acme/bi',
          'stop pod-of-another-release stray',
        ],
        ['of a registry of that name', 'app', 'lightdash.example/bi', 'stop pod-of-another-release stray'],
        ['of another name', 'app', 'acme/bi', 'ok pods-run-the-release'],
      ] as const
    ).map(([what, name, image, expected]): [string, PodFact[], object, string[]] => [
      `an old one that nothing owns, ${what}`,
      beside(
        'stray',
        '2.0.0',
        { workload: null },
        {
          name,
          image: imageOf('2.0.0', { reference: `${image}:2.0.0`, repository: image.replace(/.*\//, '') }),
        },
      ),
      {},
      [expected],
    ]),
    [
      'an old one that has ended',
      beside('done', '2.0.0', { workload: null, phase: 'Succeeded' }),
      {},
      ['ok pods-run-the-release'],
    ],
    [
      'an old one of a job, which is none that serves',
      beside('m', '2.0.0', { workload: 'lightdash-migrate' }),
      { workloads: [backendOf('2.1.0'), workerOf('2.1.0'), migrationJobOf('2.0.0')] },
      ['ok pods-run-the-release'],
    ],
    [
      'one of which its node says nothing, that was ready',
      first({ phase: 'Unknown' }),
      {},
      ['stop pod-not-ready a'],
    ],
    ['too few', [podOf('a', '2.1.0'), worker], {}, ['stop workload-lacks-pods Deployment lightdash-backend']],
    [
      'one that ends, and nothing in its place',
      [podOf('a', '2.1.0'), podOf('b', '2.1.0', { ending: true }), worker],
      {},
      ['stop workload-lacks-pods Deployment lightdash-backend'],
    ],
    [
      'none of a worker that an autoscaler counts',
      backends,
      { workloads: [backendOf('2.1.0'), workerOf('2.1.0', { replicas: null })] },
      ['stop workload-lacks-pods Deployment lightdash-worker'],
    ],
    [
      'a backend at zero',
      [worker],
      { workloads: [backendOf('2.1.0', { replicas: 0 }), workerOf('2.1.0')] },
      ['stop workload-at-zero Deployment lightdash-backend'],
    ],
    [
      'a worker at zero',
      backends,
      { workloads: [backendOf('2.1.0'), workerOf('2.1.0', { replicas: 0 })] },
      ['warn workload-at-zero Deployment lightdash-worker'],
    ],
    [
      'a worker that was left behind',
      [...backends, podOf('w', '2.0.0', { workload: 'lightdash-worker' })],
      { workloads: [backendOf('2.1.0'), workerOf('2.0.0')] },
      ['stop workload-of-another-release Deployment lightdash-worker', 'stop pod-of-another-release w'],
    ],
    [
      'a job that failed',
      healthy,
      { workloads: [backendOf('2.1.0'), workerOf('2.1.0'), migrationJobOf('2.1.0', { failed: 3 })] },
      ['stop migration-job-failed Job lightdash-migrate'],
    ],
    [
      'a job that has not ended',
      healthy,
      {
        workloads: [
          backendOf('2.1.0'),
          workerOf('2.1.0'),
          migrationJobOf('2.1.0', { failed: 0, succeeded: 0 }),
        ],
      },
      ['stop migration-job-not-ended Job lightdash-migrate'],
    ],
    ...[
      migrationJobOf('2.0.0', { failed: 0, succeeded: 0 }),
      migrationJobOf('2.1.0', { failed: 1, succeeded: 1 }),
      migrationJobOf('2.0.0', { failed: 3 }),
      migrationJobOf('2.1.0', { failed: 0, succeeded: null }),
      migrationJobOf('2.1.0', { failed: 3, role: 'other' }),
      migrationJobOf('2.1.0', { failed: null, succeeded: null }),
      backendOf('2.0.0', { name: 'other', role: 'other' }),
    ].map((other): [string, readonly PodFact[], Situation['facts'], readonly string[]] => [
      `nothing of ${JSON.stringify([other.kind, other.failed, other.containers[0]?.image.tag])}`,
      healthy,
      { workloads: [backendOf('2.1.0'), workerOf('2.1.0'), other] },
      ['ok pods-run-the-release'],
    ]),
    [
      'a job that succeeded in the end, and its pods',
      beside('m', '2.1.0', { workload: 'lightdash-migrate', phase: 'Succeeded' }, { ready: false }),
      {
        workloads: [
          backendOf('2.1.0'),
          workerOf('2.1.0'),
          migrationJobOf('2.1.0', { failed: 1, succeeded: 1 }),
        ],
      },
      ['ok pods-run-the-release'],
    ],
    [
      'an agent on every node',
      healthy,
      {
        workloads: [
          backendOf('2.1.0'),
          workerOf('2.1.0'),
          workerOf('2.1.0', { kind: 'DaemonSet', name: 'd', replicas: null }),
        ],
      },
      ['ok pods-run-the-release'],
    ],
    ['no backend at all', healthy, { workloads: [] }, ['not-checked facts-not-seen']],
    ['pods that may not be seen', [], { pods: 'not-permitted' }, ['not-checked facts-not-seen']],
    ['what would be applied alone', [], { pods: 'absent' }, ['not-checked facts-not-seen']],
  ])('%s', (_, pods, told, expected) => {
    expect(found(pods, told)).toEqual(expected);
  });

  const one = (name: string, told: ContainerTold = {}) => containerOf('2.1.0', { name, ...told });
  const unready = { ready: false, reason: null };
  it.each<[string, Partial<PodFact>, object]>([
    [
      'the container that says why',
      {
        containers: [
          one('lightdash', unready),
          one('proxy', { ready: false, reason: 'ImagePullBackOff', restarts: 2 }),
        ],
      },
      { kind: 'pod-not-ready', container: 'proxy', reason: 'ImagePullBackOff', restarts: 2 },
    ],
    [
      'the first, where none does',
      { containers: [one('lightdash', { ...unready, restarts: 1 }), one('proxy', unready)] },
      { kind: 'pod-not-ready', container: 'lightdash', reason: null, restarts: 1 },
    ],
    [
      'what runs before, where that is why',
      {
        phase: 'Pending',
        containers: [
          one('wait', { init: true, reason: 'Completed' }),
          one('migrate', { init: true, ready: false, reason: 'CrashLoopBackOff', restarts: 5 }),
          one('lightdash', { ready: false, reason: 'PodInitializing' }),
        ],
      },
      { kind: 'pod-not-ready', container: 'migrate', reason: 'CrashLoopBackOff', restarts: 5 },
    ],
    [
      'not what ran before, and is done',
      {
        containers: [
          one('migrate', { init: true, reason: 'Completed' }),
          one('lightdash', { ready: false, reason: 'Error' }),
        ],
      },
      { kind: 'pod-not-ready', container: 'lightdash', reason: 'Error' },
    ],
    [
      'none, where all are ready',
      { phase: 'Unknown' },
      { kind: 'pod-not-ready', container: null, reason: null },
    ],
    [
      'why a pod failed',
      { phase: 'Failed', containers: [one('proxy', unready), one('lightdash', { reason: 'Evicted' })] },
      { kind: 'pod-failed', reason: 'Evicted' },
    ],
  ])('name %s', (_, told, evidence) => {
    const { findings } = findingsOf(beside('c', '2.1.0', told));
    expect(findings).toMatchObject([{ subject: 'c', evidence }]);
  });

  it('a rollout that goes on is waited for, and a workload that was forgotten is not', () => {
    const passing = [
      'pod-of-another-release',
      'pod-not-ready',
      'workload-lacks-pods',
      'migration-job-not-ended',
    ];
    for (const kind of passing) {
      expect(mayPass({ kind }), kind).toBe(true);
    }
    expect(mayPass({ kind: 'workload-of-another-release' })).toBe(false);
  });
});

describe('the groups that facts tell of', () => {
  it.each<[string, NonNullable<Situation['facts']>, readonly string[]]>([
    ['none', {}, ['database', 'deployment']],
    ['a database', { ledger: [] }, ['database']],
    ['a database that may not be read', { ledger: 'not-permitted' }, ['database']],
  ])('%s', (_, facts, expected) => {
    expect(groupsWithFacts(factsOf(facts))).toEqual(expected);
  });

  it('a deployment beside a database that was not asked', () => {
    expect(
      groupsWithFacts({
        ledger: { status: 'not-asked', source: 'database' },
        pods: { status: 'seen', value: [], seenAt: '2026-09-06T18:00:00Z', source: 'deployment' },
      }),
    ).toEqual(['deployment']);
  });
});
