import { describe, expect, it } from 'vitest';
import { exactNumber } from '../../../src/core/json/exact-json.js';
import { readQuantity } from '../../../src/gather/deployment/container-facts.js';
import {
  containerStart,
  maySetVariables,
  startsByYarn,
} from '../../../src/gather/deployment/container-start.js';
import { secretsUnseen } from '../../../src/gather/deployment/kubernetes/cluster.js';
import {
  disruptionBudgetOf,
  podOf,
  snapshotOf,
} from '../../../src/gather/deployment/kubernetes/cluster-objects.js';
import {
  hookOf,
  readDocuments,
  readObjects,
} from '../../../src/gather/deployment/kubernetes/kubernetes-object.js';
import { manifestFacts, refuseDuplicates } from '../../../src/gather/deployment/manifest-facts.js';
import { roleOf } from '../../../src/gather/deployment/workload-facts.js';
import type { ContainerFact, WorkloadFact } from '../../../src/instance/facts/deployment-facts.js';
import { imageFact, isDatabaseImage } from '../../../src/instance/image-reference.js';

it.each([
  ['yarn workspace backend start', true],
  ['dumb-init -- yarn workspace backend start', true],
  ['sh -c sleep 5;yarn workspace backend start', true],
  ['myyarn workspace backend start', false],
  ['', false],
])('%j starts by yarn: %s', (command, is) => {
  expect(startsByYarn(command.split(' '))).toBe(is);
});

describe('containerStart', () => {
  it.each([
    ['dumb-init -- node dist/index.js', 'server'],
    ['dumb-init -- /usr/bin/prod-entrypoint.sh node dist/index.js', 'entrypoint'],
    ['/vault/entrypoint.sh node dist/index.js', 'other'],
    ['pnpm -F backend migrate-production', 'migration'],
    ['pnpm -F backend migrate-production up --strict', 'migration'],
    ['pnpm -F backend migrate-production preflight', 'other'],
    ['pnpm -F backend migrate-production status --json', 'other'],
    ['sh -c pnpm -F backend migrate-production && node dist/index.js', 'migration'],
    ['knex migrate:latest', 'migration'],
    ['migrate up', 'migration'],
    ['migrate wait', 'other'],
    ['pnpm -F backend migrate-production  status', 'other'],
    ['npm run migrate:  latest', 'migration'],
    ['node dist/index', 'server'],
    ['node dist/scheduler.js', 'worker'],
    ['node dist/natsWorker.js', 'worker'],
    ['sleep infinity', 'other'],
  ])('%s: %s', (command, expected) => {
    expect(containerStart(command.split(' '))).toBe(expected);
  });
});

