import type { ObservedFacts } from '../../facts/facts-schema.js';
import { isLightdashImage, runsLightdash } from '../../facts/lightdash-containers.js';
import type { FactKeyOf } from '../../facts/needs.js';
import type { unseenStatuses } from '../../facts/observed.js';
import { isRecord } from '../../shared/is-record.js';
import { imageFact } from '../image-reference.js';
import { autoscalerOf, disruptionBudgetOf, hookObjectsOf, podOf, snapshotOf } from './cluster-objects.js';
import type { Keys, SeenKeys } from './container-facts.js';
import { hookOf, imagesIn, type KubernetesObject, refuseTwice } from './kubernetes-object.js';
import { manifestFault } from './manifest-text.js';
import {
  helmReleaseOf,
  inNamespace,
  mayStandTogether,
  oneRelease,
  type ReleaseWanted,
  releaseOf,
} from './release.js';
import { isWorkload, type SeenWorkload, workloadOf } from './workload-facts.js';

/** Kubernetes objects from any source, and what is known of missing ones. */
export interface Manifests extends ReleaseWanted {
  readonly objects: readonly KubernetesObject[];
  /** Files as they were named, or the context of kubectl. */
  readonly sources: readonly string[];
  /** The context of kubectl if a cluster was read; null if it had none. */
  readonly context?: string | null | undefined;
  /** The namespace that was read. */
  readonly lookedAt: string | null;
  /** For a cluster: why each kind that was not returned was not. */
  readonly asked?: ReadonlyMap<string, KindUnseen> | undefined;
  /** ISO 8601. */
  readonly seenAt: string;
}

export interface KindUnseen {
  readonly status: Exclude<(typeof unseenStatuses)[number], 'not-asked'>;
  readonly detail: string;
}

/**
 * The facts of a deployment from manifests, whether from files or from a cluster.
 *
 * @throws {LightspanError} `invalid-manifest`; `usage` if they contain more than one Lightdash
 */
export function manifestFacts(manifests: Manifests): DeploymentFacts {
  const { sources, context, lookedAt, seenAt, asked } = manifests;
  const inReach = manifests.objects.filter((one) => inNamespace(one, manifests));
  refuseTwice(inReach);
  const all = inReach.filter(isWorkload).map((one) => workloadOf(one, keysOf(inReach, one)));
  const isOurs = oneRelease(all, manifests);
  const objects = inReach.filter(isOurs);
  const workloads = all.filter(({ object }) => isOurs(object));
  const own = workloads.filter(({ fact }) => runsLightdash(fact));
  const origin = asked !== undefined || isInCluster(objects, own) ? 'cluster' : 'rendered';
  const notGiven = [...(asked ?? [])].filter(([, { status }]) => status !== 'absent');
  const deployment = seen(
    {
      kind: 'kubernetes' as const,
      origin: origin as 'cluster' | 'rendered',
      sources: [...sources],
      ...(context === undefined ? {} : { context }),
      namespace: lookedAt ?? namespaceOf(own),
      hooksSeen: origin === 'rendered' && showsHooks(objects, own) ? true : null,
      unseenKinds: notGiven.map(([kind]) => kind),
    },
    seenAt,
  );
  const compose = unseen('absent', 'manifests of Kubernetes were read');

  const refused = (kinds: readonly string[]) => {
    const why = kinds.map((kind) => asked?.get(kind)).find((one) => one !== undefined);
    return why && unseen(why.status, why.detail);
  };
  const lacks =
    refused(workloadKinds) ??
    unreadLightdash(inReach, all) ??
    unreadRollout(objects, own) ??
    (own.length > 0 ? undefined : unseen('absent', `none of ${objects.length} objects runs Lightdash`));
  if (lacks !== undefined) {
    const unread = unseen('failed', 'the workloads of Lightdash were not seen');
    return {
      ...{ deployment, workloads: lacks, compose, helm: unread, pods: unread, disruptionBudgets: unread },
      ...{ autoscalers: unread, hookObjects: unread, snapshots: unread },
    };
  }

  const objectsOf = (kind: string, group: string) =>
    objects.filter((one) => one.kind === kind && one.group === group);
  /** A complete list: a cluster returned all of its kinds, or what is to be applied was read to the end. */
  const list = <T>(kinds: readonly string[], value: readonly T[]) => {
    const why = refused(kinds);
    if (why !== undefined) return why;
    if (origin === 'cluster' && asked === undefined) {
      const always = kinds.filter((kind) => everywhere.has(kind));
      const lacking =
        always.length === 0 && value.length === 0
          ? kinds
          : always.filter((kind) => !objects.some((one) => one.kind === kind));
      if (lacking.length > 0) return unseen('not-asked', `the manifests have no ${lacking.join(', ')}`);
    }
    return seen([...value], seenAt);
  };
  const ofCluster = <T>(kind: string, value: readonly T[]) =>
    origin === 'cluster' ? list([kind], value) : unseen('absent', 'no cluster was asked');
  const budgets = objectsOf('PodDisruptionBudget', 'policy').map((one) => disruptionBudgetOf(one, workloads));
  const autoscalers = objectsOf('HorizontalPodAutoscaler', 'autoscaling').map(autoscalerOf);
  const snapshots = objectsOf('VolumeSnapshot', 'snapshot.storage.k8s.io').map(snapshotOf);
  const facts = workloads.map(({ fact }) => fact);
  const helm = helmReleaseOf(own);
  return {
    deployment,
    helm: 'release' in helm ? seen(helm.release, seenAt) : unseen(helm.why, helm.detail),
    workloads: seen(facts, seenAt),
    pods: ofCluster('Pod', objectsOf('Pod', '').map(podOf)),
    disruptionBudgets: list(['PodDisruptionBudget'], budgets),
    autoscalers: unreadScaler(objects, own) ?? list(['HorizontalPodAutoscaler'], autoscalers),
    hookObjects: list(hookKinds, objects.filter((one) => !isWorkload(one)).flatMap(hookObjectsOf)),
    snapshots: ofCluster('VolumeSnapshot', snapshots),
    compose,
  };
}

