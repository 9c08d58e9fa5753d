import { type Command, InvalidArgumentError, Option } from 'commander';
import { ReleaseSafetyError } from '../release-safety/errors.js';
import {
  parseRouteTarget,
  parseVersion,
  type RouteTarget,
  routeTargetNames,
  type Version,
} from '../release-safety/version.js';
import {
  artifactUrl,
  isUrlOrTemplate,
  publicArtifactUrl,
  publicIndexUrl,
} from '../sources/publisher-urls.js';
import { parseByteCount, parseDuration } from './quantities.js';

/** Options of several commands, declared once so that they read and behave the same. */

/** The running version: exactly one of `from`, `instance` and `fromFile`; `findCurrentVersion` checks it. */
export interface CurrentVersionOptions {
  readonly from?: Version;
  readonly instance?: string;
  /** Every place that pins it, in the given order. */
  readonly fromFile?: readonly string[];
  readonly tagSuffix?: string;
}

export interface SourceOptions {
  /** If undefined: `LIGHTSPAN_INDEX`, then the public index. */
  readonly index?: string;
  /** Milliseconds. */
  readonly timeout: number;
  /** After decoding. */
  readonly maxBytes: number;
  /** Milliseconds. */
  readonly maxAge?: number;
  readonly allowHttp?: true;
  readonly cache: boolean;
  readonly offline?: true;
}

export interface OutputOptions {
  readonly json?: true;
  readonly verbose?: true;
  /** If undefined, the environment decides. */
  readonly color?: boolean;
}

export function addCurrentVersionOptions(command: Command): Command {
  return command
    .option('--from <version>', 'the running version', once(readVersion('--from')))
    .option(
      '--instance <url>',
      'or: ask the running instance for it (GET /api/v1/health, no login)',
      once(readSource),
    )
    .option(
      '--from-file <file>',
      'or: read the image tag pinned in a YAML or JSON file, such as values.yaml; if that has several, values.yaml#image.tag; given several times, all must agree',
      several(readSource),
    )
    .option(
      '--tag-suffix <suffix>',
      'what follows the version in that tag, such as -custom',
      once(readTagSuffix),
    );
}

/** Reads a whole number from 1. */
export function readCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Write a whole number from 1.');
  return Number(text);
}

/** The option for a target of `planRoute`. */
export function targetOption(): Option {
  return new Option(
    '--to <target>',
    'the target version; latest is the newest in the index, latest-rolling the newest that rolling hops reach',
  )
    .argParser(once(namingOption('--to', parseRouteTarget, routeTargetNames)))
    .default(latest);
}

/** Reads the end of a span. Of the names of a target, only the one that does not depend on what is safe is accepted. */
export function readCheckTarget(text: string): Version | typeof latest {
  return text === latest ? text : namingOption('--to', parseVersion, [latest])(text);
}

const latest = 'latest' satisfies RouteTarget;

export function addSourceOptions(command: Command): Command {
  addIndexOption(command).addOption(
    new Option('--timeout <duration>', 'longest wait for a fetch, such as 30, 30s or 10m')
      .argParser(once(readDuration))
      .default(30_000, '30s'),
  );
  return addLimitOptions(command)
    .option('--offline', 'contact no server: answer from the cache, however old, or not at all')
    .option('--no-cache', 'neither read nor write the cache')
    .option('--allow-http', 'allow plain http beyond this machine');
}

export function addIndexOption(command: Command): Command {
  return command.option(
    '--index <source>',
    `release-safety index: a URL, a file, a mirror folder, or - for standard input (env LIGHTSPAN_INDEX; default ${publicIndexUrl})`,
    once(readSource),
  );
}

/** Limits on the size and the age of sources. */
export function addLimitOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--max-bytes <size>', 'largest source to read, after decoding, such as 500KiB or 64MiB')
        .argParser(once(readByteCount))
        // Thirty times the public index of 2026.
        .default(24 * 1024 ** 2, '24MiB'),
    )
    .option(
      '--max-age <duration>',
      'refuse an index generated longer ago, such as 24h or 7d (without it, a warning after 7d)',
      once(readDuration),
    );
}

export interface ArtifactOptions {
  /** If undefined: the mirror that `index` names, then the publisher. */
  readonly artifactUrl?: string;
}

