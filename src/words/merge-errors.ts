import type { MergeErrorKind } from '../merge/response.js';

/**
 * Each kind of error that the contract or a newer server names, and what to do about it; its message has the details.
 */
export const mergeErrorWords: Record<MergeErrorKind, string> = {
  too_few_sources: 'A merge has fewer than two sources. Name two sources in mergeQuery.sources.',
  too_many_sources:
    'A merge has more than two sources. Merge two of them first, and join its queryUuid to the third.',
  duplicate_source_id: 'Two sources have the same id. Give every source a different id.',
  reserved_source_id:
    'A source has an id that the merge uses itself. Rename the source: that id belongs to the merged result.',
  empty_join_key:
    'The join key has no parts. Name in mergeQuery.joinKey at least one column that the sources have in common.',
  join_key_coverage:
    'A part of the join key names no field of one of the sources. Give every source an entry in ' +
    'fieldIdBySourceId of every part of the join key.',
  unknown_source_in_join_key:
    'A part of the join key names a source that the merge does not have. Remove the entry ' +
    'from fieldIdBySourceId, or correct the source id in it.',
  fan_out:
    'A source may have several rows for one join key, and its rows would multiply. Add the dimension to the ' +
    'join key, or remove it from the source: otherwise one row of a source matches several of another. Newer ' +
    'servers allow it if the other source has repeatValues.',
  join_key_not_selected:
    'A source joins on a field that its query does not select. Add the field to the dimensions of its source; ' +
    'newer servers add it themselves if the explore has it.',
  join_key_type_mismatch:
    'The sources join on fields of different types. Join on fields of one type; a custom dimension can cast ' +
    'one of them.',
  join_key_granularity_mismatch:
    'The sources join on dates at different granularities. Join dates at one granularity: use the same time ' +
    'interval in every source.',
  unsupported_table_calculation:
    'A source has a table calculation that a merge does not support. Remove the calculation from the source, ' +
    'or write it as a calculation of the merge (mergeQuery.tableCalculations).',
  duplicate_calculation_name:
    'Two calculations of the merge have the same name. Give every calculation a different name.',
  unresolved_calculation_reference:
    'A calculation refers to something that no source of the merge has. References are written ' +
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the form in which references are written.
    '${sourceId.fieldId}: check the source id, and that its query selects the field.',
  unresolved_column_type:
    'The server cannot tell the type of a column. Run the source on its own and see whether it returns that ' +
    'column; a stored result may have to be run again.',
  missing_parameters:
    'The merge refers to parameters without a value. Give a value to every parameter, with --param ' +
    '<name>=<value> (:= for a number), --params-file or "parameters" of the file.',
  calculation_formula_too_long:
    'The formula of a calculation has more than 10,000 characters. Shorten it, or divide it into several calculations.',
  result_source_unavailable:
    'A stored result that is a source cannot be read. The stored result has expired or is not yours: run its ' +
    'query again and use the new queryUuid, or use the query itself as a source.',
};
