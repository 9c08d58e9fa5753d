import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { collectDeployment } from '../../../src/gather/deployment/collect.js';
import { readObjects } from '../../../src/gather/deployment/kubernetes/kubernetes-object.js';
import { manifestFacts, notSeen } from '../../../src/gather/deployment/manifest-facts.js';
import { factsFileSchema } from '../../../src/instance/facts/facts-schema.js';
import { factKeysOf } from '../../../src/instance/facts/needs.js';
import type { DeploymentSources } from '../../../src/question/facts.js';
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

type Json = Record<string, unknown>;

const world = { stdin: (async function* () {})(), env: {}, now: () => testNow };

async function collect(texts: string | readonly string[], wanted: DeploymentSources = {}) {
  const folder = temporaryFolder();
  const manifests = [texts].flat().map((text, i) => {
    const file = join(folder, `${i}.yaml`);
    writeFileSync(file, text);
    return file;
  });
  const { facts } = await collectDeployment({ manifests, ...wanted }, world);
  const all = { schemaVersion: '1', collectedAt: testNow.toISOString(), facts };
  expect(factsFileSchema.safeParse(all).success).toBe(true);
  expect(JSON.stringify(all)).not.toContain(canary);
  return facts;
}

/** Of each fact its value, or why there is none. */
async function read(objects: readonly object[], wanted?: DeploymentSources) {
  const facts = await collect(asYaml(objects as Json[]), wanted);
  return Object.fromEntries(
    Object.entries(facts).map(([key, fact]) => [
      key,
      fact?.status === 'seen' ? fact.value : `${fact?.status}: ${fact?.detail}`,
    ]),
  );
}

async function faultOf(texts: string | readonly string[], wanted?: DeploymentSources): Promise<string> {
  const error = await collect(texts, wanted).catch((thrown: unknown) => thrown);
  if (!(error instanceof Error)) throw new Error('it was read');
  expect(error).toMatchObject({ name: 'LightspanError' });
  expect(`${error.message} ${Reflect.get(error, 'hint')}`).not.toContain(canary);
  return `${Reflect.get(error, 'code')}: ${error.message.replace(/\/\S*\/(?=\d\.yaml)/g, '')}`;
}

function seen<T>(fact: { readonly status: string; readonly value?: T } | undefined): T {
  if (fact?.status !== 'seen' || fact.value === undefined) throw new Error(JSON.stringify(fact));
  return fact.value;
}

const chart: ChartOf = { chart: '2.16.101', app: '1.237.0' };
const whole = { ...chart, job: true, worker: true, autoscaling: true, postgresql: true };
const ofKind = (kind: string, told: ChartOf = chart) => chartObjects(told).filter((one) => one.kind === kind);

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
const running = (namespace: string) => plainIn(namespace, 'Deployment', { template: podOfLightdash });

/** What is to be applied, with one container, but for what is said of it. */
const deployment = (more: object, namespace?: string) => {
  const containers = [{ name: 'lightdash', image: 'lightdash/lightdash:1.2.3', ...more }];
  const { metadata: _, ...one } = plainIn('', 'Deployment', { template: { spec: { containers } } });
  return [{ ...one, metadata: { name: 'lightdash', namespace } }];
};

