import { type LightdashContainer, servingContainers } from '../../facts/lightdash-containers.js';
import { migrationJobs } from '../../facts/migration-jobs.js';
import { licenceVariable as variable } from '../../facts/publisher-names.js';
import { type Answers, defineCheck, type FactOf, foundOrOk, ok, stop } from '../check.js';
import { bootMigrators, judgeUnseenJob, lackingUnseenJobVariables } from '../migration-job.js';
import { lackingVariables, stateOfVariable } from '../variables.js';
import { lackingWorkloads, nameOf } from '../workloads.js';

export type LicenceKeyEvidence =
  | {
      readonly kind: 'licence-not-in-migrator';
      readonly variable: string;
      readonly migrator: string;
      readonly serving: readonly string[];
    }
  | { readonly kind: 'licence-where-needed'; readonly variable: string }
  | { readonly kind: 'no-licence'; readonly variable: string };

/** Whether what migrates has the licence key that the pods have: without it, enterprise migrations are skipped. */
export const licenceKey = defineCheck({
  id: 'licence-key',
  group: 'deployment',
  canStop: true,
  needs: ['deployment', 'workloads'],
  needsOrAbsent: ['helm'],
  mayNeed: ['chartValues', 'stated', 'migration-job', 'variables', 'edition'],
  needsArtifacts: false,
  judge({ edition, facts }): Answers<LicenceKeyEvidence> {
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
});

function judgeMigrator(
  migrator: LightdashContainer,
  pods: readonly LightdashContainer[],
): Answers<LicenceKeyEvidence> {
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
): Answers<LicenceKeyEvidence> {
  if (values.migrationJobVariables.includes(variable)) return [];
  // `secrets` reach the job; `extraEnv` does not.
  if (mayInherit || values.migrationJobExistingSecret || values.variables.includes(variable)) {
    return [lackingUnseenJobVariables];
  }
  const sure = pods.filter(({ container }) => stateOfVariable(container, variable) === 'set');
  return sure.length > 0 ? [missing('migrationJob', sure)] : [lackingVariables(pods)];
}

function missing(migrator: string, pods: readonly LightdashContainer[]): Answers<LicenceKeyEvidence>[number] {
  const serving = [...new Set(pods.map(({ workload }) => nameOf(workload)))];
  return stop(migrator, { kind: 'licence-not-in-migrator', variable, migrator, serving });
}
