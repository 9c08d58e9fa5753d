import { describe, expect, it } from 'vitest';
import { auditIndex, auditIndexText, type IndexFault } from '../../src/release-safety/index-faults.js';
import type { Plain } from '../support/plain.js';
import { indexOf, type LooseIndex, realIndexText } from '../support/real-index.js';

it('finds none in the real index', () => {
  expect(auditIndexText(realIndexText)).toEqual({
    generatedAt: '2026-09-06T18:08:42.053Z',
    entries: 3598,
    faults: [],
    faultCount: 0,
  });
});

/** Four releases without a fault, the first of them the floor. */
const whole = (): LooseIndex =>
  indexOf(
    { version: '1.0.0', requiredStops: ['1.0.0'], syntheticRequiredStop: true },
    { version: '1.1.0' },
    { version: '1.2.0', requiredStops: ['1.1.0'], minPreviousVersion: '1.0.0' },
    { version: '1.3.0' },
  );

function changed(change: (index: LooseIndex) => void): LooseIndex {
  const index = whole();
  change(index);
  return index;
}

describe('names every fault', () => {
  it.each<[rule: string, index: unknown, faults: Plain<IndexFault>[]]>([
    ['none', whole(), []],
    [
      'a gap',
      changed(({ entries }) => entries.splice(1, 1)),
      [
        { kind: 'gap', version: '1.2.0', previousVersion: '1.1.0', before: '1.0.0' },
        { kind: 'unknown-stop', version: '1.2.0', stop: '1.1.0' },
      ],
    ],
    [
      'a duplicate',
      changed(({ entries }) => entries.push({ ...entries[3] })),
      [{ kind: 'duplicate', version: '1.3.0', positions: [3, 4] }],
    ],
    [
      'what stands three times',
      changed(({ entries }) => entries.push({ ...entries[3] }, { ...entries[3] })),
      [{ kind: 'duplicate', version: '1.3.0', positions: [3, 4, 5] }],
    ],
    [
      'a duplicate that says otherwise: the first counts',
      changed(({ entries }) => entries.push({ ...entries[3], backfilled: true })),
      [{ kind: 'duplicate', version: '1.3.0', positions: [3, 4] }],
    ],
    [
      'releases that follow none of those before them',
      changed(({ entries }) => {
        Object.assign(entries[1] ?? {}, { previousVersion: '1.1.0' });
        Object.assign(entries[2] ?? {}, { previousVersion: '1.3.0' });
        Object.assign(entries[3] ?? {}, { previousVersion: '1.1.0' });
      }),
      [
        { kind: 'gap', version: '1.1.0', previousVersion: '1.1.0', before: '1.0.0' },
        { kind: 'gap', version: '1.2.0', previousVersion: '1.3.0', before: '1.1.0' },
        { kind: 'gap', version: '1.3.0', previousVersion: '1.1.0', before: '1.2.0' },
      ],
    ],
    [
      'a release after the first that follows none',
      changed(({ entries }) => Object.assign(entries[1] ?? {}, { previousVersion: null })),
      [{ kind: 'gap', version: '1.1.0', previousVersion: null, before: '1.0.0' }],
    ],
    [
      'a release of the second in which the index was made',
      changed((index) => {
        Object.assign(index.entries[3] ?? {}, { releaseDate: index.generatedAt });
      }),
      [],
    ],
    [
      'entries that are no releases',
      { ...whole(), entries: [...whole().entries, null, '1.4.0'] },
      [
        { kind: 'invalid-field', field: 'entries[4]', fault: 'expected a release, got null' },
        { kind: 'invalid-field', field: 'entries[5]', fault: 'expected a release, got "1.4.0"' },
      ],
    ],
    [
      'entries that are no array',
      { ...whole(), entries: {} },
      [
        {
          kind: 'invalid-field',
          field: 'entries',
          fault: 'expected a list of releases, got an object',
        },
      ],
    ],
    [
      'disorder',
      changed(({ entries }) => entries.push(...entries.splice(1, 1))),
      [{ kind: 'disorder', version: '1.1.0', after: '1.3.0', position: 3 }],
    ],
    [
      'stops and minimums that no upgrade can meet',
      changed(({ entries }) => {
        Object.assign(entries[1] ?? {}, { requiredStops: ['1.3.0'], minPreviousVersion: '1.1.0' });
        Object.assign(entries[3] ?? {}, { requiredStops: ['1.2.5', '1.2.5'], minPreviousVersion: '0.9.0' });
      }),
      [
        { kind: 'later-stop', version: '1.1.0', stop: '1.3.0' },
        { kind: 'later-minimum', version: '1.1.0', minimum: '1.1.0' },
        { kind: 'unknown-stop', version: '1.3.0', stop: '1.2.5' },
        { kind: 'unknown-minimum', version: '1.3.0', minimum: '0.9.0' },
      ],
    ],
    [
      'a floor that is missing',
      changed((index) => {
        index.backfillFloorVersion = '0.9.0';
      }),
      [
        { kind: 'floor-missing', floor: '0.9.0' },
        { kind: 'marked-beside-floor', version: '1.0.0', floor: '0.9.0' },
      ],
    ],
    [
      'a release marked as the floor of an index that has none',
      changed((index) => {
        index.backfillFloorVersion = null;
      }),
      [{ kind: 'marked-beside-floor', version: '1.0.0', floor: null }],
    ],
    [
      'no floor',
      changed((index) => {
        index.backfillFloorVersion = null;
        Object.assign(index.entries[0] ?? {}, { syntheticRequiredStop: false });
      }),
      [],
    ],
    [
      'a floor that is not marked, and a release below it',
      changed((index) => {
        index.backfillFloorVersion = '1.1.0';
        Object.assign(index.entries[0] ?? {}, { syntheticRequiredStop: false });
      }),
      [
        { kind: 'floor-not-marked', floor: '1.1.0' },
        { kind: 'below-floor', version: '1.0.0', floor: '1.1.0' },
      ],
    ],
    [
      'a backfilled release that is true',
      changed(({ entries }) => Object.assign(entries[2] ?? {}, { backfilled: true })),
      [{ kind: 'backfilled-true', version: '1.2.0' }],
    ],
    [
      'dates that run backwards',
      changed(({ entries }) => {
        Object.assign(entries[1] ?? {}, { releaseDate: '2026-09-05T00:00:00Z' });
        Object.assign(entries[3] ?? {}, { releaseDate: '2026-09-07T00:00:00Z' });
      }),
      [
        {
          kind: 'date-backwards',
          version: '1.1.0',
          releaseDate: '2026-09-05T00:00:00Z',
          before: '1.0.0',
          dateBefore: '2026-09-06T18:08:42Z',
        },
        {
          kind: 'dated-after-index',
          version: '1.3.0',
          releaseDate: '2026-09-07T00:00:00Z',
          generatedAt: '2026-09-06T18:08:42.053Z',
        },
      ],
    ],
    [
      'fields, all of them, and still the rest',
      changed((index) => {
        index.generatedAt = 'yesterday';
        Object.assign(index.entries[1] ?? {}, { rollingUpdateSafe: 'true', backfilled: null });
        index.entries.push({ ...index.entries[3] });
      }),
      [
        {
          kind: 'invalid-field',
          field: 'generatedAt',
          fault: 'expected an ISO 8601 date-time, got "yesterday"',
        },
        {
          kind: 'invalid-field',
          field: 'entries[1].rollingUpdateSafe',
          fault: 'expected true, false or "unknown", got "true"',
        },
        { kind: 'invalid-field', field: 'entries[1].backfilled', fault: 'expected true or false, got null' },
        { kind: 'duplicate', version: '1.3.0', positions: [3, 4] },
      ],
    ],
    [
      'no entries',
      { ...whole(), entries: [] },
      [
        {
          kind: 'invalid-field',
          field: 'entries',
          fault: 'expected at least one release, got an empty list',
        },
      ],
    ],
    [
      'another schemaVersion',
      { ...whole(), schemaVersion: 1 },
      [{ kind: 'invalid-field', field: 'schemaVersion', fault: 'expected "1", got 1' }],
    ],
    [
      'no index at all',
      [],
      [{ kind: 'invalid-field', field: 'the index', fault: 'expected a JSON object, got an empty list' }],
    ],
  ])('%s', (_, index, faults) => {
    expect(auditIndex(index).faults).toEqual(faults);
  });

  it('a key that stands twice', () => {
    const text = JSON.stringify(whole()).replace('"version":"1.3.0"', '"version":"1.3.0","version":"1.3.0"');
    expect(auditIndexText(text).faults).toEqual([{ kind: 'duplicate-key', key: 'version' }]);
  });

  it('more of one release than a call takes arguments', () => {
    const index = whole();
    const requiredStops = Array.from({ length: 200_000 }, (_, i) => `1.0.${i + 1}`);
    Object.assign(index.entries[3] ?? {}, { requiredStops });
    const { faults } = auditIndex(index);
    expect(faults).toHaveLength(200_000);
    expect(faults.every(({ kind }) => kind === 'unknown-stop')).toBe(true);
  });

  it('what is no JSON is no index', () => {
    expect(() => auditIndexText('')).toThrow(
      expect.objectContaining({ code: 'invalid-json', message: 'the index is not JSON: it is empty' }),
    );
  });
});

