import { isUpgradedByHelm, servingContainers } from '../../instance/facts/lightdash-containers.js';
import { type FactOf, mayNotSee } from '../../instance/facts/needs.js';
import { chartOfRelease, chartWith, isChartBefore } from '../../instance/first-versions.js';
import { migrationJobState, scalerOf, workloadName, workloadsNotSeen } from '../../instance/workloads.js';
import { countOf } from '../../words/phrase.js';
import { defineCheck, lacks, ok, warn } from '../check.js';
import { kubectl } from '../commands.js';

const pause = 'Pause it in the operator that made it, such as KEDA, before you scale down.';

const remove =
  'Remove it before you scale down. A Helm upgrade creates it again; in other deployments, keep a copy and apply it ' +
  'after the upgrade.';

type Autoscaler = FactOf<'autoscalers'>[number];

/** Facts collected earlier have no owner; KEDA names what it makes so. */
const ofOperator = ({ name, owner }: Autoscaler) => owner !== undefined || name.startsWith('keda-hpa-');

/** Kubernetes: a HorizontalPodAutoscaler rests while its target is scaled to 0, unless its own minimum is 0. */
const scalesFromZero = (scaler: Autoscaler) => ofOperator(scaler) || scaler.minReplicas === 0;

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
    for (const scaler of scaled.filter(scalesFromZero)) {
      const { name, minReplicas, workload } = scaler;
      const { namespace } = workload;
      const byOperator = ofOperator(scaler);
      const about = { name, namespace, workload: workloadName(workload), minReplicas, byOperator };
      yield warn(name, { kind: 'autoscaler-scales-up', ...about });
    }
    const removed = removes ? scaled.filter(({ workload }) => workload.role === 'backend') : [];
    return removed.length === 0
      ? ok({ kind: 'autoscalers-leave-zero', autoscalers: scaled.length })
      : ok({ kind: 'autoscaler-removed-by-chart', name: removed.map(({ name }) => name).join(', ') });
  },
})({
  label: 'Autoscalers',
  meaning:
    'Whether an autoscaler may bring back pods that were scaled to 0 for the upgrade. What it looks at: If the ' +
    'upgrade is not proven to roll, the HorizontalPodAutoscalers of the workloads that run Lightdash. One alone ' +
    'leaves a workload that is scaled to 0 as it is, unless its minReplicas is 0; an operator such as KEDA ' +
    `scales that up. From ${chartWith.scaleDown} on, the chart removes the one of the backend before its job ` +
    'migrates. If the upgrade then fails, neither pods nor autoscaler come back by themselves.',
  finds: {
    'autoscaler-scales-up': {
      meaning: 'An autoscaler may bring old pods back while the database is migrated.',
      remedy: pause,
      describe: ({ name, workload, minReplicas }) =>
        `the autoscaler ${name} keeps ${workload} at ${countOf(minReplicas, 'pod')} or more`,
      advise: ({ byOperator }) => (byOperator ? pause : remove),
      shell: ({ name, namespace, byOperator }) =>
        byOperator
          ? []
          : [
              `${kubectl(namespace, 'get', 'horizontalpodautoscaler', name, '--output', 'yaml')} > ` +
                'autoscaler-before-upgrade.yaml',
              kubectl(namespace, 'delete', 'horizontalpodautoscaler', name),
            ],
    },
    'autoscaler-removed-by-chart': ({ name }) =>
      `the chart removes the autoscaler ${name} before its job migrates`,
    'autoscalers-leave-zero': ({ autoscalers }) =>
      `${countOf(autoscalers, 'autoscaler')}, but none scales up what is scaled to 0`,
    'autoscalers-may-stay': ({ autoscalers }) =>
      `${countOf(autoscalers, 'autoscaler')}, but the upgrade is proven to roll`,
    'autoscalers-may-stay-unseen': 'The upgrade is proven to roll, so any autoscaler may stay.',
    'no-autoscaler': 'No autoscaler scales anything that runs Lightdash.',
  },
});
