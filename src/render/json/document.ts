import type { DeepReadonly } from '../../shared/deep-readonly.js';
import { stringifyExactJson } from '../../shared/exact-json.js';
import { printable } from '../printable.js';

/**
 * One line of JSON with its own schema version: another form gets another number. The type argument is that of the
 * schema in `schemas/` that the line follows.
 */
export function renderDocument<Document extends { schemaVersion: '1' }>(
  fields: DeepReadonly<Omit<Document, 'schemaVersion'>> & object,
): string {
  return renderJsonLine({ schemaVersion: '1', ...fields });
}

/** The same for a document that has had another form before: it names its version itself. */
export function renderVersioned<Document extends { schemaVersion: string }>(
  document: DeepReadonly<Document>,
): string {
  return renderJsonLine(document);
}

export function renderJsonLine(value: unknown): string {
  return `${printable(stringifyExactJson(value))}\n`;
}
