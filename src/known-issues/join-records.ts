import type { KnownIssue } from './record-schema.js';

/**
 * The records of several places as one list. If a record is in more than one place, the version modified last counts.
 * If places differ and were modified at the same moment, each version counts, because either may be the right one.
 */
export function joinRecords(places: readonly (readonly KnownIssue[])[]): readonly KnownIssue[] {
  const byId = new Map<string, readonly KnownIssue[]>();
  for (const record of places.flat()) {
    const held = byId.get(record.id) ?? [];
    const age = held[0] === undefined ? 1 : Date.parse(record.modified) - Date.parse(held[0].modified);
    if (age > 0) byId.set(record.id, [record]);
    else if (age === 0 && !held.some((other) => isSame(other, record)))
      byId.set(record.id, [...held, record]);
  }
  return [...byId.values()].flat();
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