describe('maySetVariables', () => {
  it.each<[string[], boolean]>([
    [[], false],
    [['node', 'dist/index.js'], false],
    [['/usr/bin/dumb-init', '--', 'node', 'dist/index.js'], false],
    [['dumb-init', '--', '/usr/bin/prod-entrypoint.sh', 'node'], false],
    [['pnpm', '-F', 'backend', 'migrate-production'], false],
    [['/bin/sh', '-c', 'pnpm -F backend migrate-production && exec node dist/index.js --a=b'], false],
    [['sh', '-c', '. /vault/secrets/config && node dist/index.js'], true],
    [['bash', '-ec', 'source /vault/secrets/config; node dist/index.js'], true],
    [['sh', '-c', 'set -a; node dist/index.js'], true],
    [['sh', '-c', 'export A=$(cat /a) && node dist/index.js'], true],
    [['sh', '-c', 'eval "$(cat /a)" && node dist/index.js'], true],
    [['sh', '-c', 'LIGHTDASH_SECRET=$(cat /a) node dist/index.js'], true],
    [['sh', '/start.sh'], true],
    [['sh', '-c', '/start.sh'], true],
    [['sh', '-c', 'doppler run -- node dist/index.js'], true],
    [['sh', '-c', 'wait-for-it db:5432; exec dumb-init -- node dist/index.js'], false],
    [['sh', '-c', 'node dist/wait.js && doppler run -- node dist/index.js'], true],
    [['sh', '-c', 'pnpm -F backend migrate-production && vault-env node dist/index.js'], true],
    [['sh', '-c', 'doppler run -- pnpm -F backend migrate-production && node dist/index.js'], true],
    [['sh', '-c', 'node dist/index.js && export A=b'], true],
    [['sh', '-c', 'echo up; node dist/index.js 2>&1 | tee /tmp/log'], false],
    [['sh', '-c', 'node /app/start.js'], false],
    [['sh', '-c', ''], true],
    [['bash', '-lc', 'node dist/index.js'], true],
    [['bash', '-ic', 'node dist/index.js'], true],
    [['sh', '-euxc', 'node dist/index.js'], false],
    [['node', '--env-file=/vault/secrets/env', 'dist/index.js'], true],
    [['node', '--env-file-if-exists', '/env', 'dist/index.js'], true],
    [['node', '-r', 'dotenv/config', 'dist/index.js'], true],
    [['node', '--require=./load.js', 'dist/index.js'], true],
    [['node', '--import', './load.js', 'dist/index.js'], true],
    [['node', '--max-old-space-size=4096', 'dist/index.js'], false],
    [['npx', 'dotenv', '-e', '/env', '--', 'node', 'dist/index.js'], true],
    [['pnpm', 'exec', 'dotenvx', 'run', '--', 'node', 'dist/index.js'], true],
    [['tini', '--', '/vault/entrypoint.sh', 'node'], true],
    [['doppler', 'run', '--', 'node', 'dist/index.js'], true],
  ])('%j: %s', (command, expected) => {
    expect(maySetVariables(command)).toBe(expected);
  });
});

describe('roleOf', () => {
  const own = (starts: ContainerFact['starts']) => ({
    ...{ name: 'a', init: false, starts },
    image: imageFact('lightdash/lightdash:1.2.3', null),
  });
  const other = (image: string, init = false) => ({
    ...{ name: 'b', init, starts: 'other' as const },
    image: imageFact(image, null),
  });
  it.each<[WorkloadFact['kind'], string, string | null, Parameters<typeof roleOf>[1], string]>([
    ['Deployment', 'web', null, [own('entrypoint')], 'backend'],
    ['Deployment', 'web', null, [own('server'), own('worker')], 'backend'],
    ['Deployment', 'web', null, [own('other'), own('worker')], 'worker'],
    ['Deployment', 'web', 'worker', [own('server')], 'worker'],
    ['Deployment', 'my-scheduler', null, [own('server')], 'worker'],
    ['Deployment', 'my-worker', 'backend', [own('worker')], 'backend'],
    ['Deployment', 'my-worker', 'web', [own('server')], 'backend'],
    ['Job', 'a', null, [own('server')], 'other'],
    ['Job', 'a', null, [own('other'), own('migration')], 'migration'],
    ['CronJob', 'a', null, [own('entrypoint')], 'migration'],
    ['Job', 'a', 'backend', [own('worker')], 'other'],
    ['StatefulSet', 'a', null, [other('postgres:16')], 'database'],
    ['StatefulSet', 'a', null, [other('busybox'), other('postgres:16')], 'database'],
    ['StatefulSet', 'a', null, [other('postgres:16', true), other('redis')], 'other'],
    ['Job', 'a', null, [other('postgres:16')], 'other'],
    ['CronJob', 'a', null, [other('postgres:16')], 'other'],
    ['Deployment', 'a', null, [other('postgres:16'), own('entrypoint')], 'backend'],
  ])('%s %s of component %s: %#', (kind, name, component, containers, expected) => {
    expect(roleOf({ kind, name, component, ofChart: false }, containers)).toBe(expected);
  });
});

it.each([
  ['pgvector/pgvector:pg16', true],
  ['bitnami/postgresql:16', true],
  ['postgres', true],
  ['acme/spilo-16', true],
  ['acme/my-postgres', true],
  ['acme/notpostgres', false],
  ['prom/postgres-exporter', false],
  ['busybox', false],
])('%s is an image of a database: %s', (reference, is) => {
  expect(isDatabaseImage(imageFact(reference, null))).toBe(is);
});

