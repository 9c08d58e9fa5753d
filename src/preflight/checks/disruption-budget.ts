import type { WorkloadFact } from '../../facts/deployment-facts.js';
import { mayNotSee } from '../../facts/may-not-see.js';
import { type Answers, defineCheck, type FactOf, foundOrOk, type Judgement, ok, warn } from '../check.js';
import { lackingWorkloads, scalerOf } from '../workloads.js';

type Budget = FactOf<'disruptionBudgets'>[number];

interface Held {
  readonly budget: string;
  readonly workloads: readonly string[];
  readonly replicas: number;
  readonly namespace: string | null;
}

export type DisruptionBudgetEvidence =
  | ({ readonly kind: 'budget-keeps-all-pods'; readonly minAvailable: string } & Held)
  | ({ readonly kind: 'budget-lets-none-go'; readonly maxUnavailable: string } & Held)
  | ({ readonly kind: 'budget-allows-none-now' } & Held)
  | { readonly kind: 'budgets-let-pods-go'; readonly budgets: number }
  | { readonly kind: 'compose-has-no-budgets' };

/**
 * Whether a PodDisruptionBudget lets a node be drained. One that allows no pod to go blocks the drain, and with it the
 * upgrade of the cluster. A rollout is not affected.
 */
export const disruptionBudget = defineCheck({
  id: 'disruption-budget',
  group: 'deployment',
  canStop: false,
  needs: ['deployment', 'workloads'],
  needsOrAbsent: ['disruptionBudgets'],
  mayNeed: ['autoscalers'],
  needsArtifacts: false,
  judge({ facts }): Answers<DisruptionBudgetEvidence> {
    const { deployment, workloads, disruptionBudgets: budgets, autoscalers } = facts;
    if (budgets === null) {
      return deployment.kind === 'compose'
        ? [ok({ kind: 'compose-has-no-budgets' })]
        : [{ lacks: 'disruptionBudgets', why: 'absent' }];
    }
    if (mayNotSee(deployment, 'PodDisruptionBudget')) {
      return [{ lacks: 'disruptionBudgets', why: 'not-permitted' }];
    }
    const replicasOf = (workload: WorkloadFact) => {
      const { replicas } = workload;
      const scaler = scalerOf(workload, autoscalers);
      // An autoscaler does not touch what is scaled to 0.
      return replicas === 0 ? 0 : Math.max(replicas ?? 1, scaler?.minReplicas ?? 1);
    };
    const findings = budgets.flatMap((budget): Judgement<DisruptionBudgetEvidence>[] => {
      const held = workloads.filter(({ name }) => budget.workloads.includes(name));
      const replicas = held.reduce((sum, workload) => sum + replicasOf(workload), 0);
      const evidence = judgeBudget(budget, {
        budget: budget.name,
        workloads: budget.workloads,
        replicas,
        namespace: held[0]?.namespace ?? deployment.namespace,
      });
      return evidence === undefined ? [] : [warn(budget.name, evidence)];
    });
    return foundOrOk([...lackingWorkloads(deployment, workloads), ...findings], {
      kind: 'budgets-let-pods-go',
      budgets: budgets.length,
    });
  },
});

function judgeBudget(
  { minAvailable, maxUnavailable, disruptionsAllowed }: Budget,
  held: Held,
): DisruptionBudgetEvidence | undefined {
  const { replicas } = held;
  if (replicas === 0) return undefined;
  if (minAvailable !== null && podsOf(minAvailable, replicas) >= replicas) {
    return { kind: 'budget-keeps-all-pods', minAvailable, ...held };
  }
  if (maxUnavailable !== null && podsOf(maxUnavailable, replicas) === 0) {
    return { kind: 'budget-lets-none-go', maxUnavailable, ...held };
  }
  return disruptionsAllowed === 0 ? { kind: 'budget-allows-none-now', ...held } : undefined;
}

/** A number of pods, or a percentage of them, which Kubernetes rounds up. */
function podsOf(written: string, replicas: number): number {
  const percent = /^(\d+)%$/.exec(written)?.[1];
  return percent === undefined ? Number(written) : Math.ceil((Number(percent) * replicas) / 100);
}
