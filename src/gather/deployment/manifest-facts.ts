import { isRecord } from '../../core/json/is-record.js';
import type { ObservedFacts } from '../../instance/facts/facts-schema.js';
import { isLightdashImage, runsLightdash } from '../../instance/facts/lightdash-containers.js';
import type { FactKeyOf } from '../../instance/facts/needs.js';
import type { unseenStatuses } from '../../instance/facts/observed.js';
import { readSwitch } from '../../instance/facts/switches.js';
import { imageFact, isDatabaseImage } from '../../instance/image-reference.js';
import { isSetting, type SeenKeys, type SeenValue } from './container-facts.js';
import { autoscalerOf, disruptionBudgetOf, podOf, snapshotOf } from './kubernetes/cluster-objects.js';
import {
  hookOf,
  isOfKind,
  type Kind,
  type KubernetesObject,
  labelOf,
  manifestFault,
  mayShareNamespace,
} from './kubernetes/kubernetes-object.js';
import { operatorSecretOf } from './kubernetes/operator-secrets.js';
import { chooseRelease, helmReleaseOf, releaseOf } from './release.js';
import { type SeenWorkload, workloadOf } from './workload-facts.js';

/** Kubernetes objects from any source, and why others are missing. */
interface Manifests {
  readonly objects: readonly KubernetesObject[];
  /** Files as they were named, or the context of kubectl. */
  readonly sources: readonly string[];
  /** The context of kubectl if a cluster was read; null if it had none. */
  readonly context?: string | null | undefined;
  /** The namespace that is read; null for every namespace of the objects. */
  readonly namespace: string | null;
  /** The Helm release, if one is chosen. */
  readonly release?: string | undefined;
  /** For a cluster: the kinds that it did not return, and why. */
  readonly notReturned?: ReadonlyMap<string, Unseen> | undefined;
  /** ISO 8601. */
  readonly seenAt: string;
}

/**
 * The facts of a deployment from manifests, whether from files or from a cluster.
 *
 * @throws {LightspanError} `invalid-manifest`; `usage` if they contain more than one Lightdash
 */
