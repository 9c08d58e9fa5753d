import type { MergeQueryErrorKind } from '../merge-query/response.js';
import type { Word } from './word.js';

/** What to do about each kind of error that the contract names; its message gives the details. */
export const mergeErrorWords: Record<MergeQueryErrorKind, Word & { readonly remedy: string }> = {
  too_few_sources: {
    meaning: 'A merge has fewer than two sources.',
    remedy: 'Name two sources or more in mergeQuery.sources.',
  },
  too_many_sources: {
    meaning: 'A merge has more sources than the server accepts.',
    remedy: 'Merge fewer sources: run some of them as a separate merge, and join its queryUuid.',
  },
  duplicate_source_id: {
    meaning: 'Two sources have the same id.',
    remedy: 'Give every source a different id.',
  },
  reserved_source_id: {
    meaning: 'A source has an id that the merge uses itself.',
    remedy: 'Rename the source: that id belongs to the merged result.',
  },
  empty_join_key: {
    meaning: 'The join key has no parts.',
    remedy: 'Name in mergeQuery.joinKey at least one column that the sources have in common.',
  },
  join_key_coverage: {
    meaning: 'A part of the join key names no field of one of the sources.',
    remedy: 'Give every source an entry in fieldIdBySourceId of every part of the join key.',
  },
  unknown_source_in_join_key: {
    meaning: 'A part of the join key names a source that the merge does not have.',
    remedy: 'Remove the entry from fieldIdBySourceId, or correct the source id in it.',
  },
  fan_out: {
    meaning: 'A source may have several rows for one join key, and its rows would multiply.',
    remedy:
      'Add the dimension to the join key, or remove it from the source: otherwise one row of a source matches several of another.',
  },
  join_key_not_selected: {
    meaning: 'A source joins on a field that its query does not select.',
    remedy: 'Add the field to the dimensions of its source.',
  },
  join_key_type_mismatch: {
    meaning: 'The sources join on fields of different types.',
    remedy: 'Join on fields of one type; a custom dimension can cast one of them.',
  },
  join_key_granularity_mismatch: {
    meaning: 'The sources join on dates at different granularities.',
    remedy: 'Join dates at one granularity: use the same time interval in every source.',
  },
  unsupported_table_calculation: {
    meaning: 'A source has a table calculation that a merge does not support.',
    remedy:
      'Remove the calculation from the source, or write it as a calculation of the merge (mergeQuery.tableCalculations).',
  },
  duplicate_calculation_name: {
    meaning: 'Two calculations of the merge have the same name.',
    remedy: 'Give every calculation a different name.',
  },
  unresolved_calculation_reference: {
    meaning: 'A calculation refers to something that no source of the merge has.',
    remedy:
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the form in which references are written.
      'References are written ${sourceId.fieldId}: check the source id, and that its query selects the field.',
  },
  unresolved_column_type: {
    meaning: 'The server cannot tell the type of a column.',
    remedy:
      'Run the source on its own and see whether it returns that column; a stored result may have to be run again.',
  },
  missing_parameters: {
    meaning: 'The merge refers to parameters without a value.',
    remedy:
      'Give a value to every parameter, with --param <name>=<value> (:= for a number), --params-file or "parameters" of the file.',
  },
  result_source_unavailable: {
    meaning: 'A stored result that is a source cannot be read.',
    remedy:
      'The stored result has expired or is not yours: run its query again and use the new queryUuid, or use the query itself as a source.',
  },
};
