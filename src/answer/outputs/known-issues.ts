import type { KnownIssue } from '../../known-issues/records.js';
import { compact } from '../../shared/compact.js';
import type { DeepReadonly } from '../../shared/deep-readonly.js';
import {
  certaintyWords,
  describeAffected,
  describeCondition,
  describeEffect,
  whenWords,
} from '../../words/known-issue-records.js';
import { countOf } from '../../words/phrase.js';
import { printable } from '../../words/printable.js';
import type { KnownIssuesVerifyResult } from '../json/index-schemas.js';
import { wrapWords } from '../wrap.js';

/** Known issues in two lines each: id and releases, and what goes wrong. */
export function renderKnownIssueListText(
  records: readonly KnownIssue[],
  {
    builtInPublishedAt,
    width,
  }: { readonly builtInPublishedAt: string | null; readonly width: number | undefined },
): string {
  const builtIn = builtInPublishedAt === null ? '' : `; built-in records as of ${builtInPublishedAt}`;
  const lines = records.flatMap(({ id, affected, summary, withdrawn }) => [
    `  ${id}: ${describeAffected(affected)}${withdrawn === undefined ? '' : ` (withdrawn ${withdrawn})`}`,
    `    ${summary}`,
  ]);
  return wrapped([`Known issues: ${records.length}${builtIn}`, ...lines], width);
}

export function renderKnownIssueText(record: KnownIssue, width: number | undefined): string {
  const { id, summary, details, affected, when, conditions, effect, remedy, evidence } = record;
  const { aliases, references, published, modified, fromBefore, withdrawn } = record;
  const lines = compact(
    `${id}: ${summary}`,
    withdrawn !== undefined && `Withdrawn: it has no effect from ${withdrawn} on`,
    `Releases: ${describeAffected(affected)}`,
    `Applies if: ${whenWords[when]}${fromBefore === true ? ', and an older release runs' : ''}`,
    conditions.length === 0
      ? 'Conditions: none'
      : 'Conditions, all required; what is not known counts as met:',
    conditions.map((condition) => `  - ${describeCondition(condition)}`),
    `Effect: ${describeEffect(effect)}`,
    `To do: ${remedy}`,
    `Details: ${details}`,
    `Evidence: ${certaintyWords[evidence.certainty]}. ${evidence.basis}`,
    aliases.length > 0 && `Also known as: ${aliases.join(', ')}`,
    references.map(({ type, url }) => `${type}: ${url}`),
    `Published: ${published}, modified ${modified}`,
  );
  return wrapped(lines, width);
}

/** The faults, for a person and for an editor that reads `file:line:column: message`: one line per fault. */
export function renderKnownIssuesVerifyText(files: DeepReadonly<KnownIssuesVerifyResult>['files']): string {
  const lines = files.flatMap(({ file, records, faults }) =>
    faults.length === 0
      ? [`${file}: valid: ${countOf(records, 'known issue')}`]
      : faults.map(
          ({ line, column, field, fault }) => `${file}:${line}:${column}: ${field && `${field}: `}${fault}`,
        ),
  );
  return wrapped(lines, undefined);
}

function wrapped(texts: readonly string[], width: number | undefined): string {
  return texts.map((text) => `${wrapWords(printable(text), width, '    ')}\n`).join('');
}
