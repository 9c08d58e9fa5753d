import fc from 'fast-check';
import { gte, lt } from 'semver';
import { describe, expect, it } from 'vitest';
import { withKnownIssues } from '../../src/core/index/release-safety-index.js';
import type { AppliedIssue } from '../../src/core/results.js';
import { evaluateSpan, issuesOf } from '../../src/core/span.js';
import { parseVersion, type Version } from '../../src/core/version.js';
import { type FactName, type Facts, type FactValue, readFact } from '../../src/instance/facts/fact-names.js';
import { builtInKnownIssues } from '../../src/known-issues/built-in.js';
import { isAboutRelease, knownIssuesOf } from '../../src/known-issues/known-issues.js';
import type { KnownIssue } from '../../src/known-issues/records.js';
import { afterRecords } from '../support/known-issues.js';
import type { Plain } from '../support/plain.js';
import { propertyRuns } from '../support/property-runs.js';
import { realIndex } from '../support/real-index.js';

const { records } = builtInKnownIssues;

interface Replay {
  /** The releases of the index that it is about, by the publisher's change log: the first and the last of a range. */
  readonly about: string;
  /** The upgrade that broke. */
  readonly broke: string;
  /** The instance that broke, and what of the span is taken back. */
  readonly instance?: string;
  readonly effect: Plain<AppliedIssue['effect']>;
  /** Upgrades that went well on any instance, as far as is known. */
  readonly fine: string;
  /** For each condition, an instance that the upgrade did not break. */
  readonly spared?: string;
}