describe('an entry that is not as documented', () => {
  const invalid = (field: string, fault: string) => ({ kind: 'invalid-field', field, fault });
  const expectedVersion = (got: string) => `expected a version X.Y.Z, got ${got}`;

  it.each<[string, (index: LooseIndex) => void, readonly object[]]>([
    [
      'a stop that is none, beside one that is',
      ({ entries }) => Object.assign(entries[2] ?? {}, { requiredStops: ['1.1.0', 'soon', 5] }),
      [
        invalid('entries[2].requiredStops[1]', expectedVersion('"soon"')),
        invalid('entries[2].requiredStops[2]', expectedVersion('5')),
      ],
    ],
    [
      'stops that are no list',
      ({ entries }) => Object.assign(entries[2] ?? {}, { requiredStops: '1.1.0' }),
      [invalid('entries[2].requiredStops', expect.stringContaining('got "1.1.0"') as never)],
    ],
    [
      'no stops at all',
      ({ entries }) => Object.assign(entries[2] ?? {}, { requiredStops: undefined }),
      [invalid('entries[2].requiredStops', 'missing; expected a list of versions')],
    ],
    [
      'what is no object',
      ({ entries }) => entries.splice(3, 1, 7 as never),
      [invalid('entries[3]', expect.anything() as never)],
    ],
  ])('%s: named, and compared with none', (_, change, faults) => {
    const audit = auditIndex(changed(change));
    expect(audit.faults).toEqual(faults);
    expect(audit.faultCount).toBe(faults.length);
  });

  it('one more for a key that stands twice', () => {
    const text = JSON.stringify(changed(({ entries }) => entries.splice(1, 1)));
    const audit = auditIndexText(text.replace('"version":"1.3.0"', '"version":"1.3.0","version":"1.3.0"'));
    expect(audit.faults.map(({ kind }) => kind)).toEqual(['duplicate-key', 'gap', 'unknown-stop']);
    expect(audit.faultCount).toBe(3);
  });

  it('more entries than any index has: told, and the rest is not looked at', () => {
    const { faults, entries } = auditIndex({ ...whole(), entries: Array(110_001).fill(1) });
    expect(entries).toBe(110_001);
    expect(faults[0]).toEqual(invalid('entries', 'expected at most 110000 releases, got a list'));
    expect(faults).toHaveLength(110_001);
  });
});