export function manifestFacts(manifests: Manifests): DeploymentFacts {
  const { sources, context, release, seenAt, notReturned } = manifests;
  const inReach = manifests.objects.filter((object) => mayShareNamespace(object, manifests));
  refuseDuplicates(inReach);
  const all = inReach.flatMap((object) => workloadOf(object, keysOf(inReach, object), inReach) ?? []);
  const isOurs = chooseRelease(all, release);
  const objects = inReach.filter(isOurs);
  const workloads = all.filter(({ object }) => isOurs(object));
  const lightdash = workloads.filter(({ fact }) => runsLightdash(fact));
  const ofWorkloads = new Set(all.map(({ object }) => object));
  const otherObjects = objects.filter((object) => !ofWorkloads.has(object));
  const isCluster = notReturned !== undefined || isInCluster(objects, lightdash);
  const [namespace = null, second] = new Set(lightdash.map(({ object }) => object.namespace));
  const releases = new Set(lightdash.map(({ object }) => releaseOf(object)));
  const showsHooks = objects.some((object) => hookOf(object) !== null && releases.has(releaseOf(object)));
  const see = <T>(value: T) => seenFact(value, seenAt);
  const deployment = see({
    kind: 'kubernetes' as const,
    origin: isCluster ? ('cluster' as const) : ('rendered' as const),
    sources: [...sources],
    ...(context === undefined ? {} : { context }),
    namespace: manifests.namespace ?? (second === undefined ? namespace : null),
    hooksSeen: !isCluster && showsHooks ? true : null,
    unseenKinds: [...(notReturned ?? [])].flatMap(([kind, { status }]) => (status === 'absent' ? [] : kind)),
    ...unreadDatabase(otherObjects),
  });
  const compose = notSeen('absent', 'manifests of Kubernetes were read');

  const refused = (kinds: readonly Kind[]) =>
    kinds.map((kind) => notReturned?.get(kind)).find((why) => why !== undefined);
  const lacks =
    refused(['Deployment', 'StatefulSet', 'DaemonSet', 'Job']) ??
    unreadLightdash(inReach, ofWorkloads) ??
    unreadRollout(otherObjects, lightdash) ??
    withoutLightdash(lightdash, objects);
  if (lacks !== undefined) return { deployment, workloads: lacks, compose, ...withoutWorkloads };

  /** The value of a complete list: a cluster returned all of its kinds, or the manifests were read to the end. */
  const list = <T>(kinds: readonly Kind[], value: readonly T[]) => {
    const refusal = refused(kinds);
    if (refusal !== undefined) return refusal;
    const lacking = kinds.filter(
      (kind) => !mayLack.has(kind) && !objects.some((object) => object.kind === kind),
    );
    return isCluster && notReturned === undefined && lacking.length > 0
      ? notSeen('not-asked', `the manifests have no ${lacking.join(', ')}`)
      : see([...value]);
  };
  const listOf = <T>(kind: Kind, factOf: (object: KubernetesObject) => T) =>
    list([kind], objects.filter((object) => isOfKind(object, kind)).map(factOf));
  const noCluster = isCluster ? undefined : notSeen('absent', 'no cluster was asked');
  const helm = helmReleaseOf(lightdash);
  return {
    deployment,
    helm: helm.status === 'seen' ? see(helm.release) : notSeen(helm.status, helm.detail),
    workloads: see(workloads.map(({ fact }) => fact)),
    pods: noCluster ?? listOf('Pod', podOf),
    disruptionBudgets: listOf('PodDisruptionBudget', (object) => disruptionBudgetOf(object, workloads)),
    autoscalers: unreadScaler(otherObjects, lightdash) ?? listOf('HorizontalPodAutoscaler', autoscalerOf),
    hookObjects: list(['ServiceAccount', 'ConfigMap', 'Role', 'RoleBinding'], otherObjects.flatMap(asHook)),
    snapshots: noCluster ?? listOf('VolumeSnapshot', snapshotOf),
    compose,
  };
}

/** What is known of an object that Helm runs as a hook. */
function asHook(object: KubernetesObject) {
  const { kind, name, namespace } = object;
  const hook = hookOf(object);
  return hook === null ? [] : [{ kind, name, namespace, hook }];
}

function withoutLightdash(lightdash: readonly SeenWorkload[], { length }: readonly KubernetesObject[]) {
  return lightdash.length > 0 ? undefined : notSeen('absent', `none of ${length} objects runs Lightdash`);
}

const workloadsNotSeen = notSeen('failed', 'the workloads of Lightdash were not seen');
const withoutWorkloads = {
  ...{ helm: workloadsNotSeen, pods: workloadsNotSeen, disruptionBudgets: workloadsNotSeen },
  ...{ autoscalers: workloadsNotSeen, hookObjects: workloadsNotSeen, snapshots: workloadsNotSeen },
};

/** Kinds of which a namespace may have none. Of the other kinds, an empty list means that they were not requested. */
const mayLack: ReadonlySet<Kind> = new Set(['Role', 'RoleBinding']);

/** Refuses an object that occurs twice: either of the two may be the right one. */
export function refuseDuplicates(objects: readonly KubernetesObject[]): void {
  const ids = objects.map(({ group, kind, namespace, name }) => [group, kind, namespace, name].join('\n'));
  const first = new Map(ids.map((id, i) => [id, objects[i]] as const).toReversed());
  const second = objects.find((object, i) => first.get(ids[i] ?? '') !== object);
  if (second === undefined) return;
  throw manifestFault(
    `${second.where} appears twice`,
    'Give each object once: as the cluster has it, or as it will be applied.',
  );
}

/**
 * Whether the workloads of Lightdash come from a cluster. The keys of Secrets and ConfigMaps may come from one in any
 * case.
 *
 * @throws {LightspanError} `invalid-manifest` if some of it comes from a cluster, and some is only to be applied
 */