describe('the chart, by its version', () => {
  const job = 'migration Job migration';
  it.each<[string, ChartOf, string[]]>([
    [
      'its first job, and pods that migrate too',
      { chart: '2.6.0', app: '0.2248.0', job: true },
      ['backend Deployment entrypoint 0.2248.0', `${job} 0.2248.0`],
    ],
    ['no job', { chart: '2.10.174', app: '1.1.0', tag: '1.1.1' }, ['backend Deployment entrypoint 1.1.1']],
    [
      'all of it',
      whole,
      [
        'backend Deployment server 1.237.0',
        'worker Deployment worker 1.237.0',
        `${job} 1.237.0`,
        'database StatefulSet other pg16',
      ],
    ],
  ])('%s', async (_, told, expected) => {
    const workloads = seen((await collect(asYaml(chartObjects(told)))).workloads);
    const shown = workloads.map(({ role, kind, containers }) => {
      const { starts, image } = containers.at(-1) ?? {};
      return `${role} ${kind} ${starts} ${image?.tag}`;
    });
    expect(shown).toEqual(expected);
  });

  it('tells release, chart, hooks, budgets and autoscalers', async () => {
    expect(await read(chartObjects(whole))).toMatchObject({
      deployment: { kind: 'kubernetes', origin: 'rendered', hooksSeen: true },
      helm: { release: 'prod', namespace: null, chart: 'lightdash', chartVersion: '2.16.101' },
      workloads: ['backend', 'worker', 'migration', 'postgresql'].map((component) => ({ component })),
      disruptionBudgets: [
        {
          ...{ name: 'prod-lightdash-backend', workloads: ['prod-lightdash-backend'], minAvailable: null },
          ...{ maxUnavailable: '1', disruptionsAllowed: null },
        },
      ],
      autoscalers: [
        {
          ...{ name: 'prod-lightdash', targetKind: 'Deployment', targetName: 'prod-lightdash-backend' },
          ...{ minReplicas: 1, maxReplicas: 100 },
        },
      ],
      pods: 'absent: no cluster was asked',
      snapshots: 'absent: no cluster was asked',
      compose: expect.stringMatching(/^absent: /),
      chartValues: 'not-asked: undefined',
    });
  });

  it('tells variables by name, where they come from and whether they are empty', async () => {
    const ref = (name: string, key: string) => ({ name, key });
    const env = [
      ...[
        { name: 'A', value: '' },
        { name: 'TWICE', value: canary },
        { name: 'TWICE', value: '' },
      ],
      ...[{ name: 'B' }, { name: 'C', value: '$(A)' }],
      { name: 'D', valueFrom: { configMapKeyRef: ref('prod-lightdash', 'SITE_URL') } },
      { name: 'E', valueFrom: { configMapKeyRef: ref('elsewhere', 'SITE_URL') } },
      { name: 'F', valueFrom: { secretKeyRef: ref('prod-lightdash', 'LIGHTDASH_SECRET') } },
      { name: 'G', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'H', valueFrom: { configMapKeyRef: ref('left', 'KEY') } },
    ];
    const sealed = { apiVersion: 'acme.io/v1', kind: 'Secret', metadata: { name: 'prod-postgresql' } };
    const left = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'left' }, data: { KEY: null } };
    const facts = await collect(asYaml([sealed, left, ...chartObjects({ ...chart, env })]));
    const container = seen(facts.workloads)[0]?.containers[1];
    expect(container?.variables.map(({ name, origin, empty }) => `${name} ${origin} ${empty}`)).toEqual([
      ...['PGPASSWORD secret null', 'SCHEDULER_ENABLED literal false', 'A literal true'],
      ...['TWICE literal true', 'B literal true', 'C literal null', 'D config-map true'],
      ...['E config-map null', 'F secret false', 'G field null', 'H config-map true'],
    ]);
    const of = { object: 'prod-lightdash', prefix: '' };
    const keys = ['LIGHTDASH_MIGRATION_EXECUTION_MODE', 'NATS_ENABLED', 'PGHOST', 'SITE_URL'];
    const switches = { NATS_ENABLED: false };
    expect(container?.variablesFrom).toEqual([
      { origin: 'config-map', ...of, keys, emptyKeys: ['SITE_URL'], switches },
      { origin: 'secret', ...of, keys: ['LIGHTDASH_SECRET'], emptyKeys: [] },
    ]);
    expect(container).toMatchObject({
      memoryLimitBytes: 2 * 2 ** 30,
      startupProbe: { kind: 'http', path: '/api/v1/livez', failureThreshold: 18 },
      livenessProbe: { path: '/api/v1/livez', failureThreshold: 3, periodSeconds: 15 },
      readinessProbe: { path: '/api/v1/readyz', periodSeconds: 10 },
    });
  });

  it.each([
    ['/api/v1/livez?token=x', '/api/v1/livez'],
    ['/api/v1/livez#x', '/api/v1/livez'],
    ['/api/v1/readyz=x', '/api/v1/readyz=…'],
    ['/api/v1/livez;token=x/y', '/api/v1/livez;…'],
  ])(
    'keeps of the path %s of a probe what is no secret, and that it is another path',
    async (written, kept) => {
      const text = asYaml(chartObjects(chart)).replaceAll(/path: \S*livez\S*/g, `path: '${written}'`);
      const facts = await collect(text);
      expect(seen(facts.workloads)[0]?.containers[1]?.livenessProbe?.path).toBe(kept);
    },
  );
});

describe('a switch', () => {
  const nats = 'NATS_ENABLED';
  const map = (name: string, data: object, kind = 'ConfigMap') => ({
    ...{ apiVersion: 'v1', kind, metadata: { name } },
    data: { OTHER: 'true', PGPASSWORD: canary, ...data },
  });
  const keyRef = (ref: string, key: string) => ({ valueFrom: { [ref]: { name: 'own', key } } });

  it.each<[string, unknown, boolean | undefined]>([
    ['true', { value: 'true' }, true],
    ['false', { value: 'false' }, false],
    ['another value', { value: canary }, undefined],
    ['other letters', { value: 'TRUE' }, undefined],
    ['spaces around it', { value: ' true' }, undefined],
    ['a number', { value: '1' }, undefined],
    ['nothing', { value: '' }, undefined],
    ['what another variable holds', { value: '$(OTHER)' }, undefined],
    ['a key of a ConfigMap', keyRef('configMapKeyRef', 'OTHER'), true],
    ['another key of a ConfigMap', keyRef('configMapKeyRef', 'PGPASSWORD'), undefined],
    ['a key of a Secret', keyRef('secretKeyRef', 'OTHER'), undefined],
  ])('is recorded as on or off, and never otherwise: %s', async (_, told, on) => {
    const env = [
      { name: nats, ...(told as object) },
      { name: 'SITE_URL', ...(told as object) },
    ];
    const secret = map('own', { [nats]: Buffer.from('true').toString('base64') }, 'Secret');
    const facts = await collect(asYaml([map('own', {}), secret, ...deployment({ env })]));
    const [first, second] = seen(facts.workloads)[0]?.containers[0]?.variables ?? [];
    expect(first).toMatchObject({ name: nats });
    expect([first?.on, second && 'on' in second]).toEqual([on, false]);
    expect(first && 'on' in first).toBe(on !== undefined);
  });

  it.each<[string, object, string, object | undefined]>([
    [
      'in a ConfigMap',
      { [nats]: 'false', PRE_AGGREGATES_ENABLED: 'true' },
      'ConfigMap',
      { [nats]: false, PRE_AGGREGATES_ENABLED: true },
    ],
    ['with another value', { [nats]: canary }, 'ConfigMap', undefined],
    ['with a prefix before it', { ENABLED: 'true' }, 'ConfigMap', undefined],
    ['in a Secret', { [nats]: 'true' }, 'Secret', undefined],
  ])('is read of all keys of an object: %s', async (_, data, kind, switches) => {
    const ref = kind === 'Secret' ? 'secretRef' : 'configMapRef';
    const from = (told: object) =>
      collect(asYaml([map('own', data, kind), ...deployment({ envFrom: [told] })]));
    const of = async (told: object) => seen((await from(told)).workloads)[0]?.containers[0]?.variablesFrom[0];
    expect((await of({ [ref]: { name: 'own' } }))?.switches).toEqual(switches);
    const prefixed = await of({ prefix: 'NATS_', [ref]: { name: 'own' } });
    expect(prefixed?.switches).toEqual('ENABLED' in data ? { [nats]: true } : undefined);
  });
});

