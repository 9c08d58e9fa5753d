import type { IndexEntry } from '../src/core/index/index-schema.js';

/** An index in a twentieth of its size: what a release has in common with the one before it is left out. */
export interface IndexTable {
  readonly generatedAt: string;
  readonly backfillFloorVersion: string | null;
  /** Joined by commas, each without the parts that it shares with the one before: `1.2.0,.1,3.0`. */
  readonly versions: string;
  /** Joined by commas: the time since the one before in base 36; with a dot for milliseconds, else seconds. */
  readonly dates: string;
  /** The claims that releases have in common, and how many in a row have which. */
  readonly claims: readonly Omit<IndexEntry, 'version' | 'previousVersion' | 'releaseDate'>[];
  readonly runs: readonly (readonly [claim: number, releases: number])[];
  /** By position, where it is not the release before. */
  readonly previousVersions: Readonly<Record<number, string | null>>;
}

/** The index as its publisher writes it. Nothing here is trusted: it is parsed like any other. */
export function indexOfTable(table: IndexTable): unknown {
  const { generatedAt, backfillFloorVersion, claims, runs, previousVersions } = table;
  const dates = table.dates.split(',');
  const claimOf = runs.flatMap(([claim, releases]) => new Array(releases).fill(claims[claim]));
  let before: string | null = null;
  let time = 0;
  const entries = table.versions.split(',').map((short, i) => {
    const date = dates[i] ?? '';
    time += Number.parseInt(date.replace('.', ''), 36) * (date.includes('.') ? 1 : 1000);
    const version: string = before === null ? short : lengthened(short, before);
    const own = previousVersions[i];
    const entry = {
      version,
      previousVersion: own === undefined ? before : own,
      releaseDate: written(time, date.includes('.')),
      ...claimOf[i],
    };
    before = version;
    return entry;
  });
  return { schemaVersion: '1', generatedAt, backfillFloorVersion, entries };
}

function lengthened(short: string, before: string): string {
  const parts = short.split('.').filter(Boolean);
  return [...before.split('.').slice(0, 3 - parts.length), ...parts].join('.');
}

/** As the publisher writes it, with or without milliseconds. */
export function written(time: number, withMilliseconds: boolean): string {
  const text = new Date(time).toISOString();
  return withMilliseconds ? text : text.replace('.000Z', 'Z');
}
