import { type ExitCode, exitCodeOfError, exitCodes } from '../../exit-codes.js';
import { timeForRecords } from '../../known-issues/built-in.js';
import { renderDocument } from '../../render/json/document.js';
import type { KnownIssuesVerifyResult } from '../../render/json/known-issue-result-schemas.js';
import { renderKnownIssuesVerifyText } from '../../render/text/known-issues.js';
import { formatPath } from '../../shared/schema-problem.js';
import { readInputText } from '../../sources/input-text.js';
import { readKnownIssueText } from '../../sources/known-issue-text.js';
import type { CommandContext } from '../context.js';

export interface KnownIssuesVerifyOptions {
  readonly json?: true;
}

/** `lightspan known-issues verify`: exit 0 only if no fault was found in any of the files. */
export async function knownIssuesVerify(
  sources: readonly string[],
  { json }: KnownIssuesVerifyOptions,
  { stdin, stdout, now }: CommandContext,
): Promise<ExitCode> {
  const files = [];
  for (const source of sources) {
    const text = await readInputText({ source, stdin, what: 'known issue' });
    const reading = readKnownIssueText(text, timeForRecords(now()));
    files.push({
      file: source === '-' ? 'standard input' : source,
      records: reading.ok ? reading.records.length : 0,
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
  stdout.write(
    json === true
      ? renderDocument<KnownIssuesVerifyResult>({ valid, files })
      : renderKnownIssuesVerifyText(files),
  );
  return valid ? exitCodes.yes : exitCodeOfError('invalid-known-issue');
}
