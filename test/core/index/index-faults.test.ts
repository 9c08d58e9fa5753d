import { describe, expect, it } from 'vitest';
import { auditIndex, auditIndexText, type IndexFault } from '../../../src/core/index/index-faults.js';
import type { Plain } from '../../support/plain.js';
import { indexOf, type LooseIndex, realIndexText } from '../../support/real-index.js';

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

/** The same with other fields of the index, of its entries by position, and with more entries. */
function changed(fields: object, of: Record<number, object> = {}, ...more: object[]): LooseIndex {
  const entries = whole().entries.map((entry, i) => ({ ...entry, ...of[i] }));
  return {
    ...whole(),
    entries: [...entries, ...more.map((entry) => ({ ...entries[3], ...entry }))],
    ...fields,
  };
}

const turned = (...order: number[]) => ({ entries: order.map((i) => whole().entries[i] ?? {}) });
const invalid = (field: string, fault: string) => ({ kind: 'invalid-field' as const, field, fault });
const expectedVersion = (got: string) => `expected a version X.Y.Z, got ${got}`;
const gap = (version: string, previousVersion: string | null, before: string) => ({
  ...{ kind: 'gap' as const, version, previousVersion, before },
});
const duplicate = (...positions: number[]) => ({ kind: 'duplicate' as const, version: '1.3.0', positions });
const notMarked = { syntheticRequiredStop: false };