const avoid = { kind: 'avoid-landing' } as const;
const replays: Readonly<Record<string, Replay>> = {
  'ai-prompt-table-in-core-migration': {
    ...{ about: '2.126.0 -> 2.127.0', broke: '2.125.0 -> 2.127.0' },
    effect: avoid,
    instance: 'edition=community table.ai_prompt=absent',
    fine: '2.125.0 -> 2.128.0, 2.127.0 -> 2.128.0, 2.124.0 -> 2.125.0',
    spared:
      'edition=enterprise table.ai_prompt=present migration.20260903120000_add_response_timing_to_ai_prompt=applied',
  },
  'start-check-refuses-skips': {
    ...{ about: '1.125.0 -> 1.134.0', broke: '1.123.1 -> 1.134.0' },
    effect: { kind: 'required-stops', stops: ['1.124.0', '1.125.0', '1.131.0'] },
    fine: '1.121.0 -> 1.156.0, 1.111.0 -> 1.115.0, 1.123.1 -> 1.124.0, 1.131.0 -> 1.134.0, 1.121.0 -> 1.134.1',
  },
  'embedding-columns-in-core-migration': {
    ...{ about: '0.2123.0 -> 0.2126.1', broke: '0.2122.0 -> 0.2125.1' },
    effect: avoid,
    instance: 'edition=community table.embedding=absent',
    fine: '0.2122.0 -> 0.2126.2, 0.2121.0 -> 0.2122.0',
    spared:
      'edition=enterprise table.embedding=present migration.20251022131031_add_chart_fields_to_embeddings=applied',
  },
  'timezone-backfill-rescans': {
    ...{ about: '0.3138.0 -> 0.3138.0', broke: '0.3100.0 -> 0.3436.1' },
    effect: {
      kind: 'long',
      seen: '1.35 million rows of saved_queries_versions in the first hour, then about 20 rows in 20 minutes; killed after 4 hours',
    },
    instance:
      'migration.20260610120000_default_saved_chart_timezone_to_project=pending rows.saved_queries_versions=1350000',
    fine: '0.3138.0 -> 0.3436.1, 0.3100.0 -> 0.3137.0',
    spared:
      'migration.20260610120000_default_saved_chart_timezone_to_project=applied rows.saved_queries_versions=10000',
  },
  'primary-key-backfill-under-statement-timeout': {
    ...{ about: '0.2840.0 -> 0.2855.0', broke: '0.2846.0 -> 0.2847.0' },
    effect: { kind: 'action-first' },
    instance: 'statement-timeout=set rows.analytics_chart_views=3000000',
    fine: '0.2846.0 -> 0.2855.1, 0.2839.0 -> 0.2839.1',
    spared: 'statement-timeout=none migration.20260429102146_add_primary_keys_to_remaining_tables=applied',
  },
  'chart-migrates-in-job-and-pods': {
    ...{ about: '0.2248.0 -> 0.3486.0', broke: '0.2247.0 -> 0.2248.0' },
    effect: { kind: 'action-first' },
    instance: 'deployed-by=helm migration-job=on chart-version=2.7.0',
    fine: '0.2248.0 -> 0.3486.1, 1.121.0 -> 1.156.0',
    spared: 'deployed-by=compose migration-job=off chart-version=2.9.1 chart-version=2.5.0',
  },
  'object-storage-required': {
    ...{ about: '0.3051.0 -> 0.3051.0', broke: '0.3043.0 -> 0.3436.1' },
    effect: { kind: 'action-first' },
    instance: 'object-storage=missing',
    fine: '0.3051.0 -> 0.3436.1, 0.3042.0 -> 0.3050.0',
    spared: 'object-storage=configured',
  },
  'table-check-placeholder': {
    ...{ about: '0.2944.0 -> 0.2949.0', broke: '0.2943.0 -> 0.2944.0' },
    effect: avoid,
    instance: 'edition=enterprise',
    fine: '0.2943.0 -> 0.2949.1, 0.2942.0 -> 0.2943.0',
    spared: 'migration.20260513165925_add_parent_tool_call_id_to_ai_agent_tool_call=applied',
  },
  'image-fetches-pnpm-at-start': {
    ...{ about: '1.81.0 -> 1.84.1', broke: '1.80.0 -> 1.84.0' },
    effect: avoid,
    fine: '1.80.0 -> 1.85.0, 1.79.0 -> 1.80.0',
  },
  'image-reinstalls-at-start': {
    ...{ about: '1.37.0 -> 1.38.0', broke: '1.35.0 -> 1.38.0' },
    effect: avoid,
    fine: '1.38.0 -> 1.38.1, 1.34.0 -> 1.35.0',
  },
  'ai-thread-table-in-core-migration': {
    ...{ about: '0.1965.0 -> 0.1967.0', broke: '0.1964.0 -> 0.1966.5' },
    effect: avoid,
    instance: 'edition=community table.ai_thread=absent migration.20250821071500=pending',
    fine: '0.1964.0 -> 0.1968.0, 0.1963.0 -> 0.1964.0',
    spared: 'edition=enterprise table.ai_thread=present migration.20250821071500=applied',
  },
  'ai-prompt-referenced-by-core-migration': {
    ...{ about: '0.2028.0 -> 0.2029.0', broke: '0.2027.0 -> 0.2029.0' },
    effect: avoid,
    instance: 'edition=community table.ai_prompt=absent migration.20250929132418=pending',
    fine: '0.2027.0 -> 0.2029.1, 0.2026.0 -> 0.2027.0',
    spared: 'edition=enterprise table.ai_prompt=present migration.20250929132418=applied',
  },
  'slug-backfill-never-ends': {
    ...{ about: '0.3368.0 -> 1.120.0', broke: '0.3367.0 -> 1.120.0' },
    effect: {
      kind: 'long',
      seen: 'a migration that does not end, and after it was killed "Migration table is already locked" at every start',
    },
    fine: '0.3367.0 -> 1.120.1, 0.3366.0 -> 0.3367.0, 0.3368.0 -> 1.120.0',
  },
  'corepack-cache-for-root-only': {
    ...{ about: '0.1893.0 -> 0.3400.0', broke: '0.1456.0 -> 0.3400.0' },
    effect: { kind: 'action-first' },
    fine: '0.1893.0 -> 0.3400.0, 0.3400.0 -> 0.3401.0',
  },
  'livez-tests-event-loop': {
    ...{ about: '0.2222.0 -> 0.2222.0', broke: '0.2221.6 -> 0.2222.0' },
    effect: avoid,
    fine: '0.2221.6 -> 0.2223.0, 0.2222.0 -> 0.2223.0',
  },
  'image-copies-wrong-files': {
    ...{ about: '0.2197.0 -> 0.2198.3', broke: '0.2196.0 -> 0.2198.0' },
    effect: avoid,
    fine: '0.2196.0 -> 0.2198.4, 0.2195.0 -> 0.2196.0',
  },
};

/** Facts as they are given on the command line. */
function instanceWith(...written: readonly string[]): Facts {
  const facts = written.map((text): [FactName, FactValue] => {
    const [name = '', value = ''] = text.split('=');
    const read = readFact(name, value);
    if (!read.ok) throw new Error(`${text} is no fact`);
    return [read.name, read.value];
  });
  return new Map(facts);
}