/** Kinds that may run Lightdash. If one of them was not returned, Lightdash may run there. */
const workloadKinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job'];
const hookKinds = ['ServiceAccount', 'ConfigMap', 'Role', 'RoleBinding'];
/** Kinds that exist in every namespace: if there is none, they were not requested. */
const everywhere: ReadonlySet<string> = new Set(['ServiceAccount', 'ConfigMap']);

/**
 * Whether what runs Lightdash comes from a cluster. The keys of Secrets and ConfigMaps may come from one in any case.
 *
 * @throws {LightspanError} `invalid-manifest` if some of it comes from a cluster, and some is only to be applied
 */
function isInCluster(objects: readonly KubernetesObject[], own: readonly SeenWorkload[]): boolean {
  // `helm get hooks` lists hooks that may no longer exist in the cluster.
  const lasting = own.filter(({ fact }) => fact.hook === null).map(({ object }) => object);
  const [one, ...others] = lasting.length > 0 ? lasting : objects.filter(({ live }) => live);
  const other = others.find(({ live }) => live !== one?.live);
  if (other !== undefined) {
    throw manifestFault(
      `of ${one?.where} and ${other.where} one is in a cluster, and one is still to be applied`,
      'Give only one of the two.',
    );
  }
  return one?.live === true;
}

/** Objects that run Lightdash but are of a kind that is not read; undefined if there are none. */
function unreadLightdash(objects: readonly KubernetesObject[], workloads: readonly SeenWorkload[]) {
  const names = new Set<string | null>(workloads.map(({ object }) => object.name));
  const strange = objects.find(
    (one) =>
      !isWorkload(one) &&
      (one.kind === 'Pod' && one.live ? isOfOther(one, names) : one.owner === undefined) &&
      imagesIn(one.value.spec).some((image) => isLightdashImage(imageFact(image, null))),
  );
  if (strange === undefined) return undefined;
  const { kind, name, owner } = strange;
  const what = owner === undefined ? `${kind} ${name}` : `what owns ${kind} ${name}`;
  return unseen('failed', `${what} runs Lightdash, and was not read`);
}

type Spec = Readonly<Record<string, unknown>>;

