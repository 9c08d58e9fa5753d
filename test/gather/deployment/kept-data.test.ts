import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { readObjects } from '../../../src/gather/deployment/kubernetes/kubernetes-object.js';
import { type DeploymentFacts, manifestFacts } from '../../../src/gather/deployment/manifest-facts.js';
import { workloadsIn } from '../../support/compose-facts.js';

type Json = Record<string, unknown>;

const dataOf = (facts: DeploymentFacts, name: string) => {
  const found = workloadsIn(facts).find((workload) => workload.name === name);
  return found?.data && `${found.data.keptIn} ${found.data.folder}`;
};

const pg16 = 'pgvector/pgvector:pg16';
const below18 = '/var/lib/postgresql/data';

const backend = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'lightdash-backend' },
  spec: { template: { spec: { containers: [{ name: 'lightdash', image: 'lightdash/lightdash:2.0.0' }] } } },
};

const manifests = (container: Json, pod: Json = {}, spec: Json = {}) => {
  const object = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'pg' },
    spec: {
      ...spec,
      template: { spec: { containers: [{ name: 'db', image: pg16, ...container }], ...pod } },
    },
  };
  const text = [backend, object].map((one) => `---\n${stringify(one)}`).join('');
  const objects = readObjects(text, 'x');
  return dataOf(
    manifestFacts({ objects, sources: ['x'], namespace: null, seenAt: '2026-10-01T00:00:00Z' }),
    'pg',
  );
};

describe('what keeps the data of a database of Kubernetes', () => {
  const at = (mountPath: string, more: Json = {}) => ({
    volumeMounts: [{ name: 'data', mountPath, ...more }],
  });
  const volume = (source: Json) => ({ volumes: [{ name: 'data', ...source }] });
  const claim = { volumeClaimTemplates: [{ metadata: { name: 'data' } }] };
  const bitnami = {
    env: [{ name: 'PGDATA', value: '/bitnami/postgresql/data' }],
    ...at('/bitnami/postgresql'),
  };
  it.each<[string, string, Json, Json?, Json?]>([
    ['a claim template', `volume ${below18}`, at(below18), {}, claim],
    ['the chart of Bitnami with its claim', 'volume /bitnami/postgresql/data', bitnami, {}, claim],
    ['persistence off in it', 'pod-volume /bitnami/postgresql/data', bitnami, volume({ emptyDir: {} })],
    ['a claim', `volume ${below18}`, at(below18), volume({ persistentVolumeClaim: { claimName: 'x' } })],
    ['a folder of the node', `volume ${below18}`, at(below18), volume({ hostPath: { path: '/pg' } })],
    ['a path below the volume', `volume ${below18}`, at(below18, { subPath: 'pg' }), {}, claim],
    ['emptyDir in memory', `memory ${below18}`, at(below18), volume({ emptyDir: { medium: 'Memory' } })],
    ['an ephemeral claim', `pod-volume ${below18}`, at(below18), volume({ ephemeral: {} })],
    ['nothing', `container-volume ${below18}`, {}],
    ['a claim that is not mounted', `container-volume ${below18}`, {}, {}, claim],
    [
      'a driver that may keep it or not',
      `not-told ${below18}`,
      at(below18),
      volume({ csi: { driver: 'x' } }),
    ],
    ['a volume that nothing defines', `not-told ${below18}`, at(below18)],
    [
      'PGDATA from an object that was not seen',
      'not-told PGDATA',
      { env: [{ name: 'PGDATA', valueFrom: { configMapKeyRef: { name: 'c', key: 'k' } } }], ...at('/pg') },
      {},
      claim,
    ],
    [
      'scripts beside the claim',
      `volume ${below18}`,
      {
        volumeMounts: [
          { name: 'data', mountPath: below18 },
          { name: 'init', mountPath: '/docker-entrypoint-initdb.d' },
          { name: 'shm', mountPath: '/dev/shm' },
        ],
      },
      {
        volumes: [
          { name: 'init', configMap: { name: 'i' } },
          { name: 'shm', emptyDir: { medium: 'Memory' } },
        ],
      },
      claim,
    ],
    [
      'Spilo',
      'volume /home/postgres/pgdata/pgroot/data',
      {
        image: 'ghcr.io/zalando/spilo-16:3.2-p3',
        ...at('/home/postgres/pgdata'),
      },
      {},
      claim,
    ],
    [
      'timescaledb-ha',
      'volume /home/postgres/pgdata/data',
      {
        image: 'timescale/timescaledb-ha:pg16',
        ...at('/home/postgres/pgdata'),
      },
      {},
      claim,
    ],
  ])('%s', (_, expected, container, pod, spec) => {
    expect(manifests(container, pod, spec)).toBe(expected);
  });
});

it.each<[kind: string, apiVersion: string, told: Json, expected: string | undefined]>([
  ['StatefulSet', 'apps.kruise.io/v1beta1', {}, 'StatefulSet pg'],
  ['CloneSet', 'apps.kruise.io/v1alpha1', { replicas: 2 }, 'CloneSet pg'],
  ['StatefulSet', 'apps.kruise.io/v1beta1', { replicas: 0 }, undefined],
  ['StatefulSet', 'apps/v1', {}, undefined],
  ['AdvancedCronJob', 'apps.kruise.io/v1alpha1', {}, undefined],
])('names what runs a database and was not read: %s of %s', (kind, apiVersion, told, expected) => {
  const template = { spec: { containers: [{ name: 'pg', image: pg16 }] } };
  const object = { apiVersion, kind, metadata: { name: 'pg' }, spec: { ...told, template } };
  const objects = readObjects(stringify({ apiVersion: 'v1', kind: 'List', items: [backend, object] }), 'x');
  const seenAt = '2026-10-01T00:00:00Z';
  const { deployment } = manifestFacts({ objects, sources: ['x'], namespace: null, seenAt });
  expect(deployment).toMatchObject({ status: 'seen' });
  expect(Object(deployment).value.unreadDatabase).toBe(expected);
});
