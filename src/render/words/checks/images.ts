import type { ImagesEvidence } from '../../../preflight/checks/images.js';
import { countOf } from '../../phrase.js';
import { listNames } from '../lists.js';
import type { CheckWords } from './check-words.js';

export const imagesWords: CheckWords<ImagesEvidence> = {
  label: 'Images',
  meaning: 'Whether every workload runs the same exact release, and the one that the upgrade begins with.',
  looksAt:
    'The image of every container that runs Lightdash: backend, scheduler, workers and the job that migrates; in a cluster that of every pod too, because a rollout that has not ended leaves older ones. An exact tag (1.2.3, with a v or the suffix of a variant) names a release; latest, no tag, a tag that moves, a pre-release (-rc.1) or a build of a commit (-abc1234) names none. A digest fixes an image, but does not show its release: the tag next to it is trusted.',
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