/** The ends of `1.121.0 -> 1.156.0`. */
function endsOf(span: string): [from: Version, to: Version] {
  const [from = '', to = ''] = span.split(' -> ');
  return [parseVersion(from), parseVersion(to)];
}

/** What a record takes back of a span, as `1.121.0 -> 1.156.0`; undefined where it takes back nothing. */
function issueOf(id: string, span: string, facts: Facts): AppliedIssue | undefined {
  const [from, to] = endsOf(span);
  const { entries } = realIndex();
  for (const version of [from, to].filter((end) => gte(end, entries[0]?.version ?? end)))
    expect(entries.map((entry) => entry.version)).toContain(version);
  const known = knownIssuesOf(
    records.filter((record) => record.id === id),
    facts,
    afterRecords,
  );
  const [issue, ...others] = issuesOf(withKnownIssues(realIndex(), known), { from, to });
  expect(others).toEqual([]);
  return issue;
}

it('every record is replayed', () => {
  expect(records.map(({ id }) => id).sort()).toEqual(Object.keys(replays).sort());
});

describe.each(Object.entries(replays))('%s', (id, { about, broke, instance, effect, fine, spared }) => {
  const saved = spared?.split(' ') ?? [];

  it(`is about ${about} of the whole index, and no other release`, () => {
    const record = records.find((one) => one.id === id);
    if (record === undefined) throw new Error('there is no such record');
    const stretches: Version[][] = [[]];
    for (const { version } of realIndex().entries) {
      if (isAboutRelease(record, version, afterRecords)) stretches.at(-1)?.push(version);
      else stretches.push([]);
    }
    const told = stretches.filter(({ length }) => length > 0);
    expect(told.map((stretch) => `${stretch[0]} -> ${stretch.at(-1)}`).join(', ')).toBe(about);
  });

  it(`takes ${broke} back of the instance that broke`, () => {
    const issue = issueOf(id, broke, instanceWith(...(instance?.split(' ') ?? [])));
    expect(issue).toMatchObject({ id, effect });
  });

  it(`takes ${broke} back where nothing is known, and says what would settle it`, () => {
    const { conditions = [] } = records.find((record) => record.id === id) ?? {};
    const issue = issueOf(id, broke, new Map());
    expect(issue).toMatchObject({ id, effect, notKnown: [...new Set(conditions.map(({ fact }) => fact))] });
  });

  it.each(fine.split(', '))('leaves %s alone', (span) =>
    expect(issueOf(id, span, new Map())).toBeUndefined(),
  );

  it('each condition spares an instance', () => {
    const facts = records
      .filter((record) => record.id === id)
      .flatMap(({ conditions }) => conditions.map(({ fact }) => fact));
    expect(new Set(saved.map((text) => text.split('=')[0]))).toEqual(new Set(facts));
  });

  it.each(saved)(`leaves ${broke} alone on an instance with %s`, (fact) => {
    expect(issueOf(id, broke, instanceWith(fact))).toBeUndefined();
  });
});

it('takes no yes of a span whose releases no record is about', () => {
  const { entries } = realIndex();
  const isAbout = ({ affected }: KnownIssue, version: string) =>
    affected.some(
      ({ introduced, fixed }) => gte(version, introduced) && (fixed === undefined || lt(version, fixed)),
    );
  const place = fc.nat({ max: entries.length - 1 });
  fc.assert(
    fc.property(place, fc.oneof(place, fc.constant(1)), (first, steps) => {
      const [from, ...passed] = entries.slice(first, first + steps + 1).map(({ version }) => version);
      const to = passed.at(-1);
      fc.pre(from !== undefined && to !== undefined);
      const untouched = records.filter(
        (record) =>
          !passed.some((version) => isAbout(record, version)) &&
          !(record.when === 'overlap' && isAbout(record, from)),
      );
      const index = withKnownIssues(realIndex(), knownIssuesOf(untouched, new Map(), afterRecords));
      expect(evaluateSpan(index, { from, to })).toEqual(evaluateSpan(realIndex(), { from, to }));
    }),
    { numRuns: propertyRuns(300) },
  );
});

it('leaves the spans of the contract alone', () => {
  const known = knownIssuesOf(records, new Map(), afterRecords);
  for (const span of ['1.121.0 -> 1.156.0', '1.111.0 -> 1.115.0']) {
    const [from, to] = endsOf(span);
    expect(issuesOf(withKnownIssues(realIndex(), known), { from, to })).toEqual([]);
  }
});
