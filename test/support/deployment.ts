import type {
  ContainerFact,
  deploymentFacts as schemas,
  WorkloadFact,
} from '../../src/instance/facts/deployment-facts.js';
import type { ObservedFacts } from '../../src/instance/facts/facts-schema.js';
import type { FactKey, FactOf } from '../../src/instance/facts/needs.js';
import { factsText } from '../../src/instance/facts/read-facts.js';
import type { Situation } from './preflight.js';

type Probe = NonNullable<ContainerFact['startupProbe']>;

/** An image as the publisher names it. */
export function imageOf(tag: string, told: Partial<ContainerFact['image']> = {}): ContainerFact['image'] {
  return {
    reference: `lightdash/lightdash:${tag}`,
    registry: null,
    repository: 'lightdash/lightdash',
    tag,
    digest: null,
    pullPolicy: 'IfNotPresent',
    ...told,
  };
}

/** The startup probe of the chart, but for what is said of it. */
export function probeOf(told: Partial<Probe> = {}): Probe {
  return {
    kind: 'http',
    path: '/api/v1/livez',
    initialDelaySeconds: 5,
    periodSeconds: 10,
    failureThreshold: 18,
    ...told,
  };
}

/** A container of the backend, as the chart makes it. */
export function containerOf(version: string, told: Partial<ContainerFact> = {}): ContainerFact {
  return {
    name: 'lightdash',
    init: false,
    image: imageOf(version),
    entrypointReplaced: false,
    starts: 'entrypoint',
    variables: literals('PGHOST', 'PGPASSWORD', 'LIGHTDASH_SECRET', 'S3_ENDPOINT', 'S3_BUCKET', 'S3_REGION'),
    variablesFrom: [],
    startupProbe: probeOf(),
    livenessProbe: probeOf({ periodSeconds: 15, failureThreshold: 6 }),
    readinessProbe: probeOf({ path: readyPathOf(version), periodSeconds: 5, failureThreshold: 2 }),
    memoryLimitBytes: null,
    ...told,
  };
}

/** The path that the chart chooses by the release. */
function readyPathOf(version: string): string {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const warns = major > 1 || (major === 1 && (minor > 169 || (minor === 169 && patch > 0)));
  return warns ? '/api/v1/readyz' : '/api/v1/health';
}

/** A workload of which nothing else is known. */
function workloadOf(
  told: Partial<WorkloadFact> & Pick<WorkloadFact, 'kind' | 'name' | 'role' | 'containers'>,
): WorkloadFact {
  return {
    ...{ kind: told.kind, name: told.name, namespace: 'lightdash', role: told.role, component: null },
    ...{ replicas: null, strategy: null, hook: null, containers: told.containers, backoffLimit: null },
    ...{ activeDeadlineSeconds: null, schedule: null, lastSuccessAt: null },
    ...{ suspended: null, ready: null, succeeded: null, failed: null },
    ...told,
  };
}

/** The Deployment of the backend, but for what is said of it. */
export function backendOf(version: string, told: Partial<WorkloadFact> = {}): WorkloadFact {
  return workloadOf({
    ...{ kind: 'Deployment', name: 'lightdash-backend', role: 'backend', component: 'backend' },
    ...{ replicas: 2, strategy: 'Recreate', containers: [containerOf(version)] },
    ...told,
  });
}

/** The same of a chart whose migration job is on: it serves, and does not migrate. */
export function servingOf(version: string, told: Partial<WorkloadFact> = {}): WorkloadFact {
  return backendOf(version, {
    containers: [containerOf(version, { entrypointReplaced: true, starts: 'server' })],
    ...told,
  });
}

/** The Deployment of a worker. */
export function workerOf(version: string, told: Partial<WorkloadFact> = {}): WorkloadFact {
  const probe = probeOf({ path: '/api/v1/health' });
  const probes = { livenessProbe: probe, readinessProbe: probe };
  return backendOf(version, {
    ...{ name: 'lightdash-worker', role: 'worker', component: 'worker', replicas: 1 },
    containers: [containerOf(version, { entrypointReplaced: true, starts: 'worker', ...probes })],
    ...told,
  });
}

/** A container that is asked nothing. */
const unprobed = { startupProbe: null, livenessProbe: null, readinessProbe: null };

/** The job of the chart that migrates, a hook of each upgrade. */
export function migrationJobOf(version: string, told: Partial<WorkloadFact> = {}): WorkloadFact {
  return workloadOf({
    ...{ kind: 'Job', name: 'lightdash-migrate', role: 'migration', backoffLimit: 10 },
    hook: { events: ['pre-install', 'pre-upgrade'], deletePolicies: ['before-hook-creation'] },
    containers: [
      containerOf(version, { name: 'migrate', entrypointReplaced: true, starts: 'migration', ...unprobed }),
    ],
    ...told,
  });
}