/** An object of a kind that is not read, and that names a workload of Lightdash; undefined if there is none. */
function unreadReference(
  objects: readonly KubernetesObject[],
  own: readonly SeenWorkload[],
  does: 'replaces the pods of' | 'scales',
  referencesIn: (spec: Spec) => readonly unknown[],
) {
  for (const by of objects) {
    const { spec } = by.value;
    if (isWorkload(by) || !isRecord(spec)) continue;
    const named = referencesIn(spec).filter(isRecord);
    const found = own.find(
      ({ fact, object }) =>
        mayStandTogether(by, object) &&
        named.some(({ kind = 'Deployment', name }) => kind === fact.kind && name === fact.name),
    )?.fact;
    if (found === undefined) continue;
    return unseen('failed', `${by.kind} ${by.name} ${does} ${found.kind} ${found.name}, and was not read`);
  }
  return undefined;
}

/** What replaces the pods of Lightdash instead of their Deployment, such as a Rollout of Argo or a Canary of Flagger. */
function unreadRollout(objects: readonly KubernetesObject[], own: readonly SeenWorkload[]) {
  const others = objects.filter(({ kind }) => kind !== 'VerticalPodAutoscaler');
  return unreadReference(others, own, 'replaces the pods of', ({ workloadRef, targetRef, objectRef }) => [
    workloadRef,
    targetRef,
    isRecord(objectRef) && objectRef.workloadRef,
  ]);
}

/** What scales Lightdash like a HorizontalPodAutoscaler, such as a ScaledObject of KEDA that has not created one. */
function unreadScaler(objects: readonly KubernetesObject[], own: readonly SeenWorkload[]) {
  const isRead = ({ kind }: KubernetesObject) => kind === 'HorizontalPodAutoscaler';
  const made = new Set(objects.filter(isRead).map(({ owner }) => owner?.name));
  const others = objects.filter((one) => !isRead(one) && !made.has(one.name));
  return unreadReference(others, own, 'scales', ({ scaleTargetRef }) => [scaleTargetRef]);
}

/** Whether a live pod belongs to none of these workloads. A pod without an owner is listed as a pod. */
function isOfOther(pod: KubernetesObject, workloads: ReadonlySet<string | null>): boolean {
  const { workload, phase } = podOf(pod);
  return workload !== null && !workloads.has(workload) && phase !== 'Succeeded' && phase !== 'Failed';
}

/** Whether hooks of the release of Lightdash are among what is to be applied. */
function showsHooks(objects: readonly KubernetesObject[], own: readonly SeenWorkload[]): boolean {
  const releases = new Set(own.map(({ object }) => releaseOf(object)));
  return objects.some((one) => hookOf(one) !== null && releases.has(releaseOf(one)));
}

function namespaceOf(own: readonly SeenWorkload[]): string | null {
  const [first, ...others] = new Set(own.map(({ object }) => object.namespace));
  return others.length === 0 ? (first ?? null) : null;
}

/** The keys of ConfigMaps and Secrets that may be in the namespace of a workload. */
function keysOf(objects: readonly KubernetesObject[], workload: KubernetesObject): SeenKeys {
  return (kind, name) => {
    const found = objects.find(
      (one) => one.kind === kind && one.group === '' && one.name === name && mayStandTogether(one, workload),
    );
    return found && keysIn(found.value);
  };
}

function keysIn({ data, binaryData, stringData }: Readonly<Record<string, unknown>>): Keys {
  const keys = new Map<string, boolean>();
  for (const part of [binaryData, data, stringData]) {
    if (!isRecord(part)) continue;
    for (const [key, value] of Object.entries(part)) keys.set(key, value === '' || value === null);
  }
  return new Map([...keys].sort(([a], [b]) => (a < b ? -1 : 1)));
}

export type DeploymentFacts = { readonly [Key in FactKeyOf<'deployment'>]?: ObservedFacts[Key] };

/** A fact that was seen at a moment, ISO 8601. */
export function seen<T>(value: T, seenAt: string) {
  return { status: 'seen' as const, value, seenAt, source: 'deployment' as const };
}

/** A fact that was not seen, and why. */
export function unseen(status: (typeof unseenStatuses)[number], detail?: string) {
  return { status, source: 'deployment' as const, ...(detail === undefined ? {} : { detail }) };
}
