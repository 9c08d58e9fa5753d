import { describe } from 'vitest';
import { images } from '../../../src/checks/deployment/images.js';
import type { ContainerFact, PodFact, WorkloadFact } from '../../../src/instance/facts/deployment-facts.js';
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
} from '../../support/deployment.js';
import { autoscalerOf } from '../../support/facts.js';
import { itFinds } from '../../support/preflight.js';

const withWorkloads = (...workloads: WorkloadFact[]) => ({ ...deployedAt('2.0.0'), workloads });
const beside = (...workloads: WorkloadFact[]) => withWorkloads(backendOf('2.0.0'), ...workloads);
const containing = (...containers: ContainerFact[]) => withWorkloads(backendOf('2.0.0', { containers }));
const of = (tag: string | null, told: Partial<ContainerFact['image']> = {}) =>
  containerOf('2.0.0', { image: { ...imageOf(tag ?? ''), tag, ...told } });
const named = (name: string, tag: string, repository: string) => ({ ...of(tag, { repository }), name });
const workerOfImage = (tag: string, told: Partial<ContainerFact['image']> = {}) =>
  workerOf('2.0.0', { containers: [of(tag, told)] });
const digested = (digest: string) => backendOf('2.0.0', { containers: [of('2.0.0', { digest })] });
const exporterOf = (version: string) => containerOf(version, { name: 'export', starts: 'other' });
const exporting = (version: string) =>
  deployedAt('2.0.0', backupJobOf({ name: 'export', containers: [exporterOf(version)] }));
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
const idleWorker = workerOf('1.9.0', { replicas: 0 });
const inCompose = (...more: WorkloadFact[]): DeploymentFacts => {
  const facts = composedAt('2.0.0');
  return { ...facts, workloads: [...(facts.workloads as WorkloadFact[]), ...more] };
};
const composedOf = (container: ContainerFact) => composedAt('2.0.0', { containers: [container] });
const minio = (repository: string, registry: string | null = null) => {
  const image = imageOf('1', { reference: repository, repository, registry });
  const containers = [containerOf('1', { name: 'minio', image })];
  return inCompose(backendOf('1', { kind: 'service', name: 'minio', role: 'other', containers }));
};
const unnamed = of(null, { reference: '', registry: null, repository: '', pullPolicy: null });
const unpinned = 'stop image-not-pinned Deployment lightdash-backend';

