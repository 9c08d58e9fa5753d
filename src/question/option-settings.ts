import { deployKinds } from '../instance/facts/fact-names.js';
import type { OptionSetting } from './settings.js';

/** The environment variables that name evidence: an index in place of another, known issues beside others. */
export const indexVariable = 'LIGHTSPAN_INDEX';
export const knownIssuesVariable = 'LIGHTSPAN_KNOWN_ISSUES';

/** The keys of `lightspan.yaml` that stand for an option. The option has its name, and names it as its `setting`. */
export const optionSettings = {
  instance: {
    description: 'the address of the running instance, such as https://bi.example.com',
    form: /^https?:\/\/\S+$/i,
    unless: ['instance', 'from', 'fromFile', 'fromDatabase', 'offline'],
  },
  tagSuffix: { description: 'the suffix after the version in tags, such as -custom', form: /^[\w.-]+$/ },
  to: {
    description: 'the target: latest, latest-rolling, recommended or a version',
    form: /^(?:latest|latest-rolling|recommended|[vV]?\d+\.\d+\.\d+)$/,
    unless: ['to', 'toFile'],
  },
  minAge: {
    description: 'how old a recommended release must be, such as 4d',
    form: /^(?!0+[smhd]?$)\d{1,9}[smhd]?$/,
  },
  index: {
    description: 'the release-safety index: a URL, a file or a mirror folder',
    isSource: true,
    variable: indexVariable,
  },
  deploy: { choices: deployKinds },
  database: {
    description: 'env for the PG* variables, the name of a variable with the URL, or a URL without password',
    unless: ['database', 'facts', 'offline'],
  },
  diskFree: {
    description: 'free space on the database disk, such as 40GiB',
    form: /^(?!0+(?:[KMG]iB)?$)\d{1,12}(?:[KMG]iB)?$/,
  },
  rehearsal: { description: 'what upgrade-rehearse --out has written', isSource: true },
  failOn: { choices: ['major'] },
  knownIssues: {
    description: 'known issues in addition to the built-in ones: a URL, a file or a folder',
    several: true,
    isSource: true,
    unless: [],
  },
} as const satisfies Readonly<Record<string, OptionSetting>>;
