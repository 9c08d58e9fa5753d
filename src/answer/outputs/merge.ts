import type { CheckedFile, Fault } from '../../merge-query/merge-check.js';
import type { MergeRequest } from '../../merge-query/request.js';
import {
  type CacheMetadata,
  type FieldOrigin,
  isDocumentedOrigin,
  isMergeQueryErrorKind,
  type MergeQueryError,
  type MergeResults,
  type QueryWarning,
  type StartedMerge,
} from '../../merge-query/response.js';
import { compact } from '../../shared/compact.js';
import { type Exact, stringifyExactJson } from '../../shared/exact-json.js';
import { mergeErrorWords } from '../../words/merge-errors.js';
import { clip, countOf } from '../../words/phrase.js';
import { printable } from '../../words/printable.js';
import type { Fact } from '../answer.js';
import { renderPrettyJson } from '../json/document.js';
import type { MergeSubmitDryRunResult } from '../json/merge-schemas.js';
import type { Palette } from '../palette.js';
import { renderFacts } from '../text.js';
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
  return [
    `Merge ${palette.good('started')}: query ${printable(queryUuid ?? '(the answer does not name it)')}\n\n`,
    `${renderTable(['FIELD', 'FROM'], origins, palette)}\n`,
    renderFacts(
      compact<Fact>(
        {
          label: 'Warnings',
          text: warnings.length === 0 ? 'none' : '',
          items: warnings.map(describeWarning),
        },
        { label: 'Cache', text: describeCache(cacheMetadata) },
        { label: 'Parameters', text: used.join(', ') || 'none' },
        unset.length > 0 && { label: 'Parameters without a value', text: unset.join(', ') },
        { label: 'Time zone', text: resolvedTimezone ?? 'none' },
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
  const { hit, name = '', reason = {} } = preAggregate ?? {};
  const why = Object.entries(reason).map(([key, value]) =>
    typeof value === 'string' ? `, ${key} ${value}` : '',
  );
  return compact(
    cacheHit ? 'hit' : 'miss',
    cacheUpdatedTime !== undefined && `updated ${cacheUpdatedTime}`,
    cacheExpiresAt !== undefined && `expires ${cacheExpiresAt}`,
    hit !== undefined && `pre-aggregate ${name && `${name} `}${hit ? 'hit' : 'miss'}${why.join('')}`,
  ).join(', ');
}

/** Longer messages from outside are cut here. */
const longest = 2000;

/** Each error with the source and the fields at fault, and what to do about it. */
function factOfError({ kind, message, sourceId, fieldIds }: MergeQueryError): Fact {
  return {
    label: kind,
    text: clip(message, longest),
    items: compact(
      `Source: ${sourceId ?? 'the merge as a whole'}`,
      fieldIds.length > 0 && `Fields: ${fieldIds.join(', ')}`,
      isMergeQueryErrorKind(kind) && `To do: ${mergeErrorWords[kind].remedy}`,
    ),
  };
}

const endings = { error: 'failed', cancelled: 'was cancelled', expired: 'has expired' } as const;

/** How a query ended without a result, and what to do. */
export function renderQueryFailure({
  queryUuid,
  status,
  reason = '',
}: {
  readonly queryUuid: string;
  readonly status: keyof typeof endings;
  readonly reason: string | undefined;
}): string {
  const why = reason && `: ${clip(reason, longest)}`;
  const first =
    status !== 'error'
      ? ''
      : reason === ''
        ? 'look for the query in the log of the server; then '
        : 'correct what the reason names; then ';
  return renderLines([
    `Query ${queryUuid} ${endings[status]}${why}`,
    `Next: ${first}submit the merge again.`,
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