describe('a key that an object does not have', () => {
  const keyRef = (name: string, optional = false) => ({ secretKeyRef: { name, key: 'KEY', optional } });
  const perhapsA = { origin: 'secret', object: 'elsewhere', prefix: 'A', keys: null };
  it.each<[string, Json[], string[], object[]]>([
    ['sets nothing', [{ valueFrom: keyRef('prod-lightdash') }], [], []],
    [
      'leaves what was set before, where it is optional',
      [{ value: 'x' }, { valueFrom: keyRef('prod-lightdash', true) }],
      ['A'],
      [],
    ],
    [
      'may be there, where it is optional and the object was not seen',
      [{ valueFrom: keyRef('elsewhere', true) }],
      [],
      [perhapsA],
    ],
    ['is there, where the object was not seen', [{ valueFrom: keyRef('elsewhere') }], ['A'], []],
  ])('%s', async (_, told, set, perhaps) => {
    const env = told.map((one) => ({ name: 'A', ...one }));
    const facts = await collect(asYaml(chartObjects({ ...chart, env })));
    const container = seen(facts.workloads)[0]?.containers[1];
    expect(container?.variables.map(({ name }) => name).slice(2)).toEqual(set);
    expect(container?.variablesFrom.filter(({ keys }) => keys === null)).toEqual(perhaps);
  });

  it('is missing where only an object of another namespace has it; an object of the same or of no namespace counts', async () => {
    const objectsOf = (name: string, namespace: string | undefined, key: string) =>
      ['Secret', 'ConfigMap'].map((kind) => ({
        ...{ apiVersion: 'v1', kind, metadata: { name, namespace }, data: { [key]: 'x' } },
      }));
    const names = ['own', 'foreign', 'anywhere'];
    const { workloads } = await read([
      ...objectsOf('own', 'other', 'NOT_THIS'),
      ...objectsOf('own', 'bi', 'A'),
      ...objectsOf('foreign', 'other', 'NOR_THIS'),
      ...objectsOf('anywhere', undefined, 'B'),
      ...deployment(
        { envFrom: names.flatMap((name) => [{ secretRef: { name } }, { configMapRef: { name } }]) },
        'bi',
      ),
    ]);
    const variablesFrom = names.flatMap((object, i) =>
      ['secret', 'config-map'].map((origin) => ({ origin, object, keys: [['A'], null, ['B']][i] })),
    );
    expect(workloads).toMatchObject([{ containers: [{ variablesFrom }] }]);
  });
});

