import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { factsFileSchema } from '../../../src/facts/facts-schema.js';
import { factKeysOf } from '../../../src/facts/needs.js';
import { collectDeployment, type DeploymentWanted } from '../../../src/sources/deployment/collect.js';
import { readObjects } from '../../../src/sources/deployment/kubernetes-object.js';
import { manifestFacts } from '../../../src/sources/deployment/manifest-facts.js';
import { testNow } from '../../support/cli.js';
import {
  asList,
  asYaml,
  backendPod,
  type ChartOf,
  canary,
  chartObjects,
  inCluster,
  withoutHooks,
} from '../../support/manifests.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

async function collect(texts: string | readonly string[], wanted: DeploymentWanted = {}) {
  const folder = temporaryFolder();
  const manifests = [texts].flat().map((text, i) => {
    const file = join(folder, `${i}.yaml`);
    writeFileSync(file, text);
    return file;
  });
  const { facts } = await collectDeployment(
    { manifests, ...wanted },
    { stdin: (async function* () {})(), env: {}, now: () => testNow },
  );
  const all = { schemaVersion: '1', collectedAt: testNow.toISOString(), facts };
  expect(factsFileSchema.safeParse(all).success).toBe(true);
  expect(JSON.stringify(all)).not.toContain(canary);
  return facts;
}

async function faultOf(texts: string | readonly string[], wanted?: DeploymentWanted): Promise<string> {
  const error = await collect(texts, wanted).catch((thrown: unknown) => thrown);
  if (!(error instanceof Error)) throw new Error('it was read');
  expect(error).toMatchObject({ name: 'LightspanError' });
  expect(`${error.message} ${Reflect.get(error, 'hint')}`).not.toContain(canary);
  return `${Reflect.get(error, 'code')}: ${error.message.replace(/\/\S*\/(?=\d\.yaml)/g, '')}`;
}

async function hintOf(texts: string): Promise<unknown> {
  return collect(texts).catch((thrown: unknown) => Reflect.get(Object(thrown), 'hint'));
}

function seen<T>(fact: { readonly status: string; readonly value?: T } | undefined): T {
  if (fact?.status !== 'seen' || fact.value === undefined) throw new Error(JSON.stringify(fact));
  return fact.value;
}

const chart: ChartOf = { chart: '2.16.101', app: '1.237.0' };
const whole = { ...chart, job: true, worker: true, autoscaling: true, postgresql: true };
const short = async (told: ChartOf, wanted?: DeploymentWanted) =>
  seen((await collect(asYaml(chartObjects(told)), wanted)).workloads).map(({ role, kind, containers }) => [
    role,
    kind,
    containers.at(-1)?.starts,
    containers.at(-1)?.image.tag,
  ]);

describe('the chart, by its version', () => {
  it.each<[string, ChartOf, unknown[]]>([
    [
      'its first job, and pods that migrate too',
      { chart: '2.6.0', app: '0.2248.0', job: true },
      [
        ['backend', 'Deployment', 'entrypoint', '0.2248.0'],
        ['migration', 'Job', 'migration', '0.2248.0'],
      ],
    ],
    [
      'no job',
      { chart: '2.10.174', app: '1.134.0', tag: '1.134.1' },
      [['backend', 'Deployment', 'entrypoint', '1.134.1']],
    ],
    [
      'all of it',
      whole,
      [
        ['backend', 'Deployment', 'server', '1.237.0'],
        ['worker', 'Deployment', 'worker', '1.237.0'],
        ['migration', 'Job', 'migration', '1.237.0'],
        ['database', 'StatefulSet', 'other', 'pg16'],
      ],
    ],
    [
      'a mode',
      { chart: '2.16.361', app: '2.130.0', mode: 'Recreate' },
      [['backend', 'Deployment', 'entrypoint', '2.130.0']],
    ],
  ])('%s', async (_, told, expected) => {
    expect(await short(told)).toEqual(expected);
  });

  it('tells release, chart, hooks, budgets and autoscalers', async () => {
    const facts = await collect(asYaml(chartObjects(whole)));
    expect(seen(facts.deployment)).toMatchObject({ kind: 'kubernetes', origin: 'rendered', hooksSeen: true });
    expect(seen(facts.helm)).toEqual({
      release: 'prod',
      namespace: null,
      chart: 'lightdash',
      chartVersion: '2.16.101',
    });
    const components = ['backend', 'worker', 'migration', 'postgresql'];
    expect(seen(facts.workloads).map(({ component }) => component)).toEqual(components);
    expect(seen(facts.disruptionBudgets)).toEqual([
      {
        name: 'prod-lightdash-backend',
        workloads: ['prod-lightdash-backend'],
        minAvailable: null,
        maxUnavailable: '1',
        disruptionsAllowed: null,
      },
    ]);
    expect(seen(facts.autoscalers)).toEqual([
      {
        name: 'prod-lightdash',
        targetKind: 'Deployment',
        targetName: 'prod-lightdash-backend',
        minReplicas: 1,
        maxReplicas: 100,
      },
    ]);
    for (const fact of [facts.pods, facts.snapshots]) {
      expect(fact).toEqual({ status: 'absent', source: 'deployment', detail: 'no cluster was asked' });
    }
    expect(facts.compose).toMatchObject({ status: 'absent' });
    expect(facts.chartValues).toMatchObject({ status: 'not-asked' });
  });

  it('tells variables by name, where they come from and whether they are empty', async () => {
    const env = [
      { name: 'A', value: '' },
      { name: 'TWICE', value: canary },
      { name: 'TWICE', value: '' },
      { name: 'B' },
      { name: 'C', value: '$(A)' },
      { name: 'D', valueFrom: { configMapKeyRef: { name: 'prod-lightdash', key: 'SITE_URL' } } },
      { name: 'E', valueFrom: { configMapKeyRef: { name: 'elsewhere', key: 'SITE_URL' } } },
      { name: 'F', valueFrom: { secretKeyRef: { name: 'prod-lightdash', key: 'LIGHTDASH_SECRET' } } },
      { name: 'G', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'H', valueFrom: { configMapKeyRef: { name: 'left', key: 'KEY' } } },
    ];
    const sealed = { apiVersion: 'acme.io/v1', kind: 'Secret', metadata: { name: 'prod-postgresql' } };
    const left = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'left' }, data: { KEY: null } };
    const objects = [sealed, left, ...chartObjects({ ...chart, env })];
    const facts = await collect(asYaml(objects));
    const container = seen(facts.workloads)[0]?.containers[1];
    expect(container?.variables.map(({ name, origin, empty }) => [name, origin, empty])).toEqual([
      ['PGPASSWORD', 'secret', null],
      ['SCHEDULER_ENABLED', 'literal', false],
      ['A', 'literal', true],
      ['TWICE', 'literal', true],
      ['B', 'literal', true],
      ['C', 'literal', null],
      ['D', 'config-map', true],
      ['E', 'config-map', null],
      ['F', 'secret', false],
      ['G', 'field', null],
      ['H', 'config-map', true],
    ]);
    expect(container?.variablesFrom).toEqual([
      {
        origin: 'config-map',
        object: 'prod-lightdash',
        prefix: '',
        keys: ['LIGHTDASH_MIGRATION_EXECUTION_MODE', 'PGHOST', 'SITE_URL'],
        emptyKeys: ['SITE_URL'],
      },
      { origin: 'secret', object: 'prod-lightdash', prefix: '', keys: ['LIGHTDASH_SECRET'], emptyKeys: [] },
    ]);
    expect(container).toMatchObject({
      memoryLimitBytes: 2 * 2 ** 30,
      startupProbe: { kind: 'http', path: '/api/v1/livez', failureThreshold: 18 },
      livenessProbe: { path: '/api/v1/livez', failureThreshold: 3, periodSeconds: 15 },
      readinessProbe: { path: '/api/v1/readyz', periodSeconds: 10 },
    });
  });
});

