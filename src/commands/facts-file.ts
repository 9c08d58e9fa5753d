import type { UsedFacts } from '../answer/json/documents.js';
import { LightspanError } from '../errors.js';
import type { FactName, FactValue } from '../facts/fact-names.js';
import type { FactsFile } from '../facts/facts-schema.js';
import { readDatedFacts, withStated } from '../facts/read-facts.js';
import { readInputText } from '../sources/read-file.js';
import { renderNotice } from '../words/notices.js';
import type { CommandContext } from './context.js';
import type { SourceOptions } from './options.js';

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

/** Facts with what the command line states besides. */
export function alsoStating(read: ReadFacts, fact: ReadonlyMap<FactName, FactValue> = new Map()): ReadFacts {
  return { ...read, file: withStated(read.file, fact) };
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
  const { file, seenAt } = readDatedFacts(text, source, now());
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
