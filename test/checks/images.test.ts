import { describe } from 'vitest';
import { images } from '../../src/checks/images.js';
import type { ContainerFact, PodFact, WorkloadFact } from '../../src/facts/deployment-facts.js';
import {
  backendOf,
  backupJobOf,
  composedAt,
  containerOf,
  type DeploymentFacts,
  deployedAt,
  imageOf,
  migrationJobOf,
  seenThrough,
  workerOf,
} from '../support/deployment.js';
import { itFinds } from '../support/preflight.js';

const withWorkloads = (...workloads: WorkloadFact[]) => ({ ...deployedAt('2.0.0'), workloads });
const withImage = (tag: string | null, told: Partial<ContainerFact['image']> = {}) =>
  withWorkloads(
    backendOf('2.0.0', {
      containers: [containerOf('2.0.0', { image: { ...imageOf(tag ?? ''), tag, ...told } })],
    }),
  );
const from = (registry: string) => [containerOf('2.0.0', { image: imageOf('2.0.0', { registry }) })];
const withDigest = (of: typeof backendOf, digest: string) =>
  of('2.0.0', { containers: [containerOf('2.0.0', { image: imageOf('2.0.0', { digest }) })] });
const exporterOf = (version: string) => containerOf(version, { name: 'export', starts: 'other' });
const podContainer = (image: ContainerFact['image']): PodFact['containers'][number] => ({
  ...{ name: 'lightdash', init: false, image, ready: true, restarts: 0 },
  ...{ reason: null, lastReason: null, lastExitCode: null },
});
const podRunning = (
  tag: string,
  told: Partial<PodFact> = {},
  image: Partial<ContainerFact['image']> = {},
): PodFact => ({
  ...{ name: 'lightdash-backend-x', namespace: 'lightdash', workload: 'lightdash-backend' },
  ...{ phase: 'Running', ending: false, containers: [podContainer(imageOf(tag, image))], ...told },
});
const withPods = (...pods: PodFact[]): DeploymentFacts => ({ ...deployedAt('2.0.0'), pods });

const inCompose = (...more: WorkloadFact[]): DeploymentFacts => {
  const facts = composedAt('2.0.0');
  return { ...facts, workloads: [...(facts.workloads as WorkloadFact[]), ...more] };
};
const serviceOf = (name: string, repository: string, registry: string | null = null) =>
  backendOf('1', {
    kind: 'service',
    name,
    role: 'other',
    containers: [
      containerOf('1', { name, image: imageOf('1', { reference: repository, repository, registry }) }),
    ],
  });
const unnamed = imageOf('', { reference: '', registry: null, repository: '', tag: null, pullPolicy: null });

