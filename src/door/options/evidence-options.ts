import { isFolder } from '../../gather/files/read-file.js';
import { oldIndex, oldRehearsal } from '../../gather/limits.js';
import { publicArtifactUrl, publicIndexUrl } from '../../gather/publisher/publisher-urls.js';
import { factNames } from '../../instance/facts/fact-names.js';
import type { ArtifactsQuestion, EvidenceQuestion, IndexPlace } from '../../question/evidence.js';
import { indexVariable, knownIssuesVariable, optionSettings } from '../../question/option-settings.js';
import type { SettingsOutcome } from '../../question/settings.js';
import type { CommandContext } from '../context.js';
import type { OptionsOf, OptionTable } from '../declare.js';
import { addFact, readArtifactPlace, readDuration } from '../readers.js';
import type { checking } from './checking-options.js';
import { type detail, fetchTimeout, type NetworkOptions, networkOf, networkOptions } from './options.js';

/** The options that name evidence, and their translation into the question of it. */

export const indexSource = {
  index: {
    flags: '--index <source>',
    group: 'evidence',
    brief: 'a URL, file, mirror folder or - (default: public)',
    description:
      `release-safety index: a URL, a file, a mirror folder, or - for standard input (env ${indexVariable}; ` +
      `default ${publicIndexUrl})`,
    setting: optionSettings.index,
  },
} as const satisfies OptionTable;

export const limits = {
  maxAge: {
    flags: '--max-age <duration>',
    group: 'evidence',
    rare: true,
    description: `refuse an index that is older, such as 24h or 7d (default: warn after ${oldIndex})`,
    read: readDuration,
  },
} as const satisfies OptionTable;

type IndexOptions = OptionsOf<typeof indexSource & typeof limits & typeof detail>;

export function indexPlaceOf(
  { index, maxAge, verbose }: IndexOptions,
  env: CommandContext['env'],
): IndexPlace {
  const source = index ?? (env[indexVariable] || publicIndexUrl);
  return { source, isFolder: isFolder(source), maxAgeMs: maxAge, verbose: verbose === true };
}

/** Sources whose age does not matter. */
export const sourcesOfAnyAge = { ...indexSource, ...fetchTimeout, ...networkOptions };

export const sources = { ...indexSource, ...fetchTimeout, ...limits, ...networkOptions };

export const artifacts = {
  artifactUrl: {
    flags: '--artifact-url <source>',
    group: 'evidence',
    rare: true,
    description:
      'release artifacts: a URL with {version} in it, or a mirror folder (default: the mirror that --index ' +
      `names, else ${publicArtifactUrl})`,
    read: readArtifactPlace,
  },
} as const satisfies OptionTable;

export const issueSources = {
  knownIssues: {
    flags: '--known-issues <source>',
    group: 'evidence',
    rare: true,
    description:
      'more known issues, besides the built-in ones and those of a mirror: a URL, a file, a folder of ' +
      `them or a mirror folder; repeatable (env ${knownIssuesVariable} names one more)`,
    several: true,
    setting: optionSettings.knownIssues,
  },
} as const satisfies OptionTable;

/** Where known issues are read from besides the built-in ones and those of a mirror. */
function recordSourcesOf(
  { knownIssues = [] }: OptionsOf<typeof issueSources>,
  env: CommandContext['env'],
): readonly string[] {
  const oneMore = env[knownIssuesVariable];
  return oneMore ? [oneMore, ...knownIssues] : knownIssues;
}

type SourceOptions = NetworkOptions & IndexOptions & OptionsOf<typeof issueSources & typeof artifacts>;

/** Where everything public is read from. */
export function sourcesOf(options: SourceOptions, env: CommandContext['env']) {
  return {
    network: networkOf(options),
    index: indexPlaceOf(options, env),
    records: recordSourcesOf(options, env),
    artifacts: options.artifactUrl,
  };
}

/** What a person states; it takes precedence over the same fact in a file. */
export const statedFact = {
  fact: {
    flags: '--fact <name=value>',
    group: 'evidence',
    rare: true,
    description: `a fact about the instance, such as edition=community; repeatable; names: ${factNames.join(', ')}`,
    fold: addFact,
  },
} as const satisfies OptionTable;

