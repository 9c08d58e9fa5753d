import type { ImageFact, WorkloadFact } from '../facts/deployment-facts.js';
import {
  lightdashContainers,
  otherContainers,
  ownContainers,
  releaseTagOf,
  servingPods,
} from '../facts/lightdash-containers.js';
import { type FactOf, mayNotSee } from '../facts/needs.js';
import { firstWith, isOlder } from '../instance/eras.js';
import { lackingWorkloads, nameOf, scalerOf } from '../instance/workloads.js';
import { compareVersions, type Version } from '../release-safety/version.js';
import { listNames } from '../words/lists.js';
import { countOf } from '../words/phrase.js';
import { defineCheck, type Found, foundOrOk, stop, warn } from './check.js';

/** What runs an image, and how the image is written there. */
interface Named {
  readonly workload: string;
  readonly image: string;
}

interface Kinds {
  'image-not-pinned': Named & { pullPolicy: string | null; from: string };
  'image-by-digest-alone': Named;
  'image-without-name': { workload: string };
  'image-gone': Named;
  'starts-by-yarn': { workload: string };
  'images-of-several-releases': { found: readonly (Named & { version: string })[] };
  'images-of-another-release': { found: string; from: string; to: string };
  'images-of-the-target': { from: string; to: string };
  'images-differ': { found: readonly Named[] };
  'images-agree': { version: string; images: number };
}

/**
 * Whether every workload of Lightdash runs one exact release, the same, and the one that the upgrade begins with, and
 * whether all pods in the cluster do. Manifests that would be applied may name the target already.
 */
