import { describe, expect, it } from 'vitest';
import { deploymentOf } from '../../src/instance/deployment.js';
import type { WorkloadFact } from '../../src/instance/facts/deployment-facts.js';
import type { ObservedFacts } from '../../src/instance/facts/facts-schema.js';
import {
  containerFact,
  deploymentFacts,
  imageFact,
  inCluster,
  valuesFact,
  workloadFact,
} from '../support/deployment.js';

const backend = workloadFact({ kind: 'Deployment', name: 'bi', role: 'backend' });
const former = workloadFact({
  ...{ kind: 'Job', name: 'by-hand', role: 'migration', succeeded: 1 },
  containers: [containerFact({ starts: 'migration', image: imageFact('lightdash/lightdash', '1.100.0') })],
});
const seenOf = (told: Parameters<typeof deploymentFacts>[0]) =>
  deploymentOf(deploymentFacts({ ...inCluster, ...told }));
const helmOf = (told: Parameters<typeof deploymentFacts>[0]) => seenOf(told).helm;

const seen = inCluster.deployment;
const ofCompose = { ...seen, kind: 'compose', origin: 'compose' } as const;

describe('what facts tell of a deployment', () => {
  it('is nothing where there are none', () => {
    const { helm, compose, ...nothing } = deploymentOf({});
    expect({ helm: helm.kind, compose: compose.kind }).toEqual({ helm: 'helm', compose: 'compose' });
    for (const { kind, ...part } of [nothing, helm, compose]) {
      const lists = Object.entries(part).map(([name, value]) => [
        name,
        value instanceof Map ? [...value] : value,
      ]);
      const known = lists.filter(([, value]) => value !== undefined);
      // No list has an entry, no text a letter, no question a yes.
      expect(known.filter(([, value]) => value !== false && String(value) !== '')).toEqual([]);
    }
    expect(deploymentOf({ deployment: { status: 'failed', source: 'deployment' } }).kind).toBeUndefined();
  });

  it('is the release, and the names of what it runs', () => {
    const found = deploymentOf(deploymentFacts({ ...inCluster, chartValues: valuesFact }));
    expect(found).toMatchObject({ kind: 'helm', namespaces: ['data'], compose: { services: [] } });
    expect(found.helm).toMatchObject({
      kind: 'helm',
      image: { tag: '1.111.0' },
      release: 'bi',
      namespace: 'data',
      chart: 'lightdash',
      chartVersion: '2.16.283',
      file: 'prod.yaml',
      files: ['base.yaml', 'prod.yaml'],
      valuesPath: [],
      migrationJob: true,
      migrationJobName: 'bi-lightdash-migrate',
      deployments: ['bi-lightdash-backend', 'bi-lightdash-worker'],
      backend: 'bi-lightdash-backend',
      autoscalers: inCluster.autoscalers.slice(0, 1),
      startup: 185,
      database: 'statefulset/bi-postgresql',
    });
  });

  it.each([
    ['production', 'production'],
    [null, undefined],
    [undefined, undefined],
  ])('has the context of kubectl where one was read by it: %s', (context, told) => {
    expect(helmOf({ deployment: { ...seen, context } as typeof seen }).context).toBe(told);
  });

  it.each([
    ['a cluster that shows all', {}, true],
    ['a cluster inside which kubectl has no context', { context: null }, true],
    ['manifests, which may be a part', { context: undefined }, false],
    ['a cluster that does not show Deployments', { unseenKinds: ['deployments.apps'] }, false],
    ['a cluster that does not show pods', { unseenKinds: ['Pod'] }, true],
  ] satisfies [string, object, boolean][])(
    'is the names of all Deployments of %s: %j',
    (_what, told, whole) => {
      const deployment = { ...inCluster.deployment, ...told };
      expect(helmOf({ deployment }).deployments.length > 0).toBe(whole);
    },
  );

  const unseenHooks = { ...seen, hooksSeen: null };
  const off = { ...valuesFact, migrationJobEnabled: false };
  const byClock = workloadFact({ ...former, kind: 'CronJob', succeeded: null });
  const elsewhere = { ...inCluster.helm, chart: 'bi-platform' };
  const early = { ...inCluster.helm, chartVersion: '2.7.0' };
  it.each<[string, Parameters<typeof helmOf>[0], boolean | undefined]>([
    ['a job that is there', {}, true],
    ['no job where hooks were seen', { workloads: [backend] }, false],
    ['a job of another release, which ended', { workloads: [backend, former] }, false],
    ['a job that a clock starts', { workloads: [backend, byClock] }, false],
    [
      'no job where hooks may be left out, and a chart that lets both migrate',
      { workloads: [backend], deployment: unseenHooks, helm: early },
      undefined,
    ],
    ['values that switch it off', { workloads: [backend], deployment: unseenHooks, chartValues: off }, false],
    [
      'values of another chart, which may mean anything',
      { workloads: [backend], deployment: unseenHooks, helm: elsewhere, chartValues: off },
      undefined,
    ],
    ['values with it on', { workloads: [backend], chartValues: { ...off, migrationJobEnabled: true } }, true],
  ])('is whether a job migrates: %s', (_what, told, job) => {
    expect(helmOf(told).migrationJob).toBe(job);
  });

  it('is no name where there are two to choose from', () => {
    const other = workloadFact({ kind: 'Deployment', name: 'bi-2', role: 'backend' });
    const jobs = ['a', 'b'].map((name) => workloadFact({ kind: 'Job', name, role: 'migration' }));
    expect(helmOf({ workloads: [backend, other, ...jobs] })).toMatchObject({
      ...{ backend: undefined, migrationJobName: undefined, migrationJob: true, startup: undefined },
      deployments: ['bi', 'bi-2'],
    });
    const databases = ['a', 'b'].map((name) => workloadFact({ kind: 'service', name, role: 'database' }));
    expect(seenOf({ deployment: ofCompose, workloads: databases }).compose.database).toBeUndefined();
    const newer = containerFact({ image: imageFact('lightdash/lightdash', '1.2.0') });
    const worker = workloadFact({ ...backend, name: 'w', role: 'worker', containers: [newer] });
    expect(helmOf({ workloads: [backend, worker] }).image).toBeUndefined();
    const staging = workloadFact({ ...backend, namespace: 'staging' });
    const namespaces = ['data', 'staging'];
    expect(seenOf({ workloads: [backend, staging] })).toMatchObject({
      namespaces,
      helm: { namespace: undefined },
    });
  });

  it.each([
    ['none named after it', ['nginx', 'ours/bi'], undefined],
    ['the only one', ['ours/bi'], 'ours/bi'],
    ['the one named after it', ['nginx', 'ours/lightdash'], 'ours/lightdash'],
    ['the one named after it, of two like it', ['lightdash/proxy', 'ours/lightdash'], 'ours/lightdash'],
    ['two named after it', ['lightdash/lightdash', 'ours/lightdash'], undefined],
  ])('is the image of the container of Lightdash: %s', (_what, images, image) => {
    const containers = [
      containerFact({ init: true, image: imageFact('lightdash/lightdash', '0.1.0') }),
      ...images.map((repository) =>
        containerFact({ name: repository, image: imageFact(repository, '1.0.0') }),
      ),
    ];
    const { image: found, startup } = helmOf({ workloads: [{ ...backend, containers }] });
    expect(found?.repository).toBe(image);
    expect(startup).toBe(image === undefined ? undefined : 'none');
  });

  it.each<[what: string, told: Partial<WorkloadFact> & Pick<WorkloadFact, 'kind'>, left: boolean]>([
    ['a Deployment, which is scaled to 0', { kind: 'Deployment', replicas: 2 }, false],
    ['a StatefulSet', { kind: 'StatefulSet', replicas: 1 }, true],
    ['a StatefulSet of which nobody says how many', { kind: 'StatefulSet', replicas: null }, true],
    ['a StatefulSet at 0', { kind: 'StatefulSet', replicas: 0 }, false],
    ['a DaemonSet', { kind: 'DaemonSet' }, true],
    ['a Job, which ends', { kind: 'Job' }, false],
    ['a CronJob', { kind: 'CronJob' }, true],
    ['a CronJob of which nobody says whether it is suspended', { kind: 'CronJob', suspended: null }, true],
    ['a suspended CronJob', { kind: 'CronJob', suspended: true }, false],
  ])('names what the steps of Helm leave running: %s', (_what, told, left) => {
    const one = workloadFact({ name: 'w', role: 'worker', ...told });
    expect(seenOf({ workloads: [backend, one] }).notStopped).toEqual(left ? [one] : []);
    expect(seenOf({ workloads: [one], deployment: ofCompose }).notStopped).toEqual([]);
  });

  it('leaves out what does not run Lightdash', () => {
    const other = workloadFact({ kind: 'StatefulSet', name: 'pg', role: 'database', replicas: 1 });
    expect(seenOf({ workloads: [backend, other] }).notStopped).toEqual([]);
  });

  it.each([
    ['helm, in a cluster', inCluster.deployment, inCluster.helm, undefined],
    ['Flux', inCluster.deployment, { ...inCluster.helm, appliedBy: 'flux' }, 'flux'],
    ['something else, in a cluster', inCluster.deployment, 'absent', 'other'],
    ['nobody known, in manifests', { ...inCluster.deployment, origin: 'manifests' }, 'absent', undefined],
    ['nobody who was looked for', inCluster.deployment, 'failed', undefined],
  ] as const)('is applied by %s', (_what, deployment, helm, by) => {
    const facts = deploymentFacts({ deployment: deployment as typeof inCluster.deployment });
    const found =
      typeof helm === 'string'
        ? { status: helm, source: 'deployment' }
        : deploymentFacts({ helm: helm as typeof inCluster.helm }).helm;
    expect(deploymentOf({ ...facts, helm: found as ObservedFacts['helm'] }).appliedBy).toBe(by);
  });
});
