import { maxJsonNesting, nestsTooDeep } from '../shared/json-nesting.js';
import { ReleaseSafetyError } from './errors.js';

/**
 * Parses the text of an index or an artifact.
 *
 * @param what the name of the text, for messages
 * @throws {ReleaseSafetyError} `invalid-json`
 */
export function parseJsonText(text: string, what: 'the index' | 'the artifact'): unknown {
  if (nestsTooDeep(text)) {
    throw new ReleaseSafetyError('invalid-json', `${what} nests deeper than ${maxJsonNesting} levels`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ReleaseSafetyError('invalid-json', `${what} is not JSON: ${describeJsonFault(text, error)}`);
  }
}

function describeJsonFault(text: string, error: unknown): string {
  const start = text.trimStart();
  if (start === '') return 'it is empty';
  if (start.startsWith('<')) return 'it looks like HTML or XML';
  return error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : 'it cannot be parsed';
}
