import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { formatKnownIssues } from '../src/known-issues/join-records.js';
import { parseRecords } from '../src/known-issues/records.js';

/** The file of records that is built in, and where they are written by hand. */
export const builtInFile = 'src/known-issues/built-in.json';
export const recordFolder = 'known-issues';

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
