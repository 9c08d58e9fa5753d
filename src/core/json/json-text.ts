import type * as z from 'zod/mini';
import { LightspanError } from '../lightspan-error.js';
import { describeValue, quote } from '../text/quote.js';
import { findDuplicateKey } from './json-scan.js';
import { parseWith } from './parse-with.js';
import { formatPath, type SchemaProblem } from './schema-problem.js';

type What = 'the index' | 'the artifact';

/**
 * Parses the text of an index or an artifact. A key that occurs twice in one object is refused: JSON.parse would keep
 * the last, and so could turn a `false` that comes first into a `true`.
 *
 * @throws {LightspanError} `invalid-json`
 */
export function parseJsonText(text: string, what: What): unknown {
  const json = parseJson(text, what);
  const twice = findDuplicateKey(text);
  if (twice === undefined) return json;
  throw new LightspanError('invalid-json', `${what} holds an object with the key ${quote(twice)} twice`);
}

export function parseJson(text: string, what: What): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new LightspanError('invalid-json', `${what} is not JSON: ${describeJsonFault(text, error)}`);
  }
}

function describeJsonFault(text: string, error: unknown): string {
  const start = text.trimStart();
  if (start === '') return 'it is empty';
  if (start.startsWith('<')) return 'it looks like HTML or XML';
  return error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : 'it cannot be parsed';
}

/** @throws {LightspanError} of the code, naming the first field at fault */
export function requireShape<T>(
  schema: z.ZodMiniType<T>,
  json: unknown,
  code: 'invalid-index' | 'invalid-artifact',
  at: SchemaProblem['path'] = [],
): T {
  const parsed = parseWith(schema, json);
  if (parsed.ok) return parsed.value;
  const [first, ...others] = parsed.problems;
  const field = formatPath([...at, ...(first?.path ?? [])]) || code.replace('invalid-', 'the ');
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  throw new LightspanError(code, `${field}: ${first?.message}${more}`);
}

/** @param what the kind of document and the version of it that is supported, such as `index schemaVersion "1"` */
export function unsupportedSchema(found: unknown, what: string): LightspanError {
  return new LightspanError(
    'unsupported-schema-version',
    `schemaVersion is ${describeValue(found)}; this version of lightspan reads ${what}`,
    // The publisher writes a string here, so anything else was not written by a newer publisher either.
    {
      hint:
        typeof found === 'string'
          ? 'A newer lightspan may read it.'
          : `Check that it is the right file${found === undefined ? '' : ': the version is a text, in quotes'}.`,
    },
  );
}
