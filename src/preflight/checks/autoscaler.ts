import type { WorkloadFact } from '../../facts/deployment-facts.js';
import { servingContainers } from '../../facts/lightdash-containers.js';
import { mayNotSee } from '../../facts/may-not-see.js';
import { isUpgradedByHelm } from '../../facts/publisher-names.js';
import { chartOfRelease, chartWith, isChartBefore } from '../chart-eras.js';
import { type Answers, defineCheck, type FactOf, foundOrOk, type Judgement, ok, warn } from '../check.js';
import { migrationJobState } from '../migration-job.js';
import { lackingWorkloads, nameOf } from '../workloads.js';

export type AutoscalerEvidence =
  | {
      readonly kind: 'autoscaler-scales-up';
      readonly name: string;
      readonly namespace: string | null;
      readonly workload: string;
      readonly minReplicas: number;
    }
  | { readonly kind: 'autoscaler-removed-by-chart'; readonly name: string }
  | { readonly kind: 'autoscalers-may-stay'; readonly autoscalers: number }
  | { readonly kind: 'no-autoscaler' };

/**
 * Whether an autoscaler may bring back pods that were scaled to 0 for an upgrade that is not proven to roll. Newer
 * charts remove the autoscaler of the backend before their job migrates.
 */
export const autoscaler = defineCheck({
  id: 'autoscaler',
  group: 'deployment',
  canStop: false,
  needs: ['deployment', 'workloads'],
  needsOrAbsent: ['autoscalers', 'helm'],
  mayNeed: ['chartValues', 'stated'],
  needsArtifacts: false,
  judge({ line: { rolling }, facts }): Answers<AutoscalerEvidence> {
    const { deployment, workloads, autoscalers, helm } = facts;
    if (deployment.kind === 'compose') return [ok({ kind: 'no-autoscaler' })];
    const lacking = lackingWorkloads(deployment, workloads);
    if (lacking.length > 0) return lacking;
    if (autoscalers === null) return [{ lacks: 'autoscalers', why: 'absent' }];
    if (mayNotSee(deployment, 'HorizontalPodAutoscaler')) {
      return [{ lacks: 'autoscalers', why: 'not-permitted' }];
    }
    const scaled = autoscalers.flatMap((scaler) => {
      const workload = targetOf(scaler, workloads);
      return workload === undefined ? [] : [{ scaler, workload }];
    });
    if (scaled.length === 0) return [ok({ kind: 'no-autoscaler' })];
    if (rolling) return [ok({ kind: 'autoscalers-may-stay', autoscalers: scaled.length })];

    const chart = chartOfRelease(helm);
    const removes =
      chart !== undefined &&
      helm !== null &&
      isUpgradedByHelm(helm) &&
      !isChartBefore(chart, chartWith.scaleDown) &&
      migrationJobState(facts) === 'on';
    const findings = scaled.flatMap(({ scaler, workload }): Judgement<AutoscalerEvidence>[] => {
      if (removes && workload.role === 'backend') return [];
      const { name, minReplicas } = scaler;
      const evidence = { name, namespace: workload.namespace, workload: nameOf(workload), minReplicas };
      return [warn(name, { kind: 'autoscaler-scales-up', ...evidence })];
    });
    return foundOrOk(findings, {
      kind: 'autoscaler-removed-by-chart',
      name: scaled.map(({ scaler }) => scaler.name).join(', '),
    });
  },
});

function targetOf(
  { targetKind, targetName }: FactOf<'autoscalers'>[number],
  workloads: readonly WorkloadFact[],
): WorkloadFact | undefined {
  return servingContainers(workloads).find(
    ({ workload: { kind, name } }) => kind === targetKind && name === targetName,
  )?.workload;
}
