import { LightspanError } from '../../core/lightspan-error.js';
import type { KnownRecord, ReadRecords } from '../../known-issues/records.js';

/**
 * Which records of a feed changed since it was last read, and which it no longer has.
 *
 * @param file the copy of the last read
 * @throws {LightspanError} `too-old` if the feed says that it was looked over earlier than the copy
 */
export function changesSinceLastRead(
  before: ReadRecords,
  read: ReadRecords,
  { name, file }: { readonly name: string; readonly file: string },
): { readonly changes: readonly KnownRecord[]; readonly missing: readonly KnownRecord[] } {
  const [was, is] = [before.knownThrough?.asOf, read.knownThrough?.asOf];
  if (was !== undefined && (is === undefined || is < was)) {
    throw new LightspanError(
      'too-old',
      `the known issues ${name} are as of ${is ?? 'no day'}, but those read from there before as of ${was}`,
      {
        hint:
          'Run again later: a cache in between may return old ones. If the newer ones were withdrawn, remove ' +
          `${file}.`,
      },
    );
  }
  const versionsOf = (records: ReadRecords, id: string) =>
    records.records.filter((record) => record.id === id).map((record) => JSON.stringify(record));
  const isIn = (records: ReadRecords, { id }: KnownRecord) => versionsOf(records, id).length > 0;
  return {
    changes: read.records.filter(
      (record) => isIn(before, record) && !versionsOf(before, record.id).includes(JSON.stringify(record)),
    ),
    missing: before.records.filter((record) => !isIn(read, record)),
  };
}
