import { describe, expect, it } from 'vitest';
import { type FactName, type FactValue, factKindOf, readFactValue } from '../../src/facts/fact-names.js';
import { type Facts, factsOf, noFacts } from '../../src/facts/facts.js';
import { builtInKnownIssues } from '../../src/known-issues/built-in.js';
import { knownIssuesOf } from '../../src/known-issues/known-issues.js';
import type { AppliedIssue } from '../../src/release-safety/known-issues.js';
import { withKnownIssues } from '../../src/release-safety/parse-index.js';
import { issuesOf } from '../../src/release-safety/span.js';
import { parseVersion, type Version } from '../../src/release-safety/version.js';
import type { Plain } from '../support/plain.js';
import { realIndex } from '../support/real-index.js';

const { records } = builtInKnownIssues;

interface Replay {
  /** The upgrade that broke. */
  readonly broke: string;
  /** The instance that broke, and what of the span is taken back. */
  readonly instance: readonly string[];
  readonly effect: Plain<AppliedIssue['effect']>;
  /** Upgrades that went well on any instance, as far as is known. */
  readonly fine: readonly string[];
  /** For each condition, an instance that the upgrade did not break. */
  readonly spared: readonly string[];
}

const chartJob = ['deployed-by=helm', 'migration-job=on', 'chart-version=2.7.0'];

const replays: Readonly<Record<string, Replay>> = {
  'ai-prompt-table-in-core-migration': {
    broke: '2.125.0 -> 2.127.0',
    instance: ['edition=community', 'table.ai_prompt=absent'],
    effect: { kind: 'avoid-landing' },
    fine: ['2.125.0 -> 2.128.0', '2.127.0 -> 2.128.0', '2.124.0 -> 2.125.0'],
    spared: [
      'edition=enterprise',
      'table.ai_prompt=present',
      'migration.20260903120000_add_response_timing_to_ai_prompt=applied',
    ],
  },
  'start-check-refuses-skips': {
    broke: '1.123.1 -> 1.134.0',
    instance: [],
    effect: { kind: 'required-stops', stops: ['1.124.0', '1.125.0', '1.131.0'] },
    fine: ['1.121.0 -> 1.156.0', '1.111.0 -> 1.115.0', '1.123.1 -> 1.124.0', '1.131.0 -> 1.134.0'],
    spared: [],
  },
  'embedding-columns-in-core-migration': {
    broke: '0.2122.0 -> 0.2125.1',
    instance: ['edition=community', 'table.embedding=absent'],
    effect: { kind: 'avoid-landing' },
    fine: ['0.2122.0 -> 0.2131.3', '0.2121.0 -> 0.2122.0'],
    spared: [
      'edition=enterprise',
      'table.embedding=present',
      'migration.20251022131031_add_chart_fields_to_embeddings=applied',
    ],
  },
  'timezone-backfill-rescans': {
    broke: '0.3100.0 -> 0.3436.1',
    instance: [
      'migration.20260610120000_default_saved_chart_timezone_to_project=pending',
      'rows.saved_queries_versions=1350000',
    ],
    effect: {
      kind: 'long',
      seen: '1.35 million rows of saved_queries_versions in the first hour, then about 20 rows in 20 minutes; killed after 4 hours',
    },
    fine: ['0.3436.2 -> 1.156.0', '0.3123.0 -> 0.3124.0'],
    spared: [
      'migration.20260610120000_default_saved_chart_timezone_to_project=applied',
      'rows.saved_queries_versions=10000',
    ],
  },
  'primary-key-backfill-under-statement-timeout': {
    broke: '0.2846.0 -> 0.2847.0',
    instance: ['statement-timeout=set', 'rows.analytics_chart_views=3000000'],
    effect: { kind: 'action-first' },
    fine: ['0.2846.0 -> 0.2862.0', '0.2845.0 -> 0.2846.0'],
    spared: [
      'statement-timeout=none',
      'migration.20260429102146_add_primary_keys_to_remaining_tables=applied',
    ],
  },
  'chart-migrates-in-job-and-pods': {
    broke: '0.2247.0 -> 0.2248.0',
    instance: chartJob,
    effect: { kind: 'action-first' },
    fine: ['0.2248.0 -> 0.3486.1', '1.121.0 -> 1.156.0'],
    spared: ['deployed-by=compose', 'migration-job=off', 'chart-version=2.9.1', 'chart-version=2.5.0'],
  },
  'object-storage-required': {
    broke: '0.3043.0 -> 0.3436.1',
    instance: [],
    effect: { kind: 'action-first' },
    fine: ['0.3104.1 -> 0.3436.1', '0.3042.0 -> 0.3043.0'],
    spared: [],
  },
  'table-check-placeholder': {
    broke: '0.2943.0 -> 0.2944.0',
    instance: ['edition=enterprise'],
    effect: { kind: 'avoid-landing' },
    fine: ['0.2943.0 -> 0.2945.0', '0.2942.0 -> 0.2943.0'],
    spared: ['migration.20260513165925_add_parent_tool_call_id_to_ai_agent_tool_call=applied'],
  },
};

