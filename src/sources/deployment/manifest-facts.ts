import type { unseenStatuses } from '../../facts/facts-schema.js';
import { isLightdashImage, runsLightdash } from '../../facts/lightdash-containers.js';
import { isRecord } from '../../shared/is-record.js';
import { autoscalerOf, disruptionBudgetOf, hookObjectsOf, podOf, snapshotOf } from './cluster-objects.js';
import type { Keys, SeenKeys } from './container-facts.js';
import { hookOf } from './hooks.js';
import { imageFact } from './image-fact.js';
import { type KubernetesObject, refuseTwice } from './kubernetes-object.js';
import { manifestFault } from './manifest-fault.js';
import { type DeploymentFacts, seen, unseen } from './observed.js';
import { imagesIn } from './pod-template.js';
import {
  helmReleaseOf,
  inNamespace,
  mayStandTogether,
  oneRelease,
  type ReleaseWanted,
  releaseOf,
} from './release.js';
import { isWorkload, type SeenWorkload, workloadOf } from './workload-facts.js';

/** Objects of Kubernetes, wherever they come from, and what is known of those that are not there. */
export interface Manifests extends ReleaseWanted {
  readonly objects: readonly KubernetesObject[];
  /** Files as they were named, or the context of kubectl. */
  readonly sources: readonly string[];
  /** Of kubectl, where a cluster was asked; null where it had none. */
  readonly context?: string | null | undefined;
  /** The namespace that was looked at. */
  readonly lookedAt: string | null;
  /** Where a cluster was asked: how each kind that it was asked for and that it did not give was answered. */
  readonly asked?: ReadonlyMap<string, KindUnseen> | undefined;
  /** ISO 8601. */
  readonly seenAt: string;
}

export interface KindUnseen {
  readonly status: Exclude<(typeof unseenStatuses)[number], 'not-asked'>;
  readonly detail: string;
}

/**
 * What manifests tell of a deployment: the one reader of them, whether a file or a cluster gave them.
 *
 * @throws {LightspanError} `invalid-manifest`; `usage` where they tell of more than one Lightdash
 */
export function manifestFacts(manifests: Manifests): DeploymentFacts {
  const { sources, context, lookedAt, seenAt, asked } = manifests;
  const inReach = manifests.objects.filter((one) => inNamespace(one, manifests));
  refuseTwice(inReach);
  const all = inReach.filter(isWorkload).map((one) => workloadOf(one, keysOf(inReach, one)));
  const isOurs = oneRelease(all, manifests);
  const objects = inReach.filter(isOurs);
  const workloads = all.filter(({ object }) => isOurs(object));
  const origin = asked !== undefined || isInCluster(objects, workloads) ? 'cluster' : 'rendered';
  const notGiven = [...(asked ?? [])].filter(([, { status }]) => status !== 'absent');
  const deployment = seen(
    {
      kind: 'kubernetes' as const,
      origin: origin as 'cluster' | 'rendered',
      sources: [...sources],
      ...(context === undefined ? {} : { context }),
      namespace: lookedAt ?? namespaceOf(workloads),
      hooksSeen: origin === 'rendered' && showsHooks(objects, workloads) ? true : null,
      unseenKinds: notGiven.map(([kind]) => kind),
    },
    seenAt,
  );
  const compose = unseen('absent', 'manifests of Kubernetes were read');

  const missing = workloadKinds.map((kind) => asked?.get(kind)).find((one) => one !== undefined);
  const lacks = missing ?? unreadLightdash(inReach, all) ?? noLightdash(objects, workloads);
  if (lacks !== undefined) {
    const unread = unseen('failed', 'the workloads of Lightdash were not seen');
    return {
      deployment,
      helm: unread,
      workloads: unseen(lacks.status, lacks.detail),
      pods: unread,
      disruptionBudgets: unread,
      autoscalers: unread,
      hookObjects: unread,
      snapshots: unread,
      compose,
    };
  }

  const helm = helmReleaseOf(workloads);
  const objectsOf = (kind: string, group: string) =>
    objects.filter((one) => one.kind === kind && one.group === group);
  /** A list that is whole: a cluster gave all of its kinds, or what is to be applied was read to the end. */
  const list = <T>(kinds: readonly string[], value: readonly T[]) => {
    const refused = kinds.map((kind) => asked?.get(kind)).find((one) => one !== undefined);
    if (refused !== undefined) return unseen(refused.status, refused.detail);
    if (origin === 'cluster' && asked === undefined) {
      const own = kinds.filter((kind) => everywhere.has(kind));
      const lacking =
        own.length === 0 && value.length === 0
          ? kinds
          : own.filter((kind) => !objects.some((one) => one.kind === kind));
      if (lacking.length > 0) return unseen('not-asked', `the manifests have no ${lacking.join(', ')}`);
    }
    return seen([...value], seenAt);
  };
  const ofCluster = <T>(kind: string, value: readonly T[]) =>
    origin === 'cluster' ? list([kind], value) : unseen('absent', 'no cluster was asked');
  return {
    deployment,
    helm: 'release' in helm ? seen(helm.release, seenAt) : unseen(helm.why, helm.detail),
    workloads: seen(
      workloads.map(({ fact }) => fact),
      seenAt,
    ),
    pods: ofCluster('Pod', objectsOf('Pod', '').map(podOf)),
    disruptionBudgets: list(
      ['PodDisruptionBudget'],
      objectsOf('PodDisruptionBudget', 'policy').map((one) => disruptionBudgetOf(one, workloads)),
    ),
    autoscalers: list(
      ['HorizontalPodAutoscaler'],
      objectsOf('HorizontalPodAutoscaler', 'autoscaling').map(autoscalerOf),
    ),
    hookObjects: list(hookKinds, objects.filter((one) => !isWorkload(one)).flatMap(hookObjectsOf)),
    snapshots: ofCluster(
      'VolumeSnapshot',
      objectsOf('VolumeSnapshot', 'snapshot.storage.k8s.io').map(snapshotOf),
    ),
    compose,
  };
}

