import {
  type RequiredVariablesEvidence,
  storageRequired,
} from '../../../preflight/checks/required-variables.js';
import type { CheckWords } from './check-words.js';

export const requiredVariablesWords: CheckWords<RequiredVariablesEvidence> = {
  label: 'Required variables',
  meaning: 'Whether everything that runs the target has the variables without which it does not start.',
  looksAt: `LIGHTDASH_SECRET and, from ${storageRequired.since} on, S3_ENDPOINT, S3_BUCKET and S3_REGION, by name, in the backend, the workers and what migrates: each of them reads the configuration. Of their values, only whether they are empty is checked.`,
  finds: {
    'variable-missing': {
      meaning:
        'A variable that the target needs to start is not set, or empty: the target refuses its configuration ("S3 is not configured"), and the container exits.',
      remedy:
        'Set them before the upgrade: in the backend, every worker and what migrates, or in .env. What a values file sets for the pods reaches the migration job only if it is inherited.',
      describe: ({ workload, variables, to }) =>
        `${workload} has no value for ${variables.join(', ')}, without which ${to} does not start`,
    },
    'job-has-other-secret': {
      meaning:
        "The pods have LIGHTDASH_SECRET from the operator's Secret, and the migration job has another one, from the chart's own Secret: a default, unless it is set as well.",
      remedy:
        'Give the job the same Secret: migrationJob.existingSecret, or migrationJob.inheritGlobalEnv if the chart knows it.',
      describe: ({ variable, job, pods }) =>
        `the migration job has ${variable} from ${job}, and the pods from ${pods}`,
    },
    'required-set': {
      meaning: 'Everything that runs the target has the variables without which it does not start.',
      describe: ({ variables }) => `${variables.join(', ')}: set wherever the target runs`,
    },
  },
};
