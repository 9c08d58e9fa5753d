import { compact } from '../../../core/text/compact.js';
import { firstLines } from '../../../words/lists.js';
import { countOf, listNames } from '../../../words/phrase.js';
import { deployWords } from '../../../words/route/deploy-words.js';
import type { Answer, Fact } from '../../answer.js';
import { downtimeOf } from './hops.js';
import { mannerOf } from './picture.js';

/**
 * What a board decides by: in how many steps, how long it is down, what going back costs, and who has to do what. Whether
 * it is allowed says the headline above it.
 */
export function decisionFacts({ hops, changes, deploy }: Answer): readonly Fact[] {
  if (hops.length === 0) return [];
  const downtime = downtimeOf(hops);
  const { canRoll } = deployWords[deploy];
  const restored = hops.flatMap((hop, i) => ((hop.wayBack?.needs ?? 'backup') === 'backup' ? [i + 1] : []));
  const lost =
    'what is written after the backup is lost, and jobs that were queued then run again: deliveries go out twice';
  const goingBack =
    restored.length === 0
      ? 'without a restore: nothing that is written is lost'
      : `by the backup taken right before ${hopsNamed(restored, hops.length)}: ${lost}`;
  return compact<Fact>(
    {
      label: 'Steps',
      text: `${hops.length}: ${firstLines(hops.map((hop) => `${hop.fromVersion} \u2192 ${hop.toVersion}, ${mannerOf(hop, deploy)}`)).join('; ')}`,
    },
    {
      label: 'Downtime',
      text:
        downtime ??
        (canRoll ? 'none: every step is a rolling update' : `each step ${deployWords[deploy].downtime}`),
    },
    { label: 'Going back', text: goingBack },
    {
      label: 'Who does what',
      text: '',
      items: compact<string>(
        changes !== undefined &&
          `Owners of the instance: read ${countOf(changes.rows.length, 'change')} (What changes for you), before and after`,
        `Administrator of the database: a backup that can be restored, ${restored.length === 0 ? 'even so' : 'with all that writes stopped'}`,
        `Operator: the commands of each step (upgrade-plan), upgrade-preflight before it and upgrade-verify after it`,
      ),
    },
  );
}

function hopsNamed(numbers: readonly number[], all: number): string {
  if (all === 1) return 'the step';
  return numbers.length === all ? 'each step' : `step ${listNames(numbers.map(String))}`;
}
