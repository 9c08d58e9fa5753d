import { isOlder, requireVersion, type Version } from '../../core/version.js';
import {
  isOtherChart,
  type LightdashContainer,
  ownContainers,
  startedContainers,
  storageVariables,
  switchOf,
  versionOf,
} from '../../instance/facts/lightdash-containers.js';
import type { FactOf } from '../../instance/facts/needs.js';
import { chartOfRelease, chartWith, isChartBefore } from '../../instance/first-versions.js';
import {
  jobVariablesNotSeen,
  judgeUnseenJob,
  migrationJobState,
  objectOfVariable,
  stateOfVariable,
  variablesNotSeen,
  workloadName,
  workloadsNotSeen,
} from '../../instance/workloads.js';
import { type CheckInput, defineCheck, ok, stop, warn } from '../check.js';

const secret = 'LIGHTDASH_SECRET';
const natsEnabled = 'NATS_ENABLED';
const natsUrl = 'NATS_URL';

/** The releases that do not start without the object storage: since PR#23658, and once before (PR#14746, PR#15692). */
const storageRequired = {
  since: requireVersion('0.3051.0'),
  onceSince: requireVersion('0.1623.0'),
  onceUntil: requireVersion('0.1782.0'),
} as const;

/** A release that is known to refuse `NATS_ENABLED` without `NATS_URL` (helm #142). */
const natsRefusedAt = requireVersion('1.136.0');

const setForPods =
  'Set them before the upgrade: in the backend, every worker and the migrator. What a values file sets for the pods ' +
  'reaches the migration job only if the job inherits it.';

export const requiredVariables = defineCheck({
  id: 'required-variables',
  needs: ['deployment', 'workloads'],
  needsOrAbsent: ['helm'],
  mayNeed: ['chartValues', 'stated', 'migration-job', 'variables', 'pods'],
  *judge({ from, to, facts }) {
    const { deployment, workloads, helm } = facts;
    const lacking = workloadsNotSeen(deployment, workloads);
    if (lacking.length > 0) return yield* lacking;
    const all = startedContainers(workloads);
    // What is to be applied may differ from what the pods were started with.
    const pods = deployment.origin === 'cluster' ? facts.pods : undefined;
    const started = all.filter(({ workload }) => hasStarted(workload, from, pods));
    for (const container of all)
      yield* judgeContainer(container, to, started.includes(container) ? neededBy(from) : []);
    yield* judgeSecretOfJob(all);
    yield* judgeNats(all, isOlder(from, natsRefusedAt) ? [] : started);
    const { chartValues: values } = facts;
    // The chart refuses to render so.
    if (
      values?.migrationJobSecretNamed === false &&
      values.migrationJobVariables.length === 0 &&
      !isOtherChart(helm?.chart) &&
      migrationJobState(facts) === 'on'
    )
      yield stop('secretRefs.migration.name', { kind: 'job-has-no-secret' });
    yield* judgeUnseenJob(facts, (values, mayInherit) => [
      ...judgeJobOfValues(values, mayInherit, to),
      ...judgeNatsOfValues(helm, values),
    ]);
    return ok({ kind: 'required-set', variables: neededBy(to) });
  },
})({
  label: 'Required variables',
  meaning:
    'Whether everything that runs the target has the variables it needs to start. What it looks at: ' +
    `LIGHTDASH_SECRET and, from ${storageRequired.since} on, S3_ENDPOINT, S3_BUCKET and S3_REGION, by name, in ` +
    'the backend, the workers and the migrator: each of them reads the configuration. NATS_URL where ' +
    'NATS_ENABLED is true. Of their values, only whether they are empty is checked; of NATS_ENABLED, whether ' +
    'it is true or false. A Secret that was not read counts as setting what the running release needs as well, ' +
    'if all pods of the workload are ready.',
  finds: {
    'variable-missing': {
      meaning: 'A variable that the target needs to start is not set or empty ("S3 is not configured").',
      remedy: `${setForPods} With docker compose, in .env.`,
      describe: ({ workload, variables, to }) =>
        `${workload} has no value for ${variables.join(', ')}, which ${to} needs to start`,
      advise: ({ workload }) =>
        workload.startsWith('service ')
          ? 'Set them before the upgrade: in .env, or under environment of every service that runs Lightdash.'
          : setForPods,
    },
    'job-has-other-secret': {
      meaning: "The job takes LIGHTDASH_SECRET from the chart's default Secret, the pods take it from yours.",
      remedy: 'Give the job the same Secret: migrationJob.existingSecret, or migrationJob.inheritGlobalEnv.',
      describe: ({ variable, job, pods }) =>
        `the migration job has ${variable} from ${job}, but the pods from ${pods}`,
    },
    'job-has-no-secret': {
      meaning:
        'In the chart, secretRefs is enabled and the migration job is on, but nothing is named for the job: the chart refuses ' +
        'to render. The job gets neither the Secret of the pods nor that of the object store.',
      remedy: 'Set secretRefs.migration.name; it may be the same Secret as secretRefs.application.name.',
      describe: () => 'secretRefs names no Secret for the migration job, and migrationJob.extraEnv is empty',
    },
    'nats-url-missing': {
      meaning:
        'NATS_ENABLED is true, or its value was not read, and NATS_URL is not set: the target refuses its ' +
        'configuration ("NATS_URL is required when NATS_ENABLED=true"). Charts before ' +
        `${chartWith.jobNatsUrl} give their migration job the first without the second.`,
      remedy:
        `Upgrade the chart to ${chartWith.jobNatsUrl} or newer first, with image.tag kept at the running ` +
        'version, or set NATS_URL in migrationJob.extraEnv. If NATS_ENABLED is not true, there is nothing to ' +
        'do.',
      describe: ({ workload }) => `${workload} has NATS_ENABLED but no NATS_URL`,
    },
    'required-set': ({ variables }) => `${variables.join(', ')}: set wherever the target runs`,
  },
});

