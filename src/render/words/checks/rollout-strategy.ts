import type { WorkloadFact } from '../../../facts/deployment-facts.js';
import { chartWith } from '../../../preflight/chart-eras.js';
import type { RolloutStrategyEvidence, SetBy } from '../../../preflight/checks/rollout-strategy.js';
import { nameOf } from '../../../preflight/workloads.js';
import { countOf } from '../../phrase.js';
import { underKeys } from '../../yaml-map.js';
import { listNames } from '../lists.js';
import type { CheckWords } from './check-words.js';
import { kubectl, scaleTo, scaleToZero } from './kubectl.js';

const valuesOf: Record<SetBy, readonly string[]> = {
  'upgrade-mode': ['upgrade:', '  mode: Recreate'],
  strategies: ['lightdashBackend:', '  strategy:', '    type: Recreate'],
  nothing: [],
};

const adviceOf: Record<SetBy, string> = {
  'upgrade-mode':
    'Set the mode in the values, and apply it with the upgrade itself; lightspan upgrade-plan prints the steps. Recreate is a downtime.',
  strategies: `This chart has no upgrade.mode (${chartWith.scaleDown} and later have it): set the strategy in the values, for the backend as here and likewise for every worker, or use a newer chart. Recreate is a downtime.`,
  nothing: `This chart knows neither upgrade.mode nor a strategy (${chartWith.strategy} and later do): use a newer chart, or scale every workload to 0 before the upgrade, as lightspan upgrade-plan shows.`,
};

const notProven = 'the upgrade is not proven to roll';

const recreateOrScale =
  'Give it the strategy Recreate, also in what you apply, or scale it to 0 before the upgrade. That is a downtime.';

/** The advice for kinds that have no such strategy. */
const adviceWithoutRecreate: Readonly<Partial<Record<WorkloadFact['kind'], string>>> = {
  StatefulSet: 'Scale it to 0 before the upgrade. That is a downtime.',
  DaemonSet:
    'Delete it before the upgrade, because it cannot be scaled to 0, or replace it with a Deployment with the strategy Recreate. That is a downtime.',
};

export const rolloutStrategyWords: CheckWords<RolloutStrategyEvidence> = {
  label: 'Rollout strategy',
  meaning: 'Whether old and new pods are kept apart if the upgrade is not proven to roll.',
  looksAt:
    'The verdict of every release on the route, with what is known against it; from 1.125.0 to 1.259.0, the ledger, because old pods do not start again after a back-dated migration; and how each workload that runs Lightdash would be replaced: for a cluster by upgrade.mode and lightdashBackend.strategy of the values, for manifests to be applied by the strategy of the objects. A Deployment without a strategy rolls; one that is scaled to 0 does not matter, but if the backend is, a failed upgrade may have left it so; and of one that is paused nothing is known. If a job migrates, and no chart of the publisher stops the pods for it: whether they run. Compose stops the old container in any case; of services with settings that only Swarm follows, such as deploy.update_config, nothing is known if Swarm would let old and new containers overlap.',
  finds: {
    'chart-would-roll': {
      meaning:
        'The upgrade is not proven to roll, and the chart would roll it: old pods work on a schema that is no longer theirs, and fail in production.',
      remedy: adviceOf['upgrade-mode'],
      advise: ({ setBy }) => adviceOf[setBy],
      describe: ({ workloads, chart }) =>
        `${notProven}, and ${chart === null ? 'the chart' : `chart ${chart}`} would roll ${listNames(workloads)}`,
      pasteIn: 'values',
      commands: ({ setBy, path }) => (setBy === 'nothing' ? [] : underKeys(path, valuesOf[setBy])),
    },
    'workload-would-roll': {
      meaning:
        'The upgrade is not proven to roll, and a workload would: old pods work on a schema that is no longer theirs, and fail in production.',
      remedy: recreateOrScale,
      advise: ({ workload: { kind } }) => adviceWithoutRecreate[kind] ?? recreateOrScale,
      describe: ({ workload, replicas }) =>
        `${notProven}, and ${nameOf(workload)}${
          replicas === null ? '' : ` (${countOf(replicas, 'replica')})`
        } would roll`,
      pasteIn: 'shell',
      commands: ({ workload }) =>
        workload.kind === 'Deployment'
          ? [
              kubectl(
                workload.namespace,
                ...['patch', 'deployment', workload.name, '--type', 'json', '--patch'],
                '[{"op":"replace","path":"/spec/strategy","value":{"type":"Recreate"}}]',
              ),
            ]
          : scaleToZero([workload]),
    },
    'pods-live-while-job-migrates': {
      meaning:
        'The upgrade is not proven to roll, a job migrates, and nothing that was read stops the pods before it: they keep working while the database changes under them, whatever their strategy.',
      remedy:
        'Stop the pods by hand before the upgrade, and check again with --kubernetes. What scales or reconciles them brings them back: remove an autoscaler, and pause Argo CD or Flux, first.',
      describe: ({ job, workloads }) =>
        `${notProven}, and ${listNames(workloads.map(nameOf))} would keep running while ${job} migrates`,
      pasteIn: 'shell',
      commands: ({ workloads }) => scaleToZero(workloads),
    },
    'backend-at-zero': {
      meaning:
        'The backend is scaled to 0, so nothing serves. If nobody did that for this upgrade, an upgrade with Recreate failed: before its job migrates, the chart scales every Deployment to 0 and removes the autoscaler of the backend, and it restores neither.',
      remedy:
        'If you stopped it for this upgrade, go on. Otherwise see why the last one failed (the logs of its migration job, and the checks of the database) and, once nothing migrates, run that upgrade again with helm upgrade, which also brings back the autoscaler. Then start what is still at 0, with as many pods as your values set. Start no pods of a release older than the newest migration that has run.',
      describe: ({ workloads }) => `${listNames(workloads.map(nameOf))} at 0 replicas: nothing serves`,
      pasteIn: 'shell',
      commands: ({ workloads }) => scaleTo(1, workloads),
    },
    'rolls-as-proven': {
      meaning: 'The upgrade is proven to roll, and rolls.',
      describe: ({ workloads, unread, of }) =>
        `the upgrade is proven to roll${
          unread === 0 ? '' : ` by the index (${unread} of ${countOf(of, 'artifact')} not read)`
        }, and rolls ${listNames(workloads)}`,
    },
    'recreated-though-proven': {
      meaning: 'The upgrade is proven to roll, but the strategy that is set makes it a downtime.',
      describe: () => 'the upgrade is proven to roll; the strategy makes it a downtime',
    },
    recreated: {
      meaning: 'The upgrade is not proven to roll, and every old pod is gone before a new one is there.',
      describe: ({ workloads }) => `not proven to roll, and not rolled: ${listNames(workloads)}`,
    },
    'compose-stops': {
      meaning:
        'Compose stops the old container before it starts the new one: a downtime, whatever the verdict.',
      describe: () => 'compose stops the old container first',
    },
  },
};
