import { servingContainers } from '../../facts/lightdash-containers.js';
import { requireVersion } from '../../release-safety/version.js';
import { type Answers, defineCheck, foundOrOk, type Judgement, warn } from '../check.js';
import { isOlder } from '../runtime-eras.js';
import { stateOfVariable } from '../variables.js';
import { lackingWorkloads, nameOf } from '../workloads.js';

const gibibyte = 1024 ** 3;

/** Between these limits, Node's heap is 2,240 MB or little more, however much memory there is (lightdash #28559). */
export const plateau = { from: 4 * gibibyte, to: 14 * gibibyte } as const;

/** Seen in images up to 2.12x; the issue was still open when it was read. Nothing is known of later images. */
export const seenBefore = requireVersion('2.130.0');

export type MemoryLimitEvidence =
  | {
      readonly kind: 'heap-below-limit';
      readonly workload: string;
      readonly container: string;
      readonly limitBytes: number;
      /** Secrets, ConfigMaps and files that were not seen: one of them may set `NODE_OPTIONS`. */
      readonly unseen: readonly string[];
    }
  | { readonly kind: 'memory-limits-used'; readonly containers: number; readonly known: boolean };

/** Whether Node leaves most of a memory limit unused: large compiles then crash it although there is free memory. */
export const memoryLimit = defineCheck({
  id: 'memory-limit',
  group: 'deployment',
  canStop: false,
  needs: ['deployment', 'workloads'],
  needsArtifacts: false,
  judge({ to, facts: { deployment, workloads } }): Answers<MemoryLimitEvidence> {
    const serving = servingContainers(workloads);
    const known = isOlder(to, seenBefore);
    const findings = serving.flatMap(({ workload, container }): Judgement<MemoryLimitEvidence>[] => {
      const { memoryLimitBytes: limitBytes, name } = container;
      if (!known || limitBytes === null || limitBytes < plateau.from || limitBytes > plateau.to) return [];
      if (stateOfVariable(container, 'NODE_OPTIONS') === 'set') return [];
      const unseen = container.variablesFrom.filter(({ keys }) => keys === null).map(({ object }) => object);
      const subject = nameOf(workload);
      return [
        warn(subject, { kind: 'heap-below-limit', workload: subject, container: name, limitBytes, unseen }),
      ];
    });
    return foundOrOk([...lackingWorkloads(deployment, workloads), ...findings], {
      kind: 'memory-limits-used',
      containers: serving.length,
      known,
    });
  },
});