describe('a Secret that an operator makes', () => {
  const made = (apiVersion: string, kind: string, spec: object, name = 'own', namespace?: string) => ({
    ...{ apiVersion, kind, metadata: { name, namespace }, spec },
  });
  const external = (spec: object, ...more: [name?: string, namespace?: string]) =>
    made('external-secrets.io/v1', 'ExternalSecret', spec, ...more);
  const sealed = (spec: object) => made('bitnami.com/v1alpha1', 'SealedSecret', spec);
  const data = [{ secretKey: 'B', remoteRef: { key: 'x' } }, { secretKey: 'A' }];
  const encryptedData = { A: 'AgBy', B: 'AgBz' };
  const template = { data: { C: '{{ .A }}' } };

  it.each<[string, object[], string[] | null]>([
    ['fetched by name', [external({ data })], ['A', 'B']],
    ['under another name', [external({ data, target: { name: 'own' } }, 'other')], ['A', 'B']],
    ['by a template in place of what is fetched', [external({ data, target: { template } })], ['C']],
    [
      'with a template of its labels',
      [external({ data, target: { template: { metadata: {} } } })],
      ['A', 'B'],
    ],
    ['kept when the object goes', [external({ data, target: { creationPolicy: 'Orphan' } })], ['A', 'B']],
    ['sealed', [sealed({ encryptedData })], ['A', 'B']],
    ['sealed, with a template', [sealed({ encryptedData, template })], ['A', 'B', 'C']],
    ['of another name', [external({ data, target: { name: 'other' } })], null],
    ['of another namespace', [external({ data }, 'own', 'other')], null],
    ['fetched whole', [external({ dataFrom: [{ extract: { key: 'x' } }] })], null],
    ['fetched whole, beside some by name', [external({ data, dataFrom: [{ find: {} }] })], null],
    ['by templates from elsewhere', [external({ data, target: { template: { templateFrom: [{}] } } })], null],
    [
      'by a template beside what is fetched',
      [external({ data, target: { template: { ...template, mergePolicy: 'Merge' } } })],
      null,
    ],
    ['only patched', [external({ data, target: { creationPolicy: 'Merge' } })], null],
    ['made by nobody', [external({ data, target: { creationPolicy: 'None' } })], null],
    ['made by two', [external({ data }), sealed({ encryptedData })], null],
    ['with a key that has no name', [external({ data: [{}] })], null],
    ['fetched, with nothing in it', [external({})], null],
    [
      'sealed, and only patched',
      [
        sealed({
          encryptedData,
          template: { metadata: { annotations: { 'sealedsecrets.bitnami.com/patch': 'true' } } },
        }),
      ],
      null,
    ],
    ['sealed as a whole', [sealed({ data: 'AgBy' })], null],
    ['of another operator', [made('kubernetes-client.io/v1', 'ExternalSecret', { data })], null],
  ])('%s has these keys', async (_, objects, keys) => {
    const { workloads } = await read([
      ...objects,
      ...deployment({ envFrom: [{ secretRef: { name: 'own' } }] }, 'bi'),
    ]);
    const from = { origin: 'secret', object: 'own', prefix: '', keys };
    expect(workloads).toMatchObject([{ containers: [{ variablesFrom: [from] }] }]);
    expect(JSON.stringify(workloads)).not.toContain('emptyKeys');
  });

  it('is read itself where it is there', async () => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'own' }, data: { D: '' } };
    const { workloads } = await read([
      ...[external({ data }), secret],
      ...deployment({ envFrom: [{ secretRef: { name: 'own' } }] }),
    ]);
    const from = { object: 'own', keys: ['D'], emptyKeys: ['D'] };
    expect(workloads).toMatchObject([{ containers: [{ variablesFrom: [from] }] }]);
  });
});

it('an autoscaler that an operator made tells what made it', async () => {
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a-deployment' };
  const scaler = plainIn(
    'bi',
    'HorizontalPodAutoscaler',
    { scaleTargetRef, maxReplicas: 4 },
    'autoscaling/v2',
  );
  const ownerReferences = [{ kind: 'ScaledObject', name: 'bi', controller: true }];
  const owned = { ...scaler, metadata: { ...scaler.metadata, name: 'keda-hpa-bi', ownerReferences } };
  const { autoscalers } = await read([running('bi'), scaler, owned]);
  expect(autoscalers).toEqual([
    expect.not.objectContaining({ owner: expect.anything() }),
    expect.objectContaining({ name: 'keda-hpa-bi', owner: 'ScaledObject bi' }),
  ]);
});

describe('what prints them', () => {
  const objects = chartObjects(whole);
  const labels = { 'app.kubernetes.io/instance': 'other' };
  const hook = {
    ...{ apiVersion: 'v1', kind: 'ConfigMap' },
    metadata: { name: 'x', labels, annotations: { 'helm.sh/hook': 'pre-upgrade' } },
  };
  const web = {
    ...plainIn('', 'Deployment', { template: podOf('nginx:1') }),
    metadata: { name: 'web', labels },
  };

  it.each<[string, object[]]>([
    ['helm get manifest, which leaves hooks out', []],
    ['the same beside hooks of another release', [hook, web]],
  ])('may be %s', async (_, beside) => {
    const { deployment, workloads } = await read([...withoutHooks(objects), ...beside]);
    expect(deployment).toMatchObject({ origin: 'rendered', hooksSeen: null });
    expect(workloads).toMatchObject([
      { role: 'backend' },
      { role: 'worker' },
      ...beside.slice(1).map(() => ({})),
    ]);
  });

  it.each([
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
  ])('may print %s', async (_, text) => {
    const { deployment, ...facts } = await collect(text);
    const { deployment: other, ...expected } = await collect(asYaml(objects));
    expect(facts).toEqual(expected);
    expect(seen(deployment).origin).toEqual(seen(other).origin);
  });

  it('may print some megabytes', async () => {
    const filler = { apiVersion: 'v1', kind: 'ConfigMap', data: { A: 'x '.repeat(1_600_000) } };
    const text = asYaml([...objects, { ...filler, metadata: { name: 'filler' } }]);
    expect(text.length).toBeGreaterThan(3_000_000);
    expect(seen((await collect(text)).workloads)).toHaveLength(4);
  });
});

