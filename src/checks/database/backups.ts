import type { WorkloadFact } from '../../instance/facts/deployment-facts.js';
import { mayNotSee } from '../../instance/facts/needs.js';
import { workloadName } from '../../instance/workloads.js';
import { describeSeconds } from '../../words/phrase.js';
import { defineCheck, lacks, ok, warn } from '../check.js';
import { isFailing } from './archiver.js';

/** An older backup does not count for this upgrade: restoring it loses what was written since. */
const oldAfterSeconds = 86_400;

const scheduled = ({ name, schedule }: { readonly name: string; readonly schedule: string | null }) =>
  `${name}${schedule === null ? '' : `, scheduled ${schedule},`}`;

const backUp =
  'Back up the database right before the upgrade, as lightspan upgrade-plan says, and check that it can be restored.';

/** Most backups are made out of view, such as by a provider: a missing one is no reason to stop, but never ok. */
export const backups = defineCheck({
  id: 'backups',
  canStop: false,
  group: 'deployment',
  needs: [],
  mayNeed: ['deployment', 'workloads', 'snapshots', 'archiver', 'stated'],
  *judge({ facts: { deployment, workloads, snapshots, archiver, stated }, seenAt }) {
    const statedBackup = stated?.backup === undefined ? null : String(stated.backup);
    const [ofStated] = backupOf('the stated backup', statedBackup, seenAt.stated);
    if (ofStated !== undefined && ofStated.ageSeconds <= oldAfterSeconds)
      return ok({ kind: 'backup-seen', ...ofStated }, ofStated.name);
    if (deployment == null || workloads == null) {
      if (ofStated !== undefined) yield warn(ofStated.name, { kind: 'backup-old', ...ofStated });
      if (deployment == null) yield lacks('deployment');
      if (workloads == null) yield lacks('workloads');
      return;
    }
    const jobs = workloads.filter(isBackup);
    const [newest] = [
      ...(ofStated === undefined ? [] : [ofStated]),
      ...jobs.flatMap((job) => backupOf(workloadName(job), job.lastSuccessAt, seenAt.workloads)),
      ...(snapshots ?? [])
        .filter(({ claim, readyToUse }) => readyToUse === true && isOfDatabase(claim, workloads))
        .flatMap(({ name, createdAt }) => backupOf(`VolumeSnapshot ${name}`, createdAt, seenAt.snapshots)),
    ].sort((a, b) => a.ageSeconds - b.ageSeconds);
    if (newest !== undefined) {
      if (newest.ageSeconds <= oldAfterSeconds) return ok({ kind: 'backup-seen', ...newest }, newest.name);
      yield warn(newest.name, { kind: 'backup-old', ...newest });
    }
    for (const { kind, schedule, suspended, lastSuccessAt, ...job } of jobs) {
      const name = workloadName({ kind, ...job });
      if (kind === 'CronJob' && suspended === true) yield warn(name, { kind: 'backup-suspended', name });
      else if (lastSuccessAt !== null) continue;
      else if (kind === 'CronJob' && deployment.origin === 'cluster')
        yield warn(name, { kind: 'backup-never-succeeded', name, schedule });
      else yield warn(name, { kind: 'backup-time-not-told', name, schedule });
    }
    if (jobs.length > 0 || newest !== undefined) return;
    const archivedAgo = archiver?.enabled && !isFailing(archiver) ? archiver.archivedSecondsAgo : null;
    if (archivedAgo !== null && archivedAgo <= oldAfterSeconds)
      return ok({ kind: 'wal-archived', ageSeconds: archivedAgo });
    if (mayNotSee(deployment, 'CronJob', 'VolumeSnapshot'))
      return lacks('snapshots', { why: 'not-permitted' });
    return lacks('snapshots', snapshots === undefined ? {} : { why: 'absent' });
  },
})({
  label: 'Backups',
  meaning:
    'Whether there is a backup of the database, and how old it is. What it looks at: CronJobs (compose: ' +
    'services) that back up a database, by their name or image, with the time of their last success; ' +
    'VolumeSnapshots of the database volume; and, if neither is there, whether the server has archived WAL in ' +
    `the last day. A backup older than ${describeSeconds(oldAfterSeconds)} is old: ` +
    'what was written since is lost if you go back. lightspan cannot see whether it can be restored, nor ' +
    'backups made elsewhere, for example by a provider: state one with --fact backup=2026-11-28T10:00Z.',
  finds: {
    'backup-old': {
      meaning: 'The newest backup found is more than a day old.',
      remedy: backUp,
      describe: ({ name, ageSeconds }) => `the newest backup is ${name}, ${describeSeconds(ageSeconds)} old`,
    },
    'backup-suspended': {
      meaning: 'A backup job is suspended, so it makes no backups.',
      remedy: `${backUp} Or resume it.`,
      describe: ({ name }) => `${name} is suspended`,
    },
    'backup-never-succeeded': {
      meaning: 'A backup job has never succeeded, as far as the cluster knows.',
      remedy: `Look at its log. ${backUp}`,
      describe: (job) => `${scheduled(job)} has never succeeded`,
    },
    'backup-time-not-told': {
      meaning: 'A backup is configured, but nothing shows when it last succeeded.',
      remedy: `Find out when it last succeeded; --kubernetes shows it. ${backUp}`,
      describe: (job) => `${scheduled(job)} is there, but its last success is not known`,
    },
    'wal-archived': {
      meaning:
        'The server has archived WAL in the last day, as backups to a point in time do. Whether there is a base ' +
        'backup, and whether it can be restored, was not checked.',
      describe: ({ ageSeconds }) =>
        `no backup was found, but WAL was archived ${describeSeconds(ageSeconds)} ago`,
    },
    'backup-seen': {
      meaning: 'A backup of the last day was found. Whether it can be restored was not checked.',
      describe: ({ name, ageSeconds }) => `${name}, ${describeSeconds(ageSeconds)} old`,
    },
  },
});

function backupOf(name: string, at: string | null, seenAt: string | undefined) {
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

/** The claim contains the name of the workload of the database. Without one, only the claim's own name shows it. */
function isOfDatabase(claim: string | null, workloads: readonly WorkloadFact[]): boolean {
  if (claim === null) return false;
  const databases = workloads.filter(({ role }) => role === 'database');
  return databases.length === 0
    ? /postgres|pgsql|pgdata|database|(?:^|-)(?:db|pg)(?:-|$)/i.test(claim)
    : databases.some(({ name }) => claim.includes(name));
}
