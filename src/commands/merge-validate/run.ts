import { type ExitCode, exitCodeOfOutcome } from '../../exit-codes.js';
import { renderMergeCheckJson } from '../../render/json/merge-check.js';
import { renderMergeCheckText } from '../../render/text/merge-check.js';
import { readMergeFile } from '../../sources/merge-file.js';
import type { CommandContext } from '../context.js';

export interface MergeValidateOptions {
  readonly json?: true;
}

/** `lightspan merge validate`: exit 0 only if no fault can be found without the server. */
export async function mergeValidate(
  source: string,
  { json }: MergeValidateOptions,
  { stdin, stdout }: CommandContext,
): Promise<ExitCode> {
  const { name, check } = await readMergeFile({ source, stdin });
  stdout.write(json === true ? renderMergeCheckJson(check) : renderMergeCheckText(check, name));
  return exitCodeOfOutcome(check.status);
}
