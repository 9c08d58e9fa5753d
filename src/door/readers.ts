import type { Version } from '../core/field-schemas.js';
import { isInputError, LightspanError } from '../core/lightspan-error.js';
import { parseVersion, type Target } from '../core/version.js';
import { artifactUrl, isUrlOrTemplate } from '../gather/publisher/publisher-urls.js';
import { type FactName, type FactValue, factNames, readFact } from '../instance/facts/fact-names.js';

/** Readers of the values of options. A check of a file reads its options with them, without loading commander. */

/** What is wrong with the value of an option; who reads the command line names the option. */
export function invalidValue(message: string): LightspanError {
  return new LightspanError('usage', message, { details: { kind: 'option-value' } });
}

/** Any text that is not empty. */
export function readSource(text: string): string {
  if (text.trim() === '') throw invalidValue('It is empty.');
  // The text after an option is read as its value, even if it is the next option.
  if (text.startsWith('--')) throw invalidValue('It has no value: an option follows.');
  return text;
}

/** Refuses line breaks in texts for messages and for commands to paste, which they would split. */
export function readText(text: string): string {
  if (/\p{Cc}/u.test(text)) throw invalidValue('It contains a control character.');
  return readSource(text);
}

export function readVersion(option: string): (text: string) => Version {
  return namingOption(option, parseVersion);
}

/** Reads the end of a span. Of the names of a target, the one that rolling hops decide is not accepted. */
export function readCheckTarget(text: string): Version | 'latest' | 'recommended' {
  const names = ['latest', 'recommended'] as const satisfies readonly Target[];
  if (text === 'latest-rolling')
    throw new LightspanError('usage', '--to latest-rolling is a target of routes, and this checks one step', {
      hint: 'For a route: lightspan plan --to latest-rolling. Or write latest or recommended.',
    });
  return names.find((name) => name === text) ?? namingOption('--to', parseVersion, names)(text);
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
      if (!isInputError(error)) throw error;
      const hint =
        names.length === 0
          ? error.hint
          : `${error.hint} Or write ${names.join(', ').replace(/, (?=[^,]*$)/, ' or ')}.`;
      throw new LightspanError(error.code, `${option}: ${error.message}`, { hint });
    }
  };
}

export function readRef(text: string): string {
  if (text.startsWith('-')) throw invalidValue('It is not the name of a commit.');
  return readText(text);
}

export function readTagSuffix(text: string): string {
  if (!/^[\w.-]+$/.test(text)) throw invalidValue('An image tag cannot end like this.');
  return text;
}

/** Refuses a place that can contain no artifact before anything is read. */
export function readArtifactPlace(text: string): string {
  const place = readSource(text);
  if (isUrlOrTemplate(place)) artifactUrl(place, '0.0.0');
  return place;
}

export function readCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw invalidValue('Write a whole number from 1.');
  return Number(text);
}

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds, of `30` (seconds), `30s`, `10m`, `6h` or `7d`; never zero. */
export function readDuration(text: string): number {
  const duration = readDurationOrZero(text);
  if (duration > 0) return duration;
  throw notDuration();
}

/** As {@link readDuration}, and `0s` too. */
export function readDurationOrZero(text: string): number {
  const [, number, unit] = /^(\d{1,9})([smhd]?)$/.exec(text) ?? [];
  if (number === undefined) throw notDuration();
  return Number(number) * (unitMs[unit || 's'] ?? 0);
}

const notDuration = () => invalidValue('Write it as 30 (seconds), 30s, 10m, 6h or 7d.');

const unitBytes: Readonly<Record<string, number>> = { KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 };

/** Bytes, of `1000000`, `512KiB`, `64MiB` or `1GiB`; never zero. */
export function readByteCount(text: string): number {
  const [, number, unit = ''] = /^(\d{1,12})(KiB|MiB|GiB|)$/.exec(text) ?? [];
  const bytes = Number(number) * (unitBytes[unit] ?? 1);
  if (bytes > 0) return bytes;
  throw invalidValue('Write it as 1000000 (bytes), 500KiB, 64MiB or 1GiB.');
}

export function readList(text: string): readonly string[] {
  const words = text.split(',').map((word) => word.trim());
  if (words.includes('')) throw invalidValue('Write names separated by commas, such as ledger,disk-space.');
  return words;
}

export function addFact(
  text: string,
  before: ReadonlyMap<FactName, FactValue> = new Map(),
): ReadonlyMap<FactName, FactValue> {
  const [, name = '', written = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  if (name === '') throw invalidValue('Write it as name=value, such as edition=community.');
  const fact = readFact(name, written);
  if (!fact.ok) {
    throw invalidValue(
      fact.expected === undefined
        ? `There is no such fact. The facts are ${factNames.join(', ')}.`
        : `${name} is ${fact.expected}.`,
    );
  }
  if (before.has(fact.name)) throw invalidValue('is given twice');
  return new Map([...before, [fact.name, fact.value]]);
}

/** Whether an answer is to be JSON, by `--json` or by `--format json`. */
export function asksJson({ json, format }: { readonly json?: unknown; readonly format?: unknown }): boolean {
  return json === true || format === 'json';
}

/**
 * The format of an answer, which `--json` names too.
 *
 * @throws {LightspanError} `usage` if `--json` and `--format` contradict each other
 */
export function chooseFormat<Format extends string>(
  { json, format }: { readonly json?: true; readonly format?: Format | undefined },
  usual: Format | 'text' | 'json' = 'text',
): Format | 'text' | 'json' {
  if (json !== true) return format ?? usual;
  if (format === undefined || format === 'json') return 'json';
  throw new LightspanError('usage', `--json and --format ${format} are two formats`, {
    hint: 'Leave out one of the two.',
  });
}
