import type { Plugin } from 'esbuild';

/** Of package.json, what a program says of itself. */
export const versionAndHomepage: Plugin;
