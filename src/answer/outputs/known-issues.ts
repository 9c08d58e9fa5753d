import type { DeepReadonly } from '../../core/common/deep-readonly.js';
import { compact } from '../../core/text/compact.js';
import { isNote } from '../../known-issues/record-forms.js';
import type { Horizon, KnownIssue, KnownRecord, Note } from '../../known-issues/records.js';
import {
  certaintyWords,
  describeAffected,
  describeCondition,
  describeEffect,
  whenWords,
} from '../../words/evidence/known-issues.js';
import { countOf } from '../../words/phrase.js';
import type { Fact } from '../answer.js';
import type { KnownIssuesVerifyResult } from '../json/index-schemas.js';
import { renderLines } from './messages.js';

export function factsOfKnownIssues(
  known: {
    readonly records: readonly KnownIssue[];
    readonly notes: readonly Note[];
    readonly knownThrough: Horizon;
  },
  builtInPublishedAt: string | null,
): Fact[] {
  const { records, notes, knownThrough } = known;
  const builtIn = builtInPublishedAt === null ? '' : `; built-in records as of ${builtInPublishedAt}`;
  const listed = ({ id, affected, summary, withdrawn }: KnownRecord) => ({
    label: id,
    text: `${describeAffected(affected)}${withdrawn === undefined ? '' : ` (withdrawn ${withdrawn})`}`,
    items: [summary],
  });
  return [
    { label: 'Known issues', text: `${records.length}${builtIn}` },
    { label: 'Known through', text: `${knownThrough.version} (as of ${knownThrough.asOf})` },
    ...records.map(listed),
    { label: 'Notes, which change no verdict', text: String(notes.length) },
    ...notes.map(listed),
  ];
}

/** What an issue or a note says of itself, between what both begin and end with. */
function ownFacts(record: KnownRecord): Fact[] {
  if (isNote(record)) {
    const { concerns, before, after } = record;
    return compact<Fact>(
      { label: 'Concerns', text: concerns },
      before !== undefined && { label: 'Before the upgrade', text: before },
      after !== undefined && { label: 'After it', text: after },
    );
  }
  return [
    { label: 'Effect', text: describeEffect(record.effect) },
    { label: 'To do', text: record.remedy },
  ];
}

export function factsOfKnownIssue(record: KnownRecord): Fact[] {
  const { id, summary, details, affected, conditions, evidence } = record;
  const { aliases, references, published, modified, withdrawn } = record;
  const older = !isNote(record) && record.fromBefore === true ? ', and an older release runs' : '';
  const when = isNote(record) ? 'a span begins before them, and ends in them' : whenWords[record.when];
  return compact<Fact>(
    { label: id, text: summary },
    withdrawn !== undefined && { label: 'Withdrawn', text: `it has no effect from ${withdrawn} on` },
    { label: 'Releases', text: describeAffected(affected) },
    { label: 'Applies if', text: `${when}${older}` },
    {
      label: 'Conditions',
      text: conditions.length === 0 ? 'none' : 'all required; what is not known counts as met',
      items: conditions.map(describeCondition),
    },
    ownFacts(record),
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