/** Workloads of 2.0.0, but for what is said of the container of each: a backend that migrates when it starts. */
export function backendWith(told: Partial<ContainerFact>): WorkloadFact {
  return backendOf('2.0.0', { containers: [containerOf('2.0.0', told)] });
}

/** A backend that leaves that to a job. */
export function serverWith(told: Partial<ContainerFact>): WorkloadFact {
  return backendWith({ starts: 'server', entrypointReplaced: true, ...told });
}

export function workerWith(told: Partial<ContainerFact>): WorkloadFact {
  return workerOf('2.0.0', { containers: [containerOf('2.0.0', { starts: 'worker', ...told })] });
}

export function migrationJobWith(told: Partial<ContainerFact>): WorkloadFact {
  return migrationJobOf('2.0.0', {
    containers: [containerOf('2.0.0', { name: 'migrate', starts: 'migration', ...told })],
  });
}

/** A PostgreSQL that is deployed beside it. */
export function databaseOf(image: string, told: Partial<WorkloadFact> = {}): WorkloadFact {
  const [repository = '', tag = null] = image.split(':');
  const parts = { name: 'postgresql', image: imageOf('', { reference: image, repository, tag }) };
  return workloadOf({
    ...{ kind: 'StatefulSet', name: 'bi-postgresql', role: 'database', component: 'primary', replicas: 1 },
    data: { folder: '/bitnami/postgresql/data', keptIn: 'volume' },
    containers: [containerOf('2.0.0', { ...parts, starts: 'other', variables: [], ...unprobed })],
    ...told,
  });
}

/** A job that dumps the database, as a cluster has it, but for what is said of it. */
export function backupJobOf(told: Partial<WorkloadFact> = {}): WorkloadFact {
  const image = imageOf('16', { reference: 'postgres:16', repository: 'postgres' });
  const parts = { name: 'dump', image, entrypointReplaced: true, starts: 'other' } as const;
  return workloadOf({
    ...{ kind: 'CronJob', name: 'lightdash-backup', role: 'other', suspended: false },
    ...{ schedule: '0 3 * * *', lastSuccessAt: '2026-09-06T03:00:00Z' },
    containers: [containerOf('2.0.0', { ...parts, ...unprobed })],
    ...told,
  });
}

export type DeploymentFacts = Required<
  Pick<NonNullable<Situation['facts']>, Extract<FactKey, keyof typeof schemas>>
>;

/** Everything that checks look at, of a release of the chart with nothing remarkable, in a cluster. */
export function deployedAt(version: string, ...more: readonly WorkloadFact[]): DeploymentFacts {
  return {
    deployment: {
      kind: 'kubernetes',
      origin: 'cluster',
      sources: ['production'],
      context: 'production',
      namespace: 'lightdash',
      hooksSeen: true,
      unseenKinds: [],
    },
    helm: { release: 'lightdash', namespace: 'lightdash', chart: 'lightdash', chartVersion: '2.16.361' },
    workloads: [backendOf(version), workerOf(version), backupJobOf(), ...more],
    pods: [],
    disruptionBudgets: [
      {
        name: 'lightdash-backend',
        workloads: ['lightdash-backend'],
        minAvailable: null,
        maxUnavailable: '1',
        disruptionsAllowed: 1,
      },
    ],
    autoscalers: [],
    hookObjects: [],
    snapshots: [],
    chartValues: chartValuesOf(),
    compose: 'absent',
  };
}

/** The same, but for what is said of where it was seen. */
export function seenThrough(facts: DeploymentFacts, told: Partial<FactOf<'deployment'>>): DeploymentFacts {
  const { deployment } = facts;
  return typeof deployment === 'object' ? { ...facts, deployment: { ...deployment, ...told } } : facts;
}

/** What a values file says that sets the mode and nothing else. */
export function chartValuesOf(told: Partial<FactOf<'chartValues'>> = {}): FactOf<'chartValues'> {
  return {
    ...{ files: ['values.yaml'], path: [], imageTag: null, upgradeMode: 'Recreate', backendStrategy: null },
    ...{ migrationJobEnabled: null, migrationJobInheritsGlobalEnv: null, migrationJobExistingSecret: null },
    ...{ migrationJobVariables: [], existingSecret: null, variables: [], postgresqlEnabled: false },
    ...{ readinessPath: null, startupProbe: null },
    ...told,
  };
}

