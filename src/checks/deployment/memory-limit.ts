import { isOlder, requireVersion } from '../../core/version.js';
import { servingContainers } from '../../instance/facts/lightdash-containers.js';

import { stateOfVariable, workloadName, workloadsNotSeen } from '../../instance/workloads.js';
import { countOf, describeBytes, listNames } from '../../words/phrase.js';
import { defineCheck, ok, warn } from '../check.js';

const gibibyte = 1024 ** 3;

/** Between these limits, Node's heap is 2,240 MB or little more, however much memory there is (lightdash #28559). */
const seenHeaps = { from: 4 * gibibyte, to: 14 * gibibyte } as const;

/** Seen in images up to 2.12x; the issue was still open when it was read. Nothing is known of later images. */
const seenBefore = requireVersion('2.130.0');

/** The heap's share of a limit, in MiB: the rest is for Node's memory outside the heap. */
const heapOf = (limitBytes: number) => Math.floor((limitBytes * 3) / 4 / 1024 ** 2);

export const memoryLimit = defineCheck({
  id: 'memory-limit',
  canStop: false,
  needs: ['deployment', 'workloads'],
  *judge({ to, facts: { deployment, workloads } }) {
    yield* workloadsNotSeen(deployment, workloads);
    const serving = servingContainers(workloads);
    const known = isOlder(to, seenBefore);
    for (const { workload, container } of serving) {
      const { memoryLimitBytes: limitBytes, name } = container;
      if (!known || limitBytes === null || limitBytes < seenHeaps.from || limitBytes > seenHeaps.to) continue;
      if (stateOfVariable(container, 'NODE_OPTIONS') === 'set') continue;
      // One of them may set it.
      const unseen = container.variablesFrom.filter(({ keys }) => keys === null).map(({ object }) => object);
      const about = { workload: workloadName(workload), container: name, limitBytes, unseen };
      yield warn(about.workload, { kind: 'heap-below-limit', ...about });
    }
    return ok({ kind: 'memory-limits-used', containers: serving.length, known });
  },
})({
  label: 'Memory limits',
  meaning:
    'Whether Node uses the memory that its container is allowed. What it looks at: The memory limit of every ' +
    'container that runs Lightdash, and whether NODE_OPTIONS is set there. Between ' +
    `${describeBytes(seenHeaps.from)} and ${describeBytes(seenHeaps.to)}, Node by default uses a heap of little ` +
    `more than 2,240 MB (lightdash #28559, seen in images before ${seenBefore}); nothing is known about later ` +
    'images.',
  finds: {
    'heap-below-limit': {
      meaning: 'Node uses little of the memory limit, so large compiles end with exit code 134 (heap limit).',
      remedy: 'Set NODE_OPTIONS to a heap that fits the limit, such as three quarters of it.',
      describe({ workload, container, limitBytes, unseen }) {
        const state = unseen.length === 0 ? 'set' : `known to be set; ${listNames(unseen)} may set it`;
        return `${container} of ${workload} may use ${describeBytes(limitBytes)}, but NODE_OPTIONS is not ${state}`;
      },
      advise: ({ workload, limitBytes }) =>
        `Set NODE_OPTIONS of ${workload} to a heap that fits the limit, such as ` +
        `--max-old-space-size=${heapOf(limitBytes)}, three quarters of it.`,
    },
    'memory-limits-used': ({ containers, known }) =>
      `none of ${countOf(containers, 'container')} is known to leave memory ` +
      `unused${known ? '' : ' (the target is too new to know)'}`,
  },
});
