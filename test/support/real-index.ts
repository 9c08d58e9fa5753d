import { readFileSync } from 'node:fs';
import { parseReleaseSafetyIndexText } from '../../src/core/index/parse-index.js';
import type { ReleaseSafetyIndex } from '../../src/core/index/release-safety-index.js';

/** The facts of the public index of 2026-09-06: 3,598 releases. */
export const realIndexFile = 'fixtures/release-safety-index.json';

export const realIndexText = readFileSync(realIndexFile, 'utf8');

let parsed: ReleaseSafetyIndex | undefined;

/** The real index, read by the first test that asks for it: a fault of the reader then fails that test. */
export function realIndex(): ReleaseSafetyIndex {
  parsed ??= parseReleaseSafetyIndexText(realIndexText);
  return parsed;
}

/** An entry as a test writes it: any field may hold anything. */
export type LooseEntry = Record<string, unknown>;

export interface LooseIndex {
  schemaVersion: unknown;
  generatedAt: unknown;
  backfillFloorVersion: unknown;
  entries: LooseEntry[];
  [extra: string]: unknown;
}

/** A fresh copy of the real index as plain JSON, to be changed at will. */
export function realIndexJson(): LooseIndex {
  return JSON.parse(realIndexText);
}

/** An index of a few releases in a row, each `true` unless its row says otherwise, its fields as they are published. */
export function indexOf(...rows: readonly (LooseEntry & { readonly version: string })[]): LooseIndex {
  return {
    schemaVersion: '1',
    generatedAt: '2026-09-06T18:08:42.053Z',
    backfillFloorVersion: rows[0]?.version ?? '1.0.0',
    entries: rows.map(({ version, ...row }, i) => ({
      version,
      previousVersion: rows[i - 1]?.version ?? null,
      releaseDate: '2026-09-06T18:08:42Z',
      rollingUpdateSafe: true,
      requiredStops: [],
      minPreviousVersion: null,
      backfilled: false,
      syntheticRequiredStop: false,
      ...row,
    })),
  };
}
