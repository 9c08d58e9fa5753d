import * as z from 'zod/mini';
import { isRecord } from '../json/is-record.js';
import { parseJsonText, requireShape, unsupportedSchema } from '../json/json-text.js';
import { indexEntrySchema, indexSchema } from './index-schema.js';
import { readPublishedForm } from './published-form.js';
import { indexOfEntries, mostEntries, type ReleaseSafetyIndex } from './release-safety-index.js';

/** An index whose entries are checked one by one: the first fault ends it. */
export const indexHeadSchema = z.extend(indexSchema, {
  entries: z
    .array(z.unknown(), { error: 'expected a list of releases' })
    .check(
      z.minLength(1, { error: 'expected at least one release' }),
      z.maxLength(mostEntries, { error: `expected at most ${mostEntries} releases` }),
    ),
});

/** @throws {LightspanError} `invalid-json`, and all that `parseReleaseSafetyIndex` throws */
export function parseReleaseSafetyIndexText(text: string): ReleaseSafetyIndex {
  return readPublishedForm(text) ?? parseOtherForm(text);
}

/**
 * As `parseReleaseSafetyIndexText`, for a text that is known not to be in the publisher's own layout: by `JSON.parse`.
 */
export function parseOtherForm(text: string): ReleaseSafetyIndex {
  return parseReleaseSafetyIndex(parseJsonText(text, 'the index'));
}

/**
 * Reads the parsed JSON of an index. It is strict in every documented field and ignores all others (the format is in
 * beta and grows). Entries may come in any order; the result has them oldest first.
 *
 * @throws {LightspanError} `unsupported-schema-version`, or `invalid-index` naming the entry and field at fault
 */
export function parseReleaseSafetyIndex(json: unknown): ReleaseSafetyIndex {
  if (isRecord(json) && json.schemaVersion !== '1') {
    throw unsupportedSchema(json.schemaVersion, 'index schemaVersion "1"');
  }
  const { entries, ...head } = requireShape(indexHeadSchema, json, 'invalid-index');
  return indexOfEntries(
    head,
    entries.map((entry, i) => requireShape(indexEntrySchema, entry, 'invalid-index', ['entries', i])),
  );
}
