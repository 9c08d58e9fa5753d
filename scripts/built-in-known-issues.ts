import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { formatKnownIssues } from '../src/known-issues/join-records.js';
import { parseRecords } from '../src/known-issues/records.js';

/** The file of records that is built in, and where they are written by hand. */
export const builtInFile = 'src/known-issues/built-in.json';
export const recordFolder = 'known-issues';

/** What a maintainer publishes at a URL, for `knownIssues` of everybody's settings. */
export const feedFile = 'dist/known-issues.json';

/**
 * The same records as a feed, dated when it was written. How recent they are, `knownThrough` says: that is the day on
 * which somebody last looked.
 */
export function feedOf(text: string, now: Date): string {
  return `${JSON.stringify({ ...JSON.parse(text), publishedAt: now.toISOString() }, null, 2)}\n`;
}

/**
 * The text of `built-in.json`: every record of the folder, each in the file that bears its id, and how far they reach.
 */
export function builtInKnownIssues(): string {
  const all = readdirSync(recordFolder)
    .sort()
    .map((file) => {
      const read = parseRecords(parse(readFileSync(join(recordFolder, file), 'utf8')));
      if (read.records.some(({ id }) => `${id}.yaml` !== file))
        throw new Error(`${file} holds another record`);
      return read;
    });
  const knownThrough = all.find((read) => read.knownThrough !== undefined)?.knownThrough;
  return formatKnownIssues(
    all.flatMap(({ records }) => records),
    knownThrough,
  );
}
