import { describeFormats, gateFormats } from '../../answer/formats/registry.js';
import { parseTarget, targetNames } from '../../core/version.js';
import { factNames } from '../../instance/facts/fact-names.js';
import { optionSettings } from '../../question/option-settings.js';
import { usualTimeoutMs } from '../../read/limits.js';
import { publicArtifactUrl, publicIndexUrl } from '../../read/publisher/publisher-urls.js';
import type { OptionsOf, OptionTable } from '../declare.js';
import {
  addFact,
  namingOption,
  readArtifactPlace,
  readByteCount,
  readDuration,
  readList,
  readTagSuffix,
  readText,
  readVersion,
} from '../readers.js';

/** Options of several commands, declared once so that they read and behave the same. */

/** Of every command that answers. */
export const json = {
  json: { flags: '--json', group: 'output', description: 'write one line of JSON to standard output' },
  format: {
    flags: '--format <format>',
    group: 'output',
    brief: describeFormats(['text', 'json'], true),
    description: `how the answer is written: ${describeFormats(['text', 'json'], false)}`,
    choices: ['text', 'json'],
    asJson: true,
  },
} as const satisfies OptionTable;

export const colour = {
  color: {
    flags: '--color',
    group: 'output',
    rare: true,
    description: 'colour the text (default: by NO_COLOR, FORCE_COLOR, then whether it is a terminal)',
    negation: 'do not colour the text',
  },
} as const satisfies OptionTable;

export const output = {
  ...json,
  verbose: {
    flags: '--verbose',
    group: 'output',
    brief: 'list everything, and where it comes from',
    description: 'list everything, and say on standard error where the answer comes from',
  },
  ...colour,
} as const satisfies OptionTable;

export const gateFormat = {
  format: {
    flags: '--format <format>',
    group: 'output',
    brief: describeFormats(gateFormats, true),
    description: `how the answer is written: ${describeFormats(gateFormats, false)}`,
    choices: gateFormats,
  },
} as const satisfies OptionTable;

export const tagSuffix = {
  tagSuffix: {
    flags: '--tag-suffix <suffix>',
    group: 'question',
    rare: true,
    description: 'the suffix after the version in that tag, such as -custom',
    read: readTagSuffix,
    setting: optionSettings.tagSuffix,
  },
} as const satisfies OptionTable;

/** The running version: exactly one of the first three; `findCurrentVersion` checks it. */
export const currentVersion = {
  from: {
    flags: '--from <version>',
    group: 'question',
    description: 'the running version',
    read: readVersion('--from'),
  },
  instance: {
    flags: '--instance <url>',
    group: 'question',
    brief: 'or: ask the running instance',
    description: 'or: ask the running instance for it (GET /api/v1/health, no login)',
    conflicts: 'offline',
    setting: optionSettings.instance,
  },
  fromFile: {
    flags: '--from-file <file>',
    group: 'question',
    brief: 'or: read the tag in a file, such as values.yaml',
    description:
      'or: read the image tag in a file, such as values.yaml, docker-compose.yml or .env; if it has ' +
      'several, values.yaml#image.tag; repeatable, and all must agree',
    several: true,
  },
  // The steps of a deployment write tags with the suffix, wherever the version comes from.
  tagSuffix: { ...tagSuffix.tagSuffix, needs: ['fromFile', 'toFile', 'deploy'] },
} as const satisfies OptionTable;

export type CurrentVersionOptions = OptionsOf<typeof currentVersion>;

export const target = {
  to: {
    flags: '--to <target>',
    group: 'question',
    brief: 'a version, latest, latest-rolling or recommended',
    description:
      'the target version; latest is the newest in the index, latest-rolling the newest you can reach by ' +
      'rolling hops, recommended the newest that is old enough (--min-age) and has no known issue',
    read: namingOption('--to', parseTarget, targetNames),
    default: 'latest',
    setting: optionSettings.to,
  },
  minAge: {
    flags: '--min-age <duration>',
    group: 'question',
    rare: true,
    brief: 'how old recommended or latest-rolling must be',
    description:
      'how old a release must be for --to recommended (default 4d) and --to latest-rolling (default: any age)',
    read: readDuration,
    setting: optionSettings.minAge,
  },
  requireRecords: {
    flags: '--require-records',
    group: 'question',
    rare: true,
    brief: 'no answer where known issues are older than that',
    description:
      'exit 3 if the records of known issues are older than --min-age (default 4d): what became known since is ' +
      'in none of them',
    conflicts: 'publisherOnly',
  },
} as const satisfies OptionTable;

export const indexSource = {
  index: {
    flags: '--index <source>',
    group: 'evidence',
    brief: 'a URL, file, mirror folder or - (default: public)',
    description:
      'release-safety index: a URL, a file, a mirror folder, or - for standard input (env LIGHTSPAN_INDEX; ' +
      `default ${publicIndexUrl})`,
    setting: optionSettings.index,
  },
} as const satisfies OptionTable;

export const fetchTimeout = {
  timeout: {
    flags: '--timeout <duration>',
    group: 'network',
    rare: true,
    description: 'longest wait for a fetch, such as 30, 30s or 10m',
    read: readDuration,
    default: usualTimeoutMs,
    defaultText: '30s',
  },
} as const satisfies OptionTable;

export const limits = {
  maxAge: {
    flags: '--max-age <duration>',
    group: 'evidence',
    rare: true,
    description: 'refuse an index that is older, such as 24h or 7d (default: warn after 7d)',
    read: readDuration,
  },
} as const satisfies OptionTable;

export const allowHttp = {
  allowHttp: {
    flags: '--allow-http',
    group: 'network',
    rare: true,
    description: 'allow plain http beyond this machine',
  },
} as const satisfies OptionTable;

/** For a command that is itself an exchange with a server. */
export const online = {
  cache: {
    flags: '--no-cache',
    group: 'network',
    rare: true,
    description: 'neither read nor write the cache',
  },
  ...allowHttp,
} as const satisfies OptionTable;

const networkOptions = {
  offline: {
    flags: '--offline',
    group: 'network',
    brief: 'contact no server: use the cache',
    description: 'contact no server: answer from the cache, however old, or not at all',
  },
  ...online,
} as const satisfies OptionTable;

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
      'them or a mirror folder; repeatable (env LIGHTSPAN_KNOWN_ISSUES names one more)',
    several: true,
    setting: optionSettings.knownIssues,
  },
} as const satisfies OptionTable;

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
      '--max-age (default 14d)',
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

/** Of a command that may read the database of Lightdash. */
export const database = {
  database: {
    flags: '--database <url>',
    group: 'evidence',
    brief: 'read the database: postgresql://..., or env (PG*)',
    description:
      'read the database of Lightdash: postgresql://..., env to use the PG* variables, or the name of a ' +
      'variable with the URL',
    setting: optionSettings.database,
  },
} as const satisfies OptionTable;

export const migratingRole = {
  migratingRole: {
    flags: '--migrating-role <role>',
    group: 'evidence',
    rare: true,
    description: 'the role that migrates (default: the owner of knex_migrations)',
    read: readText,
    needs: ['database', 'sql'],
  },
} as const satisfies OptionTable;

export const checking = {
  diskFree: {
    flags: '--disk-free <size>',
    group: 'evidence',
    rare: true,
    description: 'free space on the database disk, such as 40GiB',
    read: readByteCount,
    setting: optionSettings.diskFree,
  },
  only: {
    flags: '--only <checks>',
    group: 'question',
    rare: true,
    description:
      'run only these checks, or all of the database or deployment, separated by commas, such as ledger,disk-space',
    read: readList,
  },
} as const satisfies OptionTable;

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
