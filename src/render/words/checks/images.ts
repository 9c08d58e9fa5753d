import type { ImagesEvidence } from '../../../preflight/checks/images.js';
import { countOf } from '../../phrase.js';
import { listNames } from '../lists.js';
import type { CheckWords } from './check-words.js';

export const imagesWords: CheckWords<ImagesEvidence> = {
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
    'images-agree': {
      meaning: 'Every workload runs one exact release, and it is the stated one.',
      describe: ({ version, images }) => `${countOf(images, 'container')} of ${version}`,
    },
  },
};