describe('a key that an object does not have', () => {
  const keyRef = (name: string, optional = false) => ({ secretKeyRef: { name, key: 'KEY', optional } });
  const variablesOf = async (...env: { name: string; valueFrom?: object; value?: string }[]) => {
    const facts = await collect(asYaml(chartObjects({ ...chart, env })));
    const container = seen(facts.workloads)[0]?.containers[1];
    return {
      set: container?.variables.map(({ name }) => name).slice(2),
      perhaps: container?.variablesFrom.filter(({ keys }) => keys === null),
    };
  };

  it('sets nothing', async () => {
    expect(await variablesOf({ name: 'A', valueFrom: keyRef('prod-lightdash') })).toEqual({
      set: [],
      perhaps: [],
    });
  });

  it('leaves what was set before, where it is optional', async () => {
    const env = [
      { name: 'A', value: 'x' },
      { name: 'A', valueFrom: keyRef('prod-lightdash', true) },
    ];
    expect(await variablesOf(...env)).toEqual({ set: ['A'], perhaps: [] });
  });

  it('may be there, where it is optional and the object was not seen', async () => {
    expect(await variablesOf({ name: 'A', valueFrom: keyRef('elsewhere', true) })).toEqual({
      set: [],
      perhaps: [{ origin: 'secret', object: 'elsewhere', prefix: 'A', keys: null }],
    });
    expect(await variablesOf({ name: 'A', valueFrom: keyRef('elsewhere') })).toMatchObject({ set: ['A'] });
  });
});

it('an object in another namespace gives no keys, one that names none or the same does', async () => {
  const metadata = { name: 'lightdash', namespace: 'bi' };
  const kinds = ['Secret', 'ConfigMap'] as const;
  const objectsOf = (name: string, namespace: string | undefined, key: string) =>
    kinds.map((kind) => ({ apiVersion: 'v1', kind, metadata: { name, namespace }, data: { [key]: 'x' } }));
  const envFrom = ['own', 'foreign', 'anywhere'].flatMap((name) => [
    { secretRef: { name } },
    { configMapRef: { name } },
  ]);
  const facts = await collect(
    asYaml([
      ...objectsOf('own', 'other', 'NOT_THIS'),
      ...objectsOf('own', 'bi', 'A'),
      ...objectsOf('foreign', 'other', 'NOR_THIS'),
      ...objectsOf('anywhere', undefined, 'B'),
      ...deployment({ envFrom }).map((one) => ({ ...one, metadata })),
    ]),
  );
  const container = seen(facts.workloads)[0]?.containers[0];
  const keys = container?.variablesFrom.map(({ origin, object, keys }) => [origin, object, keys]);
  expect(keys).toEqual(
    ['own', 'foreign', 'anywhere'].flatMap((name, i) =>
      ['secret', 'config-map'].map((origin) => [origin, name, [['A'], null, ['B']][i]]),
    ),
  );
});

describe('what prints them', () => {
  const objects = chartObjects(whole);

  it('may be helm get manifest, which leaves hooks out', async () => {
    const facts = await collect(asYaml(withoutHooks(objects)));
    expect(seen(facts.deployment)).toMatchObject({ origin: 'rendered', hooksSeen: null });
    expect(seen(facts.workloads).map(({ role }) => role)).toEqual(['backend', 'worker']);
  });

  it('may have hooks of another release beside it, which tell nothing of its own', async () => {
    const labels = { 'app.kubernetes.io/instance': 'other' };
    const metadata = { name: 'x', labels, annotations: { 'helm.sh/hook': 'pre-upgrade' } };
    const hook = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
    const spec = { template: podOf('nginx:1') };
    const other = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', labels }, spec };
    const facts = await collect(asYaml([...withoutHooks(objects), hook, other]));
    expect(seen(facts.deployment)).toMatchObject({ origin: 'rendered', hooksSeen: null });
  });

  it.each([
    ['documents', asYaml(objects)],
    ['a list as JSON', asList(objects)],
    ['a list as YAML', asYaml([JSON.parse(asList(objects))])],
    ['JSON between lines of ---', objects.map((one) => `---\n${JSON.stringify(one)}`).join('\n')],
    ['a list, and documents behind it', `${asList(objects.slice(0, 3))}\n${asYaml(objects.slice(3))}`],
    ['lists in a list', asList([JSON.parse(asList(objects.slice(0, 5))), ...objects.slice(5)])],
    ...['\n', '\r\n'].map((end) => [
      `documents of comments alone, ends of lines ${JSON.stringify(end)}`,
      `---\n# Source: empty.yaml\n---\n---\n${asYaml(objects)}`.replaceAll('\n', end),
    ]),
    ['a byte order mark', `\uFEFF${asYaml(objects)}`],
  ])('%s', async (_, text) => {
    const { deployment, ...facts } = await collect(text);
    const { deployment: other, ...expected } = await collect(asYaml(objects));
    expect(facts).toEqual(expected);
    expect(seen(deployment).origin).toEqual(seen(other).origin);
  });

  it('may be several files', async () => {
    const facts = await collect([
      asYaml(withoutHooks(objects)),
      asYaml(objects.filter((one) => withoutHooks([one]).length === 0)),
    ]);
    const all = await collect(asYaml(objects));
    expect(facts.disruptionBudgets).toEqual(all.disruptionBudgets);
    expect(new Set(seen(facts.workloads))).toEqual(new Set(seen(all.workloads)));
    expect(seen(facts.deployment).hooksSeen).toBe(true);
  });
});

