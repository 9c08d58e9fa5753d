import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { readObjects } from '../../../src/gather/deployment/kubernetes/kubernetes-object.js';
import { manifestFacts } from '../../../src/gather/deployment/manifest-facts.js';
import { workloadsIn } from '../../support/compose-facts.js';

type Json = Record<string, unknown>;

/** The backend of manifests, with what else is among them. */
function backendOf(spec: Json, container: Json = {}, pod: Json = {}, ...others: Json[]) {
  const own = { name: 'lightdash', image: 'lightdash/lightdash:2.0.0', ...container };
  const backend = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'bi', namespace: 'bi' },
    spec: { ...spec, template: { spec: { containers: [own], ...pod } } },
  };
  const text = [backend, ...others].map((one) => `---\n${stringify(one)}`).join('');
  const seenAt = '2026-10-01T00:00:00Z';
  const facts = manifestFacts({ objects: readObjects(text, 'x'), sources: ['x'], namespace: null, seenAt });
  const found = workloadsIn(facts).find(({ name }) => name === 'bi');
  if (found === undefined) throw new Error('it is among them');
  return found;
}

const claim = (name: string, accessModes: string[], namespace = 'bi') => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name, namespace },
  spec: { accessModes },
});
const has = (...names: string[]) => ({
  volumes: names.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
});

describe('how a Deployment rolls', () => {
  it('has the defaults of Kubernetes', () => {
    const rollout = { maxSurge: '25%', maxUnavailable: '25%', progressDeadlineSeconds: 600 };
    expect(backendOf({})).toMatchObject({ rollout });
    expect(backendOf({})).not.toHaveProperty('claimsOfOneNode');
  });

  it('is as it says', () => {
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: '100%' } };
    expect(backendOf({ strategy, progressDeadlineSeconds: 60 }).rollout).toEqual({
      maxSurge: '0',
      maxUnavailable: '100%',
      progressDeadlineSeconds: 60,
    });
  });

  it.each(['a%', '1.5%', '-1', ''])('is refused for %j', (maxSurge) => {
    const strategy = { rollingUpdate: { maxSurge } };
    expect(() => backendOf({ strategy })).toThrow(/strategy\.rollingUpdate\.maxSurge/);
  });

  it('tells the claims that one node alone can have', () => {
    const others = [
      claim('dbt', ['ReadWriteOnce']),
      claim('pod', ['ReadWriteOncePod']),
      claim('shared', ['ReadWriteOnce', 'ReadWriteMany']),
      claim('other', ['ReadWriteOnce']),
      claim('elsewhere', ['ReadWriteOnce'], 'shop'),
    ];
    const pod = has('dbt', 'pod', 'shared', 'elsewhere', 'unseen');
    expect(backendOf({}, {}, pod, ...others).claimsOfOneNode).toEqual(['dbt', 'pod']);
  });
});

describe('the pool of a container', () => {
  const config = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'c', namespace: 'bi' },
    data: { PGMAXCONNECTIONS: '20', PGHOST: '127.0.0.1', S3_ENDPOINT: 'https://s3.example.com' },
  };
  const envFrom = [{ configMapRef: { name: 'c' } }];
  it.each<[string, Json, number | undefined]>([
    ['written out', { env: [{ name: 'PGMAXCONNECTIONS', value: '15' }] }, 15],
    ['of a ConfigMap', { envFrom }, 20],
    ['before that of a ConfigMap', { envFrom, env: [{ name: 'PGMAXCONNECTIONS', value: '15' }] }, 15],
    [
      'by a key of a ConfigMap',
      {
        env: [
          {
            name: 'PGMAXCONNECTIONS',
            valueFrom: { configMapKeyRef: { name: 'c', key: 'PGMAXCONNECTIONS' } },
          },
        ],
      },
      20,
    ],
    ['not said', {}, undefined],
    ['no number', { env: [{ name: 'PGMAXCONNECTIONS', value: 'many' }] }, undefined],
    ['none', { env: [{ name: 'PGMAXCONNECTIONS', value: '0' }] }, undefined],
    ['of a Secret', { envFrom: [{ secretRef: { name: 's' } }] }, undefined],
  ])('%s', (_, container, poolSize) => {
    expect(backendOf({}, container, {}, config).containers[0]?.poolSize).toBe(poolSize);
  });

  it('comes with the hosts of the database and the object store', () => {
    expect(backendOf({}, { envFrom }, {}, config).containers[0]).toMatchObject({
      databaseHost: 'loopback',
      storeHost: 'outside',
    });
  });
});

