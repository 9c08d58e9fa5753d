import { type ExitCode, exitCodes } from '../../exit-codes.js';
import type { MergeCheck } from '../../merge-query/merge-check.js';
import { renderMergeCheckJson } from '../../render/json/merge-check.js';
import { renderMergeCheckText } from '../../render/text/merge-check.js';
import { readMergeFile } from '../../sources/merge-file.js';
import type { CommandContext } from '../context.js';

export interface MergeValidateOptions {
  readonly json?: true;
}

/** `lightspan merge validate`: exit 0 only where nothing is wrong that can be known without the server. */
export async function mergeValidate(
  source: string,
  { json }: MergeValidateOptions,
  { stdin, stdout }: CommandContext,
): Promise<ExitCode> {
  const { name, check } = await readMergeFile({ source, stdin });
  stdout.write(json === true ? renderMergeCheckJson(check) : renderMergeCheckText(check, name));
  return exitCodeOfMergeCheck(check.status);
}

/** What a check without the server makes of the exit status, alike whether the merge was to be sent or not. */
export function exitCodeOfMergeCheck(status: MergeCheck['status']): ExitCode {
  return exitCodeByStatus[status];
}

const exitCodeByStatus: Record<MergeCheck['status'], ExitCode> = {
  valid: exitCodes.yes,
  'breaks-rules': exitCodes.no,
  'no-merge-request': exitCodes.usage,
};