describe('names every fault', () => {
  it.each<[rule: string, index: unknown, faults: Plain<IndexFault>[]]>([
    ['none', whole(), []],
    [
      'a gap',
      changed(turned(0, 2, 3)),
      [gap('1.2.0', '1.1.0', '1.0.0'), { kind: 'unknown-stop', version: '1.2.0', stop: '1.1.0' }],
    ],
    ['a duplicate', changed({}, {}, {}), [duplicate(3, 4)]],
    ['what stands three times', changed({}, {}, {}, {}), [duplicate(3, 4, 5)]],
    ['a duplicate that says otherwise', changed({}, {}, { backfilled: true }), [duplicate(3, 4)]],
    [
      'releases that follow none of those before them',
      changed(
        {},
        { 1: { previousVersion: '1.1.0' }, 2: { previousVersion: '1.3.0' }, 3: { previousVersion: '1.1.0' } },
      ),
      [gap('1.1.0', '1.1.0', '1.0.0'), gap('1.2.0', '1.3.0', '1.1.0'), gap('1.3.0', '1.1.0', '1.2.0')],
    ],
    ['one that follows none', changed({}, { 1: { previousVersion: null } }), [gap('1.1.0', null, '1.0.0')]],
    ['a release of the same second', changed({}, { 3: { releaseDate: whole().generatedAt } }), []],
    [
      'entries that are no releases',
      { ...whole(), entries: [...whole().entries, null, '1.4.0'] },
      [
        invalid('entries[4]', 'expected a release, got null'),
        invalid('entries[5]', 'expected a release, got "1.4.0"'),
      ],
    ],
    ['no list', changed({ entries: {} }), [invalid('entries', 'expected a list of releases, got an object')]],
    [
      'turned',
      changed(turned(0, 2, 3, 1)),
      [{ kind: 'disorder', version: '1.1.0', after: '1.3.0', position: 3 }],
    ],
    [
      'stops and minimums that no upgrade can meet',
      changed(
        {},
        {
          1: { requiredStops: ['1.3.0'], minPreviousVersion: '1.1.0' },
          3: { requiredStops: ['1.2.5', '1.2.5'], minPreviousVersion: '0.9.0' },
        },
      ),
      [
        { kind: 'later-stop', version: '1.1.0', stop: '1.3.0' },
        { kind: 'later-minimum', version: '1.1.0', minimum: '1.1.0' },
        { kind: 'unknown-stop', version: '1.3.0', stop: '1.2.5' },
        { kind: 'unknown-minimum', version: '1.3.0', minimum: '0.9.0' },
      ],
    ],
    [
      'a floor that is missing',
      changed({ backfillFloorVersion: '0.9.0' }),
      [
        { kind: 'floor-missing', floor: '0.9.0' },
        { kind: 'marked-beside-floor', version: '1.0.0', floor: '0.9.0' },
      ],
    ],
    [
      'a release marked as the floor of an index that has none',
      changed({ backfillFloorVersion: null }),
      [{ kind: 'marked-beside-floor', version: '1.0.0', floor: null }],
    ],
    ['no floor', changed({ backfillFloorVersion: null }, { 0: notMarked }), []],
    [
      'a floor that is not marked, and a release below it',
      changed({ backfillFloorVersion: '1.1.0' }, { 0: notMarked }),
      [
        { kind: 'floor-not-marked', floor: '1.1.0' },
        { kind: 'below-floor', version: '1.0.0', floor: '1.1.0' },
      ],
    ],
    ['backfilled', changed({}, { 2: { backfilled: true } }), [{ kind: 'backfilled-true', version: '1.2.0' }]],
    [
      'dates that run backwards',
      changed({}, { 1: { releaseDate: '2026-09-05T00:00:00Z' }, 3: { releaseDate: '2026-09-07T00:00:00Z' } }),
      [
        {
          ...{ kind: 'date-backwards', version: '1.1.0', releaseDate: '2026-09-05T00:00:00Z' },
          ...{ before: '1.0.0', dateBefore: '2026-09-06T18:08:42Z' },
        },
        {
          ...{ kind: 'dated-after-index', version: '1.3.0', releaseDate: '2026-09-07T00:00:00Z' },
          generatedAt: '2026-09-06T18:08:42.053Z',
        },
      ],
    ],
    [
      'fields, all of them, and still the rest',
      changed({ generatedAt: 'yesterday' }, { 1: { rollingUpdateSafe: 'true', backfilled: null } }, {}),
      [
        invalid('generatedAt', 'expected an ISO 8601 date-time, got "yesterday"'),
        invalid('entries[1].rollingUpdateSafe', 'expected true, false or "unknown", got "true"'),
        invalid('entries[1].backfilled', 'expected true or false, got null'),
        duplicate(3, 4),
      ],
    ],
    [
      'no entries',
      changed({ entries: [] }),
      [invalid('entries', 'expected at least one release, got an empty list')],
    ],
    ['another schema', changed({ schemaVersion: 1 }), [invalid('schemaVersion', 'expected "1", got 1')]],
    ['no index at all', [], [invalid('the index', 'expected a JSON object, got an empty list')]],
    [
      'a stop that is none, beside one that is',
      changed({}, { 2: { requiredStops: ['1.1.0', 'soon', 5] } }),
      [
        invalid('entries[2].requiredStops[1]', expectedVersion('"soon"')),
        invalid('entries[2].requiredStops[2]', expectedVersion('5')),
      ],
    ],
    [
      'stops that are no list',
      changed({}, { 2: { requiredStops: '1.1.0' } }),
      [invalid('entries[2].requiredStops', 'expected a list of versions, got "1.1.0"')],
    ],
    [
      'no stops at all',
      changed({}, { 2: { requiredStops: undefined } }),
      [invalid('entries[2].requiredStops', 'missing; expected a list of versions')],
    ],
  ])('%s', (_, index, faults) => {
    const audit = auditIndex(index);
    expect(audit.faults).toEqual(faults);
    expect(audit.faultCount).toBe(faults.length);
  });

  it('a key that stands twice, and the rest', () => {
    const text = JSON.stringify(changed(turned(0, 2, 3)));
    const audit = auditIndexText(text.replace('"version":"1.3.0"', '"version":"1.3.0","version":"1.3.0"'));
    expect(audit.faults[0]).toEqual({ kind: 'duplicate-key', key: 'version' });
    expect(audit.faults.map(({ kind }) => kind)).toEqual(['duplicate-key', 'gap', 'unknown-stop']);
    expect(audit.faultCount).toBe(3);
  });

  it('more of one release than a call takes arguments', () => {
    const index = whole();
    const requiredStops = Array.from({ length: 200_000 }, (_, i) => `1.0.${i + 1}`);
    Object.assign(index.entries[3] ?? {}, { requiredStops });
    const { faults } = auditIndex(index);
    expect(faults).toHaveLength(200_000);
    expect(faults.every(({ kind }) => kind === 'unknown-stop')).toBe(true);
  });

  it('refuses a text that is no JSON', () => {
    expect(() => auditIndexText('')).toThrow(
      expect.objectContaining({ code: 'invalid-json', message: 'the index is not JSON: it is empty' }),
    );
  });
});

it('reports more entries than any index has, and does not look at the rest', () => {
  const { faults, entries } = auditIndex({ ...whole(), entries: Array(110_001).fill(1) });
  expect(entries).toBe(110_001);
  expect(faults[0]).toEqual(invalid('entries', 'expected at most 110000 releases, got a list'));
  expect(faults).toHaveLength(110_001);
});