describe('manifests from a cluster', () => {
  const objects = chartObjects(chart);

  it('are recognised, and kinds that are not among them are not-asked', async () => {
    const asked = withoutHooks(objects).filter(({ kind }) => kind !== 'PodDisruptionBudget');
    expect(await read(inCluster(asked))).toMatchObject({
      deployment: { origin: 'cluster', namespace: 'bi', hooksSeen: null },
      pods: 'not-asked: the manifests have no Pod',
      disruptionBudgets: 'not-asked: the manifests have no PodDisruptionBudget',
      autoscalers: 'not-asked: the manifests have no HorizontalPodAutoscaler',
      snapshots: 'not-asked: the manifests have no VolumeSnapshot',
      hookObjects: [],
    });
  });

  it('have the hooks of earlier upgrades, which do not count as hooks of the next', async () => {
    expect(await read(inCluster(chartObjects({ ...chart, job: true })))).toMatchObject({
      deployment: { origin: 'cluster', hooksSeen: null },
      hookObjects: ['ServiceAccount', 'ConfigMap', 'Secret', 'Pod'].map((kind) => ({ kind })),
    });
  });

  it('has pods, each of the workload that owns it', async () => {
    const ended = { name: 'job-x', owner: 'prod-lightdash-migrate', status: { phase: 'Succeeded' } };
    const own = { ...backendPod(), metadata: { name: 'debug' } };
    expect(await read(inCluster([...objects, backendPod(), backendPod(ended), own]))).toMatchObject({
      pods: [
        { name: 'prod-lightdash-test-connection', workload: null },
        { workload: 'prod-lightdash-backend', containers: [{ image: { tag: '2.100.0' } }] },
        { workload: 'prod-lightdash-migrate', phase: 'Succeeded' },
        { name: 'debug', workload: null },
      ],
      workloads: [{ kind: 'Deployment' }],
    });
  });

  it('has sidecars, which run before the others and do not end', async () => {
    const initContainers = [
      { name: 'proxy', image: 'proxy:1', restartPolicy: 'Always', command: ['yarn', 'workspace', 'x'] },
      { name: 'wait', image: 'busybox:1' },
    ];
    const template = { spec: { ...podOfLightdash.spec, initContainers } };
    const { workloads } = await read([plainIn('bi', 'Deployment', { template })]);
    const inits = [
      { name: 'proxy', init: false },
      { name: 'wait', init: true },
    ];
    expect(workloads).toMatchObject([{ containers: [...inits, { name: 'one', init: false }] }]);
    // That is said of what runs Lightdash alone.
    expect(JSON.stringify(workloads)).not.toContain('byYarn');
  });

  const none = { ready: null, succeeded: null, failed: null };
  it.each<[string, string, object | undefined, object]>([
    ['Deployment', 'apps/v1', { readyReplicas: 2, numberReady: 3 }, { ...none, ready: 2 }],
    ['Deployment', 'apps/v1', undefined, { ...none, ready: 0 }],
    ['DaemonSet', 'apps/v1', { numberReady: 3 }, { ...none, ready: 3 }],
    ['DaemonSet', 'apps/v1', {}, { ...none, ready: 0 }],
    ['StatefulSet', 'apps/v1', { readyReplicas: 1 }, { ...none, ready: 1 }],
    ['Job', 'batch/v1', { succeeded: 1, failed: 4, readyReplicas: 1 }, { ...none, succeeded: 1, failed: 4 }],
    ['Job', 'batch/v1', undefined, { ...none, succeeded: 0, failed: 0 }],
    ['CronJob', 'batch/v1', { succeeded: 1, failed: 4, readyReplicas: 1 }, none],
  ])('has a %s of %s with %j', async (kind, apiVersion, status, expected) => {
    const template = podOfLightdash;
    const spec =
      kind === 'CronJob' ? { schedule: '0 3 * * *', jobTemplate: { spec: { template } } } : { template };
    const one = { ...plainIn('bi', kind, spec, apiVersion), ...(status === undefined ? {} : { status }) };
    const { uid: _, ...metadata } = one.metadata;
    expect((await read([one])).workloads).toMatchObject([{ kind, ...expected }]);
    expect((await read([{ ...one, metadata }])).workloads).toMatchObject([{ kind, ...none }]);
  });

  it.each<[string, object, object]>([
    ['Deployment', { paused: true }, { suspended: true }],
    ['Deployment', { strategy: { type: 'Recreate' } }, { strategy: 'Recreate' }],
    ['StatefulSet', { updateStrategy: { type: 'OnDelete' } }, { strategy: 'OnDelete' }],
    ['DaemonSet', { updateStrategy: { type: 'OnDelete' } }, { strategy: 'OnDelete' }],
  ])('has a %s with %j', async (kind, told, expected) => {
    const one = plainIn('bi', kind, { template: podOfLightdash, ...told });
    expect((await read([one])).workloads).toMatchObject([expected]);
  });

  it('has CronJobs, with when they were', async () => {
    const template = { spec: { containers: [{ name: 'dump', image: 'postgres:16', args: [canary] }] } };
    const spec = {
      schedule: '0 3 * * *',
      suspend: true,
      jobTemplate: { spec: { template, suspend: false } },
    };
    const lastSuccessAt = '2026-09-05T03:00:10Z';
    const status = { lastSuccessfulTime: lastSuccessAt };
    const cron = { ...plainIn('bi', 'CronJob', spec, 'batch/v1'), status };
    const expected = {
      kind: 'CronJob',
      role: 'other',
      schedule: '0 3 * * *',
      suspended: true,
      lastSuccessAt,
    };
    expect((await read([running('bi'), cron])).workloads).toMatchObject([{ kind: 'Deployment' }, expected]);
  });
});

