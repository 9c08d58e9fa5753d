import { compareVersions, isOlder, type Version } from '../../core/version.js';
import type { ImageFact, WorkloadFact } from '../../instance/facts/deployment-facts.js';
import {
  lightdashContainers,
  otherContainers,
  ownContainers,
  type ReleaseTag,
  releaseTagOf,
  servingPods,
} from '../../instance/facts/lightdash-containers.js';
import { type FactOf, mayNotSee } from '../../instance/facts/needs.js';
import { firstWith } from '../../instance/first-versions.js';
import { scalerOf, workloadName, workloadsNotSeen } from '../../instance/workloads.js';
import { countOf, listNames } from '../../words/phrase.js';
import { defineCheck, lacks, ok, stop, warn } from '../check.js';

type WorkloadImage = Readonly<Record<'workload' | 'image', string>>;

export const images = defineCheck({
  id: 'images',
  needs: ['deployment', 'workloads'],
  mayNeed: ['pods', 'autoscalers'],
  *judge({ from, to, facts: { deployment, workloads, pods, autoscalers } }) {
    // A worker at zero runs nothing, unless an autoscaler brings it back.
    const running = workloads.filter(
      (workload) =>
        workload.role !== 'worker' ||
        workload.replicas !== 0 ||
        scalerOf(workload, autoscalers) !== undefined,
    );
    const isCluster = deployment.origin === 'cluster';
    yield* workloadsNotSeen(deployment, workloads);
    if (mayNotSee(deployment, 'Job')) yield lacks('workloads', { why: 'not-permitted' });
    if (isCluster && pods == null) yield lacks('pods');
    const pinned: Pinned[] = [];
    for (const container of [...ofWorkloads(running), ...formerPods(workloads, running, pods ?? [])]) {
      const release = releaseTagOf(container.image);
      if (release === undefined) yield* judgeUnpinned(container, from);
      else pinned.push({ ...container, ...release });
    }
    const current = withoutFormerJobs(pinned);
    const [version = '', ...others] = new Set(current.map((container) => container.version));
    const isTarget = version === to && version !== from;
    if (others.length > 0) {
      const found = current.map((container) => ({
        ...workloadImageOf(container),
        version: container.version,
      }));
      yield stop(null, { kind: 'images-of-several-releases', found });
    } else if (isTarget && isCluster) yield stop(null, { kind: 'images-of-the-target', from, to });
    else if (current.length > 0 && version !== from && !isTarget)
      yield stop(null, { kind: 'images-of-another-release', found: version, from, to });
    yield* judgePlaces(current);
    for (const workload of running) yield* judgeStart(workload, to);
    return ok({ kind: 'images-agree', version, images: current.length });
  },
})({
  label: 'Images',
  meaning:
    'Whether every workload runs the same exact release: the one the upgrade starts from. What it looks at: ' +
    'The image of every container that runs Lightdash: backend, scheduler, workers and the migration job; in a ' +
    'cluster also that of every pod, because an unfinished rollout leaves older ones. An exact tag (1.2.3, ' +
    'with a v or the suffix of a variant) names a release; latest, no tag, a moving tag, a pre-release (-rc.1) ' +
    'or a commit build (-abc1234) names none. A digest fixes an image but does not show its release: the tag ' +
    'next to it is trusted. A worker at zero replicas that no autoscaler brings back runs nothing and is left ' +
    'out. Also whether an image is one of Bitnami that is gone, and whether a command needs yarn.',
  traitsOf: {
    'images-of-several-releases': { neverAccepted: 'another-instance' },
    'images-of-another-release': { neverAccepted: 'another-instance' },
    'images-of-the-target': { neverAccepted: 'another-instance' },
  },
  finds: {
    'image-not-pinned': {
      meaning: 'The tag names no exact release, so what the next start runs is not known.',
      remedy: 'Pin the tag of the release that runs, roll that out, then check again.',
      describe: ({ workload, image, pullPolicy }) =>
        `${workload} runs ${image}, which is not an exact release${
          pullPolicy === null ? '' : `; its pull policy is ${pullPolicy}`
        }`,
    },
    'image-by-digest-alone': {
      meaning: 'An image is pinned by its digest alone. No tag shows its release, so it was not compared.',
      remedy: 'Write the tag of the release before the digest: lightdash/lightdash:1.2.3@sha256:....',
      describe: ({ workload, image }) => `${workload} runs ${image}, and nothing shows its release`,
    },
    'image-without-name': {
      meaning: 'A compose service is built locally, and its image has no name: nothing shows its release.',
      remedy: 'Name it, with the tag of its release, next to build: image: acme/lightdash:1.2.3.',
      describe: ({ workload }) => `${workload} is built, and its image has no name`,
    },
    'image-gone': {
      meaning:
        'The image docker.io/bitnami/minio, of compose files before 0.2114.1, can no longer be pulled.',
      remedy: 'Use the object storage of the compose file of 0.2114.1 or newer, or another MinIO image.',
      describe: ({ workload, image }) => `${workload} runs ${image}, which can no longer be pulled`,
    },
    'starts-by-yarn': {
      meaning: 'A command starts with yarn workspace; images since 0.1456.1 have pnpm, so it probably fails.',
      remedy: 'Remove it, or write pnpm -F backend in place of yarn workspace backend.',
      describe: ({ workload }) => `${workload} starts with yarn workspace, but the image has no yarn`,
    },
    'images-of-several-releases': {
      meaning:
        'Several releases run on one database: a rollout is unfinished, or one workload is pinned separately.',
      remedy: 'Bring all to the newest release that has migrated the database, and wait for the rollout.',
      describe: ({ found }) =>
        `several releases run: ${listNames(found.map(({ workload, version }) => `${workload} ${version}`))}`,
    },
    'images-of-another-release': {
      meaning: 'What is deployed is neither the release given as running nor the target.',
      remedy: 'Pass the running version with --from, or the manifests of this upgrade.',
      describe: ({ found, from, to }) =>
        `the images are ${found}, not ${[...new Set([from, to])].join(' or ')}`,
    },
    'images-of-the-target': {
      meaning: 'The cluster already has the target. The upgrade is done or in progress.',
      remedy:
        'Check with lightspan upgrade-verify whether it succeeded, or pass the running version with --from.',
      describe: ({ from, to }) => `the cluster already has ${to}, not ${from}`,
    },
    'images-differ': {
      meaning:
        'One release comes from several places, or with several suffixes or digests, so the builds differ.',
      remedy: 'Use one place, one suffix and one digest for all images.',
      describe: ({ found }) => `the images differ: ${listNames(found.map(({ image }) => image))}`,
    },
    'images-agree': ({ version, images }) => `${countOf(images, 'container')} of ${version}`,
  },
});