export const images = defineCheck<Kinds>()({
  id: 'images',
  group: 'deployment',
  needs: ['deployment', 'workloads'],
  mayNeed: ['pods', 'autoscalers'],
  judge({ from, to, facts: { deployment, workloads, pods, autoscalers } }) {
    // A worker at zero runs nothing, unless an autoscaler brings it back.
    const running = workloads.filter(
      (one) => one.role !== 'worker' || one.replicas !== 0 || scalerOf(one, autoscalers) !== undefined,
    );
    const told = [...ofWorkloads(running), ...formerPods(workloads, running, pods ?? [])];
    const releases = told.map((one) => ({ one, release: releaseTagOf(one.image) }));
    const unpinned = releases.flatMap(({ one, release }) =>
      release === undefined ? judgeUnpinned(one, from) : [],
    );
    const current = withoutFormerJobs(
      releases.flatMap(({ one, release }) => (release === undefined ? [] : [{ ...one, ...release }])),
    );
    const versions = [...new Set(current.map(({ version }) => version))];
    return foundOrOk(
      [
        ...lackingWorkloads(deployment, workloads),
        ...(mayNotSee(deployment, 'Job') ? [{ lacks: 'workloads', why: 'not-permitted' } as const] : []),
        ...(deployment.origin === 'cluster' && pods == null ? [{ lacks: 'pods' } as const] : []),
        ...unpinned,
        ...judgeReleases(current, { from, to, inUse: deployment.origin === 'cluster' }),
        ...judgePlaces(current),
        ...running.flatMap((workload) => judgeStart(workload, to)),
      ],
      { kind: 'images-agree', version: versions.join(), images: current.length },
    );
  },
  label: 'Images',
  meaning: 'Whether every workload runs the same exact release, and the one that the upgrade begins with.',
  looksAt:
    'The image of every container that runs Lightdash: backend, scheduler, workers and the job that migrates; in a cluster that of every pod too, because a rollout that has not ended leaves older ones. An exact tag (1.2.3, with a v or the suffix of a variant) names a release; latest, no tag, a tag that moves, a pre-release (-rc.1) or a build of a commit (-abc1234) names none. A digest fixes an image, but does not show its release: the tag next to it is trusted. A worker at zero replicas that no autoscaler brings back runs nothing, and is left out. Of all images, also whether it is one of Bitnami that is gone; of the commands, whether one needs yarn.',
  finds: {
    'image-not-pinned': {
      meaning:
        'The tag of an image does not name one exact release. What the next start runs is not known, and no verdict may be about it.',
      remedy: 'Pin the tag of the running release, let that roll out, and check again.',
      describe: ({ workload, image, pullPolicy }) =>
        `${workload} runs ${image}, which is no exact release${
          pullPolicy === null ? '' : `; its pull policy is ${pullPolicy}`
        }`,
      advise: ({ from }) =>
        `Pin the tag ${from}, or what really runs where that is another release; let it roll out, and check again.`,
    },
    'image-by-digest-alone': {
      meaning: 'An image is pinned by its digest, and no tag shows its release. It was not compared.',
      remedy: 'Write the tag of the release before the digest, as in lightdash/lightdash:1.2.3@sha256:....',
      describe: ({ workload, image }) => `${workload} runs ${image}, and nothing shows its release`,
    },
    'image-without-name': {
      meaning:
        'A compose service is built, and its image has no name: nothing shows which release of Lightdash is in it.',
      remedy:
        'Give it an image with the tag of the release that it is built from, such as image: acme/lightdash:1.2.3, next to build.',
      describe: ({ workload }) => `${workload} is built, and its image has no name`,
    },
    'image-gone': {
      meaning:
        'The image docker.io/bitnami/minio no longer exists: a machine that does not have the image cannot start it. Compose files of the publisher before 0.2114.1 name it.',
      remedy:
        'Take the object storage of the compose file of 0.2114.1 or newer, or an image of MinIO from a registry that you trust, before this image is needed again.',
      describe: ({ workload, image }) => `${workload} runs ${image}, which can no longer be pulled`,
    },
    'starts-by-yarn': {
      meaning:
        'A command of your own begins with yarn workspace. Images since 0.1456.1 have pnpm and no yarn, so it probably fails.',
      remedy:
        'Remove the command, so that the image starts by itself, or write it with pnpm: pnpm -F backend in place of yarn workspace backend.',
      describe: ({ workload }) => `${workload} starts with yarn workspace, and the image has no yarn`,
    },
    'images-of-several-releases': {
      meaning:
        'Workloads or pods run different releases: an upgrade stopped halfway, a rollout has not ended, or one of them is pinned separately. They share one database.',
      remedy:
        'Bring every workload to one release first, the newest that has migrated the database, and wait until its rollout has ended.',
      describe: ({ found }) =>
        `several releases run: ${listNames(found.map(({ workload, version }) => `${workload} ${version}`))}`,
    },
    'images-of-another-release': {
      meaning: 'What is deployed is neither the release stated as running nor the target.',
      remedy: 'State with --from what really runs, or give the manifests of this upgrade.',
      describe: ({ found, from, to }) =>
        `the images are of ${found}, not of ${[...new Set([from, to])].join(' or ')}`,
    },
    'images-of-the-target': {
      meaning: 'The cluster has the target already. The upgrade was done, or is in progress.',
      remedy: 'Check with lightspan upgrade-verify whether it succeeded, or state with --from what runs.',
      describe: ({ from, to }) => `the cluster has ${to} already, not ${from}`,
    },
    'images-differ': {
      meaning:
        'The same release comes from several places, or with several suffixes or digests. These may be several builds. If a digest is of another release, that release runs, whatever the tag next to it says.',
      remedy: 'Take all images from one place, with one suffix and one digest.',
      describe: ({ found }) => `the images are not the same: ${listNames(found.map(({ image }) => image))}`,
    },
    'images-agree': ({ version, images }) => `${countOf(images, 'container')} of ${version}`,
  },
});

/** What names an image: a workload or, with another than its workload names, a pod. */
interface Running {
  /** `Deployment lightdash-backend`. */
  readonly called: string;
  readonly image: ImageFact;
  readonly job?: WorkloadFact;
}

function ofWorkloads(workloads: readonly WorkloadFact[]): readonly Running[] {
  return [...lightdashContainers(workloads), ...otherContainers(workloads)].map(
    ({ workload, container: { image } }) => ({
      called: nameOf(workload),
      image,
      ...(workload.kind === 'Job' ? { job: workload } : {}),
    }),
  );
}

