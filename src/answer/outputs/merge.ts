import { type Exact, stringifyExactJson } from '../../core/json/exact-json.js';
import { compact } from '../../core/text/compact.js';
import { printable } from '../../core/text/printable.js';
import { type CheckedFile, type Fault, type MergeCheck, statusOfChecks } from '../../merge/merge-check.js';
import type { MergeRequest } from '../../merge/request.js';
import {
  type CacheMetadata,
  type FieldOrigin,
  isDocumentedOrigin,
  isMergeErrorKind,
  type MergeQueryError,
  type MergeResults,
  type StartedMerge,
} from '../../merge/response.js';
import { longestText } from '../../words/lists.js';
import { mergeErrorWords } from '../../words/merge-errors.js';
import { countOf, truncate } from '../../words/phrase.js';
import type { Fact } from '../answer.js';
import type { Palette } from '../formats/palette.js';
import { renderFacts } from '../formats/text.js';
import { renderTable } from '../formats/wrap.js';
import { renderDocument, renderPrettyJson } from '../json/document.js';
import type { MergeSubmitDryRunResult, MergeValidateResult } from '../json/merge-schemas.js';
import { renderLines } from './messages.js';

/**
 * `merge validate --json`: one line. `faults` concern the shape; `errors` are broken rules, in the form of the API's
 * own with their place. At most one of the two is not empty for a file. `warnings` are what a server may refuse.
 */
export function renderMergeChecksJson(files: readonly CheckedFile[]): string {
  const status = statusOfChecks(files);
  const inFiles = <T extends object>(found: (check: MergeCheck) => readonly T[]) =>
    files.flatMap(({ name: file, check }) => found(check).map((fault) => ({ file, ...fault })));
  return renderDocument<MergeValidateResult>({
    valid: status === 'valid',
    status,
    faults: inFiles((check) => (check.status === 'no-merge-request' ? check.faults : [])),
    errors: inFiles((check) => (check.status === 'breaks-rules' ? check.faults : [])),
    warnings: inFiles((check) => (check.status === 'no-merge-request' ? [] : check.warnings)),
  });
}

/** The faults, for a person and for an editor that reads `file:line:column: message`: one line per fault. */
export function renderMergeChecksText(files: readonly CheckedFile[]): string {
  const isAnyValid = files.some(({ check }) => check.status === 'valid');
  const lines = compact(
    files.flatMap(describeCheck),
    isAnyValid && 'Only the server checks types, granularity, result sources and parameters.',
  );
  return renderLines(lines) + files.map(renderMergeWarnings).join('');
}

export function renderMergeWarnings({ check, name }: CheckedFile): string {
  const warnings = check.status === 'no-merge-request' ? [] : check.warnings;
  return renderLines(
    warnings.map((warning) => `${describePlace(warning, name)}: warning: ${warning.message}`),
  );
}

function describeCheck({ check, name }: CheckedFile): string[] {
  switch (check.status) {
    case 'valid':
      return [`${name}: valid: ${describeMerge(check.request)}`];
    case 'breaks-rules':
      return check.faults.map((fault) => `${describePlace(fault, name)}: ${fault.kind}: ${fault.message}`);
    case 'no-merge-request':
      return compact(
        check.faults.map((fault) => `${describePlace(fault, name)}: ${fault.message}`),
        check.hasUnknownKeys &&
          'To send a key that lightspan does not know, unchanged: merge submit --no-validate',
      );
  }
}

function describePlace({ line, column, path }: Fault, name: string): string {
  return `${name}:${line}:${column}${path && `: ${path}`}`;
}

function describeMerge({ mergeQuery }: MergeRequest): string {
  const { sources, joinType, joinKey, tableCalculations } = mergeQuery;
  const key = joinKey.map(({ name }) => name).join(', ');
  return compact(
    countOf(sources.length, 'source'),
    `${joinType} join on ${key}`,
    tableCalculations.length > 0 && countOf(tableCalculations.length, 'calculation'),
  ).join(', ');
}

export function renderRequestText({
  method,
  url,
  body,
}: Pick<MergeSubmitDryRunResult, 'method' | 'url' | 'body'>): string {
  return `${method} ${printable(url)}\n\n${renderPrettyJson(body)}`;
}