it.each<[unknown, number | undefined]>([
  ['2Gi', 2 * 1024 ** 3],
  ['1.5G', 1.5e9],
  ['1e9', 1e9],
  [1024, 1024],
  ['3Mi', 3 * 1024 ** 2],
  ['3Pi', 3 * 1024 ** 5],
  ['3T', 3e12],
  ['3P', 3e15],
  ['3000000u', 3],
  ['100m', 1],
  ['.5Ki', 512],
  ['3Ti', 3 * 1024 ** 4],
  ['.001Ei', 1152921504606847],
  ['3k', 3000],
  ['512M', 512e6],
  ['.001E', 1e15],
  ['3000000000n', 3],
  ['1E-1', 1],
  [['2Gi'], undefined],
  [exactNumber('1.50'), 2],
  ['2GB', undefined],
  ['-1', undefined],
  ['', undefined],
  ['9999Ei', undefined],
])('the quantity %s is %s', (text, bytes) => {
  expect(readQuantity(text)).toBe(bytes);
});

describe('the workloads of a budget', () => {
  const workload = { podLabels: { app: 'a', tier: 'x' }, object: { namespace: null }, fact: { name: 'w' } };
  it.each<[string, object | undefined, boolean]>([
    ['none without a selector', undefined, false],
    ['all by an empty one', {}, true],
    ['those with a label', { matchLabels: { app: 'a' } }, true],
    ['none with another', { matchLabels: { app: 'b' } }, false],
    ['none with one that is not there', { matchLabels: { constructor: 'b' } }, false],
    ['none with one of two labels', { matchLabels: { app: 'a', tier: 'y' } }, false],
    ['those that an expression may narrow', { matchLabels: { app: 'a' }, matchExpressions: [] }, true],
  ])('are %s', (_, selector, isSelected) => {
    const budget = objectOf({ kind: 'PodDisruptionBudget' }, { spec: { selector } });
    const { workloads } = disruptionBudgetOf(budget, [workload as never]);
    expect(workloads).toEqual(isSelected ? ['w'] : []);
  });
});

describe('readDocuments', () => {
  it.each<[string, string, Record<number, unknown>]>([
    [
      'documents, each from its line',
      '# a\n\na: 1\n---\nb: 2\n---   \n# c\n---\n{"d":3}\n---\t\ne: 4\n---',
      { 1: { a: 1 }, 4: { b: 2 }, 8: { d: 3 }, 10: { e: 4 } },
    ],
    ['JSON on the line that begins a document', '--- {"a":1}\n--- {"b":2}', { 1: { a: 1 }, 2: { b: 2 } }],
    ['other dashes', 'a: b---\nc: |\n  ---\n----: d\n', { 1: { a: 'b---', c: '---\n', '----': 'd' } }],
    ['a byte order mark, which counts where it begins alone', '\uFEFFa: "\uFEFF"', { 1: { a: '\uFEFF' } }],
  ])('reads %s', (_, text, expected) => {
    const documents = readDocuments(text, 'x');
    expect(Object.fromEntries(documents.map(({ value, line }) => [line, value]))).toEqual(expected);
    expect(documents).toHaveLength(Object.keys(expected).length);
  });

  it.each<[string, string, string]>([
    [
      'a fault of a later document',
      'a: 1\n---\nb: 2\n---\nc: 3\nc: 4\n',
      'x is not valid YAML or JSON in line 6: the key',
    ],
    ['a key twice', '{"kind":"List","a":{"b":1,"b":2}}', 'x: the key b appears twice in one object'],
  ])('refuses %s', (_, text, message) => {
    expect(() => readDocuments(text, 'x')).toThrow(message);
  });
});

