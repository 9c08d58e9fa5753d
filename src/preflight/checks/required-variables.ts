import { type LightdashContainer, lightdashContainers } from '../../facts/lightdash-containers.js';
import { storageVariables } from '../../facts/publisher-names.js';
import { requireVersion, type Version } from '../../release-safety/version.js';
import { type Answers, defineCheck, type FactOf, foundOrOk, type Judgement, stop, warn } from '../check.js';
import { judgeUnseenJob, lackingUnseenJobVariables } from '../migration-job.js';
import { isOlder } from '../runtime-eras.js';
import { lackingVariables, objectOfVariable, stateOfVariable } from '../variables.js';
import { lackingWorkloads, nameOf } from '../workloads.js';

const secret = 'LIGHTDASH_SECRET';

/** The releases that do not start without the object storage: since PR#23658, and once before (PR#14746, PR#15692). */
export const storageRequired = {
  since: requireVersion('0.3051.0'),
  onceSince: requireVersion('0.1623.0'),
  onceUntil: requireVersion('0.1782.0'),
} as const;

export type RequiredVariablesEvidence =
  | {
      readonly kind: 'variable-missing';
      readonly workload: string;
      readonly variables: readonly string[];
      readonly to: string;
    }
  | {
      readonly kind: 'job-has-other-secret';
      readonly variable: string;
      /** The object from which the job has the variable, and that of the pods. */
      readonly job: string;
      readonly pods: string;
    }
  | { readonly kind: 'required-set'; readonly variables: readonly string[] };

/**
 * Whether everything that runs the target, including what migrates, has the variables without which it does not start.
 */
export const requiredVariables = defineCheck({
  id: 'required-variables',
  group: 'deployment',
  canStop: true,
  needs: ['deployment', 'workloads'],
  needsOrAbsent: ['helm'],
  mayNeed: ['chartValues', 'stated', 'migration-job', 'variables'],
  needsArtifacts: false,
  judge({ to, facts }): Answers<RequiredVariablesEvidence> {
    const { deployment, workloads } = facts;
    const lacking = lackingWorkloads(deployment, workloads);
    if (lacking.length > 0) return lacking;
    const all = lightdashContainers(workloads).filter(
      ({ container: { init, starts } }) => !init || starts !== 'other',
    );
    return foundOrOk(
      [
        ...all.flatMap((one) => judgeContainer(one, to)),
        ...judgeSecretOfJob(all),
        ...judgeUnseenJob(facts, (values, mayInherit) => judgeJobOfValues(values, mayInherit, to)),
      ],
      { kind: 'required-set', variables: neededBy(to) },
    );
  },
});

function neededBy(to: Version): readonly string[] {
  const { since, onceSince, onceUntil } = storageRequired;
  const needsStorage = !isOlder(to, since) || (!isOlder(to, onceSince) && isOlder(to, onceUntil));
  return [secret, ...(needsStorage ? storageVariables : [])];
}

function judgeContainer(one: LightdashContainer, to: Version): Answers<RequiredVariablesEvidence> {
  const asked = neededBy(to);
  const stateOf = (name: string) => stateOfVariable(one.container, name);
  const without = asked.filter((name) => stateOf(name) === 'unset' || stateOf(name) === 'empty');
  const found = missing(nameOf(one.workload), without, to);
  return asked.some((name) => stateOf(name) === 'not-told') ? [...found, lackingVariables([one])] : found;
}

function missing(
  workload: string,
  names: readonly string[],
  to: Version,
): Judgement<RequiredVariablesEvidence>[] {
  if (names.length === 0) return [];
  return [stop(workload, { kind: 'variable-missing', workload, variables: names, to })];
}

/** The suffix of the Secret that the chart makes for its job; the Secret of the pods has the same name without it. */
const jobSecretEnd = '-migration-secrets';

/** The case where pods use a Secret of the operator and the job uses one from the chart. */
function judgeSecretOfJob(all: readonly LightdashContainer[]): Judgement<RequiredVariablesEvidence>[] {
  const objectsOf = (isJob: boolean) =>
    all
      .filter(({ workload }) => (workload.role === 'migration') === isJob)
      .flatMap(({ container }) => objectOfVariable(container, secret) ?? []);
  const job = objectsOf(true).find((object) => object.endsWith(jobSecretEnd));
  if (job === undefined) return [];
  const pods = objectsOf(false).find(
    (object) => object !== job.slice(0, -jobSecretEnd.length) && object !== job,
  );
  return pods === undefined ? [] : [otherSecret(job, pods)];
}

function otherSecret(job: string, pods: string): Judgement<RequiredVariablesEvidence> {
  return warn(secret, { kind: 'job-has-other-secret', variable: secret, job, pods });
}

/** The job of the chart as the values define it. */
function judgeJobOfValues(
  values: FactOf<'chartValues'>,
  mayInherit: boolean,
  to: Version,
): Answers<RequiredVariablesEvidence> {
  const open = neededBy(to).filter((name) => !values.migrationJobVariables.includes(name));
  if (open.length === 0) return [];
  if (mayInherit || values.migrationJobExistingSecret || !values.existingSecret) {
    return [lackingUnseenJobVariables];
  }
  // The operator's Secret of the pods does not reach the job; variables set in the values may or may not.
  const never = open.filter((name) => name !== secret && !values.variables.includes(name));
  return [
    ...missing('migrationJob', never, to),
    ...(open.includes(secret) ? [otherSecret(`<fullname>${jobSecretEnd}`, values.existingSecret)] : []),
    ...(never.length + (open.includes(secret) ? 1 : 0) < open.length ? [lackingUnseenJobVariables] : []),
  ];
}
