import { type ExitCode, exitCodes } from '../exit-codes.js';
import type { MergeCheck } from '../merge-query/merge-check.js';

/** What a check without the server makes of the exit status, alike whether the merge was to be sent or not. */
export function exitCodeOfMergeCheck(status: MergeCheck['status']): ExitCode {
  return exitCodeByStatus[status];
}

const exitCodeByStatus: Record<MergeCheck['status'], ExitCode> = {
  valid: exitCodes.yes,
  'breaks-rules': exitCodes.no,
  'no-merge-request': exitCodes.usage,
};
