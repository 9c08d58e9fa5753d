import { stringifyExactJson } from '../../shared/exact-json.js';
import { printable } from '../printable.js';

/** A document as its renderer takes it: what a schema describes, and nothing of it to be changed. */
export type Written<T> = T extends readonly (infer Item)[]
  ? readonly Written<Item>[]
  : T extends string
    ? T
    : T extends object
      ? { readonly [Key in keyof T]: Written<T[Key]> }
      : T;

/**
 * One line of JSON that carries its own version: another form gets another number. Its type argument is that of the
 * schema in `schemas/` that the line keeps to.
 */
export function renderDocument<Document extends { schemaVersion: '1' }>(
  fields: Written<Omit<Document, 'schemaVersion'>> & object,
): string {
  return lineOf({ schemaVersion: '1', ...fields });
}

/** The same of a document whose form has been another before: it names its version itself. */
export function renderVersioned<Document extends { schemaVersion: string }>(
  document: Written<Document>,
): string {
  return lineOf(document);
}

function lineOf(document: object): string {
  return `${printable(stringifyExactJson(document))}\n`;
}
