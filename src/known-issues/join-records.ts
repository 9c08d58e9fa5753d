import type { ReplacedIssue } from '../core/notice.js';
import { isWithdrawn } from './known-issues.js';
import type { KnownIssue } from './records.js';

/** Records from outside, and the name of the place for messages. */
export interface RecordSource {
  readonly name: string;
  readonly records: readonly KnownIssue[];
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
  const all = [
    ...builtIn.map((record) => ({ record, source: null })),
    ...sources.flatMap(({ name, records }) => records.map((record) => ({ record, source: name }))),
  ];
  const ids = [...new Set(all.map(({ record }) => record.id))];
  return {
    records: ids.flatMap((id) => newestOf(id, all)).map(({ record }) => record),
    replaced: builtIn
      .filter((record) => !isWithdrawn(record, now))
      .flatMap(({ id }) => {
        const newest = newestOf(id, all);
        const replacing = newest.flatMap(({ record, source }) =>
          source === null ? [] : [{ id, source, withdrawn: isWithdrawn(record, now) }],
        );
        // Where the built-in record itself still counts, nothing replaces it.
        return replacing.length === newest.length ? replacing : [];
      }),
  };
}

interface PlacedRecord {
  readonly record: KnownIssue;
  /** Null for a record that is built in. */
  readonly source: string | null;
}

function newestOf(id: string, all: readonly PlacedRecord[]): readonly PlacedRecord[] {
  const versions = all.filter(({ record }) => record.id === id);
  const newest = Math.max(...versions.map(({ record }) => Date.parse(record.modified)));
  const distinct = new Map<string, PlacedRecord>();
  for (const version of versions.filter(({ record }) => Date.parse(record.modified) === newest)) {
    // Whatever reads records puts their keys in the order of the schema.
    const text = JSON.stringify(version.record);
    if (!distinct.has(text)) distinct.set(text, version);
  }
  return [...distinct.values()];
}

export function formatKnownIssues(records: readonly KnownIssue[]): string {
  const [publishedAt] = records.map(({ modified }) => modified).sort((a, b) => Date.parse(b) - Date.parse(a));
  return `${JSON.stringify({ schemaVersion: '1', publishedAt, records }, null, 2)}\n`;
}