describe('what a cluster has', () => {
  const objects = chartObjects(chart);

  it('is told from what is to be applied, and says what was not asked for', async () => {
    const facts = await collect(
      asList(inCluster(withoutHooks(objects).filter(({ kind }) => kind !== 'PodDisruptionBudget'))),
    );
    expect(seen(facts.deployment)).toMatchObject({ origin: 'cluster', namespace: 'bi', hooksSeen: null });
    const lacking = (kind: string) => ({ status: 'not-asked', detail: `the manifests have no ${kind}` });
    expect(facts.pods).toMatchObject(lacking('Pod'));
    expect(facts.disruptionBudgets).toMatchObject(lacking('PodDisruptionBudget'));
    expect(facts.autoscalers).toMatchObject(lacking('HorizontalPodAutoscaler'));
    expect(facts.snapshots).toMatchObject(lacking('VolumeSnapshot'));
    expect(facts.hookObjects).toMatchObject({ status: 'seen' });
  });

  it('has hooks of upgrades before, which are none of what is to be applied', async () => {
    const facts = await collect(asList(inCluster(chartObjects({ ...chart, job: true }))));
    expect(seen(facts.deployment)).toMatchObject({ origin: 'cluster', hooksSeen: null });
    expect(seen(facts.hookObjects).map(({ kind }) => kind)).toEqual([
      ...['ServiceAccount', 'ConfigMap', 'Secret', 'Pod'],
    ]);
  });

  it('has what an owner of it was read', async () => {
    const ownerReferences = [{ kind: 'Deployment', name: 'a-deployment', controller: true }];
    const owned = plainIn('bi', 'ReplicaSet', { template: podOfLightdash });
    const replicas = { ...owned, metadata: { ...owned.metadata, ownerReferences } };
    const facts = await collect(
      asList([plainIn('bi', 'Deployment', { template: podOfLightdash }), replicas]),
    );
    expect(seen(facts.workloads)).toHaveLength(1);
  });

  it('has pods, with why they wait and ended', async () => {
    const statuses = [
      {
        name: 'lightdash',
        ready: false,
        restartCount: 7,
        state: { waiting: { reason: 'CrashLoopBackOff' } },
        lastState: { terminated: { reason: 'OOMKilled', exitCode: 137, message: canary } },
      },
    ];
    const pods = [
      backendPod({ status: { containerStatuses: statuses } }),
      backendPod({
        name: 'job-x',
        owner: 'prod-lightdash-migrate',
        status: { phase: 'Succeeded', containerStatuses: [] },
      }),
    ];
    const facts = await collect(asList(inCluster([...objects, ...pods])));
    expect(seen(facts.pods).map(({ workload }) => workload)).toEqual([
      null,
      'prod-lightdash-backend',
      'prod-lightdash-migrate',
    ]);
    expect(seen(facts.pods)[1]).toMatchObject({
      phase: 'Running',
      ending: false,
      containers: [
        {
          ready: false,
          restarts: 7,
          reason: 'CrashLoopBackOff',
          lastReason: 'OOMKilled',
          lastExitCode: 137,
          image: { tag: '2.100.0' },
        },
      ],
    });
    expect(seen(facts.pods)[2]?.containers).toMatchObject([{ ready: false, restarts: 0, reason: null }]);
  });

  it('has sidecars, which run before the others and do not end', async () => {
    const sidecar = { name: 'proxy', image: 'proxy:1', restartPolicy: 'Always' };
    const initContainers = [sidecar, { name: 'wait', image: 'busybox:1' }];
    const template = { ...podOfLightdash, spec: { ...podOfLightdash.spec, initContainers } };
    const facts = await collect(asList([plainIn('bi', 'Deployment', { template })]));
    expect(seen(facts.workloads)[0]?.containers.map(({ name, init }) => [name, init])).toEqual([
      ['proxy', false],
      ['wait', true],
      ['one', false],
    ]);
  });

  it.each([
    ['a gate that is not open', 'False', 'ReadinessGatesNotReady', false],
    ['a node that is gone', 'Unknown', null, false],
    ['all in order', 'True', null, true],
  ])('has pods that are ready as a whole: %s', async (_, status, reason, ready) => {
    const containerStatuses = [{ name: 'lightdash', ready: true, restartCount: 0, state: { running: {} } }];
    const conditions = [
      { type: 'PodScheduled', status: 'True' },
      { type: 'Ready', status, reason },
    ];
    const pod = backendPod({ status: { containerStatuses, conditions } });
    const facts = await collect(asList(inCluster([...objects, pod])));
    expect(seen(facts.pods)[1]).toMatchObject({ phase: 'Running', containers: [{ ready, reason }] });
  });

  it('has commands that begin with yarn workspace, of Lightdash alone', async () => {
    const start = { command: ['yarn', 'workspace', 'backend', 'start'] };
    const containers = [
      { name: 'a', image: 'lightdash/lightdash:1.0.0', ...start },
      { name: 'b', image: 'lightdash/lightdash:1.0.0', args: start.command },
      { name: 'c', image: 'acme/web', ...start },
    ];
    const facts = await collect(
      asList([plainIn('bi', 'Deployment', { template: { spec: { containers } } })]),
    );
    expect(seen(facts.workloads)[0]?.containers.map(({ byYarn }) => byYarn)).toEqual([true, true, undefined]);
  });

  const none = { ready: null, succeeded: null, failed: null };
  it.each<[string, string, object | undefined, object]>([
    ['Deployment', 'apps/v1', { readyReplicas: 2, numberReady: 3 }, { ...none, ready: 2 }],
    ['Deployment', 'extensions/v1beta1', undefined, { ...none, ready: 0 }],
    ['DaemonSet', 'apps/v1', { numberReady: 3 }, { ...none, ready: 3 }],
    ['DaemonSet', 'extensions/v1beta1', {}, { ...none, ready: 0 }],
    ['StatefulSet', 'apps/v1', { readyReplicas: 1 }, { ...none, ready: 1 }],
    [
      'Job',
      'batch/v1',
      { succeeded: 1, failed: 4, readyReplicas: 1 },
      { ready: null, succeeded: 1, failed: 4 },
    ],
    ['Job', 'batch/v1', undefined, { ready: null, succeeded: 0, failed: 0 }],
    ['CronJob', 'batch/v1', { succeeded: 1, failed: 4, readyReplicas: 1 }, none],
  ])('has a %s of %s with %j', async (kind, apiVersion, status, expected) => {
    const template = podOfLightdash;
    const spec =
      kind === 'CronJob' ? { schedule: '0 3 * * *', jobTemplate: { spec: { template } } } : { template };
    const one = { ...plainIn('bi', kind, spec, apiVersion), ...(status === undefined ? {} : { status }) };
    const facts = await collect(asList([one]));
    expect(seen(facts.workloads)).toMatchObject([{ kind, ...expected }]);
    const { uid: _, ...metadata } = one.metadata;
    expect(seen((await collect(asList([{ ...one, metadata }]))).workloads)).toMatchObject([
      { kind, ...none },
    ]);
  });

  it('has a Deployment that is paused', async () => {
    const one = plainIn('bi', 'Deployment', { template: podOfLightdash, paused: true });
    expect(seen((await collect(asList([one]))).workloads)).toMatchObject([{ suspended: true }]);
  });

  it.each([
    ['strategy', 'Deployment', 'Recreate'],
    ['updateStrategy', 'StatefulSet', 'OnDelete'],
    ['updateStrategy', 'DaemonSet', 'OnDelete'],
  ])('has the %s of a %s', async (key, kind, type) => {
    const one = plainIn('bi', kind, { template: podOfLightdash, [key]: { type } });
    expect(seen((await collect(asList([one]))).workloads)).toMatchObject([{ strategy: type }]);
  });

  it('has snapshots and CronJobs, with when they were', async () => {
    const cron = {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'backup' },
      spec: {
        schedule: '0 3 * * *',
        suspend: true,
        jobTemplate: {
          spec: {
            template: { spec: { containers: [{ name: 'dump', image: 'postgres:16', args: [canary] }] } },
          },
        },
      },
      status: { lastSuccessfulTime: '2026-09-05T03:00:10Z' },
    };
    const snapshot = {
      apiVersion: 'snapshot.storage.k8s.io/v1',
      kind: 'VolumeSnapshot',
      metadata: { name: 'nightly' },
      spec: { source: { persistentVolumeClaimName: 'data-prod-postgresql-0' } },
      status: { creationTime: '2026-09-05T02:00:00Z', readyToUse: true },
    };
    const facts = await collect(asList(inCluster([...objects, cron, snapshot])));
    expect(seen(facts.workloads).at(-1)).toMatchObject({
      kind: 'CronJob',
      role: 'other',
      schedule: '0 3 * * *',
      suspended: true,
      lastSuccessAt: '2026-09-05T03:00:10Z',
    });
    expect(seen(facts.snapshots)).toEqual([
      {
        name: 'nightly',
        claim: 'data-prod-postgresql-0',
        createdAt: '2026-09-05T02:00:00Z',
        readyToUse: true,
      },
    ]);
  });
});

