import * as z from 'zod/mini';
import type { PodFact } from '../../../instance/facts/deployment-facts.js';
import type { FactOf } from '../../../instance/facts/needs.js';
import { imageFact } from '../../../instance/image-reference.js';
import { podSpecSchema } from '../container-facts.js';
import type { SeenWorkload } from '../workload-facts.js';
import {
  isoTime,
  type KubernetesObject,
  labelOf,
  mayShareNamespace,
  parsePart,
  wholeNumber,
} from './kubernetes-object.js';

const endedSchema = z.nullish(
  z.object({
    reason: z.nullish(z.string()),
    exitCode: z.nullish(z.int({ error: 'expected a whole number' })),
  }),
);

const containerStatusSchema = z.object({
  name: z.string(),
  ready: z.nullish(z.boolean()),
  restartCount: z.nullish(wholeNumber),
  state: z.nullish(
    z.object({ waiting: z.nullish(z.object({ reason: z.nullish(z.string()) })), terminated: endedSchema }),
  ),
  lastState: z.nullish(z.object({ terminated: endedSchema })),
});

const podSchema = z.object({
  spec: podSpecSchema,
  status: z.nullish(
    z.object({
      phase: z.nullish(z.string()),
      conditions: z.nullish(
        z.array(z.object({ type: z.string(), status: z.string(), reason: z.nullish(z.string()) })),
      ),
      containerStatuses: z.nullish(z.array(containerStatusSchema)),
      initContainerStatuses: z.nullish(z.array(containerStatusSchema)),
    }),
  ),
});

export function podOf(object: KubernetesObject): PodFact {
  const { spec, status } = parsePart(podSchema, object.value, object.where);
  const states = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const containers = [
    ...(spec.initContainers ?? []).map((container) => ({
      ...container,
      init: container.restartPolicy !== 'Always',
    })),
    ...spec.containers.map((container) => ({ ...container, init: false })),
  ];
  // The pod may not be ready although its containers are: its node is gone, or one of its readiness gates is closed.
  const notReady = status?.conditions?.find(({ type, status: is }) => type === 'Ready' && is !== 'True');
  return {
    name: object.name,
    namespace: object.namespace,
    workload: workloadOfPod(object),
    phase: status?.phase ?? 'Unknown',
    ending: object.ending,
    containers: containers.map(({ name, init, image, imagePullPolicy }) => {
      const state = states.find((status) => status.name === name);
      const last = state?.lastState?.terminated;
      const isReady = state?.ready === true;
      const gate = isReady && !init ? notReady : undefined;
      return {
        name,
        init,
        image: imageFact(image, imagePullPolicy ?? null),
        ready: isReady && gate === undefined,
        restarts: state?.restartCount ?? 0,
        reason: state?.state?.waiting?.reason ?? state?.state?.terminated?.reason ?? gate?.reason ?? null,
        lastReason: last?.reason ?? null,
        lastExitCode: last?.exitCode ?? null,
      };
    }),
  };
}

/** A Deployment owns its pods through a ReplicaSet, named after it with a hash that the pods have as a label. */
function workloadOfPod({ owner, labels }: KubernetesObject): string | null {
  if (owner === undefined) return null;
  const hash = labelOf(labels, 'pod-template-hash');
  const end = `-${hash}`;
  return owner.kind === 'ReplicaSet' && hash !== undefined && owner.name.endsWith(end)
    ? owner.name.slice(0, -end.length)
    : owner.name;
}

const numberOrPercentage = z.nullish(
  z.union([wholeNumber, z.string()], { error: 'expected a number or a percentage' }),
);

const budgetSchema = z.object({
  spec: z.object({
    minAvailable: numberOrPercentage,
    maxUnavailable: numberOrPercentage,
    selector: z.nullish(z.object({ matchLabels: z.nullish(z.record(z.string(), z.string())) })),
  }),
  status: z.nullish(z.object({ disruptionsAllowed: z.nullish(wholeNumber) })),
});

/**
 * Without a selector, a budget selects nothing. Expressions (`matchExpressions`), which narrow a selection, are not
 * read.
 */
export function disruptionBudgetOf(
  object: KubernetesObject,
  workloads: readonly SeenWorkload[],
): FactOf<'disruptionBudgets'>[number] {
  const { spec, status } = parsePart(budgetSchema, object.value, object.where);
  const labels = spec.selector && Object.entries(spec.selector.matchLabels ?? {});
  const selected = workloads.filter(
    (workload) =>
      mayShareNamespace(workload.object, object) &&
      labels?.every(([key, value]) => workload.podLabels[key] === value),
  );
  return {
    name: object.name,
    workloads: selected.map(({ fact }) => fact.name),
    minAvailable: spec.minAvailable?.toString() ?? null,
    maxUnavailable: spec.maxUnavailable?.toString() ?? null,
    disruptionsAllowed: object.live ? (status?.disruptionsAllowed ?? null) : null,
  };
}

const autoscalerSchema = z.object({
  spec: z.object({
    scaleTargetRef: z.object({ kind: z.string(), name: z.string() }),
    minReplicas: z.nullish(wholeNumber),
    maxReplicas: wholeNumber,
  }),
});

export function autoscalerOf(object: KubernetesObject): FactOf<'autoscalers'>[number] {
  const { spec } = parsePart(autoscalerSchema, object.value, object.where);
  const { owner } = object;
  return {
    name: object.name,
    targetKind: spec.scaleTargetRef.kind,
    targetName: spec.scaleTargetRef.name,
    minReplicas: spec.minReplicas ?? 1,
    maxReplicas: spec.maxReplicas,
    ...(owner === undefined ? {} : { owner: `${owner.kind} ${owner.name}` }),
  };
}

const snapshotSchema = z.object({
  spec: z.nullish(
    z.object({ source: z.nullish(z.object({ persistentVolumeClaimName: z.nullish(z.string()) })) }),
  ),
  status: z.nullish(z.object({ creationTime: z.nullish(isoTime), readyToUse: z.nullish(z.boolean()) })),
});

export function snapshotOf(object: KubernetesObject): FactOf<'snapshots'>[number] {
  const { spec, status } = parsePart(snapshotSchema, object.value, object.where);
  return {
    name: object.name,
    claim: spec?.source?.persistentVolumeClaimName ?? null,
    createdAt: status?.creationTime ?? object.createdAt,
    readyToUse: status?.readyToUse ?? null,
  };
}
