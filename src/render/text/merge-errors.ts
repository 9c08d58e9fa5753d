import { isMergeQueryErrorKind, type MergeQueryError } from '../../merge-query/response.js';
import type { Palette } from '../palette.js';
import { clip } from '../phrase.js';
import { printable } from '../printable.js';
import { mergeErrorWords } from '../words/merge-errors.js';

const longestMessage = 2000;

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
    return [palette.bold(`${title}:`), ...group.flatMap((error) => describeError(error, palette))];
  });
  return groups.map((lines) => `${lines.join('\n')}\n`).join('\n');
}

function describeError({ kind, message, fieldIds }: MergeQueryError, palette: Palette): string[] {
  const lines = [`  ${palette.bad(printable(kind))}: ${printable(clip(message, longestMessage))}`];
  if (fieldIds.length > 0) lines.push(`    Fields: ${fieldIds.map(printable).join(', ')}`);
  if (isMergeQueryErrorKind(kind)) lines.push(`    To do: ${mergeErrorWords[kind].remedy}`);
  return lines;
}