const podOf = (image: string) => ({
  metadata: { labels: {} },
  spec: { containers: [{ name: 'one', image }] },
});
const podOfLightdash = podOf('lightdash/lightdash:2.0.0');

/** An object as a cluster has it that is of no chart. */
const plainIn = (namespace: string, kind: string, spec: object, apiVersion = 'apps/v1') => ({
  apiVersion,
  kind,
  metadata: { name: `a-${kind.toLowerCase()}`, namespace, uid: `${kind} in ${namespace}` },
  spec,
});

describe('which Lightdash', () => {
  const two = asYaml([...chartObjects(chart), ...chartObjects({ ...chart, release: 'stage' })]);

  it('is said where there are two', async () => {
    expect(await faultOf(two)).toBe('usage: there is more than one Lightdash: prod, stage');
    expect(await hintOf(two)).toBe(
      'Name one with --release <name>, and with --namespace if they are in several.',
    );
    const facts = await collect(two, { release: 'stage' });
    expect(seen(facts.workloads).map(({ name }) => name)).toEqual(['stage-lightdash-backend']);
    expect(seen(facts.disruptionBudgets).map(({ name }) => name)).toEqual(['stage-lightdash-backend']);
  });

  it('is none where the one that is named is not there', async () => {
    const facts = await collect(two, { release: 'other' });
    expect(facts.workloads).toMatchObject({ status: 'absent' });
    expect(facts.disruptionBudgets).toMatchObject({ status: 'failed' });
  });

  it('is chosen by its namespace', async () => {
    const text = asList([...inCluster(chartObjects(chart), 'b'), ...inCluster(chartObjects(chart), 'a')]);
    expect(await faultOf(text)).toBe('usage: there is more than one Lightdash: a/prod, b/prod');
    const facts = await collect(text, { namespace: 'b' });
    expect(seen(facts.deployment).namespace).toBe('b');
    expect(seen(facts.workloads).map(({ namespace }) => namespace)).toEqual(['b']);
    // What names no namespace may be applied to any.
    expect(seen((await collect(asYaml(chartObjects(chart)), { namespace: 'b' })).workloads)).toHaveLength(1);
  });

  it('is chosen by its namespace where nothing names a release', async () => {
    const plain = (namespace: string) => plainIn(namespace, 'Deployment', { template: podOfLightdash });
    const text = asList([plain('staging'), plain('prod')]);
    expect(await faultOf(text)).toBe('usage: Lightdash runs in more than one namespace: prod, staging');
    expect(await hintOf(text)).toBe('Name one with --namespace <name>.');
    expect(seen((await collect(text, { namespace: 'prod' })).workloads)).toMatchObject([
      { namespace: 'prod' },
    ]);
  });

  it('is none where a release is named, and nothing says that it is of one', async () => {
    const text = asList([plainIn('prod', 'Deployment', { template: podOfLightdash })]);
    expect((await collect(text, { release: 'prod' })).workloads).toMatchObject({ status: 'absent' });
  });

  it('has beside it what is of no release, also where one is named', async () => {
    const jobTemplate = { spec: { template: podOf('postgres:15') } };
    const backup = plainIn('a', 'CronJob', { schedule: '0 3 * * *', jobTemplate }, 'batch/v1');
    const text = asList([...inCluster(chartObjects(chart), 'a'), backup]);
    expect(seen((await collect(text, { release: 'prod' })).workloads).map(({ kind }) => kind)).toContain(
      'CronJob',
    );
  });

  it('has nothing that stands in another namespace', async () => {
    const backup = { schedule: '0 3 * * *', jobTemplate: { spec: { template: podOf('postgres:15') } } };
    const text = asList([
      plainIn('prod', 'Deployment', { template: podOfLightdash }),
      plainIn('prod', 'CronJob', backup, 'batch/v1'),
      plainIn('other', 'CronJob', backup, 'batch/v1'),
      plainIn('other', 'StatefulSet', { template: podOf('postgres:latest') }),
    ]);
    expect(
      seen((await collect(text)).workloads).map(({ kind, namespace }) => `${kind} ${namespace}`),
    ).toEqual(['Deployment prod', 'CronJob prod']);
  });

  it('may have beside it what stands twice in a namespace that is not asked for', async () => {
    const twice = plainIn('other', 'StatefulSet', { template: podOf('postgres:16') });
    const text = asList([plainIn('prod', 'Deployment', { template: podOfLightdash }), twice, twice]);
    expect(seen((await collect(text, { namespace: 'prod' })).workloads)).toMatchObject([
      { kind: 'Deployment', namespace: 'prod' },
    ]);
    expect(await faultOf(text)).toMatch(/ appears twice/);
  });

  it('has no budget of another namespace over what stands beside it', async () => {
    const labels = { app: 'db' };
    const database = { ...podOf('postgres:16'), metadata: { labels } };
    const budget = plainIn(
      'other',
      'PodDisruptionBudget',
      { selector: { matchLabels: labels } },
      'policy/v1',
    );
    const facts = await collect(
      asYaml([
        ...deployment({}),
        plainIn('prod', 'StatefulSet', { template: database }),
        { ...budget, metadata: { name: 'db', namespace: 'other' } },
      ]),
    );
    expect(seen(facts.disruptionBudgets)).toMatchObject([{ name: 'db', workloads: [] }]);
  });

  it('has no database that one only waits for', async () => {
    const waiting = podOf('redis:7');
    const initContainers = [{ name: 'wait', image: 'postgres:16', args: ['pg_isready'] }];
    const template = { ...waiting, spec: { ...waiting.spec, initContainers } };
    const text = asList([
      plainIn('prod', 'Deployment', { template: podOfLightdash }),
      plainIn('prod', 'StatefulSet', { template }),
    ]);
    expect(seen((await collect(text)).workloads).map(({ role }) => role)).toEqual(['backend', 'other']);
  });

  it('is one where some of its objects name their namespace', async () => {
    const [first, ...others] = chartObjects({ ...chart, job: true }).filter(
      ({ kind }) => kind === 'Deployment' || kind === 'Job',
    );
    const text = asYaml([...inCluster(first === undefined ? [] : [first], 'a'), ...others]);
    const facts = await collect(text);
    expect(seen(facts.workloads)).toHaveLength(2);
    expect(seen(facts.helm)).toMatchObject({ release: 'prod', namespace: 'a' });
  });

  it('is in the namespace that it names, not in that of what stands beside it', async () => {
    const web = plainIn('web', 'Deployment', { template: podOf('nginx:1') });
    const facts = await collect(asYaml([...chartObjects(chart), web]));
    expect(seen(facts.workloads)).toHaveLength(2);
    expect(seen(facts.deployment)).toMatchObject({ namespace: null });
  });

  it('names no chart where its workloads name several', async () => {
    const [backend] = chartObjects(chart).filter(({ kind }) => kind === 'Deployment');
    const other = chartObjects({ ...chart, chart: '2.16.90', worker: true }).filter(
      ({ kind, metadata }) => kind === 'Deployment' && /worker/.test(JSON.stringify(metadata)),
    );
    const facts = await collect(asYaml([...(backend === undefined ? [] : [backend]), ...other]));
    expect(facts.helm).toMatchObject({
      status: 'failed',
      detail: 'the workloads of Lightdash name more than one release or chart',
    });
    // A chart that is known, of a release that is not, is not that of the other.
    const labels = { 'helm.sh/chart': `lightdash-${chart.chart}` };
    const nameless = { ...backend, metadata: { name: 'other', labels } };
    const both = asYaml([...(backend === undefined ? [] : [backend]), nameless]);
    expect((await collect(both)).helm).toMatchObject({ status: 'failed' });
  });

  it('names the chart of what lasts, whatever a job of an upgrade before is of', async () => {
    const before = chartObjects({ ...chart, chart: '2.16.90', job: true });
    const jobs = before.filter(({ kind }) => kind === 'Job');
    const lasting = chartObjects(chart).filter(({ kind }) => kind === 'Deployment');
    const chartIn = async (objects: typeof jobs) => seen((await collect(asYaml(objects))).helm).chartVersion;
    expect(await chartIn([...jobs, ...lasting])).toBe('2.16.101');
    expect(await chartIn(jobs)).toBe('2.16.90');
  });

  it.each<[string, object[], string]>([
    ['nothing', [], 'none of 0 objects runs Lightdash'],
    [
      'other programs',
      [{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'x' } }],
      'none of 1 objects runs Lightdash',
    ],
  ])('is absent from %s', async (_, objects, detail) => {
    const facts = await collect(asList(objects as Record<string, unknown>[]));
    expect(facts.workloads).toMatchObject({ status: 'absent', detail });
    expect(facts.helm).toMatchObject({ status: 'failed' });
  });

  const lightdash = { image: 'lightdash/lightdash:1.2.3' };
  it('is absent from compose files of other programs', async () => {
    const file = join(temporaryFolder(), 'compose.yaml');
    writeFileSync(file, 'services: {web: {image: "nginx:1"}}');
    const facts = await collect([], { manifests: [], compose: [file] });
    expect(facts.workloads).toMatchObject({
      status: 'absent',
      detail: 'none of 1 services runs Lightdash',
    });
  });

  it.each([
    [
      'Rollout',
      'argoproj.io/v1alpha1',
      { template: { spec: { containers: [{ image: 'acme/lightdash:1.2.3' }] } } },
    ],
    [
      'DeploymentConfig',
      'apps.openshift.io/v1',
      { template: { spec: { containers: [{ image: 'lightdash' }] } } },
    ],
    ['Pod', 'v1', { containers: [{ name: 'a', image: 'lightdash/lightdash:1.2.3' }] }],
    ['Pod', 'v1', { initContainers: [lightdash], containers: [{ name: 'a', image: 'busybox' }] }],
    ['Workflow', 'argoproj.io/v1alpha1', { templates: [{ name: 'migrate', container: lightdash }] }],
    ['CronWorkflow', 'argoproj.io/v1alpha1', { workflowSpec: { templates: [{ script: lightdash }] } }],
    ['Task', 'tekton.dev/v1', { steps: [{ name: 'migrate', ...lightdash }] }],
    ['ScaledJob', 'keda.sh/v1alpha1', { jobTargetRef: { template: podOfLightdash } }],
    ['Deployment', 'acme.io/v1', { template: podOfLightdash }],
    ['constructor', 'v1', { template: podOfLightdash }],
  ])('is not known where a %s runs it, which is not read as a workload', async (kind, apiVersion, spec) => {
    const one = { apiVersion, kind, metadata: { name: 'x' }, spec };
    const facts = await collect(asYaml([...chartObjects(chart), one]));
    const detail = `${kind} x runs Lightdash, and was not read`;
    expect(facts.workloads).toMatchObject({ status: 'failed', detail });
  });

  it('is as it stands where an object only names an image, and runs none', async () => {
    const watches = {
      apiVersion: 'image.toolkit.fluxcd.io/v1',
      kind: 'ImageRepository',
      metadata: { name: 'x' },
      spec: { image: 'lightdash/lightdash' },
    };
    expect((await collect(asYaml([...chartObjects(chart), watches]))).workloads).toMatchObject({
      status: 'seen',
    });
  });

  const backendName = 'prod-lightdash-backend';
  const ref = { apiVersion: 'apps/v1', kind: 'Deployment', name: backendName };
  it.each([
    ['argoproj.io/v1alpha1', 'Rollout', { workloadRef: ref }],
    ['flagger.app/v1beta1', 'Canary', { targetRef: ref }],
    ['rollouts.kruise.io/v1alpha1', 'Rollout', { objectRef: { workloadRef: ref } }],
  ])('is not known where, of %s, a %s replaces the pods of a workload', async (apiVersion, kind, spec) => {
    const read = async (more: object) => {
      const one = { apiVersion, kind, metadata: { name: 'x' }, spec, ...more };
      return (await collect(asYaml([...chartObjects(chart), one]))).workloads;
    };
    const detail = `${kind} x replaces the pods of Deployment ${backendName}, and was not read`;
    expect(await read({})).toMatchObject({ status: 'failed', detail });
    const other = JSON.parse(JSON.stringify(spec).replace(backendName, 'other'));
    expect(await read({ spec: other })).toMatchObject({ status: 'seen' });
    expect(await read({ metadata: { name: 'x', namespace: 'y' } })).toMatchObject({ status: 'failed' });
  });

  it('is as it stands where a VerticalPodAutoscaler looks at it', async () => {
    const one = { kind: 'VerticalPodAutoscaler', metadata: { name: 'x' }, spec: { targetRef: ref } };
    const objects = [...chartObjects(chart), { apiVersion: 'autoscaling.k8s.io/v1', ...one }];
    expect((await collect(asYaml(objects))).workloads).toMatchObject({ status: 'seen' });
  });

  it('is scaled by what was not read, where KEDA does', async () => {
    const keda = (name: string) => ({
      apiVersion: 'keda.sh/v1alpha1',
      kind: 'ScaledObject',
      metadata: { name: 'x' },
      spec: { scaleTargetRef: { name } },
    });
    const read = async (...more: Record<string, unknown>[]) =>
      (await collect(asYaml([...chartObjects(chart), ...more]))).autoscalers;
    const detail = `ScaledObject x scales Deployment ${backendName}, and was not read`;
    expect(await read(keda(backendName))).toMatchObject({ status: 'failed', detail });
    expect(await read(keda('other'))).toMatchObject({ status: 'seen' });
  });

  it('may have a pod of its own in a cluster', async () => {
    const pod = { ...backendPod(), metadata: { name: 'debug' } };
    const facts = await collect(asList(inCluster([...chartObjects(chart), pod])));
    expect(seen(facts.pods).at(-1)).toMatchObject({ name: 'debug', workload: null });
    expect(seen(facts.workloads)).toHaveLength(1);
  });
});

