import type { EnvironmentEvidence } from '../../../preflight/checks/environment.js';
import { countOf, sentence } from '../../phrase.js';
import { describeNetChange, describeWhatToChange } from '../config-changes.js';
import { listNames } from '../lists.js';
import type { CheckWords } from './check-words.js';

const setBy = (workloads: readonly string[]) =>
  `${listNames(workloads)} ${workloads.length === 1 ? 'sets' : 'set'} it`;

export const environmentWords: CheckWords<EnvironmentEvidence> = {
  label: 'Environment variables',
  meaning: 'Which environment variables of the workloads the releases on the route change.',
  looksAt:
    'The variables that artifacts name as removed, renamed or with another default, combined over the route, against the names that each container of Lightdash receives. Their values are not read. A Secret, ConfigMap or file that was not seen may set any of them.',
  finds: {
    'variable-renamed': {
      meaning:
        'A variable that is set has another name in the target, and that name is not set: the target uses its default.',
      remedy: 'Set the new name as well; remove the old one when no old release runs any more.',
      describe: ({ change, workloads }) => `${describeNetChange(change)}; ${setBy(workloads)}`,
      advise: ({ change }) => `${sentence(describeWhatToChange(change))}; while both releases run, set both.`,
    },
    'variable-removed': {
      meaning:
        'The target no longer reads a variable that is set. What it controlled may now be done in another way.',
      remedy:
        'Look in the release notes for its replacement; remove the variable when no old release runs any more.',
      describe: ({ change, workloads }) => `${describeNetChange(change)}; ${setBy(workloads)}`,
    },
    'variable-has-new-default': {
      meaning: 'A variable that is not set everywhere has another default in the target.',
      remedy: 'Set it explicitly, if the new default is not what you want.',
      describe: ({ change }) => `${describeNetChange(change)}; it is not set everywhere`,
    },
    'variable-change-unknown': {
      meaning: 'A release changes a variable in a way that this version of lightspan does not know.',
      remedy: 'Read the notes of that release, or use a newer lightspan.',
      describe: ({ version, type }) => `${version} changes a variable in a way that is not known: ${type}`,
    },
    'environment-kept': {
      meaning:
        'No variable that is set is removed or renamed on the way, and none that is not set has another default.',
      describe: ({ changes }) =>
        changes === 0
          ? 'the route changes no variable'
          : `${countOf(changes, 'variable is', 'variables are')} changed on the way, in nothing that is set here`,
    },
  },
};