/** What names an image: a workload, such as `Deployment lightdash-backend`, or a pod with another than its workload. */
interface Running {
  readonly called: string;
  readonly image: ImageFact;
  readonly job?: WorkloadFact;
}

function ofWorkloads(workloads: readonly WorkloadFact[]): readonly Running[] {
  return [...lightdashContainers(workloads), ...otherContainers(workloads)].map(
    ({ workload, container }) => ({
      ...{ called: workloadName(workload), image: container.image },
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
function* judgeUnpinned(container: Running, from: Version) {
  const { called, image } = container;
  const { reference, digest, pullPolicy } = image;
  if (reference === '') yield stop(called, { kind: 'image-without-name', workload: called });
  else if (digest === null)
    yield stop(called, { kind: 'image-not-pinned', ...workloadImageOf(container), pullPolicy, from });
  else {
    yield warn(called, { kind: 'image-by-digest-alone', ...workloadImageOf(container) });
    yield lacks('workloads', { why: 'failed', detail: `the release that ${called} runs` });
  }
}

type Pinned = Running & ReleaseTag;

/** A job that has ended stays in the cluster with the release of its time. */
function withoutFormerJobs(pinned: readonly Pinned[]): readonly Pinned[] {
  const lasting = pinned.filter(({ job }) => job === undefined);
  return pinned.filter(({ job, version }) => {
    const hasEnded = (job?.succeeded ?? 0) > 0 || (job?.failed ?? 0) > 0;
    return (
      !hasEnded ||
      lasting.every((lastingContainer) => compareVersions(version, lastingContainer.version) >= 0)
    );
  });
}

/** One release from two registries, or with two suffixes or digests, may be two builds, or a digest of an old one. */
function* judgePlaces(pinned: readonly Pinned[]) {
  const byPlace = new Map(
    pinned.map((container) => [
      `${placeOf(container.image)}:${container.suffix}`,
      workloadImageOf(container),
    ]),
  );
  const withDigest = pinned.filter(({ image }) => image.digest !== null);
  const byDigest = new Map(
    withDigest.map((container) => [container.image.digest, workloadImageOf(container)]),
  );
  const releasesFound = byDigest.size < 2 ? byPlace : byDigest;
  if (releasesFound.size > 1) yield warn(null, { kind: 'images-differ', found: [...releasesFound.values()] });
}

/**
 * Images that cannot start: Docker's registry no longer has those of Bitnami (#17392), and newer images of Lightdash
 * have no yarn.
 */
function* judgeStart(workload: WorkloadFact, to: Version) {
  const called = workloadName(workload);
  for (const { image } of workload.containers) {
    if (placeOf(image) === 'docker.io/bitnami/minio')
      yield warn(called, { kind: 'image-gone', ...workloadImageOf({ called, image }) });
  }
  if (!isOlder(to, firstWith.noYarn) && workload.containers.some((container) => container.byYarn))
    yield warn(called, { kind: 'starts-by-yarn', workload: called });
}

function placeOf({ registry, repository }: ImageFact): string {
  return `${registry ?? 'docker.io'}/${repository}`;
}

function workloadImageOf({ called, image }: Running): WorkloadImage {
  return { workload: called, image: image.reference };
}
