import type { Plugin } from 'esbuild';

/** Of package.json, what a program says of itself. */
export const versionAndHomepage: Plugin;

/** Of the known issues, what no answer of a plain check or of the page tells is left out. */
export const recordsInShort: Plugin;
