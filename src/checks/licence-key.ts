import {
  type LightdashContainer,
  migrationJobs,
  servingContainers,
  licenceVariable as variable,
} from '../facts/lightdash-containers.js';
import type { FactOf } from '../facts/needs.js';
import { chartWith } from '../instance/eras.js';
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
  group: 'deployment',
  needs: ['deployment', 'workloads'],
  needsOrAbsent: ['helm'],
  mayNeed: ['chartValues', 'stated', 'migration-job', 'variables', 'edition'],
  judge({ edition, facts }) {
    const { deployment, workloads } = facts;
    const lacking = lackingWorkloads(deployment, workloads);
    if (lacking.length > 0) return lacking;
    const pods = servingContainers(workloads).filter(({ container }) => {
      const state = stateOfVariable(container, variable);
      return state === 'set' || (state === 'not-told' && edition !== 'community');
    });
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
      meaning:
        'Pods have the licence key, and what migrates does not. The upgrade leaves out the enterprise migrations but looks successful, and pods that wait for them are never ready (helm PR#155).',
      remedy: `Give it to the migration job: migrationJob.inheritGlobalEnv from chart ${chartWith.inheritedVariables} on, else migrationJob.extraEnv or migrationJob.existingSecret.`,
      describe: ({ variable, migrator, serving }) =>
        `${listNames(serving)} ${serving.length === 1 ? 'has' : 'have'} ${variable}, and ${migrator}, which migrates, does not`,
    },
    'licence-where-needed': ({ variable }) => `what migrates has ${variable} wherever a pod may have it`,
    'no-licence': ({ variable }) => `no pod has ${variable}`,
  },
});

function judgeMigrator(migrator: LightdashContainer, pods: readonly LightdashContainer[]): Found<Kinds> {
  const state = stateOfVariable(migrator.container, variable);
  if (state === 'set') return [];
  const without = pods.filter((pod) => !hasAll(migrator, pod));
  const sure = without.filter(({ container }) => stateOfVariable(container, variable) === 'set');
  if (without.length === 0) return [];
  if (state === 'not-told') return [lackingVariables([migrator, ...without])];
  return sure.length > 0 ? [missing(nameOf(migrator.workload), sure)] : [lackingVariables(without)];
}

/** Whether a migrator has the same unseen objects as the pod: then the key is in both, or in neither. */
function hasAll({ container: { variablesFrom } }: LightdashContainer, pod: LightdashContainer): boolean {
  return (
    stateOfVariable(pod.container, variable) === 'not-told' &&
    pod.container.variablesFrom
      .filter(({ keys }) => keys === null)
      .every(({ origin, object, prefix }) =>
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
  const sure = pods.filter(({ container }) => stateOfVariable(container, variable) === 'set');
  return sure.length > 0 ? [missing('migrationJob', sure)] : [lackingVariables(pods)];
}

function missing(migrator: string, pods: readonly LightdashContainer[]) {
  const serving = [...new Set(pods.map(({ workload }) => nameOf(workload)))];
  return stop(migrator, { kind: 'licence-not-in-migrator', variable, migrator, serving });
}