/** What a rollout that has not ended leaves running: pods of a release that no workload names any more. */
function formerPods(
  workloads: readonly WorkloadFact[],
  running: readonly WorkloadFact[],
  pods: FactOf<'pods'>,
): readonly Running[] {
  const named = new Set(lightdashContainers(running).map(({ container }) => releaseOf(container)));
  return servingPods(workloads, pods)
    .filter(({ phase }) => phase !== 'Succeeded' && phase !== 'Failed')
    .flatMap(({ name, containers }) =>
      ownContainers(containers)
        .filter((container) => !named.has(releaseOf(container)))
        .map(({ image }) => ({ called: `Pod ${name}`, image })),
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
function judgeUnpinned(one: Running, from: Version): Found<Kinds> {
  const { called, image } = one;
  const { reference, digest, pullPolicy } = image;
  if (reference === '') return [stop(called, { kind: 'image-without-name', workload: called })];
  if (digest === null) return [stop(called, { kind: 'image-not-pinned', ...namedOf(one), pullPolicy, from })];
  return [
    warn(called, { kind: 'image-by-digest-alone', ...namedOf(one) }),
    { lacks: 'workloads', why: 'failed', detail: `the release that ${called} runs` },
  ];
}

type Pinned = Running & { readonly version: Version; readonly suffix: string };

/** A job that has ended stays in the cluster with the release of its time. */
function withoutFormerJobs(pinned: readonly Pinned[]): readonly Pinned[] {
  const lasting = pinned.filter(({ job }) => job === undefined);
  return pinned.filter(({ job, version }) => {
    const hasEnded = (job?.succeeded ?? 0) > 0 || (job?.failed ?? 0) > 0;
    return !hasEnded || lasting.every((other) => compareVersions(version, other.version) >= 0);
  });
}

function judgeReleases(
  pinned: readonly Pinned[],
  { from, to, inUse }: { readonly from: Version; readonly to: Version; readonly inUse: boolean },
): Found<Kinds> {
  const [version, ...others] = new Set(pinned.map((one) => one.version));
  if (version === undefined) return [];
  if (others.length > 0) {
    const found = pinned.map((one) => ({ ...namedOf(one), version: one.version }));
    return [stop(null, { kind: 'images-of-several-releases', found })];
  }
  if (version === from || (version === to && !inUse)) return [];
  return version === to
    ? [stop(null, { kind: 'images-of-the-target', from, to })]
    : [stop(null, { kind: 'images-of-another-release', found: version, from, to })];
}

/** One release from two registries, or with two suffixes or digests, may be two builds, or a digest of an old one. */
function judgePlaces(pinned: readonly Pinned[]): Found<Kinds> {
  const byPlace = new Map(pinned.map((one) => [`${placeOf(one)}:${one.suffix}`, namedOf(one)]));
  const byDigest = new Map(
    pinned.flatMap((one) => (one.image.digest === null ? [] : [[one.image.digest, namedOf(one)]])),
  );
  if (byPlace.size < 2 && byDigest.size < 2) return [];
  const found = byDigest.size < 2 ? byPlace : byDigest;
  return [warn(null, { kind: 'images-differ', found: [...found.values()] })];
}

/** What does not start: the registry of Docker no longer has images of Bitnami (#17392), and newer images no yarn. */
function judgeStart(workload: WorkloadFact, to: Version): Found<Kinds> {
  const called = nameOf(workload);
  const gone = workload.containers.filter(({ image }) => placeOf({ image }) === 'docker.io/bitnami/minio');
  const byYarn = !isOlder(to, firstWith.noYarn) && workload.containers.some((one) => one.byYarn);
  return [
    ...gone.map(({ image }) => warn(called, { kind: 'image-gone', ...namedOf({ called, image }) })),
    ...(byYarn ? [warn(called, { kind: 'starts-by-yarn', workload: called })] : []),
  ];
}

function placeOf({ image: { registry, repository } }: Pick<Running, 'image'>): string {
  return `${registry ?? 'docker.io'}/${repository}`;
}

function namedOf({ called, image }: Running): Named {
  return { workload: called, image: image.reference };
}
