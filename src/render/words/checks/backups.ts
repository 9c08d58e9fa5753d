import { type BackupsEvidence, oldAfterSeconds } from '../../../preflight/checks/backups.js';
import { describeSeconds } from '../measures.js';
import type { CheckWords } from './check-words.js';

const scheduled = ({ name, schedule }: { readonly name: string; readonly schedule: string | null }) =>
  `${name}${schedule === null ? '' : `, scheduled ${schedule},`}`;

const backUp =
  'Back up the database right before the upgrade, as the plan of lightspan upgrade-plan says, and see that it can be restored.';

export const backupsWords: CheckWords<BackupsEvidence> = {
  label: 'Backups',
  meaning: 'Whether a backup of the database was seen, and how old it is.',
  looksAt: `CronJobs (of compose: services) that by name or image back up a database, with when they last ended well; and VolumeSnapshots of the volume of the database. Older than ${describeSeconds(oldAfterSeconds)} is old: what was written since is lost by going back. Whether it can be restored is not seen; backups that are made elsewhere, as by a provider, are not seen either.`,
  finds: {
    'backup-old': {
      meaning: 'The newest backup that was seen is more than a day old.',
      remedy: backUp,
      describe: ({ name, ageSeconds }) => `the newest backup is ${name}, ${describeSeconds(ageSeconds)} old`,
    },
    'backup-suspended': {
      meaning: 'A job that backs up is suspended: it makes no backup.',
      remedy: `Let it run again, or ${backUp.charAt(0).toLowerCase()}${backUp.slice(1)}`,
      describe: ({ name }) => `${name} is suspended`,
    },
    'backup-never-succeeded': {
      meaning: 'A job that backs up has never ended well, as far as the cluster remembers.',
      remedy: `Look at its log. ${backUp}`,
      describe: (job) => `${scheduled(job)} has never ended well`,
    },
    'backup-time-not-told': {
      meaning: 'Something backs up, and what was read does not tell when it last ended well.',
      remedy: `Look when it last ended well; with --kubernetes it is seen. ${backUp}`,
      describe: (job) => `${scheduled(job)} is there; when it last ended well is not told`,
    },
    'backup-seen': {
      meaning: 'A backup of the last day was seen. Whether it can be restored was not.',
      describe: ({ name, ageSeconds }) => `${name}, ${describeSeconds(ageSeconds)} old`,
    },
  },
};
