import * as z from 'zod/mini';
import type { PodFact } from '../../facts/deployment-facts.js';
import type { FactOf } from '../../facts/needs.js';
import { imageFact } from '../image-reference.js';
import {
  flag,
  hookOf,
  type KubernetesObject,
  listOf,
  map,
  moment,
  parsePart,
  podSpecSchema,
  text,
  whole,
  wordOf,
  words,
} from './kubernetes-object.js';
import { mayStandTogether } from './release.js';
import type { SeenWorkload } from './workload-facts.js';

const endedSchema = z.nullish(
  map({ reason: z.nullish(text), exitCode: z.nullish(z.int({ error: 'expected a whole number' })) }),
);

const containerStatusSchema = map({
  name: text,
  ready: z.nullish(flag),
  restartCount: z.nullish(whole),
  state: z.nullish(map({ waiting: z.nullish(map({ reason: z.nullish(text) })), terminated: endedSchema })),
  lastState: z.nullish(map({ terminated: endedSchema })),
});

const podSchema = map({
  spec: podSpecSchema,
  status: z.nullish(
    map({
      phase: z.nullish(text),
      conditions: z.nullish(listOf(map({ type: text, status: text, reason: z.nullish(text) }))),
      containerStatuses: z.nullish(listOf(containerStatusSchema)),
      initContainerStatuses: z.nullish(listOf(containerStatusSchema)),
    }),
  ),
});

export function podOf(object: KubernetesObject): PodFact {
  const { spec, status } = parsePart(podSchema, object.value, object.where);
  const statuses = new Map(
    [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].map((one) => [
      one.name,
      one,
    ]),
  );
  const containers = [
    ...(spec.initContainers ?? []).map((one) => ({ ...one, init: one.restartPolicy !== 'Always' })),
    ...spec.containers.map((one) => ({ ...one, init: false })),
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
      const state = statuses.get(name);
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
  const hash = wordOf(labels, 'pod-template-hash');
  const end = `-${hash}`;
  return owner.kind === 'ReplicaSet' && hash !== undefined && owner.name.endsWith(end)
    ? owner.name.slice(0, -end.length)
    : owner.name;
}

const numberOrPercentage = z.nullish(z.union([whole, text], { error: 'expected a number or a percentage' }));

const budgetSchema = map({
  spec: map({
    minAvailable: numberOrPercentage,
    maxUnavailable: numberOrPercentage,
    selector: z.nullish(words),
  }),
  status: z.nullish(map({ disruptionsAllowed: z.nullish(whole) })),
});

export function disruptionBudgetOf(
  object: KubernetesObject,
  workloads: readonly SeenWorkload[],
): FactOf<'disruptionBudgets'>[number] {
  const { spec, status } = parsePart(budgetSchema, object.value, object.where);
  const asWritten = (value: number | string | null | undefined) => value?.toString() ?? null;
  const selected = selects(spec.selector ?? undefined, `${object.where}: spec.selector`);
  return {
    name: object.name,
    workloads: workloads
      .filter((one) => mayStandTogether(one.object, object) && selected(one.podLabels))
      .map(({ fact }) => fact.name),
    minAvailable: asWritten(spec.minAvailable),
    maxUnavailable: asWritten(spec.maxUnavailable),
    disruptionsAllowed: object.live ? (status?.disruptionsAllowed ?? null) : null,
  };
}

const autoscalerSchema = map({
  spec: map({
    scaleTargetRef: z.object({ kind: text, name: text }, { error: 'expected what it scales' }),
    minReplicas: z.nullish(whole),
    maxReplicas: whole,
  }),
});

export function autoscalerOf(object: KubernetesObject): FactOf<'autoscalers'>[number] {
  const { spec } = parsePart(autoscalerSchema, object.value, object.where);
  return {
    name: object.name,
    targetKind: spec.scaleTargetRef.kind,
    targetName: spec.scaleTargetRef.name,
    minReplicas: spec.minReplicas ?? 1,
    maxReplicas: spec.maxReplicas,
  };
}

export function hookObjectsOf(object: KubernetesObject): FactOf<'hookObjects'>[number][] {
  const { kind, name, namespace } = object;
  const hook = hookOf(object);
  return hook === null ? [] : [{ kind, name, namespace, hook }];
}

const snapshotSchema = map({
  spec: z.nullish(map({ source: z.nullish(map({ persistentVolumeClaimName: z.nullish(text) })) })),
  status: z.nullish(map({ creationTime: z.nullish(moment), readyToUse: z.nullish(flag) })),
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

const selectorSchema = map({
  matchLabels: z.nullish(z.record(z.string(), text, { error: 'expected a map' })),
  matchExpressions: z.nullish(
    listOf(
      map({
        key: text,
        operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist'], {
          error: 'expected In, NotIn, Exists or DoesNotExist',
        }),
        values: z.nullish(listOf(text)),
      }),
    ),
  ),
});

type Labels = Readonly<Record<string, unknown>>;

/** What a Kubernetes label selector selects: nothing if there is none, everything if it is empty. */
export function selects(
  selector: Readonly<Record<string, unknown>> | undefined,
  where: string,
): (labels: Labels) => boolean {
  if (selector === undefined) return () => false;
  const { matchLabels, matchExpressions } = parsePart(selectorSchema, selector, where);
  return (labels) =>
    Object.entries(matchLabels ?? {}).every(([key, value]) => labelOf(labels, key) === value) &&
    (matchExpressions ?? []).every(({ key, operator, values }) => {
      const value = labelOf(labels, key);
      if (operator === 'Exists') return value !== undefined;
      if (operator === 'DoesNotExist') return value === undefined;
      const isListed = typeof value === 'string' && (values ?? []).includes(value);
      return operator === 'In' ? isListed : !isListed;
    });
}

function labelOf(labels: Labels, key: string): unknown {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}
