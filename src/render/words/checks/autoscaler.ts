import { chartWith } from '../../../preflight/chart-eras.js';
import type { AutoscalerEvidence } from '../../../preflight/checks/autoscaler.js';
import { countOf } from '../../phrase.js';
import type { CheckWords } from './check-words.js';
import { kubectl } from './kubectl.js';

export const autoscalerWords: CheckWords<AutoscalerEvidence> = {
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
      pasteIn: 'shell',
      commands: ({ name, namespace }) => [
        `${kubectl(namespace, 'get', 'horizontalpodautoscaler', name, '--output', 'yaml')} > autoscaler-before-upgrade.yaml`,
        kubectl(namespace, 'delete', 'horizontalpodautoscaler', name),
      ],
    },
    'autoscaler-removed-by-chart': {
      meaning: 'The chart removes the autoscaler before its job migrates.',
      describe: ({ name }) => `the chart removes the autoscaler ${name} before its job migrates`,
    },
    'autoscalers-may-stay': {
      meaning: 'The upgrade is proven to roll: nothing is scaled to 0.',
      describe: ({ autoscalers }) =>
        `${countOf(autoscalers, 'autoscaler')}, and the upgrade is proven to roll`,
    },
    'no-autoscaler': {
      meaning: 'No autoscaler scales what runs Lightdash.',
      describe: () => 'nothing that runs Lightdash is scaled by an autoscaler',
    },
  },
};
