import { stringify } from 'yaml';

/** Objects of Kubernetes in the shape that the publisher's chart gives them, by its version, and what a cluster adds. */

type Json = Record<string, unknown>;

export interface ChartOf {
  readonly chart: string;
  readonly app: string;
  readonly tag?: string;
  readonly release?: string;
  /** `upgrade.mode` of newer charts. */
  readonly mode?: 'RollingUpdate' | 'Recreate';
  readonly job?: boolean;
  readonly worker?: boolean;
  readonly autoscaling?: boolean;
  readonly postgresql?: boolean;
  readonly nats?: boolean;
  /** Variables of the backend beside those of the chart. */
  readonly env?: readonly Json[];
}

/** What no output may show. */
export const canary = 'c4n4ry-5ecret';

const atLeast = (version: string, other: string) =>
  version.localeCompare(other, undefined, { numeric: true }) >= 0;

/** What `helm template` prints of a chart, hooks and all. */
export function chartObjects({ chart, app, tag = app, release = 'prod', mode, ...told }: ChartOf): Json[] {
  const { job = false, worker = false, autoscaling = false, postgresql = false, nats = false } = told;
  const { env = [] } = told;
  const fullname = `${release}-lightdash`;
  const own = { 'app.kubernetes.io/name': 'lightdash', 'app.kubernetes.io/instance': release };
  const selector = (component: string): Json => ({ ...own, 'app.kubernetes.io/component': component });
  const labels = (component?: string): Json => ({
    ...(component === undefined ? own : selector(component)),
    'helm.sh/chart': `lightdash-${chart}`,
    'app.kubernetes.io/version': app,
    'app.kubernetes.io/managed-by': 'Helm',
  });
  const hook = (weight: number, policies = 'before-hook-creation'): Json => ({
    'helm.sh/hook': 'pre-install,pre-upgrade',
    'helm.sh/hook-weight': String(weight),
    'helm.sh/hook-delete-policy': policies,
  });
  // From 2.7.0 on, and until it was mended, these did not replace what an upgrade before had left.
  const replacesHooks = atLeast(chart, '2.10.175') || !atLeast(chart, '2.7.0');
  const ofHook = `${replacesHooks ? 'before-hook-creation,' : ''}hook-succeeded,hook-failed`;
  const image = `lightdash/lightdash:${tag}`;
  const probe = (path: string, told: Json) => ({ httpGet: { path, port: 8080 }, ...told });
  const readiness = atLeast(chart, '2.16.22') && atLeast(tag, '1.169.1') ? 'readyz' : 'health';
  const from = (name: string) => [{ configMapRef: { name } }, { secretRef: { name } }];
  const object = (kind: string, apiVersion: string, metadata: Json, more: Json): Json => ({
    apiVersion,
    kind,
    metadata,
    ...more,
  });
  const core = (kind: string, more: Json = {}, name = fullname) =>
    object(kind, 'v1', { name, labels: labels() }, more);
  const pods = (component: string, spec: Json): Json => ({ metadata: { labels: selector(component) }, spec });
  const deployment = (component: string, container: Json): Json => {
    const sidecar = { name: 'sidecar', image: 'busybox:1.36', args: ['sleep', canary] };
    const main = {
      name: 'lightdash',
      image,
      imagePullPolicy: 'IfNotPresent',
      envFrom: from(fullname),
      ...container,
    };
    const name = `${fullname}-${component}`;
    return object(
      'Deployment',
      'apps/v1',
      { name, labels: labels(component), annotations: { note: canary } },
      {
        spec: {
          ...(autoscaling && component === 'backend' ? {} : { replicas: 1 }),
          selector: { matchLabels: selector(component) },
          ...(mode === undefined ? {} : { strategy: { type: mode } }),
          template: pods(component, { terminationGracePeriodSeconds: 90, containers: [sidecar, main] }),
        },
      },
    );
  };
  const migration = (kind: string, name: string, annotations: Json, more: Json = {}, apiVersion = 'v1') =>
    object(kind, apiVersion, { name: `${fullname}-${name}`, labels: labels('migration'), annotations }, more);
  const migrate = {
    ...{ name: 'migrate', image, command: ['pnpm', '-F', 'backend', 'migrate-production'] },
    envFrom: [
      { configMapRef: { name: `${fullname}-migration-configmap` } },
      { secretRef: { name: `${fullname}-migration-secrets` } },
    ],
  };
  const password = { secretKeyRef: { name: `${release}-postgresql`, key: 'password' } };
  const all = [
    core('ServiceAccount'),
    core('Secret', { type: 'Opaque', data: { LIGHTDASH_SECRET: Buffer.from(canary).toString('base64') } }),
    core('ConfigMap', {
      data: {
        ...{ PGHOST: canary, SITE_URL: '', LIGHTDASH_MIGRATION_EXECUTION_MODE: 'helm-boot' },
        // Always there, whether NATS is on or not.
        ...{ NATS_ENABLED: String(nats), ...(nats ? { NATS_URL: canary } : {}) },
      },
    }),
    core('Service', { spec: { selector: selector('backend'), ports: [{ port: 8080 }] } }),
    deployment('backend', {
      ...(!job || !atLeast(chart, '2.9.1') ? {} : { command: ['dumb-init', '--', 'node', 'dist/index.js'] }),
      env: [
        { name: 'PGPASSWORD', valueFrom: password },
        { name: 'SCHEDULER_ENABLED', value: String(!worker) },
        ...env,
      ],
      resources: { limits: { memory: '2Gi' } },
      startupProbe: probe('/api/v1/livez', {
        initialDelaySeconds: 5,
        periodSeconds: 10,
        failureThreshold: 18,
      }),
      livenessProbe: probe(`/api/v1/livez?token=${canary}`, { initialDelaySeconds: 5, periodSeconds: 15 }),
      readinessProbe: probe(`/api/v1/${readiness}`, { initialDelaySeconds: 5, failureThreshold: 2 }),
    }),
    worker && deployment('worker', { command: ['dumb-init', '--', 'node', 'dist/scheduler.js'], env: [] }),
    job && migration('ServiceAccount', 'migration', hook(-2, ofHook)),
    job &&
      migration('ConfigMap', 'migration-configmap', hook(-1, ofHook), {
        data: {
          ...{ PGHOST: canary, LIGHTDASH_MIGRATION_EXECUTION_MODE: 'helm-job', NATS_ENABLED: String(nats) },
          ...(nats && atLeast(chart, '2.10.181') ? { NATS_URL: canary } : {}),
        },
      }),
    job &&
      migration('Secret', 'migration-secrets', hook(-1, ofHook), {
        stringData: { LIGHTDASH_SECRET: canary },
      }),
    job &&
      migration(
        'Job',
        'migrate',
        hook(0),
        { spec: { backoffLimit: 10, template: pods('migration', { containers: [migrate] }) } },
        'batch/v1',
      ),
    autoscaling &&
      object(
        'HorizontalPodAutoscaler',
        'autoscaling/v2',
        { name: fullname, labels: labels() },
        {
          spec: {
            scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: `${fullname}-backend` },
            maxReplicas: 100,
          },
        },
      ),
    object(
      'PodDisruptionBudget',
      'policy/v1',
      { name: `${fullname}-backend`, labels: labels('backend') },
      {
        spec: {
          ...(atLeast(chart, '2.12.0') ? { maxUnavailable: 1 } : { minAvailable: 1 }),
          selector: { matchLabels: selector('backend') },
        },
      },
    ),
    postgresql &&
      object(
        'StatefulSet',
        'apps/v1',
        {
          name: `${release}-postgresql`,
          labels: { ...labels('postgresql'), 'app.kubernetes.io/name': 'postgresql' },
          annotations: { 'helm.sh/hook': `pre-install${atLeast(chart, '2.14.0') ? '' : ',pre-upgrade'}` },
        },
        {
          spec: {
            replicas: 1,
            template: {
              spec: {
                containers: [
                  {
                    ...{ name: 'postgresql', image: 'pgvector/pgvector:pg16' },
                    env: [{ name: 'PGDATA', value: '/bitnami/postgresql/data' }],
                    volumeMounts: [
                      { name: 'dshm', mountPath: '/dev/shm' },
                      { name: 'data', mountPath: '/bitnami/postgresql' },
                    ],
                  },
                ],
                volumes: [{ name: 'dshm', emptyDir: { medium: 'Memory' } }],
              },
            },
            volumeClaimTemplates: [
              {
                metadata: { name: 'data' },
                spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '8Gi' } } },
              },
            ],
          },
        },
      ),
    object(
      'Pod',
      'v1',
      { name: `${fullname}-test-connection`, labels: labels(), annotations: { 'helm.sh/hook': 'test' } },
      { spec: { containers: [{ name: 'wget', image: 'busybox' }] } },
    ),
  ];
  return all.filter((one) => one !== false);
}

