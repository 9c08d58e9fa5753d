import { chartWith } from '../../../preflight/chart-eras.js';
import type { LicenceKeyEvidence } from '../../../preflight/checks/licence-key.js';
import { listNames } from '../lists.js';
import type { CheckWords } from './check-words.js';

export const licenceKeyWords: CheckWords<LicenceKeyEvidence> = {
  label: 'Licence key',
  meaning: 'Whether what migrates has the licence key that the pods have.',
  looksAt:
    'Where LIGHTDASH_LICENSE_KEY is set, by name: in the variables of each container, and in the Secrets, ConfigMaps and files that it loads whole. Its value is not read. An object that was not seen may set it, unless pods and migrator use the same objects.',
  finds: {
    'licence-not-in-migrator': {
      meaning:
        'Pods have the licence key, and what migrates does not. The upgrade leaves out the enterprise migrations but looks successful, and pods that wait for them are never ready (helm PR#155).',
      remedy: `Give it to the migration job: migrationJob.inheritGlobalEnv from chart ${chartWith.inheritedVariables} on, else migrationJob.extraEnv or migrationJob.existingSecret.`,
      describe: ({ variable, migrator, serving }) =>
        `${listNames(serving)} ${serving.length === 1 ? 'has' : 'have'} ${variable}, and ${migrator}, which migrates, does not`,
    },
    'licence-where-needed': {
      meaning: 'What migrates has the licence key wherever a pod may have it.',
      describe: ({ variable }) => `what migrates has ${variable} wherever a pod may have it`,
    },
    'no-licence': {
      meaning: 'No pod has a licence key.',
      describe: ({ variable }) => `no pod has ${variable}`,
    },
  },
};
