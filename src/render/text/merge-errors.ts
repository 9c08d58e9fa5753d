import {
  isMergeQueryErrorKind,
  type MergeQueryError,
  type MergeQueryErrorKind,
} from '../../merge-query/merge-error.js';
import type { Palette } from '../palette.js';
import { printable } from '../printable.js';

/** What to do about each kind of error. */
const hints: Record<MergeQueryErrorKind, string> = {
  too_few_sources: 'Name two sources or more in mergeQuery.sources.',
  too_many_sources: 'Merge fewer sources: run some of them as a merge of their own, and join its queryUuid.',
  duplicate_source_id: 'Give every source an id of its own.',
  reserved_source_id: 'Rename the source: that id belongs to the merged result.',
  empty_join_key: 'Name in mergeQuery.joinKey at least one column that the sources have in common.',
  join_key_coverage: 'Give every source an entry in fieldIdBySourceId of every part of the join key.',
  unknown_source_in_join_key: 'Take the entry out of fieldIdBySourceId, or correct the source id in it.',
  fan_out:
    'Add the dimension to the join key, or take it out of the source: else one row of a source meets several of another.',
  join_key_not_selected: 'Add the field to the dimensions of its source.',
  join_key_type_mismatch: 'Join on fields of one type; a custom dimension can cast one of them.',
  join_key_granularity_mismatch:
    'Join dates at one granularity: take the same time interval in every source.',
  unsupported_table_calculation:
    'Take the calculation out of the source, or write it as a calculation of the merge (mergeQuery.tableCalculations).',
  duplicate_calculation_name: 'Give every calculation a name of its own.',
  unresolved_calculation_reference:
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the form in which references are written.
    'References are written ${sourceId.fieldId}: check the source id, and that its query selects the field.',
  unresolved_column_type:
    'Run the source on its own and see whether it returns that column; a stored result may have to be run again.',
  missing_parameters:
    'Give a value to every parameter, with --param <name>=<value> or in "parameters" of the file.',
  result_source_unavailable:
    'The stored result has expired or is not yours: run its query again and use the new queryUuid, or use the query itself as a source.',
};

/** Errors grouped by the source at fault, each with its fields and what to do about it. */
export function renderMergeErrors(errors: readonly MergeQueryError[], palette: Palette): string {
  const bySource = new Map<string | null, MergeQueryError[]>();
  for (const error of errors) {
    const group = bySource.get(error.sourceId);
    if (group === undefined) bySource.set(error.sourceId, [error]);
    else group.push(error);
  }
  const groups = [...bySource].map(([sourceId, group]) => {
    const title = sourceId === null ? 'The merge as a whole' : `Source ${printable(sourceId)}`;
    return [palette.strong(`${title}:`), ...group.flatMap((error) => describeError(error, palette))];
  });
  return groups.map((lines) => `${lines.join('\n')}\n`).join('\n');
}

function describeError({ kind, message, fieldIds }: MergeQueryError, palette: Palette): string[] {
  const lines = [`  ${palette.bad(printable(kind))}: ${printable(shorten(message))}`];
  if (fieldIds.length > 0) lines.push(`    Fields: ${fieldIds.map(printable).join(', ')}`);
  if (isMergeQueryErrorKind(kind)) lines.push(`    To do: ${hints[kind]}`);
  return lines;
}

const longestMessage = 2000;

function shorten(message: string): string {
  return message.length > longestMessage
    ? `${message.slice(0, longestMessage)}… (${message.length} characters)`
    : message;
}
