import { mkdirSync, writeFileSync } from 'node:fs';
import { builtInFile, builtInKnownIssues, feedFile, feedOf } from './built-in-known-issues.js';

/**
 * Writes the records that are built in anew, and the same as one file to publish at a URL: `npm run generate -- known-issues`. A test
 * fails where those that are built in differ from the folder's.
 */
const text = builtInKnownIssues();
writeFileSync(builtInFile, text);
mkdirSync('dist', { recursive: true });
writeFileSync(feedFile, feedOf(text, new Date()));
process.stdout.write(`Written: ${builtInFile}, and ${feedFile} to publish.\n`);