export function addArtifactOptions(command: Command): Command {
  return command.option(
    '--artifact-url <source>',
    `release artifacts: a URL with {version} in it, or a mirror folder (default: the mirror that --index names, else ${publicArtifactUrl})`,
    once(readArtifactPlace),
  );
}

export function addOutputOptions(command: Command): Command {
  return command
    .option('--json', 'write one line of JSON to standard output')
    .option('--verbose', 'list everything, and say on standard error where the answer came from')
    .option('--color', 'colour the text (else NO_COLOR, FORCE_COLOR, then whether it is a terminal, decide)')
    .option('--no-color', 'do not colour the text');
}

/** An option that may be given only once: a second value would silently replace the first. */
export function once<T>(read: (text: string) => T): (text: string) => T {
  let seen = false;
  return (text) => {
    if (seen) throw new InvalidArgumentError('It is given twice.');
    seen = true;
    return read(text);
  };
}

/** An option that may be given several times. */
export function several<T>(read: (text: string) => T): (text: string, before?: readonly T[]) => readonly T[] {
  return (text, before = []) => [...before, read(text)];
}

/** An option with one of a few values. */
export function choice(
  flags: string,
  description: string,
  values: readonly string[],
  times: typeof once | typeof several = once,
): Option {
  const option = new Option(flags, description).choices(values);
  const { parseArg } = option;
  return parseArg === undefined ? option : option.argParser(times((text) => parseArg(text, undefined)));
}

/** Reads a version; the error names the option. */
export function readVersion(option: string): (text: string) => Version {
  return namingOption(option, parseVersion);
}

/** @param names the values that the option accepts besides a version */
export function namingOption<T>(
  option: string,
  read: (text: string) => T,
  names: readonly string[] = [],
): (text: string) => T {
  return (text) => {
    try {
      return read(text);
    } catch (error) {
      if (!(error instanceof ReleaseSafetyError)) throw error;
      const hint = names.length === 0 ? error.hint : `${error.hint} Or write ${names.join(' or ')}.`;
      throw new ReleaseSafetyError(error.code, `${option}: ${error.message}`, hint);
    }
  };
}

export function readSource(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It is empty.');
  // The text after an option is read as its value, even if it is the next option.
  if (text.startsWith('--')) throw new InvalidArgumentError('It has no value: an option follows.');
  return text;
}

/** Refuses a place that can contain no artifact before anything is read. */
function readArtifactPlace(text: string): string {
  const place = readSource(text);
  if (isUrlOrTemplate(place)) artifactUrl(place, '0.0.0');
  return place;
}

/** Refuses line breaks in texts for messages and for commands to paste, which they would split. */
export function readText(text: string): string {
  if (/\p{Cc}/u.test(text)) throw new InvalidArgumentError('It contains a control character.');
  return readSource(text);
}

export function readTagSuffix(text: string): string {
  if (!/^[\w.-]+$/.test(text)) throw new InvalidArgumentError('An image tag cannot end like this.');
  return text;
}

export function readDuration(text: string): number {
  const duration = parseDuration(text);
  if (duration === undefined) throw new InvalidArgumentError('Write it as 30 (seconds), 30s, 10m, 6h or 7d.');
  return duration;
}

export function readNumber(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('Write a whole number from 1 to 9999.');
  return Number(text);
}

export function readByteCount(text: string): number {
  const bytes = parseByteCount(text);
  if (bytes === undefined)
    throw new InvalidArgumentError('Write it as 1000000 (bytes), 500KiB, 64MiB or 1GiB.');
  return bytes;
}

/** The role whose rights and limits are checked. */
export function migratingRoleOption(): Option {
  return new Option(
    '--migrating-role <role>',
    'the role that migrates, if it is not the owner of knex_migrations',
  ).argParser(once(readText));
}

/** What no database shows, and only the operator knows. */
export function diskFreeOption(): Option {
  return new Option('--disk-free <size>', 'free space on the disk of the database, such as 40GiB').argParser(
    once(readByteCount),
  );
}

/** Selects checks. */
export function onlyOption(): Option {
  return new Option(
    '--only <checks>',
    'run only these: checks, or all of the database or the deployment, separated by commas, such as ledger,disk-space',
  ).argParser(once(readList));
}

function readList(text: string): readonly string[] {
  const words = text.split(',').map((word) => word.trim());
  if (words.includes(''))
    throw new InvalidArgumentError('Write names separated by commas, such as ledger,disk-space.');
  return words;
}
