import { type MemoryLimitEvidence, plateau, seenBefore } from '../../../preflight/checks/memory-limit.js';
import { countOf } from '../../phrase.js';
import { listNames } from '../lists.js';
import { describeBytes } from '../measures.js';
import type { CheckWords } from './check-words.js';

/** The heap's share of a limit, in MiB: the rest is for Node's memory outside the heap. */
const heapOf = (limitBytes: number) => Math.floor((limitBytes * 3) / 4 / 1024 ** 2);

export const memoryLimitWords: CheckWords<MemoryLimitEvidence> = {
  label: 'Memory limits',
  meaning: 'Whether Node uses the memory that its container is allowed.',
  looksAt: `The memory limit of every container that runs Lightdash, and whether NODE_OPTIONS is set there. Between ${describeBytes(plateau.from)} and ${describeBytes(plateau.to)} Node by default uses a heap of 2,240 MB or little more (lightdash #28559, seen in images before ${seenBefore}); nothing is known about later images.`,
  finds: {
    'heap-below-limit': {
      meaning:
        'Node by default uses only a small part of the memory limit of a container. Large compiles end it with exit code 134 (heap limit), although memory is free.',
      remedy: 'Set NODE_OPTIONS to a heap that fits the limit, such as three quarters of it.',
      describe: ({ workload, container, limitBytes, unseen }) =>
        `${container} of ${workload} may take ${describeBytes(limitBytes)}, and NODE_OPTIONS is not ${
          unseen.length === 0 ? 'set' : `seen to be set; ${listNames(unseen)} may set it`
        }`,
      advise: ({ workload, limitBytes }) =>
        `Set NODE_OPTIONS of ${workload} to a heap that fits the limit, such as --max-old-space-size=${heapOf(limitBytes)}, three quarters of it.`,
    },
    'memory-limits-used': {
      meaning:
        'No container has such a limit without NODE_OPTIONS, or the target is newer than what is known.',
      describe: ({ containers, known }) =>
        known
          ? `none of ${countOf(containers, 'container')} leaves its memory unused`
          : `the target is newer than the images that this was seen in`,
    },
  },
};
