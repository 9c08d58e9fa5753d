import type { WorkloadFact } from '../../instance/facts/deployment-facts.js';
import { mayNotSee } from '../../instance/facts/needs.js';
import { scalerOf, workloadsNotSeen } from '../../instance/workloads.js';
import { countOf, listNames } from '../../words/phrase.js';
import { defineCheck, lacks, ok, warn } from '../check.js';
import { kubectl } from '../commands.js';

interface Budget {
  readonly budget: string;
  readonly workloads: readonly string[];
  readonly replicas: number;
  readonly namespace: string | null;
}

const pods = ({ workloads, replicas }: Pick<Budget, 'workloads' | 'replicas'>) =>
  `${countOf(replicas, 'pod')} of ${listNames(workloads)}`;

function patch(
  { budget, namespace }: Pick<Budget, 'budget' | 'namespace'>,
  ...operations: readonly object[]
) {
  const patchWords = ['patch', 'poddisruptionbudget', budget, '--type', 'json', '--patch'];
  return [kubectl(namespace, ...patchWords, JSON.stringify(operations))];
}
const oneUnavailable = { path: '/spec/maxUnavailable', value: 1 };

const remedy =
  'Allow one pod to go: set podDisruptionBudget.maxUnavailable to 1 in the values of the chart (its default ' +
  'from 2.12.0 on), without minAvailable.';

export const disruptionBudget = defineCheck({
  id: 'disruption-budget',
  canStop: false,
  needs: ['deployment', 'workloads'],
  needsOrAbsent: ['disruptionBudgets'],
  mayNeed: ['autoscalers'],
  *judge({ facts: { deployment, workloads, disruptionBudgets: budgets, autoscalers } }) {
    if (budgets === null && deployment.kind === 'compose') return ok({ kind: 'compose-has-no-budgets' });
    if (budgets === null) return lacks('disruptionBudgets');
    if (mayNotSee(deployment, 'PodDisruptionBudget'))
      return lacks('disruptionBudgets', { why: 'not-permitted' });
    yield* workloadsNotSeen(deployment, workloads);
    for (const { name: budget, workloads: names, ...allows } of budgets) {
      const { minAvailable, maxUnavailable, disruptionsAllowed } = allows;
      const covered = workloads.filter(({ name }) => names.includes(name));
      const replicas = covered.reduce((sum, workload) => sum + replicasOf(workload, autoscalers), 0);
      const namespace = covered[0]?.namespace ?? deployment.namespace;
      const about = { budget, workloads: names, replicas, namespace };
      if (replicas === 0) continue;
      if (minAvailable !== null && podsOf(minAvailable, replicas) >= replicas)
        yield warn(budget, { kind: 'budget-keeps-all-pods', minAvailable, ...about });
      else if (maxUnavailable !== null && podsOf(maxUnavailable, replicas) === 0)
        yield warn(budget, { kind: 'budget-lets-none-go', maxUnavailable, ...about });
      else if (disruptionsAllowed === 0) yield warn(budget, { kind: 'budget-allows-none-now', ...about });
    }
    return ok({ kind: 'budgets-let-pods-go', budgets: budgets.length });
  },
})({
  label: 'Disruption budgets',
  meaning:
    'Whether a PodDisruptionBudget lets a node be drained. What it looks at: minAvailable, maxUnavailable and, ' +
    'in a cluster, the disruptions allowed now of every PodDisruptionBudget, against the pods that it selects. ' +
    'A rollout ignores budgets; draining a node, and so upgrading the cluster, waits for them forever.',
  finds: {
    'budget-keeps-all-pods': {
      meaning: 'A budget requires all the pods there are, such as 1 of one replica. A drain hangs.',
      remedy,
      describe: ({ minAvailable, ...blocked }) =>
        `the budget ${blocked.budget} has minAvailable ${minAvailable}, for ${pods(blocked)}`,
      shell: (blocked) => {
        const removed = { op: 'remove', path: '/spec/minAvailable' };
        return patch(blocked, removed, { op: 'add', ...oneUnavailable });
      },
    },
    'budget-lets-none-go': {
      meaning: 'A budget allows no disruption. A drain hangs.',
      remedy,
      describe: ({ maxUnavailable, ...blocked }) =>
        `the budget ${blocked.budget} has maxUnavailable ${maxUnavailable}, for ${pods(blocked)}`,
      shell: (blocked) => patch(blocked, { op: 'replace', ...oneUnavailable }),
    },
    'budget-allows-none-now': {
      meaning: 'A budget allows no disruption now, because some of its pods are not ready. A drain hangs.',
      remedy: 'Find out why pods are not ready, before the upgrade.',
      describe: (blocked) => `the budget ${blocked.budget} allows no disruption now, for ${pods(blocked)}`,
      shell: ({ budget, namespace }) => [kubectl(namespace, 'describe', 'poddisruptionbudget', budget)],
    },
    'budgets-let-pods-go': ({ budgets }) => `${countOf(budgets, 'budget')}, none keeps all pods`,
    'compose-has-no-budgets': 'Compose has no disruption budgets.',
  },
});

/** A number of pods, or a percentage of them, which Kubernetes rounds up. */
function podsOf(written: string, replicas: number): number {
  const percent = /^(\d+)%$/.exec(written)?.[1];
  return percent === undefined ? Number(written) : Math.ceil((Number(percent) * replicas) / 100);
}

/** An autoscaler does not touch what is scaled to 0. */
function replicasOf(workload: WorkloadFact, autoscalers: Parameters<typeof scalerOf>[1]): number {
  const { replicas } = workload;
  const least = scalerOf(workload, autoscalers)?.minReplicas ?? 1;
  return replicas === 0 ? 0 : Math.max(replicas ?? 1, least);
}
