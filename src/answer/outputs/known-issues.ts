import type { DeepReadonly } from '../../core/deep-readonly.js';
import { compact } from '../../core/text/compact.js';
import { countOf } from '../../core/text/phrase.js';
import type { KnownIssue } from '../../known-issues/records.js';
import {
  certaintyWords,
  describeAffected,
  describeCondition,
  describeEffect,
  whenWords,
} from '../../known-issues/words.js';
import type { Fact } from '../answer.js';
import type { KnownIssuesVerifyResult } from '../json/index-schemas.js';
import { renderLines } from './messages.js';

export function factsOfKnownIssues(
  records: readonly KnownIssue[],
  builtInPublishedAt: string | null,
): Fact[] {
  const builtIn = builtInPublishedAt === null ? '' : `; built-in records as of ${builtInPublishedAt}`;
  return [
    { label: 'Known issues', text: `${records.length}${builtIn}` },
    ...records.map(({ id, affected, summary, withdrawn }) => ({
      label: id,
      text: `${describeAffected(affected)}${withdrawn === undefined ? '' : ` (withdrawn ${withdrawn})`}`,
      items: [summary],
    })),
  ];
}

export function factsOfKnownIssue(record: KnownIssue): Fact[] {
  const { id, summary, details, affected, when, conditions, effect, remedy, evidence } = record;
  const { aliases, references, published, modified, fromBefore, withdrawn } = record;
  const older = fromBefore === true ? ', and an older release runs' : '';
  return compact<Fact>(
    { label: id, text: summary },
    withdrawn !== undefined && { label: 'Withdrawn', text: `it has no effect from ${withdrawn} on` },
    { label: 'Releases', text: describeAffected(affected) },
    { label: 'Applies if', text: `${whenWords[when]}${older}` },
    {
      label: 'Conditions',
      text: conditions.length === 0 ? 'none' : 'all required; what is not known counts as met',
      items: conditions.map(describeCondition),
    },
    { label: 'Effect', text: describeEffect(effect) },
    { label: 'To do', text: remedy },
    { label: 'Details', text: details },
    { label: 'Evidence', text: `${certaintyWords[evidence.certainty]}. ${evidence.basis}` },
    aliases.length > 0 && { label: 'Also known as', text: aliases.join(', ') },
    references.map(({ type, url }) => ({ label: type, text: url })),
    { label: 'Published', text: `${published}, modified ${modified}` },
  );
}

/** The faults, for a person and for an editor that reads `file:line:column: message`: one line per fault. */
export function renderKnownIssuesVerifyText(files: DeepReadonly<KnownIssuesVerifyResult>['files']): string {
  return renderLines(
    files.flatMap(({ file, records, faults }) =>
      faults.length === 0
        ? [`${file}: valid: ${countOf(records, 'known issue')}`]
        : faults.map(
            ({ line, column, field, fault }) => `${file}:${line}:${column}: ${field && `${field}: `}${fault}`,
          ),
    ),
  );
}