describe('which Lightdash', () => {
  const two = [...chartObjects(chart), ...chartObjects({ ...chart, release: 'stage' })];
  const inTwo = [...inCluster(chartObjects(chart), 'b'), ...inCluster(chartObjects(chart), 'a')];
  const backup = { schedule: '0 3 * * *', jobTemplate: { spec: { template: podOf('postgres:15') } } };
  const database = plainIn('other', 'StatefulSet', { template: podOf('postgres:16') });

  it.each<[string, object[], string]>([
    ['there are two', two, 'Lightdash is in more than one release: prod, stage'],
    ['two namespaces have one', inTwo, 'Lightdash is in more than one namespace: a, b'],
    [
      'nothing names a release, in two namespaces',
      [running('staging'), running('prod')],
      'Lightdash is in more than one namespace: prod, staging',
    ],
  ])('is asked where %s', async (_, objects, fault) => {
    expect(await faultOf(asYaml(objects as Json[]))).toBe(`usage: ${fault}`);
  });

  const initContainers = [{ name: 'wait', image: 'postgres:16', args: ['pg_isready'] }];
  const waiting = { template: { spec: { ...podOf('redis:7').spec, initContainers } } };
  const labels = { app: 'db' };
  const budget = plainIn('other', 'PodDisruptionBudget', { selector: { matchLabels: labels } }, 'policy/v1');
  const labelled = { template: { ...podOf('postgres:16'), metadata: { labels } } };
  const cron = (namespace: string) => plainIn(namespace, 'CronJob', backup, 'batch/v1');
  const ownerReferences = [{ kind: 'Deployment', name: 'a-deployment', controller: true }];
  const replicaSet = plainIn('bi', 'ReplicaSet', { template: podOfLightdash });
  const owned = { ...replicaSet, metadata: { ...replicaSet.metadata, ownerReferences } };
  const [first = {}, ...others] = [...ofKind('Deployment'), ...ofKind('Job', { ...chart, job: true })];
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'x' } };
  const stage = [{ name: 'stage-lightdash-backend' }];
  const web = plainIn('web', 'Deployment', { template: podOf('nginx:1') });
  it.each<[string, object[], DeploymentSources, object]>([
    ['is the one that is named', two, { release: 'stage' }, { workloads: stage, disruptionBudgets: stage }],
    ['is not there', two, { release: 'other' }, { workloads: /^absent: /, disruptionBudgets: /^failed: / }],
    [
      'is chosen by its namespace',
      inTwo,
      { namespace: 'b' },
      { deployment: { namespace: 'b' }, workloads: [{ namespace: 'b' }] },
    ],
    [
      'may be applied to any namespace',
      chartObjects(chart),
      { namespace: 'b' },
      { workloads: [{ namespace: null }] },
    ],
    [
      'is chosen by its namespace where nothing names a release',
      [running('staging'), running('prod')],
      { namespace: 'prod' },
      { workloads: [{ namespace: 'prod' }] },
    ],
    ['is of no release that is named', [running('prod')], { release: 'prod' }, { workloads: /^absent: / }],
    [
      'has beside it what is of no release, also where one is named',
      [...inCluster(ofKind('Deployment'), 'a'), cron('a')],
      { release: 'prod' },
      { workloads: [{ kind: 'Deployment' }, { kind: 'CronJob' }] },
    ],
    [
      'has nothing that stands in another namespace',
      [running('prod'), cron('prod'), cron('other'), database],
      {},
      { workloads: [{ kind: 'Deployment' }, { kind: 'CronJob', namespace: 'prod' }] },
    ],
    [
      'may have beside it what stands twice in a namespace that is not asked for',
      [running('prod'), database, database],
      { namespace: 'prod' },
      { workloads: [{ kind: 'Deployment', namespace: 'prod' }] },
    ],
    [
      'has no budget of another namespace over what stands beside it',
      [...deployment({}), plainIn('prod', 'StatefulSet', labelled), budget],
      {},
      { disruptionBudgets: [{ workloads: [] }] },
    ],
    [
      'has no database that one only waits for',
      [running('prod'), plainIn('prod', 'StatefulSet', waiting)],
      {},
      { workloads: [{ role: 'backend' }, { role: 'other' }] },
    ],
    [
      'is one where some of its objects name their namespace',
      [...inCluster([first], 'a'), ...others],
      {},
      { workloads: [{}, {}], helm: { release: 'prod', namespace: 'a' } },
    ],
    [
      'is in the namespace that it names, not in that of what stands beside it',
      [...chartObjects(chart), web],
      {},
      { workloads: [{}, {}], deployment: { namespace: null } },
    ],
    ['has what an owner of it was read', [running('bi'), owned], {}, { workloads: [{}] }],
    [
      'is absent from nothing',
      [{ apiVersion: 'v1', kind: 'List', items: [] }],
      {},
      { workloads: 'absent: none of 0 objects runs Lightdash', helm: /^failed: / },
    ],
    ['is absent from other programs', [service], {}, { workloads: /^absent: none of 1 objects/ }],
  ])('%s', async (_, objects, wanted, expected) => {
    expect(await read(objects, wanted)).toMatchObject(matching(expected));
  });

  it('is not read where an object stands twice', async () => {
    expect(await faultOf(asYaml([running('prod'), database, database]))).toMatch(/ appears twice/);
  });

  it('is absent from compose files of other programs', async () => {
    const file = join(temporaryFolder(), 'compose.yaml');
    // As docker compose prints it: there may be none on this machine.
    writeFileSync(file, '{"name": "other", "services": {"web": {"image": "nginx:1"}}}');
    const { workloads } = await collect([], { manifests: [], compose: [file] });
    expect(workloads).toMatchObject({ status: 'absent', detail: 'none of 1 services runs Lightdash' });
  });
});

