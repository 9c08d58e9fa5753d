import { LightspanError } from '../../errors.js';
import type { HelmReleaseFact } from '../../facts/deployment-facts.js';
import { runsLightdash } from '../../facts/lightdash-containers.js';
import { hookOf, type KubernetesObject, wordOf } from './kubernetes-object.js';
import type { SeenWorkload } from './workload-facts.js';

export interface ReleaseWanted {
  readonly release?: string | undefined;
  readonly namespace?: string | undefined;
}

/** The Helm release, or the instance, that an object belongs to, by its labels and annotations. */
export function releaseOf({ labels, annotations }: KubernetesObject): string | undefined {
  return wordOf(annotations, 'meta.helm.sh/release-name') ?? wordOf(labels, 'app.kubernetes.io/instance');
}

/** Whether an object may be in the requested namespace; an object that names none may be. */
export function inNamespace(object: KubernetesObject, { namespace }: ReleaseWanted): boolean {
  return namespace === undefined || object.namespace === null || object.namespace === namespace;
}

/** Whether two objects may be in the same namespace: an object that is to be applied need not name it. */
export function mayStandTogether(one: InNamespace, other: InNamespace): boolean {
  return one.namespace === null || other.namespace === null || one.namespace === other.namespace;
}

type InNamespace = Pick<KubernetesObject, 'namespace'>;

/** A release in a namespace; null if the namespace is not stated. */
interface Instance {
  readonly namespace: string | null;
  readonly release: string;
}

/** The releases that run Lightdash. If the objects of one are in at most one namespace, others need not name it. */
function instancesOf(workloads: readonly SeenWorkload[]): readonly Instance[] {
  const all = workloads.flatMap(({ fact, object }): Instance[] => {
    const release = releaseOf(object);
    return release === undefined || !runsLightdash(fact) ? [] : [{ namespace: object.namespace, release }];
  });
  const inNamespaces = new Set(
    all.filter(({ namespace }) => namespace !== null).map(({ release }) => release),
  );
  const distinct = all.filter(({ namespace, release }) => namespace !== null || !inNamespaces.has(release));
  return [...new Map(distinct.map((one) => [nameOfInstance(one), one])).values()];
}

function nameOfInstance({ namespace, release }: Instance): string {
  return namespace === null ? release : `${namespace}/${release}`;
}

/**
 * Whether an object belongs to the one Lightdash in question: objects of another release of it, or in another
 * namespace, do not. Objects of no release of Lightdash, such as a CronJob that backs up the database, are kept.
 *
 * @throws {LightspanError} `usage` if there are several, and the user did not choose one
 */
export function oneRelease(
  workloads: readonly SeenWorkload[],
  { release: wanted }: ReleaseWanted,
): (object: KubernetesObject) => boolean {
  const instances = instancesOf(workloads);
  const chosen = instances.filter(({ release }) => wanted === undefined || release === wanted);
  if (chosen.length > 1) {
    const names = instances.map(nameOfInstance).sort().join(', ');
    throw new LightspanError('usage', `there is more than one Lightdash: ${names}`, {
      hint: 'Name one with --release <name>, and with --namespace if they are in several.',
    });
  }
  const [one] = chosen;
  const isOfOther = (object: KubernetesObject) => {
    const release = releaseOf(object);
    if (release === undefined) return wanted !== undefined && one === undefined;
    const isOf = (instance: Instance) => instance.release === release && mayStandTogether(instance, object);
    return instances.some(isOf) && !(one !== undefined && isOf(one));
  };
  const namespaces = new Set(
    workloads.flatMap(({ fact, object }) =>
      runsLightdash(fact) && !isOfOther(object) ? (object.namespace ?? []) : [],
    ),
  );
  if (namespaces.size > 1) {
    const names = [...namespaces].sort().join(', ');
    throw new LightspanError('usage', `Lightdash runs in more than one namespace: ${names}`, {
      hint: 'Name one with --namespace <name>.',
    });
  }
  const [namespace = null] = namespaces;
  return (object) => !isOfOther(object) && mayStandTogether({ namespace }, object);
}

/** The release and its chart, by the workloads of Lightdash, or why they do not show it. */
export function helmReleaseOf(
  own: readonly SeenWorkload[],
): { readonly release: HelmReleaseFact } | { readonly why: 'absent' | 'failed'; readonly detail: string } {
  // A Job of an earlier upgrade may still exist.
  const lasting = own.filter(({ fact }) => fact.hook === null);
  const releases = (lasting.length > 0 ? lasting : own).flatMap(({ object }) => {
    const release = helmOf(object);
    return release === undefined ? [] : [release];
  });
  const [first, ...others] = releases;
  if (first === undefined) return { why: 'absent', detail: 'no workload of Lightdash has a Helm label' };
  const namespaces = new Set(releases.flatMap(({ namespace }) => (namespace === null ? [] : [namespace])));
  const isSame = ({ release, chart, chartVersion }: HelmReleaseFact) =>
    release === first.release && chart === first.chart && chartVersion === first.chartVersion;
  if (namespaces.size > 1 || !others.every(isSame)) {
    return { why: 'failed', detail: 'the workloads of Lightdash name more than one release or chart' };
  }
  const [namespace = null] = namespaces;
  // One that something else applies is enough.
  const release = releases.find(({ appliedBy }) => appliedBy !== undefined) ?? first;
  return { release: { ...release, namespace } };
}

function helmOf(object: KubernetesObject): HelmReleaseFact | undefined {
  const { labels, annotations, namespace } = object;
  const chart = wordOf(labels, 'helm.sh/chart');
  const isOfHelm =
    chart !== undefined ||
    wordOf(annotations, 'meta.helm.sh/release-name') !== undefined ||
    wordOf(labels, 'app.kubernetes.io/managed-by') === 'Helm';
  if (!isOfHelm) return undefined;
  const by = appliedBy(object);
  const [, name, version] = /^(.+?)-(\d+\.\d+\.\d+.*)$/.exec(chart ?? '') ?? [];
  return {
    release: releaseOf(object) ?? null,
    namespace: wordOf(annotations, 'meta.helm.sh/release-namespace') ?? namespace,
    chart: name ?? chart ?? null,
    // A label cannot contain a plus sign, with which build metadata begins.
    chartVersion: version?.replace('_', '+') ?? null,
    ...(by === undefined ? {} : { appliedBy: by }),
  };
}

/**
 * What applies an object, if that is not a person with helm. A HelmRelease of Flux labels all that it installs. Helm
 * annotates all that it applies except hooks, so without that mark something else applied what helm rendered: a
 * Kustomization of Flux, kubectl, or Argo CD that tracks by the usual label of an instance.
 */
function appliedBy(object: KubernetesObject): HelmReleaseFact['appliedBy'] {
  const { labels, annotations, live } = object;
  const isOfArgo =
    wordOf(annotations, 'argocd.argoproj.io/tracking-id') !== undefined ||
    wordOf(labels, 'argocd.argoproj.io/instance') !== undefined;
  if (isOfArgo) return 'argo-cd';
  if (wordOf(labels, 'helm.toolkit.fluxcd.io/name') !== undefined) return 'flux';
  const isOfHelm = wordOf(annotations, 'meta.helm.sh/release-name') !== undefined || hookOf(object) !== null;
  return live && !isOfHelm ? 'other' : undefined;
}