function isInCluster(objects: readonly KubernetesObject[], lightdash: readonly SeenWorkload[]): boolean {
  // `helm get hooks` lists hooks that may no longer exist in the cluster.
  const lasting = lightdash.filter(({ fact }) => fact.hook === null).map(({ object }) => object);
  const [first, ...others] = lasting.length > 0 ? lasting : objects.filter(({ live }) => live);
  const mismatch = others.find(({ live }) => live !== first?.live);
  if (mismatch !== undefined) {
    throw manifestFault(
      `of ${first?.where} and ${mismatch.where} one is in a cluster, and one is still to be applied`,
      'Give only one of the two.',
    );
  }
  return first?.live === true;
}

/** Objects that run Lightdash but are of a kind that is not read; undefined if there are none. */
function unreadLightdash(objects: readonly KubernetesObject[], workloads: ReadonlySet<KubernetesObject>) {
  const names = new Set<string | null>([...workloads].map(({ name }) => name));
  const unread = objects.find((object) => {
    if (workloads.has(object)) return false;
    if (object.kind === 'Pod' && object.live) {
      // A pod without an owner is listed as a pod.
      const { workload, phase } = podOf(object);
      if (workload === null || names.has(workload) || phase === 'Succeeded' || phase === 'Failed')
        return false;
    } else if (object.owner !== undefined) return false;
    return imagesIn(object.value.spec).some((image) => isLightdashImage(imageFact(image, null)));
  });
  if (unread === undefined) return undefined;
  const { kind, name, owner } = unread;
  const subject = owner === undefined ? `${kind} ${name}` : `what owns ${kind} ${name}`;
  return notSeen('failed', `${subject} runs Lightdash, and was not read`);
}

/** An object of a kind that is not read whose pods have a PostgreSQL, such as a StatefulSet of another group. */
function unreadDatabase(objects: readonly KubernetesObject[]): { readonly unreadDatabase?: string } {
  const unread = objects.find(({ kind, owner, value }) => {
    const { template, replicas } = Object(value.spec);
    if (owner !== undefined || /Job$|Workflow|Task/.test(kind) || replicas === 0) return false;
    return imagesIn(template).some((image) => isDatabaseImage(imageFact(image, null)));
  });
  return unread === undefined ? {} : { unreadDatabase: `${unread.kind} ${unread.name}` };
}

/** The images of all containers of an object, in pods and in the kinds of Argo and Tekton that make pods. */
function imagesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(imagesIn);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    const containers = keysOfContainers.test(key) ? [part].flat().filter(isRecord) : [];
    const images = containers.flatMap(({ image }) => (typeof image === 'string' ? [image] : []));
    return [...images, ...imagesIn(part)];
  });
}

const keysOfContainers =
  /^(?:containers|initContainers|ephemeralContainers|container|script|sidecars|steps)$/;

/** An object of a kind that is not read, and that names a workload of Lightdash; undefined if there is none. */
function unreadReference(
  objects: readonly KubernetesObject[],
  lightdash: readonly SeenWorkload[],
  does: 'replaces the pods of' | 'scales',
  keys: readonly string[],
) {
  for (const by of objects) {
    const { spec } = by.value;
    const places = isRecord(spec) ? [spec, spec.objectRef].filter(isRecord) : [];
    const named = places.flatMap((place) => keys.map((key) => place[key])).filter(isRecord);
    const found = lightdash.find(
      ({ fact, object }) =>
        mayShareNamespace(by, object) &&
        named.some(({ kind = 'Deployment', name }) => kind === fact.kind && name === fact.name),
    )?.fact;
    if (found === undefined) continue;
    return notSeen('failed', `${by.kind} ${by.name} ${does} ${found.kind} ${found.name}, and was not read`);
  }
  return undefined;
}

/**
 * What replaces the pods of Lightdash instead of their Deployment, such as a Rollout of Argo or a Canary of Flagger.
 */