export const project = {
  project: {
    flags: '--project <folder>',
    group: 'evidence',
    rare: true,
    description:
      'the YAML of the dbt project, to count the pre-aggregates that nothing refreshes from 3.0.0 on',
  },
} as const satisfies OptionTable;

export const issueExceptions = {
  accept: {
    flags: '--accept <risk>',
    group: 'evidence',
    brief: 'a risk that you accept; it stays in the answer',
    description: describeAccept(''),
    several: true,
  },
  publisherOnly: {
    flags: '--publisher-only',
    group: 'evidence',
    rare: true,
    description: 'leave known issues out: use only what the publisher said when it released',
  },
} as const satisfies OptionTable;

/** @param others what else a command accepts */
export function describeAccept(others: string): string {
  return (
    'a risk that you accept; it blocks nothing and stays in the answer: the id of a known issue, a check (with ' +
    `its subject after a slash, if it has one), or a release not proven safe${others}; repeatable`
  );
}

export const failing = {
  failOn: {
    flags: '--fail-on <level>',
    group: 'evidence',
    rare: true,
    description:
      'major: refuse a major unless its notes list nothing to do, or you accept it (--accept majors/3.0.0)',
    choices: optionSettings.failOn.choices,
    setting: optionSettings.failOn,
  },
} as const satisfies OptionTable;

export const rehearsalEvidence = {
  rehearsal: {
    flags: '--rehearsal <file>',
    group: 'evidence',
    rare: true,
    brief: 'a rehearsal, from upgrade-rehearse --out',
    description:
      'what upgrade-rehearse --out has written: what failed there stops the upgrade; refused if older than ' +
      `--max-age (default ${oldRehearsal})`,
    setting: optionSettings.rehearsal,
  },
} as const satisfies OptionTable;

/** What counts besides the index, and what is known of the instance. */
export const knownIssues = {
  ...issueSources,
  ...statedFact,
  facts: {
    flags: '--facts <file>',
    group: 'evidence',
    brief: 'facts of your instance, from preflight --facts-out',
    description:
      'or: a facts file, as JSON, or - for standard input, no older than --max-age; --fact takes precedence',
  },
  ...issueExceptions,
  ...failing,
} as const satisfies OptionTable;

export const judging = {
  ...sources,
  ...knownIssues,
  verifyArtifacts: {
    flags: '--verify-artifacts',
    group: 'evidence',
    brief: 'also read every artifact; all must agree',
    description:
      'also read the artifact of every release in the span: exit 0 only if all are there and agree with the index',
  },
  ...artifacts,
} as const satisfies OptionTable;

/** Options of the evidence, of which the last three are declared differently by some commands. */
type EvidenceOptions = SourceOptions &
  OptionsOf<
    typeof statedFact & typeof issueExceptions & typeof project & typeof rehearsalEvidence & typeof checking
  > & { readonly facts?: string; readonly verifyArtifacts?: true; readonly failOn?: string };

export function evidenceQuestionOf(
  options: EvidenceOptions,
  { used, refused, accepted }: SettingsOutcome,
  env: CommandContext['env'],
  { isWanted = false }: Partial<Pick<ArtifactsQuestion, 'isWanted'>> = {},
): EvidenceQuestion {
  const { fact = new Map(), maxAge, accept = [] } = options;
  const { network, index, records, artifacts } = sourcesOf(options, env);
  return {
    network,
    index,
    records: { sources: records, publisherOnly: options.publisherOnly === true },
    artifacts: { place: artifacts, everyOne: options.verifyArtifacts === true, isWanted },
    facts: {
      ...{ file: options.facts || undefined, stated: fact, project: options.project, maxAgeMs: maxAge },
      rehearsal: options.rehearsal,
    },
    accepting: { names: accept, bySettings: accepted },
    checks: { only: options.only, diskFree: options.diskFree, failOnMajor: options.failOn === 'major' },
    settings: { used, refused },
  };
}

/** `lightspan.yaml`, for what judges by an index. */
export const settings = {
  settings: {
    flags: '--settings <file>',
    group: 'evidence',
    rare: true,
    description: 'take what is not given here from this file (default: the nearest lightspan.yaml)',
    negation: 'ignore lightspan.yaml',
  },
} as const satisfies OptionTable;