describe('images', () => {
  itFinds(images, (facts: DeploymentFacts) => ({ facts }), {
    'ok images-agree': {
      'are of the release that runs': deployedAt('2.0.0'),
      'are so in a compose file': composedAt('2.0.0'),
      'are so with the job': deployedAt('2.0.0', migrationJobOf('2.0.0')),
      'may have a suffix': containing(of('2.0.0-corp.1')),
      'may have a digest too': containing(of('2.0.0', { digest: 'sha256:ab' })),
      'have a digest in one place alone': withWorkloads(digested('sha256:ab'), workerOf('2.0.0')),
      'of a job by the clock that neither migrates nor dumps are the same': exporting('2.0.0'),
      'may be of the target in what is to be applied': seenThrough(deployedAt('2.1.0'), {
        origin: 'rendered',
      }),
      'of a job that ended are of its day': beside(migrationJobOf('1.9.0', { succeeded: 1 })),
      'of a job that failed are of its day': beside(migrationJobOf('1.9.0', { succeeded: 0, failed: 1 })),
      'of a job that failed are of the release that the pods run': beside(
        migrationJobOf('2.0.0', { failed: 1 }),
      ),
      'come from one registry, written or not': beside(workerOfImage('2.0.0', { registry: 'docker.io' })),
      'of what stands beside the app say nothing': containing(
        named('proxy', 'latest', 'cloud-sql-proxy'),
        containerOf('2.0.0'),
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
      'of a worker at zero are older': beside(idleWorker),
      'of a service at zero are older': inCompose({ ...idleWorker, kind: 'service', name: 'worker' }),
      'of MinIO are in a registry of one own': minio('bitnami/minio', 'registry.example.com'),
      'of MinIO are of its publisher': minio('minio/minio'),
    },
    'warn images-differ': {
      'have two digests beside one tag, one of which may be of the release before': withWorkloads(
        digested('sha256:ab'),
        workerOfImage('2.0.0', { digest: 'sha256:cd' }),
      ),
      'come from two places of one registry': beside(
        workerOfImage('2.0.0', { repository: 'mirror/lightdash' }),
      ),
      'come from two registries': beside(workerOfImage('2.0.0', { registry: 'registry.example.com' })),
      'have two suffixes': beside(workerOfImage('2.0.0-corp.1')),
    },
    [unpinned]: {
      'are of a pre-release': containing(of('2.0.0-rc.1')),
      'have no tag': containing(of(null)),
      'have a tag that moves, pulled always': containing(of('2', { pullPolicy: 'Always' })),
      'of which nothing tells whose they are all count': containing(
        named('a', 'latest', 'corp/a'),
        named('b', '2.0.0', 'corp/bi'),
      ),
    },
    'stop image-not-pinned service lightdash': {
      'have a tag that moves, in a compose file': composedOf(of('latest')),
      'have one, and nothing says when it is pulled': composedOf(of('latest', { pullPolicy: null })),
    },
    'stop image-not-pinned Pod lightdash-backend-x': {
      'of pods of a rollout that has not ended have no tag': withPods(podRunning('latest')),
    },
    'not-checked facts-not-seen; warn image-by-digest-alone Deployment lightdash-backend': {
      'are held by a digest alone': containing(of(null, { digest: 'sha256:ab' })),
    },
    'stop image-without-name service lightdash': {
      'have no name, because they are built': composedOf(unnamed),
    },
    'stop images-of-the-target': { 'are of the target in the cluster': deployedAt('2.1.0') },
    'stop images-of-another-release': { 'are of another release': deployedAt('1.9.0') },
    'stop images-of-several-releases': {
      'of a job by the clock that neither migrates nor dumps are older': exporting('1.9.0'),
      'are of two releases': withWorkloads(backendOf('2.1.0'), workerOf('2.0.0')),
      'are of two releases, and the first is the one that runs': beside(workerOf('2.1.0')),
      'of a job are of another release': beside(migrationJobOf('2.1.0')),
      'of a job that failed are newer': beside(migrationJobOf('2.1.0', { failed: 1 })),
      'of a job that has not ended are older: 0': beside(
        migrationJobOf('1.9.0', { succeeded: 0, failed: 0 }),
      ),
      'of a job that has not ended are older: null': beside(
        migrationJobOf('1.9.0', { succeeded: null, failed: null }),
      ),
      'of pods of a rollout that has not ended are older': withPods(podRunning('2.0.0'), podRunning('1.9.0')),
      'of pods of nothing that was read are older': withPods(podRunning('1.9.0', { workload: null })),
      'of a worker at zero that an autoscaler brings back are older': {
        ...beside(idleWorker),
        autoscalers: [autoscalerOf({ name: 'keda-hpa', targetName: idleWorker.name })],
      },
      'of the backend at zero are older': withWorkloads(
        backendOf('1.9.0', { replicas: 0 }),
        workerOf('2.0.0'),
      ),
      'of a pod that a worker at zero left are older': {
        ...{ ...beside(idleWorker), pods: [podRunning('1.9.0', { workload: idleWorker.name })] },
      },
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
    'warn image-gone service minio': {
      'of MinIO are gone': minio('bitnami/minio'),
      'of MinIO are gone, with the registry': minio('bitnami/minio', 'docker.io'),
    },
    'warn starts-by-yarn service lightdash': {
      'are started by yarn, which they do not have': composedOf(containerOf('2.0.0', { byYarn: true })),
      'are started by yarn beside one that is not': composedAt('2.0.0', {
        containers: [containerOf('2.0.0'), containerOf('2.0.0', { byYarn: true })],
      }),
    },
    'not-checked facts-not-seen': {
      'of pods are not known': { ...deployedAt('2.0.0'), pods: 'not-permitted' },
      'are not known where no backend was read': withWorkloads(backupJobOf()),
      'are not known where a worker alone was read': withWorkloads(workerOf('2.0.0')),
      'of a job are not known where jobs may not be read': seenThrough(deployedAt('2.0.0'), {
        unseenKinds: ['Job'],
      }),
      ...Object.fromEntries(
        ['Deployment', 'statefulsets.apps', 'DaemonSet'].map((kind) => [
          `are not known where workloads may not be read: ${kind}`,
          seenThrough(deployedAt('2.0.0'), { unseenKinds: [kind] }),
        ]),
      ),
    },
  });
});
