import { LightspanError } from '../errors.js';
import type { FactsFile } from '../facts/facts-schema.js';
import { parseFactsFile } from '../facts/read-facts.js';
import { ReleaseSafetyError } from '../release-safety/errors.js';
import { renderNotice } from '../render/words/notices.js';
import { readInputText } from '../sources/input-text.js';
import type { CommandContext } from './context.js';
import type { SourceOptions } from './shared-options.js';

export interface ReadFacts {
  readonly file: FactsFile;
  /** Where it came from, without any password. */
  readonly source: string;
  /** Of the oldest of them. */
  readonly ageMs: number;
}

/** How old facts may be before a warning says so, where nothing else was asked for: locks and sessions come and go. */
const warnAfterMs = 86_400_000;

/** How far the clock of who collected may be ahead of this machine's. */
const clockSkewMs = 5 * 60_000;

/**
 * Reads the facts that were collected before: of every command that takes them, so that none judges by older ones than
 * its user allows.
 *
 * @param facts a file, or `-` for standard input
 * @param maxAge milliseconds; where it is not given, a warning is written of what is older than a day
 * @throws {LightspanError} where it cannot be read; `too-old`
 * @throws {ReleaseSafetyError} where it cannot be trusted
 */
export async function readFactsFile(
  facts: string,
  { maxAge: maxAgeMs }: Pick<SourceOptions, 'maxAge'>,
  { stdin, stderr, now }: Pick<CommandContext, 'stdin' | 'stderr' | 'now'>,
): Promise<ReadFacts> {
  const source = facts === '-' ? 'standard input' : facts;
  const text = await readInputText({ source: facts, stdin, what: 'facts file' });
  const file = parseNamed(text, source);
  if (now().getTime() - Date.parse(file.collectedAt) < -clockSkewMs) {
    throw new ReleaseSafetyError(
      'invalid-facts',
      `${source}: collectedAt is in the future: ${file.collectedAt}`,
      'Check the clock of this machine, and that of who collected them.',
    );
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

/** When the oldest of the facts was seen: a file may have been put together from others. */
function oldestOf({ collectedAt, facts }: FactsFile): string {
  return Object.values(facts)
    .flatMap((fact) => (fact?.status === 'seen' ? [fact.seenAt] : []))
    .reduce((oldest, seenAt) => (Date.parse(seenAt) < Date.parse(oldest) ? seenAt : oldest), collectedAt);
}

function parseNamed(text: string, source: string): FactsFile {
  try {
    return parseFactsFile(text);
  } catch (error) {
    if (!(error instanceof ReleaseSafetyError)) throw error;
    throw new ReleaseSafetyError(error.code, `${source}: ${error.message}`, error.hint);
  }
}
