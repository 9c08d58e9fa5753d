import type { ImagesEvidence } from '../../../preflight/checks/images.js';
import { countOf } from '../../phrase.js';
import { tellNames } from '../lists.js';
import type { CheckWords } from './check-words.js';

export const imagesWords: CheckWords<ImagesEvidence> = {
  label: 'Images',
  meaning:
    'Whether every workload runs one exact release, the same, and the one that the upgrade begins with.',
  looksAt:
    'The image of every container that runs Lightdash: backend, scheduler, workers and the job that migrates. An exact tag (1.2.3, with a v or a suffix) tells a release; latest, no tag, or a tag that moves tells none, and what starts next is what the tag then is. A digest holds an image, and does not tell its release.',
  finds: {
    'image-not-pinned': {
      meaning:
        'An image has no tag of one exact release. Any restart may start another release, past what was checked.',
      remedy: 'Pin the tag of the release that runs, let that roll out, and ask again.',
      describe: ({ workload, image, pullPolicy }) =>
        `${workload} runs ${image}, which is no exact release${
          pullPolicy === null ? '' : `; its pull policy is ${pullPolicy}`
        }`,
      advise: ({ from }) =>
        `Pin the tag ${from}, or what really runs where that is another release; let it roll out, and ask again.`,
    },
    'image-by-digest-alone': {
      meaning: 'An image is held by its digest, and no tag tells its release. It was not compared.',
      remedy: 'Write the tag of the release before the digest, as in lightdash/lightdash:1.2.3@sha256:....',
      describe: ({ workload, image }) => `${workload} runs ${image}, of which nothing tells the release`,
    },
    'images-of-several-releases': {
      meaning:
        'Workloads run different releases: an upgrade stopped half-way, or one of them is pinned apart. They share one database.',
      remedy: 'Bring every workload to one release first, the newest that has migrated the database.',
      describe: ({ found }) =>
        `workloads run several releases: ${tellNames(found.map(({ workload, version }) => `${workload} ${version}`))}`,
    },
    'images-of-another-release': {
      meaning: 'What is deployed is neither the release that runs by what was said, nor the target.',
      remedy: 'Say with --from what really runs, or give the manifests of this upgrade.',
      describe: ({ found, from, to }) =>
        `the images are of ${found}, and not of ${[...new Set([from, to])].join(' or ')}`,
    },
    'images-of-the-target': {
      meaning: 'The cluster has the target already. The upgrade was done, or is under way.',
      remedy: 'See whether it went well with lightspan upgrade-verify, or say with --from what runs.',
      describe: ({ from, to }) => `the cluster has ${to} already, and not ${from}`,
    },
    'images-differ': {
      meaning:
        'The same release comes from several places, or with several suffixes. It may be several builds.',
      remedy: 'Take all images from one place, with one suffix.',
      describe: ({ found }) => `the images are not the same: ${tellNames(found.map(({ image }) => image))}`,
    },
    'images-agree': {
      meaning: 'Every workload runs one exact release, and it is the one that was said.',
      describe: ({ version, images }) => `${countOf(images, 'container')} of ${version}`,
    },
  },
};