export function renderMergeOutcome(results: Exact<MergeResults>, palette: Palette): string {
  if (results.outcome === 'started') return renderStarted(results, palette);
  const { errors } = results;
  const refused = `Merge ${palette.bad('refused')}: ${countOf(errors.length, 'error')}`;
  return `${refused}\n\n${renderFacts(errors.map(factOfError))}`;
}

function renderStarted(
  { fieldOrigins, parameterReferences, query }: Exact<StartedMerge>,
  palette: Palette,
): string {
  const { queryUuid, warnings, cacheMetadata, usedParametersValues, resolvedTimezone } = query;
  const used = Object.entries(usedParametersValues).map(
    ([name, value]) => `${name} = ${stringifyExactJson(value)}`,
  );
  const unset = parameterReferences.filter((name) => !Object.hasOwn(usedParametersValues, name));
  const origins = Object.entries(fieldOrigins).map(([fieldId, origin]) => [fieldId, describeOrigin(origin)]);
  const facts = compact<Fact>(
    {
      label: 'Warnings',
      text: warnings.length === 0 ? 'none' : '',
      items: warnings.map(({ message, tables = [], fields = [] }) => {
        const about = [...tables, ...fields].join(', ');
        return `${message}${about && ` (${about})`}`;
      }),
    },
    { label: 'Cache', text: describeCache(cacheMetadata) },
    { label: 'Parameters', text: used.join(', ') || 'none' },
    unset.length > 0 && { label: 'Parameters without a value', text: unset.join(', ') },
    { label: 'Time zone', text: resolvedTimezone ?? 'none' },
  );
  return `Merge ${palette.good('started')}: query ${printable(queryUuid ?? '(the answer does not name it)')}

${renderTable(['FIELD', 'FROM'], origins, palette)}
${renderFacts(facts)}`;
}

function describeOrigin(origin: FieldOrigin): string {
  if (!isDocumentedOrigin(origin)) return origin.kind;
  if (origin.kind === 'tableCalculation') return 'calculation';
  if (origin.kind === 'source') return `${origin.sourceId}.${origin.sourceFieldId}`;
  const fields = Object.entries(origin.fieldIdBySourceId).map(([source, field]) => `${source}.${field}`);
  return `join key (${fields.join(' = ')})`;
}

function describeCache({ cacheHit, cacheUpdatedTime, cacheExpiresAt, preAggregate }: CacheMetadata): string {
  const { hit, name = '' } = preAggregate ?? {};
  return compact(
    cacheHit ? 'hit' : 'miss',
    cacheUpdatedTime !== undefined && `updated ${cacheUpdatedTime}`,
    cacheExpiresAt !== undefined && `expires ${cacheExpiresAt}`,
    hit !== undefined && `pre-aggregate ${name && `${name} `}${hit ? 'hit' : 'miss'}`,
  ).join(', ');
}

function factOfError({ kind, message, sourceId, fieldIds }: MergeQueryError): Fact {
  return {
    label: kind,
    text: truncate(message, longestText),
    items: compact(
      `Source: ${sourceId ?? 'the merge as a whole'}`,
      fieldIds.length > 0 && `Fields: ${fieldIds.join(', ')}`,
      isMergeErrorKind(kind) && mergeErrorWords[kind],
    ),
  };
}

const endings = { error: 'failed', cancelled: 'was cancelled', expired: 'has expired' } as const;

export function renderQueryFailure({
  queryUuid,
  status,
  reason = '',
}: {
  readonly queryUuid: string;
  readonly status: keyof typeof endings;
  readonly reason: string | undefined;
}): string {
  const first =
    reason === '' ? 'look for the query in the log of the server' : 'correct what the reason names';
  return renderLines([
    `Query ${queryUuid} ${endings[status]}${reason && `: ${truncate(reason, longestText)}`}`,
    `Next: ${status === 'error' ? `${first}; then ` : ''}submit the merge again.`,
  ]);
}

/** A query whose result was not fetched, and the command that fetches it: nothing runs twice. */
export function renderRunningQuery(queryUuid: string, command: string): string {
  return renderLines([`Query ${queryUuid} may still be running on the server.`]) + renderNextOfQuery(command);
}

export function renderNextOfQuery(command: string): string {
  return renderLines([`Next: fetch its result with ${command}`]);
}

/** A merge that may be running, without anything that identifies its query. */
export const lostMerge = `The merge may be running on the server: no answer named its query.
Next: nothing can fetch its result; submit the merge again if it may run twice; otherwise ask the operator of the server.
`;