describe('secretsUnseen', () => {
  const image = imageFact('lightdash/lightdash:1.2.3', null);
  const secret = (object: string, empty: boolean | null) => ({ name: 'A', origin: 'secret', object, empty });
  const all = (origin: string, object: string, keys: string[] | null) => ({
    origin,
    object,
    prefix: '',
    keys,
  });
  const ofMap = { ...secret('a-map', null), origin: 'config-map' };
  const ofField = { ...secret('of-a-field', null), origin: 'field', object: null };
  const from = [
    all('secret', 'all-asked', null),
    all('secret', 'all-seen', []),
    all('config-map', 'map', null),
  ];
  const containers = [
    {
      name: 'a',
      image,
      variables: [secret('asked', null), secret('seen', false), ofMap, ofField],
      variablesFrom: from,
    },
    { name: 'b', image, variables: [secret('asked', null), secret('of-b', null)], variablesFrom: [] },
  ];
  const seen = (role: string) => ({ status: 'seen', value: [{ role, containers }] });

  it.each<[string, object, string[]]>([
    ['those of Lightdash', seen('backend'), ['all-asked', 'asked', 'of-b']],
    ['none of what is not Lightdash', seen('other'), []],
    ['none where none was seen', { status: 'failed' }, []],
  ])('%s', (_, workloads, names) => {
    expect(secretsUnseen({ workloads } as never)).toEqual(names);
  });
});

const objectOf = (metadata: object, more: object = {}) => {
  const one = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', ...metadata }, ...more };
  const [read] = readObjects(JSON.stringify(one), 'x');
  if (read === undefined) throw new Error('nothing was read');
  return read;
};

describe('readObjects', () => {
  const named = (name: string) => ({ metadata: { name } });
  const pod = (name: string) => ({ apiVersion: 'v1', kind: 'Pod', ...named(name) });
  it.each<[string, object, string[]]>([
    ['the items of a list', { apiVersion: 'v1', kind: 'PodList', items: [pod('a')] }, ['Pod a']],
    ['nothing of an empty list', { apiVersion: 'v1', kind: 'List', items: [] }, []],
    ['a kind that is called a list', { ...pod('a'), kind: 'AllowList' }, ['AllowList a']],
    ['a kind that has items', { ...pod('a'), kind: 'Listing', items: [1] }, ['Listing a']],
  ])('%s', (_, value, expected) => {
    const objects = readObjects(JSON.stringify(value), 'x');
    expect(objects.map(({ kind, name }) => `${kind} ${name}`)).toEqual(expected);
  });

  const version = ': apiVersion: expected a version of an API';
  it.each<[string, object, string]>([
    ['no kind at all', { apiVersion: 'v1', items: [], ...named('a') }, ': kind: expected text'],
    [
      'an item of no kind',
      { apiVersion: 'v1', kind: 'List', items: [pod('a'), named('b')] },
      ', items[1]: it is not a Kubernetes object: it has neither kind nor apiVersion',
    ],
    ['a version that is none', { ...pod('a'), apiVersion: 'v1/b/c' }, version],
    ['another', { ...pod('a'), apiVersion: '/v1' }, version],
    ['a name that is too long', pod('a'.repeat(254)), ': metadata.name: expected the name of an object'],
  ])('refuses %s', (_, value, message) => {
    expect(() => readObjects(JSON.stringify(value), 'x')).toThrow(`x, from line 1${message}`);
  });

  it('tells what a cluster says of an object', () => {
    const [creationTimestamp, deletionTimestamp] = ['2026-09-01T10:00:00Z', '2026-09-02T10:00:00Z'];
    expect(objectOf({ name: 'a'.repeat(253) }).name).toHaveLength(253);
    expect(objectOf({})).toMatchObject({ createdAt: null, live: false, ending: false, namespace: null });
    expect(objectOf({ uid: '1', creationTimestamp, deletionTimestamp, namespace: 'bi' })).toMatchObject({
      ...{ createdAt: creationTimestamp, live: true, ending: true, namespace: 'bi' },
    });
  });
});

describe('refuseDuplicates', () => {
  const one = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'b', namespace: 'a' } };
  it.each<[string, object, boolean]>([
    ['the same', {}, true],
    ['of another name', { metadata: { name: 'c', namespace: 'a' } }, false],
    ['in another namespace', { metadata: { name: 'b', namespace: 'b' } }, false],
    ['of another kind', { kind: 'Secret' }, false],
    ['of another group', { apiVersion: 'acme.io/v1' }, false],
    ['of another version', { apiVersion: 'v2' }, true],
    ['of names that read the same', { kind: 'P', metadata: { name: 'b', namespace: 'oda' } }, false],
  ])('%s', (_, other, twice) => {
    const objects = readObjects(JSON.stringify({ kind: 'List', items: [one, { ...one, ...other }] }), 'x');
    const refuse = () => refuseDuplicates(objects);
    if (twice) expect(refuse).toThrow('x, from line 1, items[1]: Pod b appears twice');
    else expect(refuse).not.toThrow();
  });
});

