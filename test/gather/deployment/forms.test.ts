import { describe, expect, it } from 'vitest';
import type { LightspanError } from '../../../src/core/lightspan-error.js';
import { collectDeployment } from '../../../src/gather/deployment/collect.js';
import { testNow } from '../../support/cli.js';

/** Objects with every field that is read, and none beside, except `other`. */

type Json = Record<string, unknown>;

const labels = { app: 'bi' };
const moment = '2026-09-01T10:00:00Z';
const probe = { exec: {}, initialDelaySeconds: 1, periodSeconds: 1, failureThreshold: 1 };
const container = { name: 'lightdash', image: 'lightdash/lightdash:1.0.0' };
const full = {
  ...container,
  imagePullPolicy: 'Always',
  command: ['node'],
  args: ['dist/index.js'],
  env: [
    { name: 'A', value: 'a' },
    { name: 'B', valueFrom: { secretKeyRef: { name: 's', key: 'b', optional: true } } },
    { name: 'C', valueFrom: { configMapKeyRef: { name: 'c', key: 'b', optional: true } } },
    { name: 'D', valueFrom: { fieldRef: {}, resourceFieldRef: {}, fileKeyRef: {} } },
  ],
  envFrom: [{ prefix: 'P_', secretRef: { name: 's' } }, { configMapRef: { name: 'c' } }],
  startupProbe: { httpGet: { path: '/' }, ...probe },
  livenessProbe: { ...probe, tcpSocket: {} },
  readinessProbe: { ...probe, grpc: {} },
  resources: { limits: { memory: '1Gi' } },
  restartPolicy: 'Always',
};
const template = (one: Json = container) => ({ metadata: { labels }, spec: { containers: [one] } });
const ended = { reason: 'Error', exitCode: 1 };
const containerStatus = {
  name: 'lightdash',
  ready: true,
  restartCount: 1,
  state: { waiting: { reason: 'a' }, terminated: ended },
  lastState: { terminated: ended },
};

const objects: readonly (readonly [kind: string, apiVersion: string, parts: Json])[] = [
  [
    'Deployment',
    'apps/v1',
    {
      other: 1,
      spec: {
        replicas: 1,
        strategy: { type: 'Recreate' },
        template: {
          metadata: { labels, other: 1 },
          spec: { containers: [full], initContainers: [container], terminationGracePeriodSeconds: 30 },
        },
      },
      status: { readyReplicas: 1, other: 1 },
    },
  ],
  ['StatefulSet', 'apps/v1', { spec: { updateStrategy: { type: 'OnDelete' }, template: template() } }],
  ['DaemonSet', 'apps/v1', { spec: { template: template() }, status: { numberReady: 1 } }],
  [
    'Job',
    'batch/v1',
    {
      spec: { backoffLimit: 1, activeDeadlineSeconds: 1, suspend: true, template: template() },
      status: { succeeded: 1, failed: 1 },
    },
  ],
  [
    'CronJob',
    'batch/v1',
    {
      spec: {
        schedule: '0 0 * * *',
        suspend: true,
        jobTemplate: { spec: { backoffLimit: 1, activeDeadlineSeconds: 1, template: template() } },
      },
      status: { lastSuccessfulTime: moment },
    },
  ],
  [
    'Pod',
    'v1',
    {
      spec: { containers: [container] },
      status: {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'False', reason: 'a' }],
        containerStatuses: [containerStatus],
        initContainerStatuses: [containerStatus],
      },
    },
  ],
  [
    'PodDisruptionBudget',
    'policy/v1',
    {
      spec: { minAvailable: 1, maxUnavailable: '1%', selector: { matchLabels: labels } },
      status: { disruptionsAllowed: 1 },
    },
  ],
  [
    'HorizontalPodAutoscaler',
    'autoscaling/v2',
    { spec: { scaleTargetRef: { kind: 'Deployment', name: 'a' }, minReplicas: 1, maxReplicas: 2 } },
  ],
  [
    'VolumeSnapshot',
    'snapshot.storage.k8s.io/v1',
    {
      spec: { source: { persistentVolumeClaimName: 'data' } },
      status: { creationTime: moment, readyToUse: true },
    },
  ],
];

const metadata = (kind: string): Json => ({
  name: kind.toLowerCase(),
  namespace: 'bi',
  labels,
  annotations: {},
  uid: '1',
  creationTimestamp: moment,
  deletionTimestamp: moment,
  ownerReferences: [{ kind: 'ReplicaSet', name: 'a', controller: true }],
});

/** Without it, nothing that stands beside it is looked at. */
const lightdash = { apiVersion: 'apps/v1', kind: 'Deployment', spec: { template: template() } };

const otherForms = (value: unknown): readonly unknown[] =>
  typeof value === 'string' ? [{}, '\n'] : typeof value === 'number' ? ['some', -1] : ['some'];

/** The same with one value of it, at any depth, in another form; `path` leads to that value. */
function* bent(value: unknown, path = ''): Generator<[path: string, value: unknown]> {
  if (path !== '') for (const other of otherForms(value)) yield [path, other];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const at = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    for (const [where, other] of bent(inner, at)) {
      yield [where, Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other }];
    }
  }
}

async function faultOf(object: Json): Promise<string | undefined> {
  const items = [{ ...lightdash, metadata: metadata('beside') }, object];
  const stdin = (async function* () {
    yield Buffer.from(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  })();
  const error = await collectDeployment({ manifests: ['-'] }, { stdin, env: {}, now: () => testNow }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error === undefined) return undefined;
  const { code, message } = error as LightspanError;
  return code !== 'invalid-manifest' ? code : message.replace(/^.*items\[1\](: [A-Z]\w+ \w+)?: /, '');
}

describe('a field of another form', () => {
  it.each([
    ...objects.map(([kind, apiVersion, parts]) => [`of a ${kind}`, { apiVersion, kind, ...parts }] as const),
    ['of what every object has', { kind: 'Deployment', metadata: metadata('deployment') }] as const,
  ])('%s is refused where it is read', async (_, { kind, ...parts }) => {
    const whole = { ...lightdash, kind, metadata: metadata(kind.toLowerCase()), ...parts };
    expect(await faultOf(whole)).toBeUndefined();
    const faults: Record<string, string[]> = {};
    for (const [path, part] of bent(parts)) {
      const fault = (await faultOf({ ...whole, ...(part as Json) })) ?? 'read';
      faults[path] = [...new Set([...(faults[path] ?? []), fault.replace(`${path}: `, '')])];
    }
    const table = Object.entries(faults).map(([path, found]) => `${path}: ${found.join(' / ')}\n`);
    expect(table.join('')).toMatchSnapshot();
  });
});
