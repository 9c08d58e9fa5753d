import { describe, expect, it } from 'vitest';
import { describeWhy, detailsOf } from '../../src/answer/details.js';
import { renderHtml } from '../../src/answer/html.js';
import { renderMarkdown } from '../../src/answer/markdown.js';
import { questionsOfReport } from '../../src/answer/questions.js';
import { answerOfReport } from '../../src/answer/report.js';
import { checks } from '../../src/checks/checks.js';
import { decide } from '../../src/checks/decision.js';
import { runChecks } from '../../src/checks/run-checks.js';
import type { Facts } from '../../src/facts/fact-names.js';
import { builtInKnownIssues } from '../../src/known-issues/built-in.js';
import { knownIssuesOf } from '../../src/known-issues/known-issues.js';
import { parseReleaseSafetyIndexText } from '../../src/release-safety/parse-index.js';
import { withKnownIssues } from '../../src/release-safety/release-safety-index.js';
import { buildReport, type ReportedRelease, type UpgradeReport } from '../../src/release-safety/report.js';
import { parseVersion, requireVersion } from '../../src/release-safety/version.js';
import { migratorFact } from '../support/facts.js';
import { judgedBy } from '../support/judged-by.js';
import { afterRecords, recordOf } from '../support/known-issues.js';
import { inputOf, publishedOf, type Situation, upgradeTo } from '../support/preflight.js';
import { realIndex } from '../support/real-index.js';

it('of variables that are set, it says nothing where no artifact was read, and not that none is changed', () => {
  const span = { from: parseVersion('1.121.0'), to: parseVersion('1.123.0') };
  const variablesSet = new Set(['A', 'B']);
  const report = buildReport(realIndex(), { ...span, outcomes: new Map(), variablesSet });
  expect(report.config.variablesSet).toBe(2);
  const said = saidIn(report, /variables/).join();
  expect(said).toMatch(/^not known: no artifact that was read reports/);
  expect(said).not.toMatch(/\d/);
});

/** What is said of all that has a label like this, a line each. */
function saidIn(report: UpgradeReport, label: RegExp): readonly string[] {
  const details = detailsOf(report).filter((fact) => label.test(fact.label));
  return details.flatMap(({ text, items = [] }) => [text, ...items]);
}

function reportWith(from: string, to: string, facts: Facts, records = builtInKnownIssues.records) {
  const index = withKnownIssues(realIndex(), knownIssuesOf(records, facts, afterRecords));
  return buildReport(index, { from: parseVersion(from), to: parseVersion(to), outcomes: new Map() });
}

const issuesIn = (report: UpgradeReport) => saidIn(report, /^Known issues$/);

it('tells what may hold, what to do, and what would settle it', () => {
  const report = reportWith('1.123.1', '1.134.0', new Map());
  expect(report).toMatchObject({ safe: false, publisherOnly: false });
  expect(issuesIn(report)).toEqual([
    '1',
    "1.134.0: known issue start-check-refuses-skips: The release's own start check refuses to skip releases that brought migrations; what to do: Install each of the stops on its own, in this order, or land on 1.134.1 or a newer release instead.",
  ]);
  const chart = issuesIn(reportWith('0.2247.0', '0.2248.0', new Map()));
  expect(chart[1]).toContain(
    'it may apply, because deployed-by, migration-job, chart-version are not known (--fact deployed-by=helm|compose, --fact migration-job=on|off, --fact chart-version=<version> could settle it)',
  );
});

it('tells none where none holds', () => {
  const report = reportWith('0.2247.0', '0.2248.0', new Map([['deployed-by', 'compose']]));
  expect(issuesIn(report)).toEqual(['none']);
});

it('tells those against a rolling update under that question', () => {
  const record = recordOf({
    affected: [{ introduced: '2.90.0' }],
    when: 'overlap',
    effect: { kind: 'recreate' },
  });
  const [, rolling] = questionsOfReport(reportWith('2.89.3', '2.95.0', new Map(), [record]));
  expect(rolling.answer).toBe('no');
  expect(rolling.why).toEqual(expect.arrayContaining([expect.stringContaining('an-issue')]));
});

