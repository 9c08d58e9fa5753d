import type { WorkloadFact } from '../facts/deployment-facts.js';
import { isUpgradedByHelm, servingContainers } from '../facts/lightdash-containers.js';
import { type FactOf, mayNotSee } from '../facts/needs.js';
import { chartOfRelease, chartWith, isChartBefore } from '../instance/eras.js';
import { lackingWorkloads, migrationJobState, nameOf } from '../instance/workloads.js';
import { countOf } from '../words/phrase.js';
import { defineCheck, type Found, foundOrOk, ok, warn } from './check.js';
import { kubectl } from './commands.js';

interface Kinds {
  'autoscaler-scales-up': { name: string; namespace: string | null; workload: string; minReplicas: number };
  'autoscaler-removed-by-chart': { name: string };
  'autoscalers-may-stay': { autoscalers: number };
  'no-autoscaler': null;
}

/**
 * Whether an autoscaler may bring back pods that were scaled to 0 for an upgrade that is not proven to roll. Newer
 * charts remove the autoscaler of the backend before their job migrates.
 */
export const autoscaler = defineCheck<Kinds>()({
  id: 'autoscaler',
  group: 'deployment',
  canStop: false,
  needs: ['deployment', 'workloads'],
  needsOrAbsent: ['autoscalers', 'helm'],
  mayNeed: ['chartValues', 'stated'],
  judge({ line: { rolling }, facts }) {
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
    const findings = scaled.flatMap(({ scaler, workload }): Found<Kinds> => {
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
  label: 'Autoscalers',
  meaning: 'Whether an autoscaler may bring pods back that were scaled to 0 for the upgrade.',
  looksAt: `HorizontalPodAutoscalers of the workloads that run Lightdash, if the upgrade is not proven to roll. From ${chartWith.scaleDown} on the chart removes that of the backend before its job migrates; if the upgrade then fails, neither pods nor autoscaler come back by themselves.`,
  finds: {
    'autoscaler-scales-up': {
      meaning:
        'An autoscaler may bring old pods back while the database is migrated, which Recreate is meant to prevent.',
      remedy:
        'Remove it before you scale down. A Helm upgrade creates it again; in other deployments keep a copy, and apply it after the upgrade. If an operator such as KEDA creates it, pause it there.',
      describe: ({ name, workload, minReplicas }) =>
        `the autoscaler ${name} keeps ${workload} at ${countOf(minReplicas, 'pod')} or more`,
      shell: ({ name, namespace }) => [
        `${kubectl(namespace, 'get', 'horizontalpodautoscaler', name, '--output', 'yaml')} > autoscaler-before-upgrade.yaml`,
        kubectl(namespace, 'delete', 'horizontalpodautoscaler', name),
      ],
    },
    'autoscaler-removed-by-chart': ({ name }) =>
      `the chart removes the autoscaler ${name} before its job migrates`,
    'autoscalers-may-stay': ({ autoscalers }) =>
      `${countOf(autoscalers, 'autoscaler')}, and the upgrade is proven to roll`,
    'no-autoscaler': 'Nothing that runs Lightdash is scaled by an autoscaler.',
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
