import type { ContainerFact, WorkloadFact } from '../../src/facts/deployment-facts.js';
import type { ObservedFacts } from '../../src/facts/facts-schema.js';
import type { FactOf } from '../../src/facts/needs.js';
import { factsText } from '../../src/facts/read-facts.js';
import { backendOf, chartValuesOf, containerOf, probeOf } from './deployment.js';

const seenAt = '2026-09-06T18:00:00Z';

/** Facts of a deployment, each as it was seen. */
export function deploymentFacts(
  told: { readonly [Key in keyof ObservedFacts]?: FactOf<Key> },
): ObservedFacts {
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

/** A container of Lightdash of which nothing else is known, but for what is said of it. */
export function containerFact(told: Partial<ContainerFact> = {}): ContainerFact {
  return containerOf('1.111.0', {
    image: imageFact('lightdash/lightdash', '1.111.0'),
    startupProbe: null,
    livenessProbe: null,
    readinessProbe: null,
    ...told,
  });
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
  return backendOf('1.111.0', {
    namespace: told.kind === 'service' ? null : 'data',
    component: null,
    replicas: null,
    strategy: null,
    containers: [containerFact()],
    ...told,
  });
}

/** It does not migrate, because a job does. */
const servesOnly = { entrypointReplaced: true, starts: 'server' } as const;

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
      containers: [containerFact({ ...servesOnly, startupProbe: probeOf() })],
    }),
    workloadFact({
      kind: 'Deployment',
      name: 'bi-lightdash-worker',
      role: 'worker',
      containers: [containerFact({ entrypointReplaced: true, starts: 'worker' })],
    }),
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
    {
      name: 'of-another-kind',
      targetKind: 'StatefulSet',
      targetName: 'bi-lightdash-backend',
      minReplicas: 1,
      maxReplicas: 2,
    },
  ],
} satisfies Parameters<typeof deploymentFacts>[0];

/** Values in two files, which say nothing. */
export const valuesFact = chartValuesOf({
  files: ['base.yaml', 'prod.yaml'],
  upgradeMode: null,
  postgresqlEnabled: null,
});
