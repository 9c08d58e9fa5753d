import type { ReplacedIssue } from '../core/notice.js';
import { compareVersions } from '../core/version.js';
import { isWithdrawn } from './known-issues.js';
import { isIssue, isNote } from './record-forms.js';
import type { Horizon, KnownRecord, ReadRecords } from './records.js';

/** Records from outside, and the name of the place for messages. */
export interface RecordSource extends ReadRecords {
  readonly name: string;
}

export interface JoinedRecords {
  readonly records: readonly KnownRecord[];
  /** Every answer says these: what is built in could have made it a no. */
  readonly replaced: readonly ReplacedIssue[];
}

/**
 * The records that are built in and those of several places as one list. If a record is in more than one place, the
 * version modified last counts. If places differ and were modified at the same moment, each version counts, because
 * either may be the right one.
 */
export function joinRecords(
  builtIn: readonly KnownRecord[],
  sources: readonly RecordSource[],
  now: Date,
): JoinedRecords {
  // None is built in twice. Comparing them takes a twentieth of a check.
  if (sources.length === 0) return { records: builtIn, replaced: [] };
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

/** How far the records of several places reach: as far as the furthest. */
export function furthestOf(builtIn: Horizon, sources: readonly ReadRecords[]): Horizon {
  return sources.reduce((far, { knownThrough = far }) => {
    const order =
      compareVersions(far.version, knownThrough.version) || far.asOf.localeCompare(knownThrough.asOf);
    return order < 0 ? knownThrough : far;
  }, builtIn);
}

interface PlacedRecord {
  readonly record: KnownRecord;
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

export function formatKnownIssues(records: readonly KnownRecord[], knownThrough?: Horizon): string {
  const [publishedAt] = records.map(({ modified }) => modified).sort((a, b) => Date.parse(b) - Date.parse(a));
  const notes = records.filter(isNote);
  const set = { schemaVersion: '1', publishedAt, knownThrough, records: records.filter(isIssue) };
  return `${JSON.stringify(notes.length === 0 ? set : { ...set, notes }, null, 2)}\n`;
}