const version = requireVersion('1.1.0');

/** A release that nothing speaks against but what it declares to break. */
const declares: ReportedRelease = {
  version,
  releaseDate: '2026-09-01T00:00:00.000Z',
  standing: 'proven',
  hop: 1,
  landing: 'target',
  requiredStop: false,
  artifact: 'read',
  declaredBreaks: [{ reason: 'old pods still read the column', requiredStop: false }],
  declaredAdvisories: [],
  migrations: [],
  disagreements: [],
};
const told = 'declared break: old pods still read the column, no required stop';
const unread = { kind: 'unavailable-artifact', version, message: 'offline' } as const;

it.each<[string, Partial<ReportedRelease>, number, readonly string[]]>([
  ['that is proven and declares a break', {}, 1, [told]],
  ['that is proven', { declaredBreaks: [] }, 1, []],
  ['that is unsafe', { standing: 'unsafe' }, 1, [told]],
  [
    'that is unsafe and backfilled',
    { standing: 'unsafe', artifact: 'backfilled', declaredBreaks: [] },
    1,
    [],
  ],
  [
    'whose artifact was not read, as others were',
    { standing: 'not-borne-out', declaredBreaks: [], disagreements: [unread] },
    1,
    [expect.stringContaining('offline')],
  ],
  [
    'whose artifact was not read, as none was',
    { standing: 'not-borne-out', declaredBreaks: [], disagreements: [unread] },
    0,
    [],
  ],
])('what is told of a release %s', (_, release, read, lines) => {
  const artifacts = { read, backfilled: 0, notRead: 1 };
  expect(describeWhy({ ...declares, ...release }, { artifacts })).toEqual(lines);
});

/** A role that migrates with little time, of this name. */
const hurried = (name: string): Situation =>
  upgradeTo([{ name: '20260901000000_x', tables: ['projects'], does: ['scans'] }], {
    migrator: { ...migratorFact, name, statementTimeoutMs: 30_000 },
  });

function preflightOf(situation: Situation) {
  const result = runChecks(checks, inputOf(situation));
  const facts = { source: 'facts.json', collectedAt: '2026-09-06T18:00:00Z', ageMs: 0 };
  return { result, decision: decide(result, 'stop'), facts };
}

function documentOf(situation: Situation) {
  const index = parseReleaseSafetyIndexText(publishedOf(situation).index);
  return {
    report: buildReport(index, {
      from: requireVersion('2.0.0'),
      to: requireVersion('2.1.0'),
      outcomes: new Map(),
    }),
    preflight: preflightOf(situation),
    index: { source: 'i', generatedAt: '2026-09-06T18:00:00Z', latestVersion: '2.1.0', sha256: 'x' },
    judgedBy,
    madeAt: new Date('2026-09-06T19:00:00Z'),
    madeBy: 'lightspan',
  } as Parameters<typeof answerOfReport>[0];
}

describe('the findings of a preflight in a report', () => {
  it('are no yes where something that can stop was not looked at', () => {
    const { questions } = answerOfReport(documentOf(hurried('lightdash')), { verbose: false });
    expect(questions[0]).toMatchObject({ name: 'Preflight', answer: 'not checked', yes: false });
  });

  it.each([
    ['lightdash', '```sql', 'ALTER ROLE "lightdash" '],
    ['a```b', '````sql', 'ALTER ROLE "a```b" '],
    ['</details>', '```sql', 'ALTER ROLE "</details>" '],
  ])('in Markdown, commands are code that the name %j does not end', (name, fence, line) => {
    const text = renderMarkdown(answerOfReport(documentOf(hurried(name)), { verbose: false }));
    const [, code = ''] = text.split(`\n  ${fence}\n`);
    expect(code).toContain(`\n  ${line}`);
  });

  it('in HTML, a name is text', () => {
    const document = documentOf(hurried('<img src=x onerror=alert(1)>'));
    const page = renderHtml(answerOfReport(document, { verbose: false }), document.report);
    expect(page).not.toContain('<img');
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });
});