describe('the port of a probe', () => {
  const http = (port: unknown, more: Json = {}) => ({
    livenessProbe: { httpGet: { path: '/api/v1/livez', port, ...more } },
  });
  const ports = [{ name: 'http', containerPort: 8080 }];
  const on = (value: string) => ({ env: [{ name: 'PORT', value }] });
  const config = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'c', namespace: 'bi' },
    data: { PORT: '8081' },
  };
  const sidecar = { name: 'proxy', image: 'oauth2-proxy', ports: [{ containerPort: 4180 }] };
  it.each<[string, Json, string | undefined]>([
    ['the one of Lightdash', http(8080), 'lightdash'],
    ['the one of Lightdash as text', http('8080'), 'lightdash'],
    ['the one of Lightdash by its name', { ...http('http'), ports }, 'lightdash'],
    ['a name that it does not have', { ...http('web'), ports }, 'nothing'],
    ['the one that PORT names', { ...http(8081), ...on('8081') }, 'lightdash'],
    ['another one than PORT names', { ...http(8080), ...on('8081') }, 'nothing'],
    [
      'the one that a ConfigMap names',
      { ...http(8081), envFrom: [{ configMapRef: { name: 'c' } }] },
      'lightdash',
    ],
    [
      'another one than a ConfigMap names',
      { ...http(80), envFrom: [{ configMapRef: { name: 'c' } }] },
      'nothing',
    ],
    ['the port without a path', { livenessProbe: { tcpSocket: { port: 3000 } } }, 'nothing'],
    ['TLS', http(8080, { scheme: 'HTTPS' }), 'no-tls'],
    ['one beside it', http(4180), undefined],
    [
      'one where a Secret may set PORT',
      { ...http(3000), envFrom: [{ secretRef: { name: 's' } }] },
      undefined,
    ],
    [
      'one where a command may set PORT',
      { ...http(3000), command: ['sh', '-c', '. /env; node dist/index.js'] },
      undefined,
    ],
    ['nothing, but a command', { livenessProbe: { exec: { command: ['true'] } } }, undefined],
  ])('%s', (_, container, expected) => {
    const own = { name: 'lightdash', image: 'lightdash/lightdash:2.0.0', ...container };
    const found = backendOf({}, {}, { containers: [own, sidecar] }, config);
    expect(found.containers[0]?.livenessProbe?.atPort).toBe(expected);
  });
});

describe('a job that stops the workloads first', () => {
  const hook = { 'helm.sh/hook': 'pre-upgrade' };
  const jobWith = (scale: Json, account: string, ...others: Json[]) => {
    const migrate = {
      name: 'migrate',
      image: 'lightdash/lightdash:2.0.0',
      command: ['pnpm', 'migrate-production'],
    };
    const job = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'bi-migrate', namespace: 'bi', annotations: hook },
      spec: {
        template: {
          spec: {
            serviceAccountName: account,
            initContainers: [{ name: 'scale-down-workloads', ...scale }],
            containers: [migrate],
          },
        },
      },
    };
    const text = [job, ...others].map((one) => `---\n${stringify(one)}`).join('');
    const seenAt = '2026-10-01T00:00:00Z';
    const facts = manifestFacts({ objects: readObjects(text, 'x'), sources: ['x'], namespace: null, seenAt });
    return workloadsIn(facts)[0]?.mayScale;
  };
  const scales = {
    image: 'registry.k8s.io/kubectl:v1.33.4',
    args: ['scale', 'deployment/bi-lightdash-backend', '--replicas=0'],
  };
  const binding = (name: string, namespace = 'bi') => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'bi-migration-scale-down', namespace, annotations: hook },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'bi-migration-scale-down' },
  });
  it.each<[string, boolean | undefined, boolean | undefined]>([
    ['by the binding of its account', true, jobWith(scales, 'bi-migration', binding('bi-migration'))],
    ['not by that of another account', false, jobWith(scales, 'bi-migration', binding('default'))],
    ['not without one', false, jobWith(scales, 'bi-migration')],
    [
      'in a shell',
      false,
      jobWith({ image: 'alpine', command: ['sh', '-c', 'kubectl scale deploy/x --replicas=0'] }, 'a'),
    ],
    ['which does not matter if it does not', undefined, jobWith({ image: 'busybox', args: ['scale'] }, 'a')],
  ])('may do so %s', (_, expected, mayScale) => {
    expect(mayScale).toBe(expected);
  });
});
