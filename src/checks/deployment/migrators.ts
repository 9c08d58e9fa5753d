import { isOlder } from '../../core/version.js';
import {
  type LightdashContainer,
  servingContainers,
  upgradeJobs,
} from '../../instance/facts/lightdash-containers.js';
import type { FactOf } from '../../instance/facts/needs.js';
import { chartWith, firstWith } from '../../instance/first-versions.js';
import { sumOfSizes } from '../../instance/forecast/forecast.js';
import {
  bootMigrators,
  migrationJobState,
  scalerOf,
  workloadName,
  workloadsNotSeen,
} from '../../instance/workloads.js';
import { listNames } from '../../words/phrase.js';
import { defineCheck, lacks, ok, stop, warn } from '../check.js';

export const migrators = defineCheck({
  id: 'migrators',
  needs: ['deployment', 'workloads'],
  needsOrAbsent: ['helm'],
  mayNeed: ['migration-job', 'chartValues', 'stated', 'autoscalers'],
  *judge({ to, facts }) {
    const { deployment, workloads, autoscalers } = facts;
    const lacking = workloadsNotSeen(deployment, workloads);
    if (lacking.length > 0) return yield* lacking;
    yield* judgeJobs(workloads);
    const boots = bootMigrators(workloads);
    const pods = namesOf(boots);
    const job = migrationJobState(facts);
    if (boots.length === 0) return judgeWithoutBoot(job, workloads);

    const [first = null] = pods;
    if (job === 'not-seen') yield lacks('migration-job');
    if (!isOlder(to, firstWith.lease)) {
      if (job === 'on') yield warn(first, { kind: 'pods-wait-for-job', pods });
    } else {
      // Only a lock in the database keeps two of them apart, and one that is killed leaves it locked.
      if (job === 'on') yield stop(first, { kind: 'job-and-pods-migrate', pods, to });
      if (autoscalers === undefined) return lacks('autoscalers');
      // At most that many; null for one on every node.
      const replicas = sumOfSizes(
        boots.map(({ workload }) => {
          if (workload.kind === 'DaemonSet') return null;
          return scalerOf(workload, autoscalers)?.maxReplicas ?? workload.replicas ?? 1;
        }),
      );
      if (replicas === null || replicas > 1)
        yield warn(first, { kind: 'several-migrate-at-start', pods, replicas, to });
    }
    return ok({ kind: 'pods-migrate', pods });
  },
})({
  label: 'Who migrates',
  meaning:
    'Whether exactly one thing runs the migrations: the migration job, or a pod that starts. What it looks at: ' +
    'What each container starts: the entrypoint of the image migrates before it serves. Whether the migration ' +
    'job of the chart is on: from the job itself, from --fact migration-job, or from the values. In a cluster, ' +
    'or if hooks are left out, a missing job proves nothing. Whether the job reaches a database (PGHOST) and may ' +
    `stop the pods. From ${firstWith.lease} on, a lease keeps several ` +
    'migrators apart.',
  finds: {
    'job-and-pods-migrate': {
      meaning:
        'The migration job is on, and pods also migrate when they start (helm #134, charts ' +
        `from ${chartWith.migrationJob} to before ${chartWith.jobAlone}). Before ${firstWith.lease}, no lease keeps ` +
        'them apart: they race for the lock, crash, and may leave it held.',
      remedy:
        `Upgrade the chart to ${chartWith.jobAlone} or newer first, with image.tag held at the running ` +
        'release; or set migrationJob.enabled to false. If image.command is set, remove it.',
      describe: ({ pods, to }) =>
        `the migration job is on, and ${listNames(pods)} would migrate at the same time; ${to} has no lease to ` +
        'keep them apart',
    },
    'pods-wait-for-job': {
      meaning:
        `The migration job is on, and pods also migrate when they start. From ${firstWith.lease} on, one of ` +
        'them migrates and the others wait for it.',
      remedy:
        'Let one of the two migrate: set migrationJob.enabled to false, or remove what replaces the command of ' +
        'the pods. A pod that waits longer than its startup probe allows is killed.',
      describe: ({ pods }) => `the migration job is on, and ${listNames(pods)} would wait for it`,
    },
    'job-reaches-no-database': {
      meaning:
        'PGHOST of the migration job is its own loopback, where nothing listens: a proxy in the pods ' +
        'of the backend, such as that of Cloud SQL, is not in those of the job.',
      remedy:
        'Give the job an address that it reaches, such as a Service with the proxy; or set ' +
        'migrationJob.enabled to false, so that the pods with the proxy migrate.',
      describe: ({ job }) => `PGHOST of ${job} is its own loopback, where nothing listens`,
    },
    'job-may-not-scale': {
      meaning:
        'The job stops the workloads with kubectl before it migrates, and nothing that is applied gives its ' +
        'service account a role for that: it fails (Forbidden), and so does the upgrade.',
      remedy:
        'Set migrationJob.scaleDownWorkloads.rbac.create to true, or make sure that you have bound a Role to ' +
        'its service account yourself.',
      describe: ({ job }) => `${job} scales workloads with kubectl, and no role is bound to its account`,
    },
    'several-migrate-at-start': {
      meaning:
        `Several pods migrate when they start. Before ${firstWith.lease}, no lease keeps them apart: all but ` +
        'one fail with "Migration table is already locked", and one that is killed leaves it locked.',
      remedy:
        'Run only one, without an autoscaler that adds more, until it has migrated. Then run all again.',
      describe: ({ pods, replicas, to }) =>
        `${listNames(pods)}: ${replicas === null ? 'one on every node' : `up to ${replicas} at once`} would ` +
        `migrate, and ${to} has no lease to keep them apart`,
    },
    'nobody-would-migrate': {
      meaning: 'No job migrates, and no pod starts the entrypoint that would: the new release waits forever.',
      remedy:
        'Set migrationJob.enabled to true, or let one workload start the entrypoint of the image. If something ' +
        'else migrates, such as a pipeline, say so with --fact migration-job=on.',
      describe: ({ pods }) =>
        `no migration job is on, and ${listNames(pods)} ${pods.length === 1 ? 'does' : 'do'} not start the ` +
        'entrypoint that migrates',
    },
    'job-migrates': 'Only the migration job migrates.',
    'pods-migrate': {
      meaning:
        `Pods migrate when they start, and no job does. Before ${firstWith.lease} it is one pod; from then on ` +
        'a lease keeps them apart.',
      describe: ({ pods }) =>
        `${listNames(pods)} ${pods.length === 1 ? 'migrates at its' : 'migrate at their'} start, and no job does`,
    },
  },
});

