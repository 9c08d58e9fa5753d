import type { ContainerFact, WorkloadFact } from '../../src/facts/deployment-facts.js';
import type { ObservedFacts } from '../../src/facts/facts-schema.js';
import { factsText } from '../../src/facts/facts-text.js';

const seenAt = '2026-09-06T18:00:00Z';

type Seen<Key extends keyof ObservedFacts> = Extract<ObservedFacts[Key], { status: 'seen' }>['value'];

/** Facts of a deployment, each as it was seen. */
export function deploymentFacts(told: { readonly [Key in keyof ObservedFacts]?: Seen<Key> }): ObservedFacts {
  return Object.fromEntries(
    Object.entries(told).map(([name, value]) => [
      name,
      { status: 'seen', value, seenAt, source: name === 'stated' ? 'stated' : 'deployment' },
    ]),
  );
}

export function factsFileText(facts: ObservedFacts): string {
  return factsText({ schemaVersion: '1', collectedAt: seenAt, facts });
}

/** A container of Lightdash, but for what is said of it. */
export function containerFact(told: Partial<ContainerFact> = {}): ContainerFact {
  return {
    name: 'lightdash',
    init: false,
    image: imageFact('lightdash/lightdash', '1.111.0'),
    entrypointReplaced: false,
    starts: 'entrypoint',
    variables: [],
    variablesFrom: [],
    startupProbe: null,
    livenessProbe: null,
    readinessProbe: null,
    memoryLimitBytes: null,
    ...told,
  };
}

export function imageFact(repository: string, tag: string | null, registry: string | null = null) {
  const name = registry === null ? repository : `${registry}/${repository}`;
  const reference = tag === null ? name : `${name}:${tag}`;
  return { reference, registry, repository, tag, digest: null, pullPolicy: null };
}

/** A workload of Lightdash, but for what is said of it. */
export function workloadFact(
  told: Partial<WorkloadFact> & Pick<WorkloadFact, 'kind' | 'name' | 'role'>,
): WorkloadFact {
  return {
    namespace: told.kind === 'service' ? null : 'data',
    component: null,
    replicas: null,
    strategy: null,
    hook: null,
    containers: [containerFact()],
    terminationGraceSeconds: null,
    backoffLimit: null,
    activeDeadlineSeconds: null,
    schedule: null,
    restart: null,
    lastSuccessAt: null,
    suspended: null,
    ready: null,
    succeeded: null,
    failed: null,
    publishedPorts: [],
    ...told,
  };
}

export const startupProbe = {
  kind: 'http',
  path: '/api/v1/livez',
  initialDelaySeconds: 5,
  periodSeconds: 10,
  timeoutSeconds: 10,
  failureThreshold: 18,
} as const;

/** A release of the publisher's chart in a cluster, with an autoscaler and a migration job. */
export const inCluster = {
  deployment: {
    kind: 'kubernetes',
    origin: 'cluster',
    sources: ['prod'],
    context: 'prod',
    namespace: 'data',
    hooksSeen: true,
    unseenKinds: [],
  },
  helm: { release: 'bi', namespace: 'data', chart: 'lightdash', chartVersion: '2.16.283' },
  workloads: [
    workloadFact({
      kind: 'Deployment',
      name: 'bi-lightdash-backend',
      role: 'backend',
      containers: [containerFact({ startupProbe: { ...startupProbe } })],
    }),
    workloadFact({ kind: 'Deployment', name: 'bi-lightdash-worker', role: 'worker' }),
    workloadFact({ kind: 'Job', name: 'bi-lightdash-migrate', role: 'migration' }),
    workloadFact({
      kind: 'StatefulSet',
      name: 'bi-postgresql',
      role: 'database',
      containers: [containerFact({ image: imageFact('pgvector/pgvector', 'pg16') })],
    }),
  ],
  autoscalers: [
    {
      name: 'bi-lightdash',
      targetKind: 'Deployment',
      targetName: 'bi-lightdash-backend',
      minReplicas: 2,
      maxReplicas: 5,
    },
    { name: 'shop', targetKind: 'Deployment', targetName: 'shop', minReplicas: 1, maxReplicas: 2 },
  ],
} satisfies Parameters<typeof deploymentFacts>[0];

export const valuesFact: Seen<'chartValues'> = {
  files: ['base.yaml', 'prod.yaml'],
  path: [],
  imageRegistry: null,
  imageRepository: null,
  imageTag: null,
  imagePullPolicy: null,
  imageCommandSet: null,
  replicaCount: null,
  autoscalingEnabled: null,
  autoscalingMinReplicas: null,
  upgradeMode: null,
  backendStrategy: null,
  workersEnabled: [],
  migrationJobEnabled: null,
  migrationJobInheritsGlobalEnv: null,
  migrationJobExistingSecret: null,
  migrationJobVariables: [],
  scaleDownWorkloadsEnabled: null,
  existingSecret: null,
  variables: [],
  postgresqlEnabled: null,
  postgresqlImage: null,
  readinessPath: null,
  startupProbe: null,
  disruptionBudgetEnabled: null,
  disruptionBudgetMinAvailable: null,
  disruptionBudgetMaxUnavailable: null,
};