/** The same of compose files. */
export function composedAt(version: string, told: Partial<WorkloadFact> = {}): DeploymentFacts {
  const image = imageOf(version, { pullPolicy: null });
  const service = workloadOf({
    ...{ kind: 'service', name: 'lightdash', namespace: null, role: 'backend' },
    containers: [containerOf(version, { image, ...unprobed })],
    ...told,
  });
  return {
    deployment: {
      ...{ kind: 'compose', origin: 'compose', sources: ['docker-compose.yml'] },
      ...{ namespace: null, hooksSeen: null, unseenKinds: [] },
    },
    workloads: [service],
    ...{ helm: 'absent', pods: 'absent', disruptionBudgets: 'absent', autoscalers: 'absent' },
    ...{ hookObjects: 'absent', snapshots: 'absent', chartValues: 'absent' },
    compose: { files: ['docker-compose.yml'], project: 'lightdash' },
  };
}

/** Variables that are written out, by name. */
export function literals(...names: readonly string[]): ContainerFact['variables'] {
  return names.map((name) => ({ name, origin: 'literal', object: null, empty: false }));
}

/** The same, set to nothing. */
export function emptyLiterals(...names: readonly string[]): ContainerFact['variables'] {
  return literals(...names).map((one) => ({ ...one, empty: true }));
}

/** All keys of a Secret; null where it was not seen. */
export function fromSecret(object: string, keys: string[] | null): ContainerFact['variablesFrom'][number] {
  return { origin: 'secret', object, prefix: '', keys };
}

const seenAt = '2026-09-06T18:00:00Z';

/** Facts of a deployment, each as it was seen. */
export function deploymentFacts(
  told: { readonly [Key in keyof ObservedFacts]?: FactOf<Key> },
): ObservedFacts {
  return Object.fromEntries(
    Object.entries(told).map(([name, value]) => {
      const source = name === 'stated' ? 'stated' : 'deployment';
      return [name, { status: 'seen', value, seenAt, source }];
    }),
  );
}

export function factsFileText(facts: ObservedFacts): string {
  return factsText({ schemaVersion: '1', collectedAt: seenAt, facts });
}

/** A container of Lightdash of which nothing else is known, but for what is said of it. */
export function containerFact(told: Partial<ContainerFact> = {}): ContainerFact {
  return containerOf('1.111.0', { image: imageFact('lightdash/lightdash', '1.111.0'), ...unprobed, ...told });
}

export function imageFact(
  repository: string,
  tag: string | null,
  registry: string | null = null,
): ContainerFact['image'] {
  const name = registry === null ? repository : `${registry}/${repository}`;
  const reference = tag === null ? name : `${name}:${tag}`;
  return { reference, registry, repository, tag, digest: null, pullPolicy: null };
}

/** A workload of Lightdash of which nothing else is known, but for what is said of it. */
export function workloadFact(
  told: Partial<WorkloadFact> & Pick<WorkloadFact, 'kind' | 'name' | 'role'>,
): WorkloadFact {
  const namespace = told.kind === 'service' ? null : 'data';
  return workloadOf({ namespace, containers: [containerFact()], ...told });
}

const scaler = (name: string, targetKind: string, targetName: string) => ({
  ...{ name, targetKind, targetName, minReplicas: 1, maxReplicas: 5 },
});

/** A release of the publisher's chart in a cluster, with an autoscaler and a migration job. */
export const inCluster = {
  deployment: {
    ...({ kind: 'kubernetes', origin: 'cluster', sources: ['prod'], context: 'prod' } as const),
    ...{ namespace: 'data', hooksSeen: true, unseenKinds: [] as string[] },
  },
  helm: { release: 'bi', namespace: 'data', chart: 'lightdash', chartVersion: '2.16.283' },
  workloads: [
    workloadFact({
      ...{ kind: 'Deployment', name: 'bi-lightdash-backend', role: 'backend' },
      containers: [containerFact({ entrypointReplaced: true, starts: 'server', startupProbe: probeOf() })],
    }),
    workloadFact({
      ...{ kind: 'Deployment', name: 'bi-lightdash-worker', role: 'worker' },
      containers: [containerFact({ entrypointReplaced: true, starts: 'worker' })],
    }),
    workloadFact({ kind: 'Job', name: 'bi-lightdash-migrate', role: 'migration' }),
    workloadFact({
      ...{ kind: 'StatefulSet', name: 'bi-postgresql', role: 'database' },
      data: { folder: '/bitnami/postgresql/data', keptIn: 'volume' },
      containers: [containerFact({ image: imageFact('pgvector/pgvector', 'pg16') })],
    }),
  ],
  autoscalers: [
    scaler('bi-lightdash', 'Deployment', 'bi-lightdash-backend'),
    scaler('shop', 'Deployment', 'shop'),
    scaler('of-another-kind', 'StatefulSet', 'bi-lightdash-backend'),
  ],
} satisfies Parameters<typeof deploymentFacts>[0];

/** Values in two files, which say nothing. */
export const valuesFact = chartValuesOf({
  files: ['base.yaml', 'prod.yaml'],
  upgradeMode: null,
  postgresqlEnabled: null,
});
