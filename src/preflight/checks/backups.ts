import type { WorkloadFact } from '../../facts/deployment-facts.js';
import { mayNotSee } from '../../facts/may-not-see.js';
import { type Answers, defineCheck, type FactOf, type Judgement, ok, warn } from '../check.js';
import { nameOf } from '../workloads.js';

/** An older backup does not count for this upgrade: restoring it loses what was written since. */
export const oldAfterSeconds = 86_400;

/** Something that was backed up, and its age when it was seen. */
interface Backup {
  readonly name: string;
  readonly ageSeconds: number;
}

export type BackupsEvidence =
  | ({ readonly kind: 'backup-old' } & Backup)
  | { readonly kind: 'backup-suspended'; readonly name: string }
  | { readonly kind: 'backup-never-succeeded'; readonly name: string; readonly schedule: string | null }
  | { readonly kind: 'backup-time-not-told'; readonly name: string; readonly schedule: string | null }
  | ({ readonly kind: 'backup-seen' } & Backup);

/**
 * Whether a backup of the database was seen, and how old it is. Most backups are made out of view, such as by a
 * provider. So a missing one is no reason to stop, but never ok.
 */
export const backups = defineCheck({
  id: 'backups',
  group: 'deployment',
  canStop: false,
  needs: ['deployment', 'workloads'],
  mayNeed: ['snapshots'],
  needsArtifacts: false,
  judge({ facts, seenAt }): Answers<BackupsEvidence> {
    const { deployment, workloads, snapshots } = facts;
    const jobs = workloads.filter(isBackup);
    const made = [
      ...jobs.flatMap((job) => backupOf(nameOf(job), job.lastSuccessAt, seenAt.workloads)),
      ...(snapshots ?? [])
        .filter(({ claim, readyToUse }) => readyToUse === true && isOfDatabase(claim, workloads))
        .flatMap(({ name, createdAt }) => backupOf(`VolumeSnapshot ${name}`, createdAt, seenAt.snapshots)),
    ].sort((a, b) => a.ageSeconds - b.ageSeconds);
    const [newest] = made;
    if (newest !== undefined && newest.ageSeconds <= oldAfterSeconds) {
      return [ok({ kind: 'backup-seen', ...newest }, newest.name)];
    }
    const findings = [
      ...(newest === undefined ? [] : [warn(newest.name, { kind: 'backup-old', ...newest })]),
      ...jobs.flatMap((job) => judgeJob(job, deployment)),
    ];
    if (findings.length > 0) return findings;
    return mayNotSee(deployment, 'CronJob', 'VolumeSnapshot')
      ? [{ lacks: 'snapshots', why: 'not-permitted' }]
      : [{ lacks: 'snapshots', ...(snapshots === undefined ? {} : { why: 'absent' }) }];
  },
});

function judgeJob(
  job: WorkloadFact,
  { origin }: FactOf<'deployment'>,
): readonly Judgement<BackupsEvidence>[] {
  const name = nameOf(job);
  const { schedule } = job;
  const isCronJob = job.kind === 'CronJob';
  if (isCronJob && job.suspended === true) return [warn(name, { kind: 'backup-suspended', name })];
  if (job.lastSuccessAt !== null) return [];
  return [
    warn(name, {
      kind: isCronJob && origin === 'cluster' ? 'backup-never-succeeded' : 'backup-time-not-told',
      name,
      schedule,
    }),
  ];
}

function backupOf(name: string, at: string | null, seenAt: string | undefined): readonly Backup[] {
  if (at === null || seenAt === undefined) return [];
  const ageSeconds = Math.max(0, Math.floor((Date.parse(seenAt) - Date.parse(at)) / 1000));
  return [{ name, ageSeconds }];
}

/** Programs that back up a PostgreSQL, and common names of such jobs. */
const backsUp = /backup|back-up|dump|pgbackrest|barman|wal-?[eg]\b|velero|restic|kopia/i;

function isBackup({ kind, name, containers }: WorkloadFact): boolean {
  if (kind !== 'CronJob' && kind !== 'service') return false;
  return [name, ...containers.map(({ image }) => image.reference)].some((text) => backsUp.test(text));
}

/**
 * The claim of a database in the cluster contains the name of its workload. Without such a workload, only the name of
 * the claim can show what it is for.
 */
function isOfDatabase(claim: string | null, workloads: readonly WorkloadFact[]): boolean {
  if (claim === null) return false;
  const databases = workloads.filter(({ role }) => role === 'database');
  return databases.length === 0
    ? /postgres|pgsql|pgdata|database|(?:^|-)(?:db|pg)(?:-|$)/i.test(claim)
    : databases.some(({ name }) => claim.includes(name));
}