describe('hookOf', () => {
  it.each<[object, unknown]>([
    [{}, null],
    [{ 'helm.sh/hook': '' }, null],
    [{ 'helm.sh/hook': 1 }, null],
    [{ 'helm.sh/hook': 'test' }, { events: ['test'], deletePolicies: ['before-hook-creation'] }],
    [
      {
        'helm.sh/hook': 'pre-install, pre-upgrade,',
        'helm.sh/hook-delete-policy': 'hook-failed, hook-succeeded',
      },
      { events: ['pre-install', 'pre-upgrade'], deletePolicies: ['hook-failed', 'hook-succeeded'] },
    ],
  ])('%j', (annotations, hook) => {
    expect(hookOf(objectOf({ annotations }))).toEqual(hook);
  });
});

const ofKind = (kind: string, metadata: object, parts: object) => objectOf(metadata, { kind, ...parts });

it.each([
  ['1', { status: { disruptionsAllowed: 2 } }, 2],
  ['1', { status: {} }, null],
  ['1', {}, null],
  // What is to be applied may hold a status, and nothing is so by it.
  [undefined, { status: { disruptionsAllowed: 2 } }, null],
])('a budget of uid %s with %j allows %s', (uid, parts, allowed) => {
  const budget = disruptionBudgetOf(ofKind('PodDisruptionBudget', { uid }, { spec: {}, ...parts }), []);
  expect(budget.disruptionsAllowed).toBe(allowed);
});

const createdAt = '2026-09-01T10:00:00Z';
const later = '2026-09-03T10:00:00Z';
it.each<[object, object]>([
  [{}, { claim: null, createdAt, readyToUse: null }],
  [
    { spec: { source: {} }, status: { readyToUse: false } },
    { claim: null, createdAt, readyToUse: false },
  ],
  [
    {
      spec: { source: { persistentVolumeClaimName: 'data' } },
      status: { creationTime: later, readyToUse: true },
    },
    { claim: 'data', createdAt: later, readyToUse: true },
  ],
])('a snapshot with %j', (parts, fact) => {
  const snapshot = snapshotOf(ofKind('VolumeSnapshot', { creationTimestamp: createdAt }, parts));
  expect(snapshot).toEqual({ name: 'a', ...fact });
});

