import { type ExitCode, exitCodeOfOutcome } from '../../exit-codes.js';
import { statusOfChecks } from '../../merge-query/merge-check.js';
import { renderMergeChecksJson } from '../../render/json/merge-check.js';
import { renderMergeChecksText } from '../../render/text/merge-check.js';
import { type MergeFile, readMergeFile } from '../../sources/merge-file.js';
import type { CommandContext } from '../context.js';

export interface MergeValidateOptions {
  readonly json?: true;
}

/** `lightspan merge validate`: exit 0 only if no fault can be found in any file without the server. */
export async function mergeValidate(
  sources: readonly string[],
  { json }: MergeValidateOptions,
  { stdin, stdout }: CommandContext,
): Promise<ExitCode> {
  const files: MergeFile[] = [];
  for (const source of sources) files.push(await readMergeFile({ source, stdin }));
  stdout.write(json === true ? renderMergeChecksJson(files) : renderMergeChecksText(files));
  return exitCodeOfOutcome(statusOfChecks(files));
}
