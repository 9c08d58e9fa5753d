import { type BackupsEvidence, oldAfterSeconds } from '../../../preflight/checks/backups.js';
import { describeSeconds } from '../measures.js';
import type { CheckWords } from './check-words.js';

const scheduled = ({ name, schedule }: { readonly name: string; readonly schedule: string | null }) =>
  `${name}${schedule === null ? '' : `, scheduled ${schedule},`}`;

const backUp =
  'Back up the database right before the upgrade, as the plan of lightspan upgrade-plan says, and check that it can be restored.';

export const backupsWords: CheckWords<BackupsEvidence> = {
  label: 'Backups',
  meaning: 'Whether a backup of the database was seen, and how old it is.',
  looksAt: `CronJobs (of compose: services) that by name or image back up a database, with the time of their last success; and VolumeSnapshots of the volume of the database. Older than ${describeSeconds(oldAfterSeconds)} is old: what was written since is lost if you go back. Not seen are whether it can be restored, and backups made elsewhere, for example by a provider.`,
  finds: {
    'backup-old': {
      meaning: 'The newest backup that was seen is more than a day old.',
      remedy: backUp,
      describe: ({ name, ageSeconds }) => `the newest backup is ${name}, ${describeSeconds(ageSeconds)} old`,
    },
    'backup-suspended': {
      meaning: 'A backup job is suspended: it makes no backup.',
      remedy: `Let it run again, or ${backUp.charAt(0).toLowerCase()}${backUp.slice(1)}`,
      describe: ({ name }) => `${name} is suspended`,
    },
    'backup-never-succeeded': {
      meaning: 'A backup job has never succeeded, as far as the cluster remembers.',
      remedy: `Look at its log. ${backUp}`,
      describe: (job) => `${scheduled(job)} has never succeeded`,
    },
    'backup-time-not-told': {
      meaning: 'A backup is configured, but what was read does not show when it last succeeded.',
      remedy: `Find out when it last succeeded; --kubernetes shows it. ${backUp}`,
      describe: (job) => `${scheduled(job)} is there; when it last succeeded is not known`,
    },
    'backup-seen': {
      meaning: 'A backup of the last day was seen. Whether it can be restored was not.',
      describe: ({ name, ageSeconds }) => `${name}, ${describeSeconds(ageSeconds)} old`,
    },
  },
};