/** Kinds that may run Lightdash: where one of them was not given, it may be there that it runs. */
const workloadKinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job'];
const hookKinds = ['ServiceAccount', 'ConfigMap', 'Role', 'RoleBinding'];
/** Kinds that every namespace has one of: where there is none, they were not asked for. */
const everywhere: ReadonlySet<string> = new Set(['ServiceAccount', 'ConfigMap']);

/**
 * Whether a cluster has what runs Lightdash; the keys of Secrets and ConfigMaps may come from one all the same.
 *
 * @throws {LightspanError} `invalid-manifest` where it has some, and some is only to be applied
 */
function isInCluster(objects: readonly KubernetesObject[], workloads: readonly SeenWorkload[]): boolean {
  // `helm get hooks` tells of those that a cluster has no more.
  const own = workloads
    .filter(({ fact }) => runsLightdash(fact) && fact.hook === null)
    .map(({ object }) => object);
  const [one, ...others] = own.length > 0 ? own : objects.filter(({ live }) => live);
  const other = others.find(({ live }) => live !== one?.live);
  if (other !== undefined) {
    throw manifestFault(
      `of ${one?.where} and ${other.where} one is in a cluster, and one is only to be applied`,
      'Give the one or the other.',
    );
  }
  return one?.live === true;
}

/** What runs Lightdash, and is of no kind that is read; undefined where there is nothing of it. */
function unreadLightdash(
  objects: readonly KubernetesObject[],
  workloads: readonly SeenWorkload[],
): Pick<KindUnseen, 'status' | 'detail'> | undefined {
  const names = new Set<string | null>(workloads.map(({ object }) => object.name));
  const strange = objects.find(
    (one) =>
      !isWorkload(one) &&
      (one.kind === 'Pod' && one.live ? isOfOther(one, names) : one.owner === undefined) &&
      imagesIn(one.value).some((image) => isLightdashImage(imageFact(image, null))),
  );
  if (strange === undefined) return undefined;
  const { kind, name, owner } = strange;
  const what = owner === undefined ? `${kind} ${name}` : `what owns ${kind} ${name}`;
  return { status: 'failed', detail: `${what} runs Lightdash, and was not read` };
}

/** Whether a pod lives that none of these workloads owns; one that nothing owns is told of as a pod. */
function isOfOther(pod: KubernetesObject, workloads: ReadonlySet<string | null>): boolean {
  const { workload, phase } = podOf(pod);
  return workload !== null && !workloads.has(workload) && phase !== 'Succeeded' && phase !== 'Failed';
}

/** That none of these runs Lightdash; undefined where one does. */
function noLightdash(
  objects: readonly KubernetesObject[],
  workloads: readonly SeenWorkload[],
): Pick<KindUnseen, 'status' | 'detail'> | undefined {
  if (workloads.some(({ fact }) => runsLightdash(fact))) return undefined;
  return { status: 'absent', detail: `none of ${objects.length} objects runs Lightdash` };
}

/** Whether hooks of the release of Lightdash are among what is to be applied. */
function showsHooks(objects: readonly KubernetesObject[], workloads: readonly SeenWorkload[]): boolean {
  const releases = new Set(
    workloads.filter(({ fact }) => runsLightdash(fact)).map(({ object }) => releaseOf(object)),
  );
  return objects.some((one) => hookOf(one) !== null && releases.has(releaseOf(one)));
}

function namespaceOf(workloads: readonly SeenWorkload[]): string | null {
  const [first, ...others] = new Set(
    workloads.filter(({ fact }) => runsLightdash(fact)).map(({ object }) => object.namespace),
  );
  return others.length === 0 ? (first ?? null) : null;
}

/** The keys of ConfigMaps and Secrets that stand beside a workload. */
function keysOf(objects: readonly KubernetesObject[], workload: KubernetesObject): SeenKeys {
  const find = (kind: string, name: string): Keys | undefined => {
    const found = objects.find(
      (one) => one.kind === kind && one.group === '' && one.name === name && mayStandTogether(one, workload),
    );
    return found === undefined ? undefined : keysIn(found.value);
  };
  return {
    configMap: (name) => find('ConfigMap', name),
    secret: (name) => find('Secret', name),
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