describe('podOf', () => {
  const containers = [{ name: 'main', image: 'a:1' }];
  const ready = (name: string) => ({ name, ready: true, state: {} });
  const podWith = (spec: object, status?: object) =>
    podOf(objectOf({}, { spec: { containers, ...spec }, ...(status === undefined ? {} : { status }) }));

  it('has phase Unknown and is not ready without a status', () => {
    expect(podWith({})).toMatchObject({ phase: 'Unknown', ending: false, containers: [{ ready: false }] });
    for (const conditions of [undefined, [{ type: 'Ready', status: 'True' }]]) {
      const status = { conditions, containerStatuses: [ready('main')] };
      expect(podWith({}, status).containers).toMatchObject([{ ready: true, reason: null }]);
    }
  });

  const ended = (exitCode: number) => ({ terminated: { reason: 'Completed', exitCode } });
  it.each<[object, object]>([
    [{ state: { running: {} } }, { reason: null, lastReason: null, lastExitCode: null }],
    [{ state: { waiting: { reason: 'CrashLoopBackOff' } } }, { reason: 'CrashLoopBackOff' }],
    [{ state: { terminated: { reason: 'OOMKilled' } } }, { reason: 'OOMKilled' }],
    [{ lastState: ended(0) }, { lastReason: 'Completed', lastExitCode: 0 }],
    [{ lastState: ended(137) }, { lastReason: 'Completed', lastExitCode: 137 }],
  ])('has a container with %j', (status, expected) => {
    expect(podWith({}, { containerStatuses: [{ ...ready('main'), ...status }] }).containers).toMatchObject([
      expected,
    ]);
  });

  it('has init containers and sidecars, each with its own status', () => {
    const initContainers = [
      { name: 'wait', image: 'b:1' },
      { name: 'proxy', image: 'c:1', restartPolicy: 'Always' },
    ];
    const waits = { name: 'wait', restartCount: 3, state: { terminated: { reason: 'Error', exitCode: 1 } } };
    const status = {
      conditions: [
        { type: 'Initialized', status: 'False', reason: 'ContainersNotInitialized' },
        // Such as on a node that is gone, with containers that were ready.
        { type: 'Ready', status: 'Unknown', reason: 'ContainersNotReady' },
      ],
      initContainerStatuses: [waits, ready('proxy')],
      containerStatuses: [ready('main')],
    };
    expect(podWith({ initContainers }, status).containers).toMatchObject([
      { name: 'wait', init: true, ready: false, restarts: 3, reason: 'Error' },
      { name: 'proxy', init: false, ready: false, reason: 'ContainersNotReady' },
      { name: 'main', init: false, ready: false, reason: 'ContainersNotReady' },
    ]);
    const done = { ...status, initContainerStatuses: [ready('wait'), ready('proxy')] };
    expect(podWith({ initContainers }, done).containers[0]).toMatchObject({ ready: true, reason: null });
  });

  const set = (name: string) => ({ kind: 'ReplicaSet', name });
  it.each<[string, object[], string | undefined, string | null]>([
    ['nothing', [], 'x', null],
    ['a ReplicaSet of a Deployment', [set('web-x')], 'x', 'web'],
    ['a ReplicaSet of its own', [set('web-y')], 'x', 'web-y'],
    ['a ReplicaSet, with no hash', [set('web-undefined')], undefined, 'web-undefined'],
    ['what does not control it', [{ ...set('web'), controller: false }], 'x', null],
    ['a StatefulSet that is named like a hash', [{ kind: 'StatefulSet', name: 'web-x' }], 'x', 'web-x'],
  ])('is of what owns it: %s', (_, owners, hash, workload) => {
    const ownerReferences = owners.map((owner) => ({ controller: true, ...owner }));
    const labels = { 'pod-template-hash': hash };
    expect(podOf(objectOf({ ownerReferences, labels }, { spec: { containers } })).workload).toBe(workload);
  });
});

interface Metadata {
  readonly labels?: object;
  readonly annotations?: object;
  readonly namespace?: string;
  readonly uid?: string;
}

