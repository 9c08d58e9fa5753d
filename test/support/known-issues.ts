import fc from 'fast-check';
import type { ReleaseSafetyIndex } from '../../src/core/index/release-safety-index.js';
import { withKnownIssues } from '../../src/core/index/release-safety-index.js';
import type { FactName } from '../../src/instance/facts/fact-names.js';
import { knownIssuesOf } from '../../src/known-issues/known-issues.js';
import type { KnownIssue } from '../../src/known-issues/records.js';
import type { Plain } from './plain.js';

/** A time after the date of every record. */
export const afterRecords = new Date('2027-01-01T00:00:00Z');

/** An index with what these records say of an instance. */
export function indexWith(
  records: readonly KnownIssue[],
  facts: Readonly<Record<string, string | number>>,
  index: ReleaseSafetyIndex,
): ReleaseSafetyIndex {
  const known = new Map(Object.entries(facts)) as Map<FactName, string | number>;
  return withKnownIssues(index, knownIssuesOf(records, known, afterRecords));
}

/** A record that is whole, with what a test is about in its place. */
export function recordOf({
  affected,
  ...fields
}: Partial<Plain<KnownIssue>> & Pick<Plain<KnownIssue>, 'affected'>): KnownIssue {
  const record: Plain<KnownIssue> = {
    schemaVersion: '1',
    id: 'an-issue',
    aliases: [],
    summary: 'It breaks.',
    details: 'It breaks in detail.',
    references: [],
    published: '2026-11-01T00:00:00Z',
    modified: '2026-11-01T00:00:00Z',
    when: 'landing',
    conditions: [],
    effect: { kind: 'action-first' },
    remedy: 'Fix it first.',
    evidence: { certainty: 'reported', basis: 'It was seen.' },
    ...fields,
    affected,
  };
  return record as KnownIssue;
}

const condition: fc.Arbitrary<Plain<KnownIssue>['conditions'][number]> = fc.constantFrom(
  { fact: 'edition', is: 'community' },
  { fact: 'table.ai_prompt', is: 'absent' },
  { fact: 'rows.sessions', atLeast: 1000 },
  { fact: 'chart-version', atLeast: '2.6.0', below: '2.9.1' },
);

/** What may be known of the facts that these records ask for. */
export const someFacts: fc.Arbitrary<Record<string, string | number>> = fc.record(
  {
    edition: fc.constantFrom('community', 'enterprise'),
    'table.ai_prompt': fc.constantFrom('present', 'absent'),
    'rows.sessions': fc.constantFrom(0, 999, 1000, 1001),
    'chart-version': fc.constantFrom('2.5.9', '2.6.0-beta.1', '2.6.0', '2.9.1-rc.1', '2.9.1'),
  },
  { requiredKeys: [] },
);

/** A few records about the versions of `version`, each of another id. */
export function someRecords(version: fc.Arbitrary<string>, order: (a: string, b: string) => number) {
  const range = fc
    .tuple(version, fc.option(version))
    .map(([a, b]) => (b === null || a === b ? [a] : [a, b].sort(order)))
    .map(([introduced = '', fixed]) => ({ introduced, ...(fixed === undefined ? {} : { fixed }) }));
  const effect: fc.Arbitrary<Plain<KnownIssue>['effect']> = fc.oneof(
    fc
      .uniqueArray(version, { minLength: 1, maxLength: 2 })
      .map((stops) => ({ kind: 'required-stops' as const, stops: stops.sort(order) })),
    fc.constantFrom(
      { kind: 'avoid-landing' as const },
      { kind: 'recreate' as const },
      { kind: 'action-first' as const },
      { kind: 'long' as const, seen: 'hours' },
    ),
  );
  return fc
    .array(
      fc.record({
        affected: fc.array(range, { minLength: 1, maxLength: 2 }),
        when: fc.constantFrom('landing' as const, 'crossing' as const, 'overlap' as const),
        effect,
        conditions: fc.oneof(
          { weight: 2, arbitrary: fc.constant([]) },
          fc.array(condition, { maxLength: 2 }),
        ),
        fromBefore: fc.boolean(),
        withdrawn: fc.constantFrom(
          undefined,
          undefined,
          undefined,
          '2026-11-02T00:00:00Z',
          '2027-01-02T00:00:00Z',
        ),
      }),
      { minLength: 1, maxLength: 4 },
    )
    .map((list) =>
      list.map(({ fromBefore, withdrawn, ...fields }, i) => {
        const when = fields.effect.kind === 'avoid-landing' ? 'landing' : fields.when;
        return recordOf({
          id: `issue-${i}`,
          ...fields,
          when,
          fromBefore: fromBefore && when === 'landing',
          ...(withdrawn === undefined ? {} : { withdrawn }),
        });
      }),
    );
}