/** The same with a pattern for each regular expression. */
const matching = (expected: object) =>
  Object.fromEntries(
    Object.entries(expected).map(([key, value]) => [
      key,
      value instanceof RegExp ? expect.stringMatching(value) : value,
    ]),
  );

describe('Lightdash in an object that is not read', () => {
  const lightdash = { image: 'lightdash/lightdash:1.2.3' };
  const name = 'prod-lightdash-backend';
  const ref = { apiVersion: 'apps/v1', kind: 'Deployment', name };
  const keda = (target: string) => ({ scaleTargetRef: { name: target } });
  const runs = 'runs Lightdash';
  const replaces = `replaces the pods of Deployment ${name}`;
  const other = (spec: object) => JSON.parse(JSON.stringify(spec).replace(name, 'other'));
  const [rollout, canaryOf, kruise] = [
    { workloadRef: ref },
    { targetRef: ref },
    { objectRef: { workloadRef: ref } },
  ];

  // As ParseBool of Go reads the first; the second pauses whatever it says.
  it.each([
    [{ 'autoscaling.keda.sh/paused': 'true' }, true],
    [{ 'autoscaling.keda.sh/paused': 'yes' }, true],
    [{ 'autoscaling.keda.sh/paused': 'false' }, false],
    [{ 'autoscaling.keda.sh/paused-replicas': '0' }, true],
    [{ 'autoscaling.keda.sh/paused': 'false', 'autoscaling.keda.sh/paused-replicas': '0' }, true],
    [{}, false],
  ])('a ScaledObject with %j is paused: %s', async (annotations, isPaused) => {
    const metadata = { name: 'x', namespace: 'y', annotations };
    const scaled = { apiVersion: 'keda.sh/v1alpha1', kind: 'ScaledObject', metadata, spec: keda(name) };
    const { autoscalers } = await read([...chartObjects(chart), scaled]);
    const why = `failed: ScaledObject x scales Deployment ${name}, and was not read`;
    expect(autoscalers).toEqual(isPaused ? [] : why);
  });

  it.each<[kind: string, apiVersion: string, spec: object, does: string | undefined]>([
    ['Rollout', 'argoproj.io/v1alpha1', { template: podOf('acme/lightdash:1.2.3') }, runs],
    ['Pod', 'v1', { containers: [{ name: 'a', ...lightdash }] }, runs],
    ['Pod', 'v1', { initContainers: [lightdash], containers: [{ name: 'a', image: 'busybox' }] }, runs],
    ['Workflow', 'argoproj.io/v1alpha1', { templates: [{ name: 'migrate', container: lightdash }] }, runs],
    ['CronWorkflow', 'argoproj.io/v1alpha1', { workflowSpec: { templates: [{ script: lightdash }] } }, runs],
    ['Task', 'tekton.dev/v1', { steps: [{ name: 'migrate', ...lightdash }] }, runs],
    ['Deployment', 'acme.io/v1', { template: podOfLightdash }, runs],
    // It only names an image, and runs none.
    ['ImageRepository', 'image.toolkit.fluxcd.io/v1', { image: 'lightdash/lightdash' }, undefined],
    ['Rollout', 'argoproj.io/v1alpha1', rollout, replaces],
    ['Rollout', 'argoproj.io/v1alpha1', other(rollout), undefined],
    ['Canary', 'flagger.app/v1beta1', canaryOf, replaces],
    ['Rollout', 'rollouts.kruise.io/v1alpha1', kruise, replaces],
    ['VerticalPodAutoscaler', 'autoscaling.k8s.io/v1', canaryOf, undefined],
    ['ScaledObject', 'keda.sh/v1alpha1', keda(name), `scales Deployment ${name}`],
    ['ScaledObject', 'keda.sh/v1alpha1', keda('other'), undefined],
    ['ScaledObject', 'keda.sh/v1alpha1', { ...keda(name), maxReplicaCount: 0 }, undefined],
  ])('a %s of %s with %j', async (kind, apiVersion, spec, does) => {
    const { workloads, autoscalers } = await read([
      ...chartObjects(chart),
      { apiVersion, kind, metadata: { name: 'x', namespace: 'y' }, spec },
    ]);
    const isScaler = does?.startsWith('scales') === true;
    const why = `failed: ${kind} x ${does}, and was not read`;
    expect(workloads).toEqual(does === undefined || isScaler ? expect.any(Array) : why);
    if (isScaler) expect(autoscalers).toBe(why);
    else if (does === undefined) expect(autoscalers).toEqual([]);
  });

  it('runs in pods of which the owner was not read', async () => {
    const left = (phase: string) =>
      inCluster([...ofKind('Deployment'), { ...backendPod({ owner: 'rollout-5d7c' }), status: { phase } }]);
    const why = /^failed: what owns Pod .* runs Lightdash, and was not read$/;
    expect((await read(left('Running'))).workloads).toMatch(why);
    expect((await read(left('Failed'))).workloads).toEqual(expect.any(Array));
  });
});