describe('the release of Helm', () => {
  const workloadWith = (metadata: object, kind = 'Deployment', image = 'lightdash/lightdash:1.2.3') => ({
    ...{ apiVersion: kind === 'Job' ? 'batch/v1' : 'apps/v1', kind },
    metadata: { name: `a-${kind}`, ...metadata },
    spec: { template: { spec: { containers: [{ name: 'a', image }] } } },
  });
  const helmOf = (...objects: object[]) => {
    const { helm } = manifestFacts({
      ...{ sources: [], namespace: null, seenAt: '2026-09-06T19:08:42Z' },
      objects: readObjects(JSON.stringify({ kind: 'List', items: objects }), 'x'),
    });
    return helm?.status === 'seen' ? helm.value : `${helm?.status}: ${helm?.detail}`;
  };
  const hook = { 'helm.sh/hook': 'pre-upgrade' };
  const chart = (version: string) => ({ 'helm.sh/chart': `lightdash-${version}` });
  const nothing = { release: null, namespace: null, chart: null, chartVersion: null };
  const published = { ...nothing, chart: 'lightdash', chartVersion: '2.0.0' };
  const [instance, by] = ['app.kubernetes.io/instance', 'app.kubernetes.io/managed-by'];
  const [name, argo] = ['meta.helm.sh/release-name', 'argocd.argoproj.io/'];
  const flux = { ...chart('2.0.0'), 'helm.toolkit.fluxcd.io/name': 'bi' };

  it.each<[string, Metadata, unknown]>([
    [
      'nothing of Helm',
      { labels: { [by]: 'kustomize', [instance]: 'prod' } },
      'absent: no workload of Lightdash has a Helm label',
    ],
    ['Helm alone', { labels: { [by]: 'Helm', [instance]: 'prod' } }, { ...nothing, release: 'prod' }],
    [
      'a release, and its namespace',
      { annotations: { [name]: 'prod', 'meta.helm.sh/release-namespace': 'bi' } },
      { ...nothing, release: 'prod', namespace: 'bi' },
    ],
    [
      'a release by its annotation before its label',
      { labels: { [instance]: 'x' }, annotations: { [name]: 'prod' }, namespace: 'bi' },
      { ...nothing, release: 'prod', namespace: 'bi' },
    ],
    ['a chart', { labels: chart('12.16.101') }, { ...published, chartVersion: '12.16.101' }],
    [
      'a chart of one that was built',
      { labels: { 'helm.sh/chart': 'my-lightdash-2.16.101-rc.1_acme' } },
      { ...nothing, chart: 'my-lightdash', chartVersion: '2.16.101-rc.1+acme' },
    ],
    [
      'a chart that Argo CD applies, by its annotation',
      { labels: chart('2.0.0'), annotations: { [`${argo}tracking-id`]: 'bi:apps/Deployment:bi/lightdash' } },
      { ...published, appliedBy: 'argo-cd' },
    ],
    [
      'a chart that Argo CD applies, by a label',
      { labels: { ...chart('2.0.0'), [`${argo}instance`]: 'bi' } },
      { ...published, appliedBy: 'argo-cd' },
    ],
    [
      'a chart of a HelmRelease of Flux, which Helm applies',
      { labels: flux, annotations: { [name]: 'prod' } },
      { ...published, release: 'prod', appliedBy: 'flux' },
    ],
    [
      'a chart in a cluster that Helm has not applied',
      { labels: chart('2.0.0'), uid: '1' },
      { ...published, appliedBy: 'other' },
    ],
    [
      'a hook of a chart in a cluster, which Helm does not annotate',
      { labels: chart('2.0.0'), uid: '1', annotations: hook },
      published,
    ],
    ['a chart of no version', { labels: { 'helm.sh/chart': 'bi' } }, { ...nothing, chart: 'bi' }],
  ])('is told by %s', (_, metadata, expected) => {
    expect(helmOf(workloadWith(metadata, metadata.annotations === hook ? 'Job' : 'Deployment'))).toEqual(
      expected,
    );
  });

  const several = 'failed: the workloads of Lightdash name more than one release or chart';
  const beside = (labels: object, annotations: object = {}) =>
    workloadWith({ labels, annotations }, annotations === hook ? 'Job' : 'StatefulSet');
  const namespaceOf = (name: string) => ({ 'meta.helm.sh/release-namespace': name });
  it.each<[string, object, object, unknown]>([
    ['of one chart', beside(chart('2.0.0')), {}, { chartVersion: '2.0.0' }],
    ['of another version', beside(chart('2.0.1')), {}, several],
    ['of another chart', beside({ 'helm.sh/chart': 'bi-2.0.0' }), {}, several],
    ['of no chart', beside({}), {}, { chartVersion: '2.0.0' }],
    [
      'that something else applies',
      beside({ ...chart('2.0.0'), 'argocd.argoproj.io/instance': 'bi' }),
      {},
      { appliedBy: 'argo-cd' },
    ],
    ['a job of an upgrade before', beside(chart('1.0.0'), hook), {}, { chartVersion: '2.0.0' }],
    ['which is a hook too', beside(chart('1.0.0'), hook), hook, several],
    ['in another namespace', beside(chart('2.0.0'), namespaceOf('b')), namespaceOf('a'), several],
  ])('is one of all that run: beside one %s', (_, other, annotations, expected) => {
    const one = workloadWith({ labels: chart('2.0.0'), annotations });
    if (typeof expected === 'string') expect(helmOf(one, other)).toBe(expected);
    else expect(helmOf(one, other)).toMatchObject(expected as object);
  });

  it('is not that of another workload in the same namespace', () => {
    const web = workloadWith({ labels: chart('1.0.0') }, 'StatefulSet', 'nginx:1');
    expect(helmOf(workloadWith({ labels: chart('2.0.0') }), web)).toMatchObject({ chartVersion: '2.0.0' });
  });
});
