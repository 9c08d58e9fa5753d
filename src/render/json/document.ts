import { printable } from '../printable.js';

/** A document as its renderer takes it: what a schema describes, and nothing of it to be changed. */
export type Written<T> = T extends readonly (infer Item)[]
  ? readonly Written<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Written<T[Key]> }
    : T;

/**
 * One line of JSON that carries its own version: another form gets another number. Its type argument is that of the
 * schema in `schemas/` that the line keeps to.
 */
export function renderDocument<Document extends { schemaVersion: '1' }>(
  fields: Written<Omit<Document, 'schemaVersion'>>,
): string {
  return `${printable(JSON.stringify({ schemaVersion: '1', ...fields }))}\n`;
}
