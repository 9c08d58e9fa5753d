import type { CheckedFile, Fault } from '../../merge-query/merge-check.js';
import type { MergeRequest } from '../../merge-query/request.js';
import {
  type CacheMetadata,
  type FieldOrigin,
  isDocumentedOrigin,
  isMergeQueryErrorKind,
  type MergeQueryError,
  type MergeResults,
  type PreAggregateMiss,
  type QueryWarning,
  type StartedMerge,
} from '../../merge-query/response.js';
import { compact } from '../../shared/compact.js';
import { type Exact, stringifyExactJson } from '../../shared/exact-json.js';
import { mergeErrorWords } from '../../words/merge-errors.js';
import { clip, countOf } from '../../words/phrase.js';
import { printable } from '../../words/printable.js';
import { renderPrettyJson } from '../json/document.js';
import type { Palette } from '../palette.js';
import { renderTable } from '../wrap.js';
import { renderLines } from './messages.js';

/** The faults, for a person and for an editor that reads `file:line:column: message`: one line per fault. */
export function renderMergeChecksText(files: readonly CheckedFile[]): string {
  const isAnyValid = files.some(({ check }) => check.status === 'valid');
  const lines = compact(
    files.flatMap(describeCheck),
    isAnyValid && 'Only the server checks types, granularity, result sources and parameters.',
  );
  return renderLines(lines) + files.map(renderMergeWarnings).join('');
}

/** The same for what a server may refuse. */
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
        check.faults.some(({ message }) => message.startsWith('unknown key')) &&
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

/** A request that is not sent: what would be sent where. */
export function renderRequestText({
  method,
  url,
  body,
}: {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
}): string {
  return `${method} ${printable(url)}\n\n${renderPrettyJson(body)}`;
}

export function renderMergeOutcome(
  results: Exact<MergeResults>,
  palette: Palette,
  width: number | undefined,
): string {
  if (results.outcome === 'started') return renderStarted(results, palette, width);
  const { errors } = results;
  return `Merge ${palette.bad('refused')}: ${countOf(errors.length, 'error')}\n\n${renderMergeErrors(errors, palette)}`;
}

function renderStarted(
  { fieldOrigins, parameterReferences, query }: Exact<StartedMerge>,
  palette: Palette,
  width: number | undefined,
): string {
  const { queryUuid, warnings, cacheMetadata, usedParametersValues, resolvedTimezone } = query;
  const used = Object.entries(usedParametersValues).map(
    ([name, value]) => `${name} = ${stringifyExactJson(value)}`,
  );
  const unset = parameterReferences.filter((name) => !Object.hasOwn(usedParametersValues, name));
  const origins = Object.entries(fieldOrigins).map(([fieldId, origin]) => [fieldId, describeOrigin(origin)]);
  return [
    `Merge ${palette.good('started')}: query ${printable(queryUuid ?? '(the answer does not name it)')}\n\n`,
    `${renderTable(['FIELD', 'FROM'], origins, palette, width)}\n`,
    renderLines(
      compact(
        `Warnings:${warnings.length === 0 ? ' none' : ''}`,
        warnings.map((warning) => `  - ${describeWarning(warning)}`),
        `Cache: ${describeCache(cacheMetadata)}`,
        `Parameters: ${used.join(', ') || 'none'}`,
        unset.length > 0 && `Parameters without a value: ${unset.join(', ')}`,
        `Time zone: ${resolvedTimezone ?? 'none'}`,
      ),
    ),
  ].join('');
}

function describeOrigin(origin: FieldOrigin): string {
  if (!isDocumentedOrigin(origin)) return origin.kind;
  switch (origin.kind) {
    case 'source':
      return `${origin.sourceId}.${origin.sourceFieldId}`;
    case 'joinKey': {
      const fields = Object.entries(origin.fieldIdBySourceId).map(([source, field]) => `${source}.${field}`);
      return `join key (${fields.join(' = ')})`;
    }
    case 'tableCalculation':
      return 'calculation';
  }
}

function describeWarning({ message, tables = [], fields = [] }: QueryWarning): string {
  const about = compact(
    tables.length > 0 && `tables: ${tables.join(', ')}`,
    fields.length > 0 && `fields: ${fields.join(', ')}`,
  );
  return about.length === 0 ? message : `${message} (${about.join('; ')})`;
}

