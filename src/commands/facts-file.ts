import { LightspanError } from '../errors.js';
import type { FactsFile } from '../facts/facts-schema.js';
import { parseFactsFile } from '../facts/read-facts.js';
import { ReleaseSafetyError } from '../release-safety/errors.js';
import { readInputText } from '../sources/input-text.js';
import type { CommandContext } from './context.js';
import type { SourceOptions } from './shared-options.js';

export interface ReadFacts {
  readonly file: FactsFile;
  /** Where it came from, without any password. */
  readonly source: string;
  readonly ageMs: number;
}

/** How far the clock of who collected may be ahead of this machine's. */
const clockSkewMs = 5 * 60_000;

/**
 * Reads the facts that were collected before: of every command that takes them, so that none judges by older ones than
 * its user allows.
 *
 * @param facts a file, or `-` for standard input
 * @throws {LightspanError} where it cannot be read; `too-old`
 * @throws {ReleaseSafetyError} where it cannot be trusted
 */
export async function readFactsFile(
  facts: string,
  { maxAge: maxAgeMs }: Pick<SourceOptions, 'maxAge'>,
  { stdin, now }: Pick<CommandContext, 'stdin' | 'now'>,
): Promise<ReadFacts> {
  const source = facts === '-' ? 'standard input' : facts;
  const text = await readInputText({ source: facts, stdin, what: 'facts file' });
  const file = parseNamed(text, source);
  const ageMs = now().getTime() - Date.parse(file.collectedAt);
  if (ageMs < -clockSkewMs) {
    throw new ReleaseSafetyError(
      'invalid-facts',
      `${source}: collectedAt is in the future: ${file.collectedAt}`,
      'Check the clock of this machine, and that of who collected them.',
    );
  }
  if (maxAgeMs !== undefined && ageMs > maxAgeMs) {
    throw new LightspanError(
      'too-old',
      `${source}: the facts were collected at ${file.collectedAt}, longer ago than --max-age allows`,
      { hint: 'Collect them again, or allow older ones with --max-age.' },
    );
  }
  return { file, source, ageMs };
}

function parseNamed(text: string, source: string): FactsFile {
  try {
    return parseFactsFile(text);
  } catch (error) {
    if (!(error instanceof ReleaseSafetyError)) throw error;
    throw new ReleaseSafetyError(error.code, `${source}: ${error.message}`, error.hint);
  }
}