function neededBy(to: Version): readonly string[] {
  const { since, onceSince, onceUntil } = storageRequired;
  const needsStorage = !isOlder(to, since) || (!isOlder(to, onceSince) && isOlder(to, onceUntil));
  return [secret, ...(needsStorage ? storageVariables : [])];
}

/**
 * Whether pods have started the running release with the variables of their workload: all of them are ready, and run
 * it. One that lacked a variable would have exited.
 */
function hasStarted(
  { name, namespace, suspended }: LightdashContainer['workload'],
  from: Version,
  pods: CheckInput<never, never, 'pods'>['facts']['pods'],
): boolean {
  const running = pods?.filter(
    (pod) =>
      pod.workload === name &&
      pod.namespace === namespace &&
      pod.phase !== 'Succeeded' &&
      pod.phase !== 'Failed',
  );
  // The pods of a paused Deployment may be older than its variables.
  if (running === undefined || running.length === 0 || suspended === true) return false;
  return running.every(({ ending, containers }) => {
    const own = ownContainers(containers.filter(({ init }) => !init));
    return !ending && own.every((container) => container.ready && versionOf(container) === from);
  });
}

/** @param proven the variables that its pods are known to have */
function* judgeContainer(container: LightdashContainer, to: Version, proven: readonly string[]) {
  const neededIn = (...states: string[]) =>
    neededBy(to).filter((name) => states.includes(stateOfVariable(container.container, name)));
  yield* missing(workloadName(container.workload), neededIn('unset', 'empty'), to);
  if (neededIn('not-seen').some((name) => !proven.includes(name))) yield variablesNotSeen([container]);
}

function* missing(workload: string, variables: readonly string[], to: Version) {
  if (variables.length > 0) yield stop(workload, { kind: 'variable-missing', workload, variables, to });
}

/**
 * A configuration with `NATS_ENABLED` true and no `NATS_URL` is refused (helm #142). Where the value was not seen, it
 * is certain only if workers of NATS run. The chart always sets it, as `false` where NATS is off.
 */
function* judgeNats(all: readonly LightdashContainer[], started: readonly LightdashContainer[]) {
  const isUsed = all.some(
    ({ workload }) => /-nats-worker$/.test(workload.component ?? workload.name) && workload.replicas !== 0,
  );
  for (const container of all) {
    const url = stateOfVariable(container.container, natsUrl);
    if (stateOfVariable(container.container, natsEnabled) !== 'set' || url === 'set') continue;
    const enabled = switchOf(container.container, natsEnabled);
    if (enabled === 'off') continue;
    const judged = isUsed || enabled === 'on' ? stop : warn;
    const workload = workloadName(container.workload);
    if (url === 'not-seen') {
      if (!started.includes(container)) yield variablesNotSeen([container]);
    } else yield judged(workload, { kind: 'nats-url-missing', workload });
  }
}

/** A chart that gives its job what `configMap` sets and no address of its own; `extraEnv` does not reach the job. */
function* judgeNatsOfValues(helm: FactOf<'helm'> | null, values: FactOf<'chartValues'>) {
  const named = [...values.variables, ...values.migrationJobVariables];
  const enabled = values.switches?.[natsEnabled];
  if (!named.includes(natsEnabled) || enabled === false || named.includes(natsUrl)) return;
  const chart = chartOfRelease(helm);
  if (chart !== undefined && !isChartBefore(chart, chartWith.jobNatsUrl)) return;
  if (chart === undefined || values.migrationJobExistingSecret) yield jobVariablesNotSeen;
  else
    yield (enabled === true ? stop : warn)('migrationJob', {
      kind: 'nats-url-missing',
      workload: 'migrationJob',
    });
}

/** The suffix of the Secret that the chart makes for its job; the Secret of the pods has the same name without it. */
const jobSecretEnd = '-migration-secrets';

/** The case where pods use a Secret of the operator and the job uses one from the chart. */
function* judgeSecretOfJob(all: readonly LightdashContainer[]) {
  const objectsOf = (isJob: boolean) =>
    all
      .filter(({ workload }) => (workload.role === 'migration') === isJob)
      .flatMap(({ container }) => objectOfVariable(container, secret) ?? []);
  const job = objectsOf(true).find((object) => object.endsWith(jobSecretEnd));
  const secretOfRelease = job?.slice(0, -jobSecretEnd.length);
  const pods = objectsOf(false).find((object) => object !== secretOfRelease && object !== job);
  if (job !== undefined && pods !== undefined) yield otherSecret(job, pods);
}

function otherSecret(job: string, pods: string) {
  return warn(secret, { kind: 'job-has-other-secret', variable: secret, job, pods });
}

/** The job of the chart as the values define it. */
function* judgeJobOfValues(values: FactOf<'chartValues'>, mayInherit: boolean, to: Version) {
  const { existingSecret } = values;
  const open = neededBy(to).filter((name) => !values.migrationJobVariables.includes(name));
  if (open.length === 0) return;
  if (mayInherit || values.migrationJobExistingSecret || !existingSecret) {
    yield jobVariablesNotSeen;
    return;
  }
  // The operator's Secret of the pods does not reach the job; variables set in the values may or may not.
  const never = open.filter((name) => name !== secret && !values.variables.includes(name));
  yield* missing('migrationJob', never, to);
  const known = open.includes(secret) ? [secret, ...never] : never;
  if (known.includes(secret)) yield otherSecret(`<fullname>${jobSecretEnd}`, existingSecret);
  if (known.length < open.length) yield jobVariablesNotSeen;
}
