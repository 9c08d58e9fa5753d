import { renderDocument } from '../answer/json/document.js';
import type { KnownIssuesVerifyResult } from '../answer/json/index-schemas.js';
import { renderKnownIssuesVerifyText } from '../answer/outputs/known-issues.js';
import { formatPath } from '../core/json/schema-problem.js';
import { nameOfInput } from '../core/text/name-of-input.js';
import { defineCommand } from '../door/declare.js';
import { exitCodeOfError, exitCodes } from '../door/exit-codes.js';
import { json } from '../door/options/options.js';
import { filesOrInput } from '../door/options/phrases.js';
import { writeResult } from '../door/write-answer.js';
import { readInputText } from '../gather/files/read-file.js';
import { readKnownIssueText } from '../gather/publisher/known-issues-source.js';
import { timeForRecords } from '../known-issues/built-in.js';

export const command = defineCommand({
  takes: {
    files: { flags: '<file...>', description: `records, as YAML or JSON: ${filesOrInput}` },
    ...json,
  },
  notes: `Keys, facts and words that the schema does not know are faults, and so are ranges without a release and stops out of
order: ignoring them would widen or narrow what a record takes back.`,
  exitCodes: {
    0: 'no fault',
    3: 'a file cannot be read',
    4: 'at least one fault',
  },
  examples: [
    'lightspan known-issues verify our-issues/slow-disk.yaml',
    'lightspan known-issues verify our-issues/*.yaml --json',
  ],
  /** Exit 0 only if no fault was found in any of the files. */
  run: async ({ files: sources, ...options }, context) => {
    const files: KnownIssuesVerifyResult['files'] = [];
    for (const source of sources) {
      const text = await readInputText({ source, stdin: context.stdin, what: 'known issue' });
      const reading = await readKnownIssueText(text, timeForRecords(context.now()));
      files.push({
        file: nameOfInput(source),
        records: reading.ok ? reading.read.records.length : 0,
        faults: reading.ok
          ? []
          : reading.faults.map(({ line, column, path, fault }) => ({
              line,
              column,
              field: formatPath(path),
              fault,
            })),
      });
    }
    const valid = files.every(({ faults }) => faults.length === 0);
    await writeResult(options, context, {
      json: () => renderDocument<KnownIssuesVerifyResult>({ valid, files }),
      text: () => renderKnownIssuesVerifyText(files),
    });
    return valid ? exitCodes.yes : exitCodeOfError('invalid-known-issue');
  },
});