interface WithMetadata {
  readonly metadata: Json & { readonly name: string; readonly annotations?: Json };
}

const isHook = (object: Json) =>
  (object as unknown as WithMetadata).metadata.annotations?.['helm.sh/hook'] !== undefined;

/** What `helm get manifest` prints: no hooks. */
export function withoutHooks(objects: readonly Json[]): Json[] {
  return objects.filter((one) => !isHook(one));
}

/** As Helm prints it. */
export function asYaml(objects: readonly Json[]): string {
  return objects.map((one) => `---\n# Source: lightdash/templates/x.yaml\n${stringify(one)}`).join('');
}

/** As `kubectl get -o json` prints it. */
export function asList(objects: readonly Json[]): string {
  return JSON.stringify(
    { apiVersion: 'v1', items: objects, kind: 'List', metadata: { resourceVersion: '' } },
    null,
    4,
  );
}

/** The same objects as a cluster has them: with what a server sets and Helm adds, and what was applied as an annotation. */
export function inCluster(objects: readonly Json[], namespace = 'bi'): Json[] {
  return objects.map((object, i) => {
    const { metadata } = object as unknown as WithMetadata;
    const { annotations = {}, labels } = metadata;
    const release = (labels as Json | undefined)?.['app.kubernetes.io/instance'];
    return {
      ...object,
      metadata: {
        ...metadata,
        namespace,
        uid: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
        resourceVersion: String(1000 + i),
        creationTimestamp: '2026-09-01T10:00:00Z',
        annotations: {
          ...annotations,
          ...(isHook(object) || release === undefined ? {} : { 'meta.helm.sh/release-name': release }),
          'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({
            data: { PGPASSWORD: canary },
          }),
        },
      },
    };
  });
}

/** A pod of the backend as a cluster has it. */
export function backendPod({
  name = 'prod-lightdash-backend-7d9f8c6b5d-x2x4z',
  owner = 'prod-lightdash-backend-7d9f8c6b5d',
  tag = '2.100.0',
  status = {},
}: {
  name?: string;
  owner?: string;
  tag?: string;
  status?: Json;
} = {}): Json {
  const running = { name: 'lightdash', ready: true, restartCount: 0, state: { running: {} } };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      labels: { 'app.kubernetes.io/instance': 'prod', 'pod-template-hash': '7d9f8c6b5d' },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: owner, controller: true }],
    },
    spec: { containers: [{ name: 'lightdash', image: `lightdash/lightdash:${tag}`, args: [canary] }] },
    status: { phase: 'Running', containerStatuses: [running], ...status },
  };
}
