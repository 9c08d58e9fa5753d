import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseVersion } from '../../src/core/version.js';
import { formatKnownIssues, furthestOf, joinRecords } from '../../src/known-issues/join-records.js';
import { knownIssuesOf } from '../../src/known-issues/known-issues.js';
import { isIssue } from '../../src/known-issues/record-forms.js';
import type { Horizon, KnownIssue, KnownRecord } from '../../src/known-issues/records.js';
import { afterRecords, recordOf } from '../support/known-issues.js';
import { propertyRuns } from '../support/property-runs.js';

const record = (fields: Partial<Parameters<typeof recordOf>[0]>) =>
  recordOf({ affected: [{ introduced: '1.0.0' }], ...fields });

const early = record({ modified: '2026-11-01T00:00:00Z', remedy: 'Early.' });
const late = record({ modified: '2026-11-02T00:00:00Z', remedy: 'Late.' });
const lateElsewhere = record({ modified: '2026-11-02T01:00:00+01:00', remedy: 'Elsewhere.' });
const other = record({ id: 'another-issue' });

const join = (builtIn: readonly KnownIssue[], ...sources: readonly (readonly KnownIssue[])[]) =>
  joinRecords(
    builtIn,
    sources.map((records, i) => ({ name: `source ${i + 1}`, records })),
    afterRecords,
  );

it.each([
  ['records of several ids', [[early], [other]], [early, other]],
  ['what was modified last counts, wherever it stands', [[early], [late]], [late]],
  ['…and in any order', [[late], [early]], [late]],
  ['what is the same stands once', [[early], [early]], [early]],
  ['what differs from the same moment on: both', [[late], [lateElsewhere]], [late, lateElsewhere]],
  ['…once each', [[late], [lateElsewhere], [late]], [late, lateElsewhere]],
  ['…of three places', [[early, other], [lateElsewhere], [late]], [lateElsewhere, late, other]],
])('%s', (_, [builtIn = [], ...sources], joined) => {
  expect(join(builtIn as KnownIssue[], ...(sources as KnownIssue[][])).records).toEqual(joined);
});

describe('says which built-in record a source replaces', () => {
  const ofSource = (n: number, { withdrawn = false } = {}) => ({
    id: early.id,
    source: `source ${n}`,
    withdrawn,
  });
  const withdrawn = { ...late, withdrawn: late.modified };
  const announced = { ...late, withdrawn: '2027-01-01T00:00:01Z' };

  it.each<[string, KnownIssue[], KnownIssue[][], ReturnType<typeof ofSource>[]]>([
    ['by a newer one', [early], [[other], [late]], [ofSource(2)]],
    ['by withdrawing it', [early], [[withdrawn]], [ofSource(1, { withdrawn: true })]],
    ['by one that announces its withdrawal', [early], [[announced]], [ofSource(1)]],
    ['by two that differ', [early], [[late], [lateElsewhere]], [ofSource(1), ofSource(2)]],
    ['by the newest', [early], [[late], [{ ...late, modified: '2026-11-03T00:00:00Z' }]], [ofSource(2)]],
    ['none, by an older one', [late], [[early]], []],
    ['none, by the same one', [late], [[late]], []],
    ['none, where both count', [late], [[lateElsewhere]], []],
    ['none that was withdrawn already', [{ ...early, withdrawn: early.modified }], [[late]], []],
    ['none that is not built in', [other], [[early], [late]], []],
  ])('%s', (_, builtIn, sources, replaced) => {
    expect(join(builtIn, ...sources).replaced).toEqual(replaced);
  });
});

it('reaches as far as the furthest of its places, and as lately', () => {
  const own = { version: parseVersion('2.9.0'), asOf: '2026-11-02' };
  const reach = (...known: readonly (Horizon | undefined)[]) =>
    furthestOf(
      own,
      known.map((knownThrough) => ({ records: [], ...(knownThrough && { knownThrough }) })),
    );
  const further = { version: parseVersion('2.10.0'), asOf: '2026-11-01' };
  expect(reach(undefined, { version: parseVersion('2.8.0'), asOf: '2026-11-03' })).toEqual(own);
  expect(reach(further, { ...own, asOf: '2026-11-04' })).toEqual(further);
  expect(reach({ ...own, asOf: '2026-11-01' })).toEqual(own);
  expect(reach({ ...own, asOf: '2026-11-03' })).toEqual({ ...own, asOf: '2026-11-03' });
});

/** Written from the rule alone: a record that is built in is lost only where an answer says so. */
it('whatever sources hold, what a built-in record takes back is taken back, or its replacement is said', () => {
  const any = fc
    .record({
      id: fc.constantFrom('a', 'b', 'c'),
      modified: fc.constantFrom('2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z', '2026-11-03T00:00:00Z'),
      withdrawn: fc.constantFrom(undefined, undefined, '2026-11-01T00:00:00Z', '2027-01-02T00:00:00Z'),
      introduced: fc.constantFrom('1.0.0', '1.2.0'),
    })
    .map(({ introduced, withdrawn, ...fields }) =>
      record({ ...fields, affected: [{ introduced }], ...(withdrawn === undefined ? {} : { withdrawn }) }),
    );
  const builtIn = fc.uniqueArray(any, { selector: ({ id }) => id, maxLength: 3 });
  const idsAt = (records: readonly KnownRecord[]) =>
    knownIssuesOf(
      records.filter(isIssue),
      new Map(),
      afterRecords,
    )([])
      .ofLanding('1.1.0' as never)
      .map(({ id }) => id);
  fc.assert(
    fc.property(builtIn, fc.array(fc.array(any, { maxLength: 3 }), { maxLength: 3 }), (ours, sources) => {
      const { records, replaced } = join(ours, ...sources);
      const said = replaced.map(({ id }) => id);
      expect([...idsAt(records), ...said]).toEqual(expect.arrayContaining(idsAt(ours)));
      for (const { id, source } of replaced) {
        const theirs = sources[Number(source.split(' ')[1]) - 1] ?? [];
        const [own] = ours.filter((one) => one.id === id);
        expect(theirs.some((one) => one.id === id && one.modified > (own?.modified ?? ''))).toBe(true);
      }
    }),
    { numRuns: propertyRuns(2000) },
  );
});

it('a set is dated as the record that was modified last, wherever that stands', () => {
  // By their letters they would be in the other order.
  const modified = ['2026-11-02T00:30:00+02:00', '2026-11-01T23:00:00Z', '2026-10-01T00:00:00Z'];
  const records = modified.map((date, i) =>
    recordOf({ id: `issue-${i}`, modified: date, affected: [{ introduced: '1.0.0' }] }),
  );
  expect(JSON.parse(formatKnownIssues(records))).toEqual({
    schemaVersion: '1',
    publishedAt: '2026-11-01T23:00:00Z',
    records,
  });
});