function describeCache({ cacheHit, cacheUpdatedTime, cacheExpiresAt, preAggregate }: CacheMetadata): string {
  const { hit, name, reason } = preAggregate ?? {};
  const why = reason === undefined ? '' : ` (${describeMiss(reason)})`;
  return compact(
    cacheHit ? 'hit' : 'miss',
    cacheUpdatedTime !== undefined && `updated ${cacheUpdatedTime}`,
    cacheExpiresAt !== undefined && `expires ${cacheExpiresAt}`,
    hit !== undefined && `pre-aggregate ${name === undefined ? '' : `${name} `}${hit ? 'hit' : 'miss'}${why}`,
  ).join(', ');
}

function describeMiss(miss: Exact<PreAggregateMiss>): string {
  const { reason, fieldId, preAggregateTimeDimension, preAggregateGranularity, queryGranularity } = miss;
  const of = preAggregateTimeDimension === undefined ? '' : ` of ${preAggregateTimeDimension}`;
  const by = preAggregateGranularity;
  const granularities = compact(
    by !== undefined && `the pre-aggregate is by ${by}${of}`,
    queryGranularity !== undefined && `the query ${by === undefined ? 'is ' : ''}by ${queryGranularity}`,
  ).join(', ');
  return [[reason, fieldId].filter(Boolean).join(': '), granularities].filter(Boolean).join('; ');
}

/** Longer messages from outside are cut here. */
const longest = 2000;

/** Errors grouped by the source at fault, each with its fields and what to do about it. */
export function renderMergeErrors(errors: readonly MergeQueryError[], palette: Palette): string {
  const groups = [...new Set(errors.map(({ sourceId }) => sourceId))].map((source) => {
    const title = source === null ? 'The merge as a whole' : `Source ${printable(source)}`;
    const own = errors.filter(({ sourceId }) => sourceId === source);
    return [palette.bold(`${title}:`), ...own.flatMap((error) => describeError(error, palette))];
  });
  return groups.map((lines) => `${lines.join('\n')}\n`).join('\n');
}

function describeError({ kind, message, fieldIds }: MergeQueryError, palette: Palette): string[] {
  return compact(
    `  ${palette.bad(printable(kind))}: ${printable(clip(message, longest))}`,
    fieldIds.length > 0 && `    Fields: ${fieldIds.map(printable).join(', ')}`,
    isMergeQueryErrorKind(kind) && `    To do: ${mergeErrorWords[kind].remedy}`,
  );
}

/** How a query ended without a result, and what to do. */
const failedQueryWords = {
  error: { label: 'failed', remedy: 'correct what the reason names, and submit the merge again.' },
  unexplained: {
    label: 'failed, without a reason',
    remedy: 'look for the query in the log of the server, and submit the merge again.',
  },
  cancelled: {
    label: 'was cancelled',
    remedy: 'somebody cancelled it; submit the merge again if that was not meant.',
  },
  expired: { label: 'has expired', remedy: 'its result is gone; submit the merge again.' },
} as const;

export function renderQueryFailure({
  queryUuid,
  status,
  reason = '',
}: {
  readonly queryUuid: string;
  readonly status: Exclude<keyof typeof failedQueryWords, 'unexplained'>;
  readonly reason: string | undefined;
}): string {
  const { label, remedy } = failedQueryWords[status === 'error' && reason === '' ? 'unexplained' : status];
  const why = reason && `: ${clip(reason, longest)}`;
  return renderLines([`Query ${queryUuid} ${label}${why}`, `Next: ${remedy}`]);
}

/** A query whose result was not fetched, and the command that fetches it: nothing runs twice. */
export function renderRunningQuery(queryUuid: string, command: string): string {
  const still = `Query ${queryUuid} may still be running on the server.`;
  return renderLines([still]) + renderNextOfQuery(command);
}

export function renderNextOfQuery(command: string): string {
  return renderLines([`Next: fetch its result with ${command}`]);
}

/** A merge that may be running, without anything that identifies its query. */
export function renderLostMerge(): string {
  return renderLines([
    'The merge may be running on the server: no answer named its query.',
    'Next: nothing can fetch its result; submit the merge again if it may run twice; otherwise ask the operator of the server.',
  ]);
}
