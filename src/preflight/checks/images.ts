import type { ImageFact, WorkloadFact } from '../../facts/deployment-facts.js';
import {
  lightdashContainers,
  otherContainers,
  ownContainers,
  servingPods,
} from '../../facts/lightdash-containers.js';
import { mayNotSee } from '../../facts/may-not-see.js';
import { releaseTagOf } from '../../facts/release-tag.js';
import { compareVersions, type Version } from '../../release-safety/version.js';
import { type Answers, defineCheck, type FactOf, foundOrOk, type Judgement, stop, warn } from '../check.js';
import { firstWith, isOlder } from '../runtime-eras.js';
import { lackingWorkloads, nameOf, scalerOf } from '../workloads.js';

/** What runs an image, and how the image is written there. */
interface Named {
  readonly workload: string;
  readonly image: string;
}

export type ImagesEvidence =
  | ({ readonly kind: 'image-not-pinned'; readonly pullPolicy: string | null; readonly from: string } & Named)
  | ({ readonly kind: 'image-by-digest-alone' } & Named)
  | { readonly kind: 'image-without-name'; readonly workload: string }
  | ({ readonly kind: 'image-gone' } & Named)
  | { readonly kind: 'starts-by-yarn'; readonly workload: string }
  | { readonly kind: 'images-of-several-releases'; readonly found: readonly (Named & { version: string })[] }
  | {
      readonly kind: 'images-of-another-release';
      readonly found: string;
      readonly from: string;
      readonly to: string;
    }
  | { readonly kind: 'images-of-the-target'; readonly from: string; readonly to: string }
  | { readonly kind: 'images-differ'; readonly found: readonly Named[] }
  | { readonly kind: 'images-agree'; readonly version: string; readonly images: number };

/**
 * Whether every workload of Lightdash runs one exact release, the same, and the one that the upgrade begins with, and
 * whether all pods in the cluster do. Manifests that would be applied may name the target already.
 */
export const images = defineCheck({
  id: 'images',
  group: 'deployment',
  canStop: true,
  needs: ['deployment', 'workloads'],
  mayNeed: ['pods', 'autoscalers'],
  needsArtifacts: false,
  judge({ from, to, facts: { deployment, workloads, pods, autoscalers } }): Answers<ImagesEvidence> {
    // A worker at zero runs nothing, unless an autoscaler brings it back.
    const running = workloads.filter(
      (one) => one.role !== 'worker' || one.replicas !== 0 || scalerOf(one, autoscalers) !== undefined,
    );
    const told = [...ofWorkloads(running), ...formerPods({ workloads, running }, pods ?? [])].map((one) => ({
      ...one,
      release: releaseTagOf(one.image),
    }));
    const unpinned = told.flatMap(({ release, ...one }) =>
      release === undefined ? judgeUnpinned(one, from) : [],
    );
    const pinned = told.flatMap(({ release, ...one }) =>
      release === undefined ? [] : [{ ...one, ...release }],
    );
    const current = withoutFormerJobs(pinned);
    const versions = [...new Set(current.map(({ version }) => version))];
    return foundOrOk(
      [
        ...lackingWorkloads(deployment, workloads),
        ...(mayNotSee(deployment, 'Job') ? [{ lacks: 'workloads', why: 'not-permitted' } as const] : []),
        ...(deployment.origin === 'cluster' && pods == null ? [{ lacks: 'pods' } as const] : []),
        ...unpinned,
        ...judgeReleases(current, { from, to, inUse: deployment.origin === 'cluster' }),
        ...judgePlaces(current),
        ...running.flatMap((workload) => judgeGone(workload)),
        ...(isOlder(to, firstWith.noYarn) ? [] : judgeStart(running)),
      ],
      { kind: 'images-agree', version: versions.join(), images: current.length },
    );
  },
});

/** What names an image: a workload or, with another than its workload names, a pod. */
interface Running {
  /** `Deployment lightdash-backend`. */
  readonly called: string;
  readonly image: ImageFact;
  readonly job: WorkloadFact | undefined;
}

function ofWorkloads(workloads: readonly WorkloadFact[]): readonly Running[] {
  return [...lightdashContainers(workloads), ...otherContainers(workloads)].map(
    ({ workload, container: { image } }) => ({
      called: nameOf(workload),
      image,
      job: workload.kind === 'Job' ? workload : undefined,
    }),
  );
}