describe('images', () => {
  itFinds(
    images,
    (facts: DeploymentFacts) => ({ facts }),
    {
      'ok images-agree': {
        'are of the release that runs': deployedAt('2.0.0'),
        'are so in a compose file': composedAt('2.0.0'),
        'are so with the job': deployedAt('2.0.0', migrationJobOf('2.0.0')),
        'may have a v': withImage('v2.0.0'),
        'may have a suffix': withImage('2.0.0-corp.1'),
        'may have a digest too': withImage('2.0.0', { digest: 'sha256:ab' }),
        'have a digest in one place alone': withWorkloads(
          withDigest(backendOf, 'sha256:ab'),
          workerOf('2.0.0'),
        ),
        'of a job by the clock that neither migrates nor dumps are the same': deployedAt(
          '2.0.0',
          backupJobOf({ name: 'export', containers: [exporterOf('2.0.0')] }),
        ),
        'may be of the target in what is to be applied': seenThrough(deployedAt('2.1.0'), {
          origin: 'rendered',
        }),
        'of a job that ended are of its day': withWorkloads(
          backendOf('2.0.0'),
          migrationJobOf('1.9.0', { succeeded: 1 }),
        ),
        'of a job that failed are of its day': withWorkloads(
          backendOf('2.0.0'),
          migrationJobOf('1.9.0', { succeeded: 0, failed: 1 }),
        ),
        'of a job that failed are of the release that the pods run': withWorkloads(
          backendOf('2.0.0'),
          migrationJobOf('2.0.0', { failed: 1 }),
        ),
        'come from one registry, written or not': withWorkloads(
          backendOf('2.0.0'),
          workerOf('2.0.0', { containers: from('docker.io') }),
        ),
        'of what stands beside the app say nothing': withWorkloads(
          backendOf('2.0.0', {
            containers: [
              containerOf('2.0.0', {
                name: 'proxy',
                image: imageOf('latest', { repository: 'cloud-sql-proxy' }),
              }),
              containerOf('2.0.0'),
            ],
          }),
        ),
        'of a registry of one own have any name': withWorkloads(
          backendOf('2.0.0', {
            containers: [
              containerOf('2.0.0', { name: 'proxy', image: imageOf('latest', { repository: 'proxy' }) }),
              containerOf('2.0.0', { image: imageOf('2.0.0', { repository: 'corp/bi' }) }),
            ],
          }),
        ),
        'of pods that ended are of their day': withPods(
          podRunning('1.9.0', { phase: 'Succeeded' }),
          podRunning('1.8.0', { phase: 'Failed' }),
        ),
        'of pods are the same, from a mirror that the cluster puts in': withPods(
          podRunning('2.0.0', {}, { registry: 'mirror.example.com', reference: 'm/lightdash:2.0.0' }),
        ),
        'of what stands beside the app in a pod say nothing': withPods({
          ...podRunning('2.0.0'),
          containers: [
            podContainer(imageOf('2.0.0')),
            { ...podContainer(imageOf('1.9.0', { repository: 'proxy' })), name: 'proxy' },
          ],
        }),
        'of a worker at zero are older': withWorkloads(
          backendOf('2.0.0'),
          workerOf('1.9.0', { replicas: 0 }),
        ),
        'of a service at zero are older': inCompose(
          workerOf('1.9.0', { kind: 'service', name: 'worker', replicas: 0 }),
        ),
        'of MinIO are in a registry of one own': inCompose(
          serviceOf('minio', 'bitnami/minio', 'registry.example.com'),
        ),
        'of MinIO are of its publisher': inCompose(serviceOf('minio', 'minio/minio')),
      },
      'warn images-differ': {
        'have two digests beside one tag, one of which may be of the release before': withWorkloads(
          withDigest(backendOf, 'sha256:ab'),
          withDigest(workerOf, 'sha256:cd'),
        ),
        'come from two places of one registry': withWorkloads(
          backendOf('2.0.0'),
          workerOf('2.0.0', {
            containers: [
              containerOf('2.0.0', { image: imageOf('2.0.0', { repository: 'mirror/lightdash' }) }),
            ],
          }),
        ),
        'come from two registries': withWorkloads(
          backendOf('2.0.0'),
          workerOf('2.0.0', { containers: from('registry.example.com') }),
        ),
        'have two suffixes': withWorkloads(
          backendOf('2.0.0'),
          workerOf('2.0.0', { containers: [containerOf('2.0.0', { image: imageOf('2.0.0-corp.1') })] }),
        ),
      },
      'stop image-not-pinned Deployment lightdash-backend': {
        'are of a pre-release': withImage('2.0.0-rc.1'),
        'are of a commit': withImage('2.0.0-abc1234'),
        'have no tag': withImage(null),
        'have the tag latest': withImage('latest'),
        'have a tag that moves, pulled always': withImage('2', { pullPolicy: 'Always' }),
        'of which nothing tells whose they are all count': withWorkloads(
          backendOf('2.0.0', {
            containers: [
              containerOf('2.0.0', { name: 'a', image: imageOf('latest', { repository: 'corp/a' }) }),
              containerOf('2.0.0', { name: 'b', image: imageOf('2.0.0', { repository: 'corp/bi' }) }),
            ],
          }),
        ),
      },
      'stop images-of-several-releases': {
        'of a job by the clock that neither migrates nor dumps are older': deployedAt(
          '2.0.0',
          backupJobOf({ name: 'export', containers: [exporterOf('1.9.0')] }),
        ),
        'are of two releases': withWorkloads(backendOf('2.1.0'), workerOf('2.0.0')),
        'are of two releases, and the first is the one that runs': withWorkloads(
          backendOf('2.0.0'),
          workerOf('2.1.0'),
        ),
        'of a job are of another release': withWorkloads(backendOf('2.0.0'), migrationJobOf('2.1.0')),
        'of a job that failed are newer': withWorkloads(
          backendOf('2.0.0'),
          migrationJobOf('2.1.0', { failed: 1 }),
        ),
        'of pods of a rollout that has not ended are older': withPods(
          podRunning('2.0.0'),
          podRunning('1.9.0'),
        ),
        'of pods of nothing that was read are older': withPods(podRunning('1.9.0', { workload: null })),
        'of a worker at zero that an autoscaler brings back are older': {
          ...withWorkloads(backendOf('2.0.0'), workerOf('1.9.0', { replicas: 0 })),
          autoscalers: [
            {
              ...{ name: 'keda-hpa', targetKind: 'Deployment', targetName: workerOf('1.9.0').name },
              ...{ minReplicas: 1, maxReplicas: 3 },
            },
          ],
        },
        'of the backend at zero are older': withWorkloads(
          backendOf('1.9.0', { replicas: 0 }),
          workerOf('2.0.0'),
        ),
        'of a pod that a worker at zero left are older': {
          ...withWorkloads(backendOf('2.0.0'), workerOf('1.9.0', { replicas: 0 })),
          pods: [podRunning('1.9.0', { workload: workerOf('1.9.0').name })],
        },
      },
      'stop images-of-the-target': {
        'are of the target in the cluster': deployedAt('2.1.0'),
      },
      'stop images-of-another-release': {
        'are of another release': deployedAt('1.9.0'),
      },
      'stop image-not-pinned service lightdash': {
        'have a tag that moves, in a compose file': composedAt('2.0.0', {
          containers: [containerOf('2.0.0', { image: imageOf('latest') })],
        }),
      },
      'not-checked facts-not-seen; warn image-by-digest-alone Deployment lightdash-backend': {
        'are held by a digest alone': withImage(null, { digest: 'sha256:ab' }),
      },
      'stop images-of-several-releases; not-checked facts-not-seen': {
        'of jobs that ended are of two releases, and nothing else was seen': withWorkloads(
          migrationJobOf('1.9.0', { succeeded: 1 }),
          migrationJobOf('2.0.0', { succeeded: 1 }),
        ),
      },
      'stop images-of-another-release; not-checked facts-not-seen': {
        'of a job that ended are of another release, and all that was seen': withWorkloads(
          migrationJobOf('1.9.0', { succeeded: 1 }),
        ),
      },
      'stop image-not-pinned Pod lightdash-backend-x': {
        'of pods of a rollout that has not ended have no tag': withPods(podRunning('latest')),
      },
      'not-checked facts-not-seen': {
        'of pods are not known': { ...deployedAt('2.0.0'), pods: 'not-permitted' },
        'are not known where no backend was read': withWorkloads(backupJobOf()),
        'of a job are not known where jobs may not be read': seenThrough(deployedAt('2.0.0'), {
          unseenKinds: ['Job'],
        }),
        'are not known where a worker alone was read': withWorkloads(workerOf('2.0.0')),
      },
      'stop image-without-name service lightdash': {
        'have no name, because they are built': composedAt('2.0.0', {
          containers: [containerOf('2.0.0', { image: unnamed })],
        }),
      },
      'warn image-gone service minio': {
        'of MinIO are gone': inCompose(serviceOf('minio', 'bitnami/minio')),
        'of MinIO are gone, with the registry': inCompose(serviceOf('minio', 'bitnami/minio', 'docker.io')),
      },
      'warn starts-by-yarn service lightdash': {
        'are started by yarn, which they do not have': composedAt('2.0.0', {
          containers: [containerOf('2.0.0', { byYarn: true })],
        }),
      },
    },
    [
      ...[0, null].map((none): [string, DeploymentFacts, string[]] => [
        `of a job that has not ended are older: ${none}`,
        withWorkloads(backendOf('2.0.0'), migrationJobOf('1.9.0', { succeeded: none, failed: none })),
        ['stop images-of-several-releases'],
      ]),
      ...['Deployment', 'statefulsets.apps', 'DaemonSet'].map((kind): [string, DeploymentFacts, string[]] => [
        `are not known where workloads may not be read: ${kind}`,
        seenThrough(deployedAt('2.0.0'), { unseenKinds: [kind] }),
        ['not-checked facts-not-seen'],
      ]),
    ],
  );
});
