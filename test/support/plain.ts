import type { Version } from '../../src/core/version.js';

/** What is expected, as a test writes it: versions are strings. */
export type Plain<T> = T extends Version
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Plain<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Plain<T[Key]> }
      : T;
