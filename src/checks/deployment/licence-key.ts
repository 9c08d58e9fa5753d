import {
  type LightdashContainer,
  migrationJobs,
  servingContainers,
  licenceVariable as variable,
} from '../../instance/facts/lightdash-containers.js';
import { chartWith } from '../../instance/first-versions.js';
import {
  bootMigrators,
  jobVariablesNotSeen,
  judgeUnseenJob,
  stateOfVariable,
  variablesNotSeen,
  workloadName,
  workloadsNotSeen,
} from '../../instance/workloads.js';
import { listNames } from '../../words/phrase.js';
import { defineCheck, ok, stop } from '../check.js';

export const licenceKey = defineCheck({
  id: 'licence-key',
  needs: ['deployment', 'workloads'],
  needsOrAbsent: ['helm'],
  mayNeed: ['chartValues', 'stated', 'migration-job', 'variables', 'edition'],
  *judge({ edition, facts }) {
    const { deployment, workloads } = facts;
    const lacking = workloadsNotSeen(deployment, workloads);
    if (lacking.length > 0) return yield* lacking;
    const isCommunity = edition === 'community';
    const pods = servingContainers(workloads).filter(
      (pod) => stateOf(pod) === 'set' || (stateOf(pod) === 'not-seen' && !isCommunity),
    );
    if (pods.length === 0) return ok({ kind: 'no-licence', variable });

    for (const migrator of [...bootMigrators(workloads), ...migrationJobs(workloads)]) {
      const state = stateOf(migrator);
      const without = pods.filter((pod) => !hasAll(migrator, pod));
      if (state === 'set' || without.length === 0) continue;
      if (state === 'not-seen') yield variablesNotSeen([migrator, ...without]);
      else yield missing(workloadName(migrator.workload), without);
    }
    // The job of the chart as the values define it: `secrets` reach it; `extraEnv` does not.
    yield* judgeUnseenJob(facts, (values, mayInherit) => {
      if (values.migrationJobVariables.includes(variable)) return [];
      return mayInherit || values.migrationJobExistingSecret || values.variables.includes(variable)
        ? [jobVariablesNotSeen]
        : [missing('migrationJob', pods)];
    });
    return ok({ kind: 'licence-where-needed', variable });
  },
})({
  label: 'Licence key',
  meaning:
    'Whether the migrator has the licence key that the pods have. What it looks at: Where ' +
    'LIGHTDASH_LICENSE_KEY is set, by name: in the variables of each container, and in the Secrets, ConfigMaps ' +
    'and files that it loads whole. The value is not read. An object that was not read may set it, unless pods ' +
    'and migrator use the same objects.',
  finds: {
    'licence-not-in-migrator': {
      meaning: 'The migrator lacks the licence key of the pods, so the pods never get ready (helm PR#155).',
      remedy:
        'Give it to the migration job: migrationJob.inheritGlobalEnv from chart ' +
        `${chartWith.inheritedVariables} on, else migrationJob.extraEnv or migrationJob.existingSecret.`,
      describe: ({ variable, migrator, serving }) =>
        `${listNames(serving)} ${serving.length === 1 ? 'has' : 'have'} ${variable}, and ${migrator}, which ` +
        'migrates, does not',
    },
    'licence-where-needed': ({ variable }) => `the migrator has ${variable} wherever a pod may have it`,
    'no-licence': ({ variable }) => `no pod has ${variable}`,
  },
});

function stateOf({ container }: LightdashContainer) {
  return stateOfVariable(container, variable);
}

/** Whether a migrator has the same unseen objects as the pod: then the key is in both, or in neither. */
function hasAll({ container: { variablesFrom } }: LightdashContainer, pod: LightdashContainer): boolean {
  const unseen = pod.container.variablesFrom.filter(({ keys }) => keys === null);
  return (
    stateOf(pod) === 'not-seen' &&
    unseen.every(({ origin, object, prefix }) =>
      variablesFrom.some(
        (source) => source.origin === origin && source.object === object && source.prefix === prefix,
      ),
    )
  );
}

/** It is certain for pods whose variables were seen. */
function missing(migrator: string, pods: readonly LightdashContainer[]) {
  const sure = pods.filter((pod) => stateOf(pod) === 'set');
  if (sure.length === 0) return variablesNotSeen(pods);
  const serving = [...new Set(sure.map(({ workload }) => workloadName(workload)))];
  return stop(migrator, { kind: 'licence-not-in-migrator', variable, migrator, serving });
}
