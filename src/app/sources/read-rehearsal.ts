import { LightspanError } from '../../core/lightspan-error.js';
import type { CommandContext } from '../../door/context.js';
import { readInputText } from '../../gather/files/read-file.js';
import { oldRehearsal, oldRehearsalMs } from '../../gather/limits.js';
import { parseRehearsal } from '../../instance/rehearsal.js';
import type { ReadFacts } from './read-facts.js';

/**
 * The facts, with the result of a rehearsal as one more fact.
 *
 * @throws {LightspanError} `too-old` if the rehearsal is older than the limit
 */
export async function withRehearsal(
  read: ReadFacts | undefined,
  file: string,
  maxAgeMs: number = oldRehearsalMs,
  { stdin, now }: Pick<CommandContext, 'stdin' | 'now'>,
): Promise<ReadFacts> {
  const text = await readInputText({ source: file, stdin, what: 'rehearsal' });
  const value = parseRehearsal(text, now());
  const { rehearsedAt: seenAt } = value;
  const ageMs = now().getTime() - Date.parse(seenAt);
  if (ageMs > maxAgeMs) {
    throw new LightspanError(
      'too-old',
      `${file}: the rehearsal was made at ${seenAt} and is older than --max-age allows (default: ${oldRehearsal})`,
      { hint: 'Rehearse again on a newer backup, or allow older ones with --max-age.' },
    );
  }
  const rehearsal = { status: 'seen', source: 'rehearsal', seenAt, value } as const;
  if (read === undefined) {
    return {
      file: { schemaVersion: '1', collectedAt: seenAt, facts: { rehearsal } },
      source: file,
      ageMs,
      freshFrom: undefined,
    };
  }
  const facts = { ...read.file.facts, rehearsal };
  return { ...read, file: { ...read.file, facts }, source: `${read.source}, ${file}` };
}
