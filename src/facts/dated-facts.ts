import { ReleaseSafetyError } from '../release-safety/errors.js';
import { isInFuture } from '../shared/in-future.js';
import type { FactName, FactValue } from './fact-names.js';
import type { FactsFile } from './facts-schema.js';
import { parseFactsFile } from './read-facts.js';
import { seenValue } from './seen-value.js';

/**
 * Reads facts, and when the oldest of them was seen: a file may combine several others.
 *
 * @param source their name in messages
 * @throws {ReleaseSafetyError} if they cannot be trusted
 */
export function readDatedFacts(
  text: string,
  source: string,
  now: Date,
): { readonly file: FactsFile; readonly seenAt: string } {
  const file = parseNamed(text, source);
  const dates = datesOf(file);
  for (const [name, date] of dates) {
    if (isInFuture(date, now)) {
      throw new ReleaseSafetyError(
        'invalid-facts',
        `${source}: ${name} is in the future: ${date}`,
        'Check the clock of this machine, and that of who collected them.',
      );
    }
  }
  const seenAt = dates
    .map(([, date]) => date)
    .reduce((oldest, date) => (Date.parse(date) < Date.parse(oldest) ? date : oldest));
  return { file, seenAt };
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
