import builtIn from './built-in.json' with { type: 'json' };
import type { KnownIssueSet } from './record-schema.js';

/**
 * The records that this lightspan was published with: `known-issues/*.yaml`, held to the schema when they were written
 * here (`npm run known-issues`), so that nothing of it is loaded to read them.
 */
export const builtInKnownIssues = builtIn as KnownIssueSet;
