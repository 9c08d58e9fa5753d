import type { DisruptionBudgetEvidence } from '../../../preflight/checks/disruption-budget.js';
import { countOf } from '../../phrase.js';
import { listNames } from '../lists.js';
import type { CheckWords } from './check-words.js';
import { kubectl } from './kubectl.js';

const pods = ({
  workloads,
  replicas,
}: {
  readonly workloads: readonly string[];
  readonly replicas: number;
}) => `${countOf(replicas, 'pod')} of ${listNames(workloads)}`;

const loosen = (
  { budget, namespace }: { readonly budget: string; readonly namespace: string | null },
  patch: readonly object[],
) => [
  kubectl(
    namespace,
    ...['patch', 'poddisruptionbudget', budget],
    ...['--type', 'json', '--patch', JSON.stringify(patch)],
  ),
];
const maxUnavailable = { path: '/spec/maxUnavailable', value: 1 };

const remedy =
  'Let one pod go: podDisruptionBudget.maxUnavailable 1 in the values of the chart (its default from 2.12.0 on), without minAvailable.';

export const disruptionBudgetWords: CheckWords<DisruptionBudgetEvidence> = {
  label: 'Disruption budgets',
  meaning: 'Whether a PodDisruptionBudget lets a node be drained.',
  looksAt:
    'minAvailable, maxUnavailable and, in a cluster, what is allowed now, of every PodDisruptionBudget, against the pods that it selects. A rollout ignores budgets; draining a node, and so upgrading the cluster, waits for them forever.',
  finds: {
    'budget-keeps-all-pods': {
      meaning:
        'A budget requires as many pods as there are, such as minAvailable 1 with one replica. A drain hangs.',
      remedy,
      describe: ({ minAvailable, ...held }) =>
        `the budget ${held.budget} has minAvailable ${minAvailable}, for ${pods(held)}`,
      pasteIn: 'shell',
      commands: (held) =>
        loosen(held, [
          { op: 'remove', path: '/spec/minAvailable' },
          { op: 'add', ...maxUnavailable },
        ]),
    },
    'budget-lets-none-go': {
      meaning: 'A budget lets no pod go. A drain hangs.',
      remedy,
      describe: ({ maxUnavailable: most, ...held }) =>
        `the budget ${held.budget} has maxUnavailable ${most}, for ${pods(held)}`,
      pasteIn: 'shell',
      commands: (held) => loosen(held, [{ op: 'replace', ...maxUnavailable }]),
    },
    'budget-allows-none-now': {
      meaning: 'A budget lets no pod go at this moment: pods that it counts are not ready. A drain hangs.',
      remedy: 'Find out why pods are not ready, before the upgrade.',
      describe: (held) => `the budget ${held.budget} lets none go now, of ${pods(held)}`,
      pasteIn: 'shell',
      commands: ({ budget, namespace }) => [kubectl(namespace, 'describe', 'poddisruptionbudget', budget)],
    },
    'budgets-let-pods-go': {
      meaning: 'No budget keeps a node from being drained.',
      describe: ({ budgets }) =>
        budgets === 0 ? 'there is no budget' : `none of ${countOf(budgets, 'budget')} keeps all pods`,
    },
    'compose-has-no-budgets': {
      meaning: 'Compose has no disruption budgets.',
      describe: () => 'compose has no budgets',
    },
  },
};