const deployment = (more: object) => [
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'lightdash' },
    spec: {
      template: {
        spec: { containers: [{ name: 'lightdash', image: 'lightdash/lightdash:1.2.3', ...more }] },
      },
    },
  },
];

describe('a container', () => {
  const probe = { initialDelaySeconds: 0, periodSeconds: 10, failureThreshold: 3 };
  it.each<[string, object, object]>([
    [
      'what its image starts',
      { command: null, args: null },
      { entrypointReplaced: false, starts: 'entrypoint' },
    ],
    ['a command of nothing', { command: [], args: [] }, { entrypointReplaced: false, starts: 'entrypoint' }],
    [
      'a command of its own',
      { command: ['node', 'dist/index.js'] },
      { entrypointReplaced: true, starts: 'server' },
    ],
    ['arguments alone', { args: ['x'] }, { entrypointReplaced: false, starts: 'entrypoint' }],
    [
      'a probe that asks by HTTP, of nothing in particular',
      { startupProbe: { httpGet: {} } },
      { startupProbe: { ...probe, kind: 'http', path: '/' } },
    ],
    [
      'a probe that asks by HTTP, with what may be a token in lines',
      { startupProbe: { httpGet: { path: '/a?b\nc' }, initialDelaySeconds: 7 } },
      { startupProbe: { ...probe, kind: 'http', path: '/a', initialDelaySeconds: 7 } },
    ],
    [
      'a probe that runs',
      { livenessProbe: { exec: {} } },
      { livenessProbe: { ...probe, kind: 'exec', path: null } },
    ],
    [
      'a probe of a port',
      { readinessProbe: { tcpSocket: {} } },
      { readinessProbe: { kind: 'tcp', path: null } },
    ],
    ['a probe by gRPC', { startupProbe: { grpc: {} } }, { startupProbe: { kind: 'grpc', path: null } }],
    ['no limit', { resources: { limits: { memory: null } } }, { memoryLimitBytes: null }],
    ['limits that are left empty', { resources: { limits: null } }, { memoryLimitBytes: null }],
  ])('%s', async (_, parts, expected) => {
    const [workload] = seen((await collect(asYaml(deployment(parts)))).workloads);
    expect(workload?.containers).toMatchObject([expected]);
  });

  it.each<[string, boolean | null]>([
    ['', true],
    ['x', false],
    ['$(A)', null],
    ['$(A)$(LONG_NAME)', null],
    ['a$(B)', false],
    ['$(A)b', false],
    ['$(A) $(B)', false],
  ])('may set a variable to nothing: %j', async (value, empty) => {
    const [workload] = seen((await collect(asYaml(deployment({ env: [{ name: 'A', value }] })))).workloads);
    expect(workload?.containers[0]?.variables).toMatchObject([{ name: 'A', empty }]);
  });

  it.each([
    ['lightdash', 'Deployment', 'helm.sh/chart', 'lightdash-2.0.0', 'backend'],
    ['lightdash', 'Deployment', 'app.kubernetes.io/name', 'lightdash', 'backend'],
    ['migrate', 'Job', 'helm.sh/chart', 'lightdash-2.0.0', 'migration'],
    ['proxy', 'Deployment', 'helm.sh/chart', 'lightdash-2.0.0', 'other'],
    ['lightdash', 'Deployment', 'helm.sh/chart', 'lightdash-x', 'other'],
    ['lightdash', 'Deployment', 'helm.sh/chart', 'a-lightdash-2.0.0', 'other'],
    ['lightdash', 'Deployment', 'app.kubernetes.io/name', 'lightdash-proxy', 'other'],
  ])('%s of a %s with %s %s is of Lightdash by another image too, or is not', async (...given) => {
    const [container, kind, label, value, role] = given;
    const template = { spec: { containers: [{ name: container, image: 'acme/bi:1' }] } };
    const one = { ...plainIn('bi', kind, { template }, kind === 'Job' ? 'batch/v1' : 'apps/v1') };
    const labelled = { ...one, metadata: { ...one.metadata, labels: { [label]: value } } };
    const other = plainIn('bi', 'StatefulSet', { template: podOfLightdash });
    const facts = await collect(asList([other, labelled]));
    expect(seen(facts.workloads)[1]).toMatchObject({
      role,
      containers: [{ starts: role === 'other' ? 'other' : 'entrypoint' }],
    });
  });
});

