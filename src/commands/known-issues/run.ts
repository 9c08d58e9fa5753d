import { LightspanError } from '../../errors.js';
import { type ExitCode, exitCodes } from '../../exit-codes.js';
import { builtInKnownIssues } from '../../known-issues/built-in.js';
import { isAboutReleases } from '../../known-issues/known-issues.js';
import type { KnownIssue } from '../../known-issues/records.js';
import { requireTargetAhead } from '../../release-safety/route.js';
import type { Version } from '../../release-safety/version.js';
import { renderDocument } from '../../render/json/document.js';
import type {
  KnownIssuesListResult,
  KnownIssuesShowResult,
} from '../../render/json/known-issue-result-schemas.js';
import { renderKnownIssueListText, renderKnownIssueText } from '../../render/text/known-issues.js';
import { didYouMean } from '../../shared/did-you-mean.js';
import { quote } from '../../shared/quote.js';
import { type CommandContext, widthOf } from '../context.js';
import type { KnownIssueOptions } from '../known-issue-options.js';
import { readRecords } from '../read-known-issues.js';
import type { SourceOptions } from '../shared-options.js';

export interface KnownIssuesShowOptions extends SourceOptions, Pick<KnownIssueOptions, 'knownIssues'> {
  readonly json?: true;
}

export interface KnownIssuesListOptions extends KnownIssuesShowOptions {
  readonly from?: Version;
  readonly to?: Version;
}

/** `lightspan known-issues list` */
export async function knownIssuesList(
  options: KnownIssuesListOptions,
  context: CommandContext,
): Promise<ExitCode> {
  requireTargetAhead({ from: options.from, to: options.to });
  const { records: all } = await readRecords(options, context);
  const records = all.filter((record) => isAboutReleases(record, options));
  const { stdout } = context;
  const { publishedAt } = builtInKnownIssues;
  stdout.write(
    options.json === true
      ? renderDocument<KnownIssuesListResult>({ builtInPublishedAt: publishedAt, records })
      : renderKnownIssueListText(records, { builtInPublishedAt: publishedAt, width: widthOf(stdout) }),
  );
  return exitCodes.yes;
}

/** `lightspan known-issues show`: all records of the id, because places may differ on it. */
export async function knownIssuesShow(
  id: string,
  options: KnownIssuesShowOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { records: all } = await readRecords(options, context);
  const records = all.filter((record) => record.id === id);
  if (records.length === 0) throw noSuchIssue(id, all);
  const { stdout } = context;
  stdout.write(
    options.json === true
      ? renderDocument<KnownIssuesShowResult>({ records })
      : records.map((record) => renderKnownIssueText(record, widthOf(stdout))).join('\n'),
  );
  return exitCodes.yes;
}

function noSuchIssue(id: string, records: readonly KnownIssue[]): LightspanError {
  const near = didYouMean(
    id,
    records.map((record) => record.id),
  );
  return new LightspanError('usage', `there is no known issue ${quote(id)}${near}`, {
    hint: 'lightspan known-issues list names them; --known-issues adds others.',
  });
}