function unreadRollout(objects: readonly KubernetesObject[], lightdash: readonly SeenWorkload[]) {
  const objectsNotRead = objects.filter(({ kind }) => kind !== 'VerticalPodAutoscaler');
  return unreadReference(objectsNotRead, lightdash, 'replaces the pods of', ['workloadRef', 'targetRef']);
}

/** What scales Lightdash like a HorizontalPodAutoscaler, such as a ScaledObject of KEDA that has not created one. */
function unreadScaler(objects: readonly KubernetesObject[], lightdash: readonly SeenWorkload[]) {
  const isRead = ({ kind }: KubernetesObject) => kind === 'HorizontalPodAutoscaler';
  const made = new Set(objects.filter(isRead).map(({ owner }) => owner?.name));
  const others = objects.filter(
    (object) => !isRead(object) && !made.has(object.name) && !isPausedByKeda(object),
  );
  return unreadReference(others, lightdash, 'scales', ['scaleTargetRef']);
}

/** Whether a scaler scales nothing: the annotations of KEDA pause it, or it allows no pod. */
function isPausedByKeda({ kind, group, annotations, value }: KubernetesObject): boolean {
  if (kind !== 'ScaledObject' || group !== 'keda.sh') return false;
  const paused = labelOf(annotations, 'autoscaling.keda.sh/paused');
  return (
    labelOf(annotations, 'autoscaling.keda.sh/paused-replicas') !== undefined ||
    (paused !== undefined && !/^(?:0|f|false)$/i.test(paused)) ||
    Object(value.spec).maxReplicaCount === 0
  );
}

/** The keys of ConfigMaps and Secrets that may be in the namespace of a workload. */
function keysOf(objects: readonly KubernetesObject[], workload: KubernetesObject): SeenKeys {
  return (kind, name) => {
    const found = objects.find(
      (object) =>
        object.kind === kind &&
        object.group === '' &&
        object.name === name &&
        mayShareNamespace(object, workload),
    );
    if (found === undefined) return kind === 'Secret' ? keysByOperator(objects, workload, name) : undefined;
    const keys = new Map<string, SeenValue>();
    const { data, binaryData, stringData } = found.value;
    for (const [key, value] of [binaryData, data, stringData].filter(isRecord).flatMap(Object.entries)) {
      const empty = value === '' || value === null;
      const text = typeof value === 'string' && isSetting(key) ? value : undefined;
      const seen = { empty, on: readSwitch(value), value: text };
      keys.set(key, kind === 'ConfigMap' ? seen : { empty });
    }
    return byName(keys);
  };
}

/** The keys of a Secret that an operator makes, if one object alone makes it. */
function keysByOperator(
  objects: readonly KubernetesObject[],
  workload: KubernetesObject,
  name: string,
): ReadonlyMap<string, SeenValue> | undefined {
  const [made, second] = objects.flatMap((object) => {
    const secret = mayShareNamespace(object, workload) ? operatorSecretOf(object) : undefined;
    return secret?.name === name ? [secret] : [];
  });
  if (made?.keys == null || second !== undefined) return undefined;
  return byName(made.keys.map((key): [string, SeenValue] => [key, { empty: null }]));
}

function byName(keys: Iterable<[string, SeenValue]>): ReadonlyMap<string, SeenValue> {
  return new Map([...keys].sort(([a], [b]) => (a < b ? -1 : 1)));
}

export type DeploymentFacts = { readonly [Key in FactKeyOf<'deployment'>]?: ObservedFacts[Key] };

/** A fact that was seen at a moment, ISO 8601. */
export function seenFact<T>(value: T, seenAt: string) {
  return { status: 'seen' as const, value, seenAt, source: 'deployment' as const };
}

export type Unseen = ReturnType<typeof notSeen>;

/** A fact that was not seen, and why. */
export function notSeen(status: (typeof unseenStatuses)[number], detail?: string) {
  return { status, source: 'deployment' as const, ...(detail === undefined ? {} : { detail }) };
}
