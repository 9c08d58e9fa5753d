import { isWithdrawn } from './known-issues.js';
import type { KnownIssue } from './records.js';

/** Records from outside, and the name of the place for messages. */
export interface RecordSource {
  readonly name: string;
  readonly records: readonly KnownIssue[];
}

/** A built-in record that does not count, because a source has one of the same id that was modified later. */
export interface ReplacedIssue {
  readonly id: string;
  readonly source: string;
  /** Whether the source takes it back altogether. */
  readonly withdrawn: boolean;
}

export interface JoinedRecords {
  readonly records: readonly KnownIssue[];
  /** Every answer says these: what is built in could have made it a no. */
  readonly replaced: readonly ReplacedIssue[];
}

/**
 * The records that are built in and those of several places as one list. If a record is in more than one place, the
 * version modified last counts. If places differ and were modified at the same moment, each version counts, because
 * either may be the right one.
 */
export function joinRecords(
  builtIn: readonly KnownIssue[],
  sources: readonly RecordSource[],
  now: Date,
): JoinedRecords {
  const byId = new Map<string, readonly Held[]>();
  const all: Held[] = [
    ...builtIn.map((record) => ({ record, source: undefined })),
    ...sources.flatMap(({ name, records }) => records.map((record) => ({ record, source: name }))),
  ];
  for (const { record, source } of all) {
    const held = byId.get(record.id) ?? [];
    const age = held[0] === undefined ? 1 : Date.parse(record.modified) - Date.parse(held[0].record.modified);
    if (age > 0) byId.set(record.id, [{ record, source }]);
    else if (age === 0 && !held.some((other) => isSame(other.record, record)))
      byId.set(record.id, [...held, { record, source }]);
  }
  return {
    records: [...byId.values()].flat().map(({ record }) => record),
    replaced: builtIn
      .filter((record) => !isWithdrawn(record, now))
      .flatMap(({ id }) => replacing(byId.get(id) ?? [], now)),
  };
}

interface Held {
  readonly record: KnownIssue;
  /** Undefined for a record that is built in. */
  readonly source: string | undefined;
}

/** Where the built-in record itself still counts, nothing replaces it. */
function replacing(held: readonly Held[], now: Date): readonly ReplacedIssue[] {
  const replaced = held.flatMap(({ record, source }) =>
    source === undefined ? [] : [{ id: record.id, source, withdrawn: isWithdrawn(record, now) }],
  );
  return replaced.length === held.length ? replaced : [];
}

function isSame(a: KnownIssue, b: KnownIssue): boolean {
  return canonical(a) === canonical(b);
}

/** Sorts the keys, so that the order in which a place writes them makes no difference. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** The text of a set of records, with the date of the one modified last. */
export function formatKnownIssues(records: readonly KnownIssue[]): string {
  const [publishedAt] = records.map(({ modified }) => modified).sort((a, b) => Date.parse(b) - Date.parse(a));
  return `${JSON.stringify({ schemaVersion: '1', publishedAt, records }, null, 2)}\n`;
}
