import { LightspanError } from '../errors.js';
import type { FactName, FactValue } from '../facts/fact-names.js';
import type { FactsFile } from '../facts/facts-schema.js';
import { parseFactsFile } from '../facts/read-facts.js';
import { seenValue } from '../facts/seen-value.js';
import { ReleaseSafetyError } from '../release-safety/errors.js';
import type { UsedFacts } from '../render/preflight/document.js';
import { renderNotice } from '../render/words/notices.js';
import { isInFuture } from '../shared/in-future.js';
import { readInputText } from '../sources/input-text.js';
import type { CommandContext } from './context.js';
import type { SourceOptions } from './shared-options.js';

export interface ReadFacts {
  readonly file: FactsFile;
  /** Where it came from, without a password. */
  readonly source: string;
  /** The age of the oldest fact. */
  readonly ageMs: number;
}

/** Which facts an answer is based on. */
export function usedFacts({ file, source, ageMs }: ReadFacts): UsedFacts {
  return { source, collectedAt: file.collectedAt, ageMs };
}

/** The default age of facts from which on there is a warning: locks and sessions change quickly. */
const warnAfterMs = 86_400_000;

/**
 * Reads facts that were collected earlier, with the same limit of age for every command.
 *
 * @param facts a file, or `-` for standard input
 * @param maxAge milliseconds; if not given, facts older than a day cause a warning
 * @throws {LightspanError} if it cannot be read; `too-old`
 * @throws {ReleaseSafetyError} if it cannot be trusted
 */
export async function readFactsFile(
  facts: string,
  { maxAge: maxAgeMs }: Pick<SourceOptions, 'maxAge'>,
  { stdin, stderr, now }: Pick<CommandContext, 'stdin' | 'stderr' | 'now'>,
): Promise<ReadFacts> {
  const source = facts === '-' ? 'standard input' : facts;
  const text = await readInputText({ source: facts, stdin, what: 'facts file' });
  const file = parseNamed(text, source);
  for (const [name, date] of datesOf(file)) {
    if (isInFuture(date, now())) {
      throw new ReleaseSafetyError(
        'invalid-facts',
        `${source}: ${name} is in the future: ${date}`,
        'Check the clock of this machine, and that of who collected them.',
      );
    }
  }
  const seenAt = oldestOf(file);
  const ageMs = now().getTime() - Date.parse(seenAt);
  if (maxAgeMs === undefined) {
    if (ageMs > warnAfterMs) stderr.write(renderNotice({ kind: 'old-facts', source, seenAt, ageMs }));
  } else if (ageMs > maxAgeMs) {
    throw new LightspanError(
      'too-old',
      `${source}: the facts were collected at ${seenAt}, longer ago than --max-age allows`,
      { hint: 'Collect them again, or allow older ones with --max-age.' },
    );
  }
  return { file, source, ageMs };
}

/** Adds what the command line states, which takes precedence over the file. */
export function withStated(file: FactsFile, fact: ReadonlyMap<FactName, FactValue>): FactsFile {
  if (fact.size === 0) return file;
  const value = { ...seenValue(file.facts.stated), ...Object.fromEntries(fact) };
  return {
    ...file,
    facts: { ...file.facts, stated: { status: 'seen', value, seenAt: file.collectedAt, source: 'stated' } },
  };
}

/** When the oldest of the facts was seen: a file may combine several others. */
function oldestOf(file: FactsFile): string {
  return datesOf(file)
    .map(([, date]) => date)
    .reduce((oldest, date) => (Date.parse(date) < Date.parse(oldest) ? date : oldest));
}

/** When each of the facts was seen, by its path. */
function datesOf({ collectedAt, facts }: FactsFile): readonly (readonly [path: string, date: string])[] {
  return [
    ['collectedAt', collectedAt],
    ...Object.entries(facts).flatMap(([name, fact]) =>
      fact?.status === 'seen' ? [[`facts.${name}.seenAt`, fact.seenAt] as const] : [],
    ),
  ];
}

function parseNamed(text: string, source: string): FactsFile {
  try {
    return parseFactsFile(text);
  } catch (error) {
    if (!(error instanceof ReleaseSafetyError)) throw error;
    throw new ReleaseSafetyError(error.code, `${source}: ${error.message}`, error.hint);
  }
}
