import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { formatKnownIssues } from '../src/known-issues/join-records.js';
import { parseKnownIssues } from '../src/known-issues/records.js';

/** The file of records that is built in, and where they are written by hand. */
export const builtInFile = 'src/known-issues/built-in.json';
export const recordFolder = 'known-issues';

/** The text of `built-in.json`: every record of the folder, each in the file that bears its id. */
export function builtInKnownIssues(): string {
  const records = readdirSync(recordFolder)
    .sort()
    .flatMap((file) => {
      const read = parseKnownIssues(parse(readFileSync(join(recordFolder, file), 'utf8')));
      if (read.some(({ id }) => `${id}.yaml` !== file)) throw new Error(`${file} holds another record`);
      return read;
    });
  return formatKnownIssues(records);
}
