import {
  type CacheMetadata,
  type FieldOrigin,
  isDocumentedOrigin,
  type MergeResults,
  type PreAggregateMiss,
  type QueryWarning,
  type RefusedMerge,
  type StartedMerge,
} from '../../merge-query/response.js';
import { type Exact, stringifyExactJson } from '../../shared/exact-json.js';
import type { Palette } from '../palette.js';
import { countOf } from '../phrase.js';
import { printable } from '../printable.js';
import { renderMergeErrors } from './merge-errors.js';
import { renderTable } from './table.js';

/** What happened to a submitted merge, for a person. */
export function renderMergeOutcome(
  results: Exact<MergeResults>,
  palette: Palette,
  width: number | undefined,
): string {
  return results.outcome === 'started'
    ? renderStarted(results, palette, width)
    : renderRefused(results, palette);
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
  return [
    `Merge ${palette.good('started')}: query ${printable(queryUuid ?? '(the answer does not name it)')}\n`,
    '\n',
    renderTable(
      ['FIELD', 'FROM'],
      Object.entries(fieldOrigins).map(([fieldId, origin]) => [fieldId, describeOrigin(origin)]),
      palette,
      width,
    ),
    '\n',
    `Warnings:${warnings.length === 0 ? ' none' : ''}\n`,
    ...warnings.map((warning) => `  - ${describeWarning(warning)}\n`),
    `Cache: ${describeCache(cacheMetadata)}\n`,
    `Parameters: ${used.length === 0 ? 'none' : printable(used.join(', '))}\n`,
    ...(unset.length === 0 ? [] : [`Parameters without a value: ${printable(unset.join(', '))}\n`]),
    `Time zone: ${printable(resolvedTimezone ?? 'none')}\n`,
  ].join('');
}

function renderRefused({ errors }: Exact<RefusedMerge>, palette: Palette): string {
  return `Merge ${palette.bad('refused')}: ${countOf(errors.length, 'error')}\n\n${renderMergeErrors(errors, palette)}`;
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
  const about = [
    ...(tables.length === 0 ? [] : [`tables: ${tables.join(', ')}`]),
    ...(fields.length === 0 ? [] : [`fields: ${fields.join(', ')}`]),
  ];
  return printable(about.length === 0 ? message : `${message} (${about.join('; ')})`);
}

function describeCache({ cacheHit, cacheUpdatedTime, cacheExpiresAt, preAggregate }: CacheMetadata): string {
  const words = [cacheHit ? 'hit' : 'miss'];
  if (cacheUpdatedTime !== undefined) words.push(`updated ${cacheUpdatedTime}`);
  if (cacheExpiresAt !== undefined) words.push(`expires ${cacheExpiresAt}`);
  if (preAggregate !== undefined) {
    const { hit, name, reason } = preAggregate;
    const why = reason === undefined ? '' : ` (${describeMiss(reason)})`;
    words.push(`pre-aggregate ${name === undefined ? '' : `${name} `}${hit ? 'hit' : 'miss'}${why}`);
  }
  return printable(words.join(', '));
}

function describeMiss(miss: Exact<PreAggregateMiss>): string {
  const { reason, fieldId, preAggregateTimeDimension, preAggregateGranularity, queryGranularity } = miss;
  const of = preAggregateTimeDimension === undefined ? '' : ` of ${preAggregateTimeDimension}`;
  const held =
    preAggregateGranularity === undefined ? [] : [`the pre-aggregate is by ${preAggregateGranularity}${of}`];
  const asked =
    queryGranularity === undefined
      ? []
      : [`the query ${held.length === 0 ? 'is ' : ''}by ${queryGranularity}`];
  const granularities = [...held, ...asked].join(', ');
  return [[reason, fieldId].filter(Boolean).join(': '), granularities].filter(Boolean).join('; ');
}
