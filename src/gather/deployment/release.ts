import { LightspanError } from '../../core/lightspan-error.js';
import type { HelmReleaseFact } from '../../instance/facts/deployment-facts.js';
import { runsLightdash } from '../../instance/facts/lightdash-containers.js';
import { hookOf, type KubernetesObject, labelOf, mayShareNamespace } from './kubernetes/kubernetes-object.js';
import type { SeenWorkload } from './workload-facts.js';

/** The Helm release, or the instance, that an object belongs to, by its labels and annotations. */
export function releaseOf({ labels, annotations }: KubernetesObject): string | undefined {
  return labelOf(annotations, 'meta.helm.sh/release-name') ?? labelOf(labels, 'app.kubernetes.io/instance');
}

/**
 * Whether an object belongs to the one Lightdash in question: objects of another release of it, or in another
 * namespace, do not. Objects of no release of Lightdash, such as a CronJob that backs up the database, are kept.
 *
 * @throws {LightspanError} `usage` if there are several, and the user did not choose one
 */
export function chooseRelease(
  workloads: readonly SeenWorkload[],
  wanted: string | undefined,
): (object: KubernetesObject) => boolean {
  const lightdash = workloads.filter(({ fact }) => runsLightdash(fact)).map(({ object }) => object);
  const objectsOfRelease = lightdash.filter((object) => wanted === undefined || releaseOf(object) === wanted);
  const namespace = onlyOf(
    objectsOfRelease.flatMap((object) => object.namespace ?? []),
    'namespace',
  );
  const release = onlyOf(
    objectsOfRelease.flatMap((object) => releaseOf(object) ?? []),
    'release',
  );
  const releases = new Set(lightdash.map(releaseOf));
  const isOwn = (object: KubernetesObject) => {
    const ofObject = releaseOf(object);
    if (ofObject === undefined) return wanted === undefined || objectsOfRelease.length > 0;
    return ofObject === release || !releases.has(ofObject);
  };
  return (object) => isOwn(object) && mayShareNamespace({ namespace: namespace ?? null }, object);
}

function onlyOf(all: readonly string[], what: 'namespace' | 'release'): string | undefined {
  const [first, ...others] = [...new Set(all)].sort();
  if (others.length === 0) return first;
  throw new LightspanError(
    'usage',
    `Lightdash is in more than one ${what}: ${[first, ...others].join(', ')}`,
    {
      hint: `Name one with --${what} <name>.`,
    },
  );
}

/** The release and its chart, by the workloads of Lightdash, or why they do not show it. */
export function helmReleaseOf(
  workloads: readonly SeenWorkload[],
):
  | { readonly status: 'seen'; readonly release: HelmReleaseFact }
  | { readonly status: 'absent' | 'failed'; readonly detail: string } {
  // A Job of an earlier upgrade may still exist.
  const lasting = workloads.filter(({ fact }) => fact.hook === null);
  const releases = (lasting.length > 0 ? lasting : workloads).flatMap(({ object }) => helmOf(object) ?? []);
  const [first, ...others] = releases;
  if (first === undefined) return { status: 'absent', detail: 'no workload of Lightdash has a Helm label' };
  const namespaces = new Set(releases.flatMap(({ namespace }) => namespace ?? []));
  const isSame = ({ release, chart, chartVersion }: HelmReleaseFact) =>
    release === first.release && chart === first.chart && chartVersion === first.chartVersion;
  if (namespaces.size > 1 || !others.every(isSame)) {
    return { status: 'failed', detail: 'the workloads of Lightdash name more than one release or chart' };
  }
  const [namespace = null] = namespaces;
  // One that something else applies is enough.
  const release = releases.find(({ appliedBy }) => appliedBy !== undefined) ?? first;
  return { status: 'seen', release: { ...release, namespace } };
}

function helmOf(object: KubernetesObject): HelmReleaseFact | undefined {
  const { labels, annotations, namespace } = object;
  const chart = labelOf(labels, 'helm.sh/chart');
  const isOfHelm =
    chart !== undefined ||
    labelOf(annotations, 'meta.helm.sh/release-name') !== undefined ||
    labelOf(labels, 'app.kubernetes.io/managed-by') === 'Helm';
  if (!isOfHelm) return undefined;
  const by = appliedBy(object);
  const [, name, version] = /^(.+?)-(\d+\.\d+\.\d+.*)$/.exec(chart ?? '') ?? [];
  return {
    release: releaseOf(object) ?? null,
    namespace: labelOf(annotations, 'meta.helm.sh/release-namespace') ?? namespace,
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
    labelOf(annotations, 'argocd.argoproj.io/tracking-id') !== undefined ||
    labelOf(labels, 'argocd.argoproj.io/instance') !== undefined;
  if (isOfArgo) return 'argo-cd';
  if (labelOf(labels, 'helm.toolkit.fluxcd.io/name') !== undefined) return 'flux';
  const isOfHelm = labelOf(annotations, 'meta.helm.sh/release-name') !== undefined || hookOf(object) !== null;
  return live && !isOfHelm ? 'other' : undefined;
}