describe('what was not all printed', () => {
  const inside = (...objects: Record<string, unknown>[]) => asList(inCluster(objects));
  const backend = chartObjects(chart).filter(({ kind }) => kind === 'Deployment');
  const hooked = (kind: string, event: string) => ({
    apiVersion: 'v1',
    kind,
    metadata: { name: `a-${event}`, annotations: { 'helm.sh/hook': event } },
  });

  it('tells of hooks only with all that they may be', async () => {
    const some = await collect(inside(...backend, hooked('ConfigMap', 'post-install')));
    expect(some.hookObjects).toMatchObject({
      status: 'not-asked',
      detail: 'the manifests have no ServiceAccount',
    });
    const none = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
    expect((await collect(inside(...backend, none))).hookObjects).toMatchObject({
      status: 'not-asked',
      detail: 'the manifests have no ConfigMap',
    });
    const all = await collect(inside(...backend, hooked('ConfigMap', 'post-install'), none));
    // What Helm does with a hook that does not say what becomes of it.
    expect(seen(all.hookObjects)).toMatchObject([{ hook: { deletePolicies: ['before-hook-creation'] } }]);
    const nothingLeft = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kube-root-ca.crt' } };
    expect(seen((await collect(inside(...backend, nothingLeft, none))).hookObjects)).toEqual([]);
  });

  it('is to be applied where only what is beside it is in a cluster', async () => {
    const beside = inside(...chartObjects(chart).filter(({ kind }) => kind === 'ConfigMap'));
    const facts = await collect([asYaml(backend), beside]);
    expect(seen(facts.deployment).origin).toBe('rendered');
    const both = [asYaml(backend), inside(...chartObjects({ ...chart, worker: true }))];
    for (const texts of [both, both.toReversed()]) {
      expect(await faultOf(texts)).toMatch(
        /^invalid-manifest: of .* and .* one is in a cluster, and one is still to be applied$/,
      );
    }
  });

  it('runs in pods of which the owner was not read', async () => {
    const rollout = backendPod({ owner: 'rollout-5d7c' });
    const pods = asList(inCluster([...backend, { ...rollout, status: { phase: 'Running' } }]));
    expect((await collect(pods)).workloads).toMatchObject({
      status: 'failed',
      detail: expect.stringMatching(/^what owns Pod .* runs Lightdash, and was not read$/),
    });
    const ended = asList(inCluster([...backend, { ...rollout, status: { phase: 'Failed' } }]));
    expect((await collect(ended)).workloads).toMatchObject({ status: 'seen' });
  });
});

