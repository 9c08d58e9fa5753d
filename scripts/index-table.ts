import { type IndexTable, written } from '../page/table.js';
import type { ReleaseSafetyIndex } from '../src/core/index/release-safety-index.js';

/** What the page has inside. */
export function tableOf({ generatedAt, backfillFloorVersion, entries }: ReleaseSafetyIndex): IndexTable {
  const claims = new Map<string, number>();
  const runs: [number, number][] = [];
  const previousVersions: Record<number, string | null> = {};
  for (const [i, { version, previousVersion, releaseDate, ...claim }] of entries.entries()) {
    if (previousVersion !== (entries[i - 1]?.version ?? null)) previousVersions[i] = previousVersion;
    const key = JSON.stringify(claim);
    const number = claims.get(key) ?? claims.size;
    claims.set(key, number);
    const last = runs.at(-1);
    if (last?.[0] === number) last[1]++;
    else runs.push([number, 1]);
  }
  return {
    ...{ generatedAt, backfillFloorVersion, runs, previousVersions },
    versions: entries.map(({ version }, i) => shortened(version, entries[i - 1]?.version)).join(),
    dates: entries
      .map(({ releaseDate }, i) => elapsed(releaseDate, entries[i - 1]?.releaseDate ?? epoch))
      .join(),
    claims: [...claims.keys()].map((key) => JSON.parse(key)),
  };
}

const epoch = '1970-01-01T00:00:00Z';

function shortened(version: string, before: string | undefined): string {
  const [major, minor, patch] = version.split('.');
  const [oldMajor, oldMinor] = before?.split('.') ?? [];
  if (major !== oldMajor) return version;
  return minor === oldMinor ? `.${patch}` : `${minor}.${patch}`;
}

function elapsed(date: string, before: string): string {
  const ms = Date.parse(date) - Date.parse(before);
  const text = date === written(Date.parse(date), false) && ms % 1000 === 0;
  return text ? (ms / 1000).toString(36) : `.${ms.toString(36)}`;
}
