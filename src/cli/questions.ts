import { LightspanError } from '../core/lightspan-error.js';
import type { Target } from '../core/version.js';
import type { FactName, FactValue } from '../instance/facts/fact-names.js';
import type { ArtifactsQuestion, EvidenceQuestion, IndexPlace } from '../question/evidence.js';
import type { Network } from '../question/network.js';
import type { StatedVersionQuestion } from '../question/running-version.js';
import type { SettingsOutcome } from '../question/settings.js';
import type { TargetQuestion } from '../question/target.js';
import { isFolder } from '../read/files/read-file.js';
import { mostBytes } from '../read/limits.js';
import { publicIndexUrl } from '../read/publisher/publisher-urls.js';
import type { UsersWords } from './command-line.js';
import type { CommandContext } from './context.js';
import type { LackingDetails } from './lacking.js';
import type { CurrentVersionOptions } from './options/options.js';
import { chooseFormat } from './readers.js';
import type { AnswerWanted } from './write-answer.js';

/** Options as questions: what several commands translate alike. Below this, nothing knows an option. */

interface NetworkOptions {
  readonly timeout: number;
  readonly cache: boolean;
  readonly allowHttp?: true | undefined;
  readonly offline?: true | undefined;
}

export function networkOf({ timeout, cache, allowHttp, offline }: NetworkOptions): Network {
  return {
    timeoutMs: timeout,
    maxBytes: mostBytes.source,
    cache,
    allowHttp: allowHttp === true,
    offline: offline === true,
  };
}

interface IndexOptions {
  readonly index?: string | undefined;
  readonly maxAge?: number | undefined;
  readonly verbose?: true | undefined;
}

export function indexPlaceOf(
  { index, maxAge, verbose }: IndexOptions,
  { LIGHTSPAN_INDEX }: CommandContext['env'],
): IndexPlace {
  const source = index ?? (LIGHTSPAN_INDEX || publicIndexUrl);
  return { source, isFolder: isFolder(source), maxAgeMs: maxAge, verbose: verbose === true };
}

/** Where known issues are read from besides the built-in ones and those of a mirror. */
function recordSourcesOf(
  { knownIssues = [] }: { readonly knownIssues?: readonly string[] | undefined },
  { LIGHTSPAN_KNOWN_ISSUES }: CommandContext['env'],
): readonly string[] {
  return LIGHTSPAN_KNOWN_ISSUES ? [LIGHTSPAN_KNOWN_ISSUES, ...knownIssues] : knownIssues;
}

interface SourceOptions extends NetworkOptions, IndexOptions {
  readonly knownIssues?: readonly string[] | undefined;
  readonly artifactUrl?: string | undefined;
}

/** Where everything public is read from. */
export function sourcesOf(options: SourceOptions, env: CommandContext['env']) {
  return {
    network: networkOf(options),
    index: indexPlaceOf(options, env),
    records: recordSourcesOf(options, env),
    artifacts: options.artifactUrl,
  };
}

interface EvidenceOptions extends SourceOptions {
  readonly fact?: ReadonlyMap<FactName, FactValue> | undefined;
  readonly facts?: string | undefined;
  readonly accept?: readonly string[] | undefined;
  readonly publisherOnly?: true | undefined;
  readonly project?: string | undefined;
  readonly rehearsal?: string | undefined;
  readonly verifyArtifacts?: true | undefined;
  readonly diskFree?: number | undefined;
  readonly only?: readonly string[] | undefined;
  readonly failOn?: string | undefined;
}

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

/** What a release is named by, and how old it and the records have to be. */
export function targetQuestionOf<To extends Target>({
  to,
  minAge,
  requireRecords,
}: {
  readonly to: To;
  readonly minAge?: number | undefined;
  readonly requireRecords?: true | undefined;
}): TargetQuestion & { readonly to: To } {
  return { to, minAgeMs: minAge, requireRecords: requireRecords === true };
}

interface VersionOptions extends CurrentVersionOptions {
  readonly timeout: number;
  readonly allowHttp?: true | undefined;
}

/** @throws {LightspanError} `usage` unless exactly one way is given */
export function statedVersionOf(
  { from, instance, fromFile, tagSuffix, timeout, allowHttp }: VersionOptions,
  /** Whether the command has `--from-database`, too. */
  mayBeInDatabase = false,
): StatedVersionQuestion {
  const ways: readonly StatedVersionQuestion[] = [
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
    ...(fromFile === undefined ? [] : [{ by: 'pins' as const, files: fromFile, tagSuffix }]),
  ];
  const [only, second] = ways;
  if (only !== undefined && second === undefined) return only;
  const isLacking = only === undefined;
  const what = isLacking ? 'running-version' : 'one-running-version';
  const details: LackingDetails = { kind: 'lacking', what, mayBeInDatabase };
  const how = isLacking ? 'not given' : 'given in more than one way';
  throw new LightspanError('usage', `the running version is ${how}`, { details });
}

/** @throws {LightspanError} `usage` if `--json` and `--format` contradict each other */
export function answerWantedOf<Format extends string>(
  options: ManneredOptions<Format>,
  words: UsersWords,
): AnswerWanted<Format | 'text' | 'json'> {
  return { ...mannerOf(options), words };
}

interface ManneredOptions<Format extends string> {
  readonly json?: true;
  readonly format?: Format;
  readonly verbose?: true;
  readonly color?: boolean;
}

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
