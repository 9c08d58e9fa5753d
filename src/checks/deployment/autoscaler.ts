import { isUpgradedByHelm, servingContainers } from '../../instance/facts/lightdash-containers.js';
import { mayNotSee } from '../../instance/facts/needs.js';
import { chartOfRelease, chartWith, isChartBefore } from '../../instance/first-versions.js';
import { migrationJobState, scalerOf, workloadName, workloadsNotSeen } from '../../instance/workloads.js';
import { countOf } from '../../words/phrase.js';
import { defineCheck, lacks, ok, warn } from '../check.js';
import { kubectl } from '../commands.js';

export const autoscaler = defineCheck({
  id: 'autoscaler',
  canStop: false,
  needs: ['deployment', 'workloads'],
  needsOrAbsent: ['helm'],
  mayNeed: ['autoscalers', 'chartValues', 'stated'],
  *judge({ line: { rolling }, facts }) {
    const { deployment, workloads, autoscalers, helm } = facts;
    if (deployment.kind === 'compose') return ok({ kind: 'no-autoscaler' });
    const lacking = workloadsNotSeen(deployment, workloads);
    if (lacking.length > 0) return yield* lacking;
    const mayLack = mayNotSee(deployment, 'HorizontalPodAutoscaler');
    if (autoscalers == null || mayLack) {
      // Old pods that come back then do no harm.
      if (rolling) return ok({ kind: 'autoscalers-may-stay-unseen' });
      return lacks('autoscalers', mayLack ? { why: 'not-permitted' } : {});
    }
    const serving = servingContainers(workloads).map(({ workload }) => workload);
    const scaled = autoscalers.flatMap((scaler) => {
      const workload = serving.find((candidate) => scalerOf(candidate, [scaler]) !== undefined);
      return workload === undefined ? [] : [{ ...scaler, workload }];
    });
    if (scaled.length === 0) return ok({ kind: 'no-autoscaler' });
    if (rolling) return ok({ kind: 'autoscalers-may-stay', autoscalers: scaled.length });

    const chart = chartOfRelease(helm);
    const stopsPods = chart !== undefined && !isChartBefore(chart, chartWith.scaleDown);
    const removes = stopsPods && helm !== null && isUpgradedByHelm(helm) && migrationJobState(facts) === 'on';
    for (const { name, minReplicas, workload } of scaled) {
      if (removes && workload.role === 'backend') continue;
      const { namespace } = workload;
      const about = { name, namespace, workload: workloadName(workload), minReplicas };
      yield warn(name, { kind: 'autoscaler-scales-up', ...about });
    }
    return ok({ kind: 'autoscaler-removed-by-chart', name: scaled.map(({ name }) => name).join(', ') });
  },
})({
  label: 'Autoscalers',
  meaning:
    'Whether an autoscaler may bring back pods that were scaled to 0 for the upgrade. What it looks at: If the ' +
    'upgrade is not proven to roll, the HorizontalPodAutoscalers of the workloads that run Lightdash. From ' +
    `${chartWith.scaleDown} on, the chart removes the one of the backend before its job migrates. If the ` +
    'upgrade then fails, neither pods nor autoscaler come back by themselves.',
  finds: {
    'autoscaler-scales-up': {
      meaning: 'An autoscaler may bring old pods back while the database is migrated.',
      remedy:
        'Remove it before you scale down. A Helm upgrade creates it again; in other deployments, keep a copy ' +
        'and apply it after the upgrade. If an operator such as KEDA creates it, pause it there.',
      describe: ({ name, workload, minReplicas }) =>
        `the autoscaler ${name} keeps ${workload} at ${countOf(minReplicas, 'pod')} or more`,
      shell: ({ name, namespace }) => [
        `${kubectl(namespace, 'get', 'horizontalpodautoscaler', name, '--output', 'yaml')} > ` +
          'autoscaler-before-upgrade.yaml',
        kubectl(namespace, 'delete', 'horizontalpodautoscaler', name),
      ],
    },
    'autoscaler-removed-by-chart': ({ name }) =>
      `the chart removes the autoscaler ${name} before its job migrates`,
    'autoscalers-may-stay': ({ autoscalers }) =>
      `${countOf(autoscalers, 'autoscaler')}, but the upgrade is proven to roll`,
    'autoscalers-may-stay-unseen': 'The upgrade is proven to roll, so any autoscaler may stay.',
    'no-autoscaler': 'No autoscaler scales anything that runs Lightdash.',
  },
});
