import { describeFormats, gateFormats } from '../../answer/formats/registry.js';
import { LightspanError } from '../../core/lightspan-error.js';
import type { Target } from '../../core/version.js';
import { parseTarget, targetNames } from '../../core/version.js';
import { mostBytes, usualTimeout, usualTimeoutMs } from '../../gather/limits.js';
import type { Network } from '../../question/network.js';
import { optionSettings } from '../../question/option-settings.js';
import type { StatedVersionQuestion } from '../../question/running-version.js';
import type { TargetQuestion } from '../../question/target.js';
import type { UsersWords } from '../command-line.js';
import type { OptionsOf, OptionTable } from '../declare.js';
import type { LackingDetails } from '../lacking.js';
import { chooseFormat, namingOption, readDuration, readTagSuffix, readVersion } from '../readers.js';
import type { AnswerWanted } from '../write-answer.js';

// The plain check needs no help: the bundler has to know that these do nothing else.

/** @param what is waited for: `a fetch` */
export const longestWait = /* @__NO_SIDE_EFFECTS__ */ (what: string) =>
  `longest wait for ${what}, such as 30, 30s or 10m`;

/** @param rolling what a command without routes does not have */
export const describeTarget = /* @__NO_SIDE_EFFECTS__ */ (rolling = '') =>
  `the target version; latest is the newest in the index, ${rolling}recommended the newest that is old enough ` +
  '(--min-age) and has no known issue';

/** @param tags which: `that tag`, `the tags` */
export const suffixIn = /* @__NO_SIDE_EFFECTS__ */ (tags: string) =>
  `the suffix after the version in ${tags}, such as -custom`;

/**
 * Options of several commands, declared once so that they read and behave the same, each beside its translation into a
 * question: how an answer is written, how servers are reached, which version runs, and which is the target. Below this,
 * nothing knows an option.
 */

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

export const detail = {
  verbose: {
    flags: '--verbose',
    group: 'output',
    brief: 'list everything, and where it comes from',
    description: 'list everything, and say on standard error where the answer comes from',
  },
} as const satisfies OptionTable;

export const output = { ...json, ...detail, ...colour } as const satisfies OptionTable;

export const gateFormat = {
  format: {
    flags: '--format <format>',
    group: 'output',
    brief: describeFormats(gateFormats, true),
    description: `how the answer is written: ${describeFormats(gateFormats, false)}`,
    choices: gateFormats,
  },
} as const satisfies OptionTable;

/** @throws {LightspanError} `usage` if `--json` and `--format` contradict each other */
export function answerWantedOf<Format extends string>(
  options: ManneredOptions<Format>,
  words: UsersWords,
): AnswerWanted<Format | 'text' | 'json'> {
  return { ...mannerOf(options), words };
}

type ManneredOptions<Format extends string> = OptionsOf<typeof detail & typeof colour> & {
  readonly json?: true;
  readonly format?: Format;
};

/**
 * How an answer is written, for a command that proposes no command with the user's own words.
 *
 * @param usual the format where none is named
 */
export function mannerOf<Format extends string>(
  options: ManneredOptions<Format>,
  usual?: Format,
): Omit<AnswerWanted<Format | 'text' | 'json'>, 'words'> {
  const { verbose, color } = options;
  return { format: chooseFormat(options, usual), verbose: verbose === true, color };
}

export const fetchTimeout = {
  timeout: {
    flags: '--timeout <duration>',
    group: 'network',
    rare: true,
    description: longestWait('a fetch'),
    read: readDuration,
    default: usualTimeoutMs,
    defaultText: usualTimeout,
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

export const networkOptions = {
  offline: {
    flags: '--offline',
    group: 'network',
    brief: 'contact no server: use the cache',
    description: 'contact no server: answer from the cache, however old, or not at all',
  },
  ...online,
} as const satisfies OptionTable;

export type NetworkOptions = OptionsOf<typeof fetchTimeout & typeof networkOptions>;

export function networkOf({ timeout, cache, allowHttp, offline }: NetworkOptions): Network {
  return {
    timeoutMs: timeout,
    maxBytes: mostBytes.source,
    cache,
    allowHttp: allowHttp === true,
    offline: offline === true,
  };
}

export const tagSuffix = {
  tagSuffix: {
    flags: '--tag-suffix <suffix>',
    group: 'question',
    rare: true,
    description: suffixIn('that tag'),
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

type VersionOptions = OptionsOf<typeof currentVersion & typeof fetchTimeout & typeof allowHttp>;

/** @throws {LightspanError} `usage` unless exactly one way is given */
export function statedVersionOf(
  { from, instance, fromFile, tagSuffix, timeout, allowHttp }: VersionOptions,
  /** Whether the command has `--from-database`, too. */
  mayBeInDatabase = false,
): StatedVersionQuestion {
  const ways = [
    ...(from === undefined ? [] : [{ by: 'version' as const, version: from }]),
    ...(instance === undefined
      ? []
      : [
          {
            by: 'instance' as const,
            address: instance,
            network: { timeoutMs: timeout, allowHttp: allowHttp === true },
          },
        ]),
    ...(fromFile === undefined ? [] : [{ by: 'pins' as const, files: fromFile }]),
  ];
  const [only, second] = ways;
  if (only !== undefined && second === undefined) return { ...only, tagSuffix };
  const isLacking = only === undefined;
  const lackingKind = isLacking ? 'running-version' : 'one-running-version';
  const details: LackingDetails = { kind: 'lacking', what: lackingKind, mayBeInDatabase };
  const how = isLacking ? 'not given' : 'given in more than one way';
  throw new LightspanError('usage', `the running version is ${how}`, { details });
}

/** `recommendedMinAgeMs` of the core, which no start needs, in the form that an option takes. */
export const recommendedMinAge = '4d';

export const target = {
  to: {
    flags: '--to <target>',
    group: 'question',
    brief: 'a version, latest, latest-rolling or recommended',
    description: describeTarget('latest-rolling the newest you can reach by rolling hops, '),
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
      `how old a release must be for --to recommended (default ${recommendedMinAge}) and --to latest-rolling ` +
      '(default: any age)',
    read: readDuration,
    setting: optionSettings.minAge,
  },
  requireRecords: {
    flags: '--require-records',
    group: 'question',
    rare: true,
    brief: 'no answer where known issues are older than that',
    description:
      `exit 3 if the records of known issues are older than --min-age (default ${recommendedMinAge}): what became ` +
      'known since is in none of them',
    conflicts: 'publisherOnly',
  },
} as const satisfies OptionTable;

/** What a release is named by, and how old it and the records have to be. */
export function targetQuestionOf<To extends Target>({
  to,
  minAge,
  requireRecords,
}: OptionsOf<typeof target> & { readonly to: To }): TargetQuestion & { readonly to: To } {
  return { to, minAgeMs: minAge, requireRecords: requireRecords === true };
}