function judgeWithoutBoot(job: 'on' | 'off' | 'not-seen', workloads: FactOf<'workloads'>) {
  if (job === 'on') return ok({ kind: 'job-migrates' });
  if (job === 'not-seen') return lacks('migration-job');
  const serving = servingContainers(workloads);
  const unclear = namesOf(serving.filter(({ container }) => container.starts === 'other'));
  const detail = `what ${unclear.join(' and ')} starts is not clear`;
  if (unclear.length > 0) return lacks('workloads', { why: 'failed', detail });
  const pods = namesOf(serving.filter(({ workload }) => workload.role === 'backend'));
  return stop(pods[0] ?? null, { kind: 'nobody-would-migrate', pods });
}

function namesOf(of: readonly LightdashContainer[]): readonly string[] {
  return [...new Set(of.map(({ workload }) => workloadName(workload)))];
}

/** What keeps a job that the upgrade runs from reaching its database, or from stopping the pods. */
function* judgeJobs(workloads: FactOf<'workloads'>) {
  for (const { workload, container } of upgradeJobs(workloads)) {
    const job = workloadName(workload);
    const lasting = workload.containers.filter(({ init }) => !init);
    if (container.databaseHost === 'loopback' && !container.init && lasting.length === 1)
      yield stop(job, { kind: 'job-reaches-no-database', job });
    if (workload.mayScale === false && !container.init) yield warn(job, { kind: 'job-may-not-scale', job });
  }
}