/** Facts as they are given on the command line. */
function instanceWith(...written: readonly string[]): Facts {
  const facts = written.map((text): [FactName, FactValue] => {
    const [name = '', value = ''] = text.split('=');
    const kind = factKindOf(name);
    const read = kind && readFactValue(kind, value);
    if (read === undefined) throw new Error(`${text} is no fact`);
    return [name as FactName, read];
  });
  return factsOf(new Map(facts));
}

/** The ends of `1.121.0 -> 1.156.0`. */
function endsOf(span: string): [from: Version, to: Version] {
  const [from = '', to = ''] = span.split(' -> ');
  return [parseVersion(from), parseVersion(to)];
}

/** What a record takes back of a span, as `1.121.0 -> 1.156.0`; undefined where it takes back nothing. */
function issueOf(id: string, span: string, facts: Facts): AppliedIssue | undefined {
  const [from, to] = endsOf(span);
  for (const version of [from, to])
    expect(realIndex().entries.map((entry) => entry.version)).toContain(version);
  const known = knownIssuesOf(
    records.filter((record) => record.id === id),
    facts,
  );
  const [issue, ...others] = issuesOf(withKnownIssues(realIndex(), known), { from, to });
  expect(others).toEqual([]);
  return issue;
}

it('every record is replayed', () => {
  expect(records.map(({ id }) => id).sort()).toEqual(Object.keys(replays).sort());
});

describe.each(Object.entries(replays))('%s', (id, { broke, instance, effect, fine, spared }) => {
  it(`takes ${broke} back of the instance that broke`, () => {
    const issue = issueOf(id, broke, instanceWith(...instance));
    expect(issue).toMatchObject({ id, effect });
  });

  it(`takes ${broke} back where nothing is known, and says what would settle it`, () => {
    const { conditions = [] } = records.find((record) => record.id === id) ?? {};
    const issue = issueOf(id, broke, noFacts);
    expect(issue).toMatchObject({ id, effect, notKnown: [...new Set(conditions.map(({ fact }) => fact))] });
  });

  it.each(fine)('leaves %s alone', (span) => expect(issueOf(id, span, noFacts)).toBeUndefined());

  it('each condition spares an instance', () => {
    const facts = records
      .filter((record) => record.id === id)
      .flatMap(({ conditions }) => conditions.map(({ fact }) => fact));
    expect(new Set(spared.map((text) => text.split('=')[0]))).toEqual(new Set(facts));
  });

  it.each(spared)(`leaves ${broke} alone on an instance with %s`, (fact) => {
    expect(issueOf(id, broke, instanceWith(fact))).toBeUndefined();
  });
});

it('leaves the spans of the contract alone', () => {
  const known = knownIssuesOf(records, noFacts);
  for (const span of ['1.121.0 -> 1.156.0', '1.111.0 -> 1.115.0']) {
    const [from, to] = endsOf(span);
    expect(issuesOf(withKnownIssues(realIndex(), known), { from, to })).toEqual([]);
  }
});