describe('what a cluster that was asked did not give', () => {
  const told = { sources: ['kind-bi'], context: 'kind-bi', lookedAt: 'bi', seenAt: testNow.toISOString() };
  const factsOf = (refused: readonly string[], status: 'not-permitted' | 'absent' = 'not-permitted') =>
    manifestFacts({
      ...told,
      objects: readObjects(asYaml(withoutHooks(chartObjects(chart))), 'kubectl'),
      asked: new Map(refused.map((kind) => [kind, { status, detail: `${kind} is forbidden` }])),
    });
  const {
    deployment: _,
    chartValues: __,
    ...all
  } = Object.fromEntries(factKeysOf('deployment').map((key) => [key, key]));

  it('is nothing where it gave all that it has, be it an empty list', () => {
    const { deployment, compose, ...facts } = factsOf([]);
    expect(seen(deployment)).toMatchObject({ origin: 'cluster', context: 'kind-bi', sources: ['kind-bi'] });
    expect(seen(deployment).unseenKinds).toEqual([]);
    expect(compose).toMatchObject({ status: 'absent', detail: 'manifests of Kubernetes were read' });
    for (const fact of Object.values(facts)) expect(fact).toMatchObject({ status: 'seen' });
  });

  it.each(['Deployment', 'StatefulSet', 'DaemonSet', 'Job'])('may run Lightdash: %s', (kind) => {
    const { deployment, compose, workloads, ...others } = factsOf(['CronJob', kind]);
    expect(seen(deployment).unseenKinds).toEqual(['CronJob', kind]);
    expect(workloads).toMatchObject({ status: 'not-permitted', detail: `${kind} is forbidden` });
    expect(Object.keys(others)).toEqual(
      Object.keys(all).filter((key) => !['workloads', 'compose'].includes(key)),
    );
    for (const fact of Object.values(others)) {
      expect(fact).toMatchObject({ status: 'failed', detail: 'the workloads of Lightdash were not seen' });
    }
  });

  it.each([
    ['Pod', 'pods'],
    ['PodDisruptionBudget', 'disruptionBudgets'],
    ['HorizontalPodAutoscaler', 'autoscalers'],
    ['VolumeSnapshot', 'snapshots'],
    ['ServiceAccount', 'hookObjects'],
    ['ConfigMap', 'hookObjects'],
    ['Role', 'hookObjects'],
    ['RoleBinding', 'hookObjects'],
    ['CronJob', undefined],
  ])('is not known of, and the others are: %s', (kind, key) => {
    const { deployment, compose, ...facts } = factsOf([kind]);
    expect(seen(deployment).unseenKinds).toEqual([kind]);
    for (const [other, fact] of Object.entries(facts)) {
      const refused = { status: 'not-permitted', detail: `${kind} is forbidden` };
      expect(fact, other).toMatchObject(other === key ? refused : { status: 'seen' });
    }
    expect(seen(factsOf([kind], 'absent').deployment).unseenKinds).toEqual([]);
  });
});