/** What a rollout that has not ended leaves running: pods of a release that no workload names any more. */
function formerPods(
  {
    workloads,
    running,
  }: { readonly workloads: readonly WorkloadFact[]; readonly running: readonly WorkloadFact[] },
  pods: FactOf<'pods'>,
): readonly Running[] {
  const named = new Set(lightdashContainers(running).map(({ container }) => releaseOf(container)));
  return servingPods(workloads, pods)
    .filter(({ phase }) => phase !== 'Succeeded' && phase !== 'Failed')
    .flatMap(({ name, containers }) =>
      ownContainers(containers)
        .filter((container) => !named.has(releaseOf(container)))
        .map(({ image }) => ({ called: `Pod ${name}`, image, job: undefined })),
    );
}

/** The same release in two places may be written in two ways. */
function releaseOf({ image }: Pick<Running, 'image'>): string {
  return releaseTagOf(image)?.version ?? image.reference;
}

/**
 * Without a tag, or with a moving one, the next start runs whatever the tag is then. A digest fixes the image, but does
 * not show the release.
 */
function judgeUnpinned({ called: subject, image }: Running, from: Version): Answers<ImagesEvidence> {
  const named = namedOf({ called: subject, image });
  if (image.reference === '') return [stop(subject, { kind: 'image-without-name', workload: subject })];
  if (image.digest === null) {
    return [stop(subject, { kind: 'image-not-pinned', ...named, pullPolicy: image.pullPolicy, from })];
  }
  return [
    warn(subject, { kind: 'image-by-digest-alone', ...named }),
    { lacks: 'workloads', why: 'failed', detail: `the release that ${subject} runs` },
  ];
}

type Pinned = Running & { readonly version: Version; readonly suffix: string };

/** A job that has ended stays in the cluster with the release of its time. */
function withoutFormerJobs(pinned: readonly Pinned[]): readonly Pinned[] {
  const lasting = pinned.filter(({ job }) => job === undefined);
  return pinned.filter(
    ({ job, version }) =>
      job === undefined ||
      !hasEnded(job) ||
      lasting.every((other) => compareVersions(version, other.version) >= 0),
  );
}

function hasEnded({ succeeded, failed }: WorkloadFact): boolean {
  return (succeeded ?? 0) > 0 || (failed ?? 0) > 0;
}

function judgeReleases(
  pinned: readonly Pinned[],
  { from, to, inUse }: { readonly from: Version; readonly to: Version; readonly inUse: boolean },
): Judgement<ImagesEvidence>[] {
  const [version, ...others] = new Set(pinned.map((one) => one.version));
  if (version === undefined) return [];
  if (others.length > 0) {
    const found = pinned.map((one) => ({ ...namedOf(one), version: one.version }));
    return [stop(null, { kind: 'images-of-several-releases', found })];
  }
  if (version === from) return [];
  if (version === to) {
    return inUse ? [stop(null, { kind: 'images-of-the-target', from, to })] : [];
  }
  return [stop(null, { kind: 'images-of-another-release', found: version, from, to })];
}

/** One release from two registries, or with two suffixes or digests, may be two builds, or a digest of an old one. */
function judgePlaces(pinned: readonly Pinned[]): Judgement<ImagesEvidence>[] {
  const byPlace = new Map(pinned.map((one) => [`${placeOf(one)}:${one.suffix}`, namedOf(one)]));
  const byDigest = new Map(
    pinned.flatMap((one) => (one.image.digest === null ? [] : [[one.image.digest, namedOf(one)]])),
  );
  if (byPlace.size < 2 && byDigest.size < 2) return [];
  const found = byDigest.size < 2 ? byPlace : byDigest;
  return [warn(null, { kind: 'images-differ', found: [...found.values()] })];
}

/** The registry of Docker no longer has the images of Bitnami that older compose files name (#17392). */
function judgeGone(workload: WorkloadFact): Judgement<ImagesEvidence>[] {
  const called = nameOf(workload);
  return workload.containers
    .filter(({ image }) => placeOf({ image }) === 'docker.io/bitnami/minio')
    .map(({ image }) => warn(called, { kind: 'image-gone', ...namedOf({ called, image }) }));
}

function judgeStart(running: readonly WorkloadFact[]): Judgement<ImagesEvidence>[] {
  return running
    .filter(({ containers }) => containers.some(({ byYarn }) => byYarn))
    .map(nameOf)
    .map((workload) => warn(workload, { kind: 'starts-by-yarn', workload }));
}

function placeOf({ image: { registry, repository } }: Pick<Running, 'image'>): string {
  return `${registry ?? 'docker.io'}/${repository}`;
}

function namedOf({ called, image }: Pick<Running, 'called' | 'image'>): Named {
  return { workload: called, image: image.reference };
}
