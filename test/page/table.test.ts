import { describe, expect, it } from 'vitest';
import { indexOfTable } from '../../page/table.js';
import { tableOf } from '../../scripts/index-table.js';
import { parseReleaseSafetyIndex } from '../../src/core/index/parse-index.js';
import { indexOf, realIndexJson } from '../support/real-index.js';

const odd = indexOf(
  { version: '0.9.9', previousVersion: '0.9.8', releaseDate: '2026-01-02T03:04:05.678Z' },
  {
    version: '0.10.0',
    rollingUpdateSafe: false,
    requiredStops: ['0.9.9'],
    releaseDate: '2026-01-01T00:00:00.000Z',
  },
  { version: '0.10.10', previousVersion: null, minPreviousVersion: '0.9.9', backfilled: true },
  { version: '1.10.10', syntheticRequiredStop: true, rollingUpdateSafe: 'unknown' },
);

describe('an index as a table', () => {
  it.each([
    ['the public one', realIndexJson()],
    ['an odd one', odd],
  ])('%s says the same', (_, index) => {
    expect(indexOfTable(tableOf(parseReleaseSafetyIndex(structuredClone(index))))).toEqual(index);
  });

  it('has a twentieth of its size', () => {
    const table = JSON.stringify(tableOf(parseReleaseSafetyIndex(realIndexJson())));
    expect(table.length).toBeLessThan(767_587 / 20);
  });
});