describe('what cannot be read to the end', () => {
  it.each<[string, string, string]>([
    ['an empty text', '', '0.yaml: there is nothing in it'],
    ['comments', '# nothing\n---\n# here\n', '0.yaml: there is nothing in it'],
    ['half of YAML', asYaml(deployment({})).slice(0, -40), 'expected'],
    [
      'half of JSON',
      asList(deployment({})).slice(0, -20),
      'is not valid YAML or JSON in line 26: Missing closing',
    ],
    ['a template', '---\nkind: {{ .Values.kind }}\n', '0.yaml is not valid YAML or JSON in line'],
    [
      'a secret where a key was',
      `kind: Secret\ndata:\n  x: "${canary}\n`,
      '0.yaml is not valid YAML or JSON in line 4: Missing closing "quote',
    ],
    ['an alias of nothing', `a: *${canary}`, 'in line 1: nothing before it is named ...'],
    ['a key twice in YAML', 'kind: A\nkind: B\n', 'in line 2: the key ... stands twice'],
    [
      'a key with quotes twice',
      `"a\\"${canary}\\"": 1\n"a\\"${canary}\\"": 2\n`,
      'in line 2: the key ... stands twice',
    ],
    [
      'a merge key beside a key that it brings too',
      `kind: A\n---\nx: &x {a: ${canary}}\nb:\n  <<: *x\n  a: 1\n`,
      '0.yaml:6: a merge key (<<) brings this key too',
    ],
    [
      'a line break of YAML 1.1, in a document of comments',
      `kind: A\n---\n# \u0085kind: ${canary}\n`,
      'in line 3: the character U+0085 outside quotes begins a new line for some programs only',
    ],
    ['an alias as a key', 'a: &k kind\n*k : A\n', 'in line 2: With stringKeys, all keys must be strings'],
    ['a list', '- 1\n', '0.yaml: what begins in line 1 is not an object'],
    [
      'words',
      'error: You must be logged in to the server (Unauthorized)',
      '0.yaml, from line 1: it is not a Kubernetes object',
    ],
    ['compose files', 'services: {}', 'it is not a Kubernetes object'],
    ['no list', 'apiVersion: v1\nkind: List\nitems: 1\n', '0.yaml, from line 1: items: expected a list'],
    [
      'no object in a list',
      'apiVersion: v1\nkind: List\nitems: [1]\n',
      '0.yaml, from line 1: items[0]: expected a Kubernetes object',
    ],
    ['brackets', '['.repeat(5000), 'it nests deeper than 100 levels'],
    ['braces', '{"a":'.repeat(5000), 'it nests deeper than 100 levels'],
    ['JSON, one value behind the other', '{"a":1}\n{"b":2}', '0.yaml is not valid YAML or JSON in line 2'],
    ['an object twice', asYaml([...deployment({}), ...deployment({})]), 'Deployment lightdash appears twice'],
    [
      'a variable of nowhere',
      asYaml(deployment({ env: [{ name: 'A', valueFrom: {} }] })),
      'nothing says where A comes from',
    ],
    [
      'variables of nowhere',
      asYaml(deployment({ envFrom: [{}] })),
      'envFrom: expected a ConfigMap or a Secret',
    ],
    [
      'a probe of nothing',
      asYaml(deployment({ startupProbe: { periodSeconds: 1 } })),
      'startupProbe: expected httpGet',
    ],
    [
      'a limit of words',
      asYaml(deployment({ resources: { limits: { memory: canary } } })),
      'expected a quantity such as 2Gi',
    ],
  ])('%s', async (_, text, message) => {
    const fault = await faultOf(text);
    expect(fault).toContain(message);
    expect(fault).toMatch(/^invalid-manifest: /);
  });

  it('is a file that is not there, or one beside a cluster', async () => {
    const world = { stdin: (async function* () {})(), env: {}, now: () => testNow };
    await expect(collectDeployment({ manifests: ['/nowhere'] }, world)).rejects.toMatchObject({
      code: 'unreadable-source',
    });
    await expect(collectDeployment({ manifests: ['a'], kubernetes: true }, world)).rejects.toMatchObject({
      code: 'usage',
    });
  });
});

describe('much of it', () => {
  it('is read: some megabytes of JSON, and of YAML', async () => {
    const filler = Array.from({ length: 1500 }, (_, i) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `filler-${i}` },
      data: Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`KEY_${n}`, 'x'.repeat(150)])),
    }));
    const objects = [...chartObjects(chart), ...filler];
    for (const text of [asList(objects), asYaml(objects)]) {
      expect(text.length).toBeGreaterThan(3_000_000);
      expect(seen((await collect(text)).workloads)).toHaveLength(1);
    }
  });
});
