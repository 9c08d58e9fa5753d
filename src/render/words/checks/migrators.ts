import { chartWith } from '../../../preflight/chart-eras.js';
import type { MigratorsEvidence } from '../../../preflight/checks/migrators.js';
import { firstWith } from '../../../preflight/runtime-eras.js';
import { listNames } from '../lists.js';
import type { CheckWords } from './check-words.js';

export const migratorsWords: CheckWords<MigratorsEvidence> = {
  label: 'Who migrates',
  meaning: 'Whether exactly one thing runs the migrations: the migration job, or a pod that starts.',
  looksAt: `What each container starts: the entrypoint of the image migrates before it serves. Whether the migration job of the chart is on: by the job itself, by --fact migration-job, or by values; not seeing it proves nothing for a cluster, or if hooks are left out. From ${firstWith.lease} on a lease keeps several apart.`,
  finds: {
    'job-and-pods-migrate': {
      meaning: `The migration job is on, and pods migrate as well when they start (helm #134, charts ${chartWith.migrationJob} to before ${chartWith.jobAlone}). Before ${firstWith.lease} no lease keeps them apart: they race for the lock, crash, and may leave it held.`,
      remedy: `Upgrade the chart to ${chartWith.jobAlone} or newer first, with image.tag held at the running release; or switch migrationJob.enabled off. If image.command is set, remove it.`,
      describe: ({ pods, to }) =>
        `the migration job is on, and ${listNames(pods)} would migrate at the same time; ${to} has no lease that keeps them apart`,
    },
    'pods-wait-for-job': {
      meaning: `The migration job is on, and pods migrate as well when they start. From ${firstWith.lease} on, one of them migrates, and the others wait for it.`,
      remedy:
        'Let one of the two migrate: switch migrationJob.enabled off, or remove what replaces the command of the pods. A pod that waits longer than its startup probe allows is killed.',
      describe: ({ pods }) => `the migration job is on, and ${listNames(pods)} would wait for it`,
    },
    'several-migrate-at-start': {
      meaning: `Several pods migrate when they start. Before ${firstWith.lease} no lease keeps them apart: all but one fail with "Migration table is already locked", and one that is killed leaves it locked.`,
      remedy:
        'Run only one until it has migrated, without an autoscaler that adds more; then run all of them again.',
      describe: ({ pods, replicas, to }) =>
        `${listNames(pods)}: ${replicas === null ? 'one on every node' : `up to ${replicas} at once`} would migrate, and ${to} has no lease that keeps them apart`,
    },
    'nobody-would-migrate': {
      meaning:
        'The migration job is off, and what pods start does not migrate: the entrypoint of the image is replaced. The new release waits for migrations that nothing runs.',
      remedy:
        'Switch migrationJob.enabled on, or let one workload start the entrypoint of the image. If something else migrates, such as a pipeline, state it with --fact migration-job=on.',
      describe: ({ pods }) =>
        `no migration job is on, and ${listNames(pods)} ${pods.length === 1 ? 'does' : 'do'} not start the entrypoint that migrates`,
    },
    'job-migrates': {
      meaning: 'The migration job migrates, and no pod does.',
      describe: () => 'the migration job migrates, and nothing else',
    },
    'pods-migrate': {
      meaning: `Pods migrate when they start, and no job does. Before ${firstWith.lease} it is one pod; from then on a lease keeps them apart.`,
      describe: ({ pods }) =>
        `${listNames(pods)} ${pods.length === 1 ? 'migrates at its start, and no job does' : 'migrate at their start, and no job does'}`,
    },
  },
};