describe('a container', () => {
  const probe = { initialDelaySeconds: 0, periodSeconds: 10, failureThreshold: 3 };
  it.each<[string, object, object]>([
    ['its image', { command: null, args: null }, { entrypointReplaced: false, starts: 'entrypoint' }],
    ['a command of nothing', { command: [] }, { entrypointReplaced: false, starts: 'entrypoint' }],
    ['own command', { command: ['node', 'dist/index.js'] }, { entrypointReplaced: true, starts: 'server' }],
    ['arguments alone', { args: ['x'] }, { entrypointReplaced: false, starts: 'entrypoint' }],
    ['command and args', { command: ['pnpm'], args: ['migrate-production'] }, { starts: 'migration' }],
    ['yarn workspace', { command: ['yarn'], args: ['workspace', 'backend'] }, { byYarn: true }],
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
    ['a port probe', { readinessProbe: { tcpSocket: {} } }, { readinessProbe: { kind: 'tcp', path: null } }],
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
    ['a$(B)', false],
    ['$(A)b', false],
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

describe('a list that kubectl did not print in full', () => {
  const hooked = (kind: string, name: string, hook?: string) => ({
    ...{ apiVersion: 'v1', kind },
    metadata: { name, ...(hook === undefined ? {} : { annotations: { 'helm.sh/hook': hook } }) },
  });
  const [account, map] = [hooked('ServiceAccount', 'default'), hooked('ConfigMap', 'kube-root-ca.crt')];
  const left = hooked('ConfigMap', 'a', 'post-install');

  it.each<[string, object[], unknown]>([
    ['no ServiceAccount', [left], 'not-asked: the manifests have no ServiceAccount'],
    ['no ConfigMap', [account], 'not-asked: the manifests have no ConfigMap'],
    // What Helm does with a hook that does not say what becomes of it.
    ['all', [left, account], [{ hook: { deletePolicies: ['before-hook-creation'] } }]],
    ['all, and no hook left', [map, account], []],
  ])('tells of hooks only with all that they may be: %s', async (_, beside, hookObjects) => {
    const objects = [...ofKind('Deployment'), ...beside] as Json[];
    expect(await read(inCluster(objects))).toMatchObject({ hookObjects });
  });

  it('is rendered where only unrelated objects come from a cluster', async () => {
    const rendered = asYaml(ofKind('Deployment'));
    const facts = await collect([rendered, asList(inCluster(ofKind('ConfigMap')))]);
    expect(seen(facts.deployment).origin).toBe('rendered');
    const both = [rendered, asList(inCluster(chartObjects({ ...chart, worker: true })))];
    for (const texts of [both, both.toReversed()]) {
      expect(await faultOf(texts)).toMatch(
        /^invalid-manifest: of .* and .* one is in a cluster, and one is still to be applied$/,
      );
    }
  });
});

describe('kinds that the cluster refused', () => {
  const told = { sources: ['kind-bi'], context: 'kind-bi', namespace: 'bi', seenAt: testNow.toISOString() };
  const factsOf = (refused: readonly string[], status: 'not-permitted' | 'absent' = 'not-permitted') =>
    manifestFacts({
      ...told,
      objects: readObjects(asYaml(withoutHooks(chartObjects(chart))), 'kubectl'),
      notReturned: new Map(refused.map((kind) => [kind, notSeen(status, `${kind} is forbidden`)])),
    });
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
    const read = ['deployment', 'compose', 'workloads', 'chartValues'];
    expect(Object.keys(others)).toEqual(factKeysOf('deployment').filter((key) => !read.includes(key)));
    const why = { status: 'failed', detail: 'the workloads of Lightdash were not seen' };
    for (const fact of Object.values(others)) expect(fact).toMatchObject(why);
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
    ['half of JSON', asList(deployment({})).slice(0, -20), 'is not valid YAML or JSON in line 26'],
    ['a secret where a key was', `data:\n  x: "${canary}\n`, 'in line 3: Missing closing "quote'],
    ['an alias of nothing', `a: *${canary}`, 'in line 1: no anchor ... comes before it'],
    [
      'a key with quotes twice',
      `"a\\"${canary}\\"": 1\n"a\\"${canary}\\"": 2\n`,
      'in line 2: the key ... appears twice',
    ],
    [
      'a merge key beside a key that it brings too',
      `kind: A\n---\nx: &x {a: ${canary}}\nb:\n  <<: *x\n  a: 1\n`,
      'in line 6: a merge key (<<) brings this key too',
    ],
    [
      'a line break of YAML 1.1, in a document of comments',
      `kind: A\n---\n# \u0085kind: ${canary}\n`,
      'in line 3: the character U+0085 starts a new line for some programs only',
    ],
    ['words', 'error: You must be logged in', '0.yaml, from line 1: it is not a Kubernetes object'],
    ['compose files', 'services: {}', 'it is not a Kubernetes object'],
    ['no list', 'apiVersion: v1\nkind: List\nitems: 1\n', '0.yaml, from line 1: items: expected a list'],
    ['JSON, one value behind the other', '{"a":1}\n{"b":2}', '0.yaml is not valid YAML or JSON in line 2'],
    ['an object twice', asYaml([...deployment({}), ...deployment({})]), 'Deployment lightdash appears twice'],
    ['an empty envFrom', asYaml(deployment({ envFrom: [{}] })), 'envFrom: expected a ConfigMap or a Secret'],
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
});
