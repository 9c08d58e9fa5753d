import {
  type LightdashContainer,
  migrationJobs,
  servingContainers,
  licenceVariable as variable,
} from '../facts/lightdash-containers.js';
import type { FactOf } from '../facts/needs.js';
import { chartWith } from '../instance/first-versions.js';
import {
  bootMigrators,
  judgeUnseenJob,
  lackingUnseenJobVariables,
  lackingVariables,
  lackingWorkloads,
  nameOf,
  stateOfVariable,
} from '../instance/workloads.js';
import { listNames } from '../words/lists.js';
import { defineCheck, type Found, foundOrOk, ok, stop } from './check.js';

interface Kinds {
  'licence-not-in-migrator': { variable: string; migrator: string; serving: readonly string[] };
  'licence-where-needed': { variable: string };
  'no-licence': { variable: string };
}

export const licenceKey = defineCheck<Kinds>()({
  id: 'licence-key',
  needs: ['deployment', 'workloads'],
  needsOrAbsent: ['helm'],
  mayNeed: ['chartValues', 'stated', 'migration-job', 'variables', 'edition'],
  judge({ edition, facts }) {
    const { deployment, workloads } = facts;
    const lacking = lackingWorkloads(deployment, workloads);
    if (lacking.length > 0) return lacking;
    const isCommunity = edition === 'community';
    const pods = servingContainers(workloads).filter(
      (pod) => stateOf(pod) === 'set' || (stateOf(pod) === 'not-told' && !isCommunity),
    );
    if (pods.length === 0) return [ok({ kind: 'no-licence', variable })];

    const seen = [...bootMigrators(workloads), ...migrationJobs(workloads)];
    const found = seen.flatMap((migrator) => judgeMigrator(migrator, pods));
    const ofJob = judgeUnseenJob(facts, (values, mayInherit) => judgeJobOfValues(values, mayInherit, pods));
    return foundOrOk([...found, ...ofJob], { kind: 'licence-where-needed', variable });
  },
  label: 'Licence key',
  meaning: 'Whether what migrates has the licence key that the pods have.',
  looksAt:
    'Where LIGHTDASH_LICENSE_KEY is set, by name: in the variables of each container, and in the Secrets, ConfigMaps and files that it loads whole. Its value is not read. An object that was not seen may set it, unless pods and migrator use the same objects.',
  finds: {
    'licence-not-in-migrator': {
      meaning: 'What migrates lacks the licence key of the pods, which then are never ready (helm PR#155).',
      remedy: `Give it to the migration job: migrationJob.inheritGlobalEnv from chart ${chartWith.inheritedVariables} on, else migrationJob.extraEnv or migrationJob.existingSecret.`,
      describe: ({ variable, migrator, serving }) =>
        `${listNames(serving)} ${serving.length === 1 ? 'has' : 'have'} ${variable}, and ${migrator}, which migrates, does not`,
    },
    'licence-where-needed': ({ variable }) => `what migrates has ${variable} wherever a pod may have it`,
    'no-licence': ({ variable }) => `no pod has ${variable}`,
  },
});

function judgeMigrator(migrator: LightdashContainer, pods: readonly LightdashContainer[]): Found<Kinds> {
  const state = stateOf(migrator);
  const without = pods.filter((pod) => !hasAll(migrator, pod));
  if (state === 'set' || without.length === 0) return [];
  if (state === 'not-told') return [lackingVariables([migrator, ...without])];
  return missing(nameOf(migrator.workload), without);
}

function stateOf({ container }: LightdashContainer) {
  return stateOfVariable(container, variable);
}

/** Whether a migrator has the same unseen objects as the pod: then the key is in both, or in neither. */
function hasAll({ container: { variablesFrom } }: LightdashContainer, pod: LightdashContainer): boolean {
  const unseen = pod.container.variablesFrom.filter(({ keys }) => keys === null);
  return (
    stateOf(pod) === 'not-told' &&
    unseen.every(({ origin, object, prefix }) =>
      variablesFrom.some((own) => own.origin === origin && own.object === object && own.prefix === prefix),
    )
  );
}

/** The job of the chart as the values define it. */
function judgeJobOfValues(
  values: FactOf<'chartValues'>,
  mayInherit: boolean,
  pods: readonly LightdashContainer[],
): Found<Kinds> {
  if (values.migrationJobVariables.includes(variable)) return [];
  // `secrets` reach the job; `extraEnv` does not.
  if (mayInherit || values.migrationJobExistingSecret || values.variables.includes(variable)) {
    return [lackingUnseenJobVariables];
  }
  return missing('migrationJob', pods);
}

/** It is certain for pods whose variables were seen. */
function missing(migrator: string, pods: readonly LightdashContainer[]): Found<Kinds> {
  const sure = pods.filter((pod) => stateOf(pod) === 'set');
  if (sure.length === 0) return [lackingVariables(pods)];
  const serving = [...new Set(sure.map(({ workload }) => nameOf(workload)))];
  return [stop(migrator, { kind: 'licence-not-in-migrator', variable, migrator, serving })];
}
