import { type ExitCode, exitCodes } from '../../exit-codes.js';
import { findProvenTargets } from '../../release-safety/index-summary.js';
import { renderIndexDatasource } from '../../render/json/index-datasource.js';
import { renderCurrentVersion } from '../../render/text/current-version.js';
import { renderProvenTargets } from '../../render/text/proven-targets.js';
import type { CommandContext } from '../context.js';
import { findCurrentVersion } from '../current-version.js';
import type { KnownIssueOptions } from '../known-issue-options.js';
import { readIndexAndKnownIssues } from '../read-known-issues.js';
import type { CurrentVersionOptions, SourceOptions } from '../shared-options.js';
import { writeWhole } from '../text-sink.js';

export type IndexDatasourceOptions = CurrentVersionOptions &
  SourceOptions &
  KnownIssueOptions & { readonly out?: string; readonly verbose?: true };

/** `lightspan index datasource`: exit 0 if it is written, however many targets it contains. */
export async function indexDatasource(
  options: IndexDatasourceOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { stdout, stderr } = context;
  const current = await findCurrentVersion(options, context);
  if (options.from === undefined) stderr.write(renderCurrentVersion(current));
  const { index } = await readIndexAndKnownIssues(options, context);
  const from = current.version;
  const targets = findProvenTargets(index, from);
  const text = renderIndexDatasource(index, { from, targets });
  if (options.out === undefined) stdout.write(text);
  else await writeWhole(options.out, text);
  stderr.write(renderProvenTargets({ from, targets, file: options.out }));
  return exitCodes.yes;
}
