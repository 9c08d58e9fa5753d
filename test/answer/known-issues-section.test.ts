import { expect, it } from 'vitest';
import { questionsOfReport } from '../../src/answer/questions.js';
import { lineOf } from '../../src/answer/section.js';
import { sectionsOf } from '../../src/answer/sections.js';
import { type Facts, factsOf, noFacts } from '../../src/facts/fact-names.js';
import { builtInKnownIssues } from '../../src/known-issues/built-in.js';
import { knownIssuesOf } from '../../src/known-issues/known-issues.js';
import { withKnownIssues } from '../../src/release-safety/parse-index.js';
import { buildReport } from '../../src/release-safety/report.js';
import { parseVersion } from '../../src/release-safety/version.js';
import { afterRecords, recordOf } from '../support/known-issues.js';
import { realIndex } from '../support/real-index.js';

function reportOf(from: string, to: string, facts: Facts, records = builtInKnownIssues.records) {
  const index = withKnownIssues(realIndex(), knownIssuesOf(records, facts, afterRecords));
  return buildReport(index, { from: parseVersion(from), to: parseVersion(to), outcomes: new Map() });
}

/** The section as text tells it. */
function sectionOf(report: ReturnType<typeof reportOf>): string[] {
  const { blocks = [], notes = [] } = sectionsOf({ report }).find(({ id }) => id === 'known-issues') ?? {};
  return [
    ...blocks.flatMap((block) =>
      block.kind === 'table' ? [block.lead, ...block.rows.map((row) => lineOf(block.columns, row))] : [],
    ),
    ...notes,
  ];
}

it('tells what may hold, what to do, and what would settle it', () => {
  const report = reportOf('1.123.1', '1.134.0', noFacts);
  expect(report).toMatchObject({ safe: false, publisherOnly: false });
  expect(sectionOf(report)).toEqual([
    '1',
    "1.134.0: start-check-refuses-skips: The release's own start check refuses to skip releases that brought migrations. To do: Install each of the stops on its own, in this order, or land on 1.134.1 or a newer release instead. It applies",
  ]);
  const chart = sectionOf(reportOf('0.2247.0', '0.2248.0', noFacts));
  expect(chart[1]).toMatch(/It may apply: deployed-by, migration-job, chart-version not known$/);
  expect(chart[2]).toBe(
    'A known issue that may apply counts as applying. These facts would settle it (or --facts): --fact deployed-by=helm|compose, --fact migration-job=on|off, --fact chart-version=<version>.',
  );
});

it('tells none where none holds', () => {
  const report = reportOf('0.2247.0', '0.2248.0', factsOf(new Map([['deployed-by', 'compose']])));
  expect(sectionOf(report)).toEqual(['none']);
});

it('tells those against a rolling update under that question', () => {
  const record = recordOf({
    affected: [{ introduced: '2.90.0' }],
    when: 'overlap',
    effect: { kind: 'recreate' },
  });
  const [, rolling] = questionsOfReport(reportOf('2.89.3', '2.95.0', noFacts, [record]));
  expect(rolling.answer).toBe('no');
  expect(rolling.why).toEqual(expect.arrayContaining([expect.stringContaining('an-issue')]));
});

it('says where the publisher alone was asked', () => {
  const report = buildReport(realIndex(), {
    from: parseVersion('1.123.1'),
    to: parseVersion('1.134.0'),
    outcomes: new Map(),
  });
  expect(report.publisherOnly).toBe(true);
  expect(sectionOf(report)).toEqual(['left out: only the publisher was asked']);
});
