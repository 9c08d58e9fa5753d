import { type ExitCode, exitCodes } from '../../exit-codes.js';
import type { MergeCheck } from '../../merge-query/merge-check.js';
import { renderMergeCheckJson } from '../../render/json/merge-check.js';
import { renderMergeCheckText } from '../../render/text/merge-check.js';
import { readMergeFile } from '../../sources/merge-file.js';
import type { CommandContext } from '../context.js';
import type { MergeValidateOptions } from './declaration.js';

/** `lightspan merge validate`: exit 0 only where nothing is wrong that can be known without the server. */
export async function mergeValidate(
  source: string,
  { json }: MergeValidateOptions,
  { stdin, stdout }: CommandContext,
): Promise<ExitCode> {
  const { name, check } = await readMergeFile({ source, stdin });
  stdout.write(json === true ? renderMergeCheckJson(check) : renderMergeCheckText(check, name));
  return exitCodeByStatus[check.status];
}

const exitCodeByStatus: Record<MergeCheck['status'], ExitCode> = {
  valid: exitCodes.yes,
  'breaks-rules': exitCodes.no,
  'no-merge-request': exitCodes.usage,
};
