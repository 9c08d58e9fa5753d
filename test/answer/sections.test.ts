import { expect, it } from 'vitest';
import { lineOf } from '../../src/answer/section.js';
import { sectionsOf } from '../../src/answer/sections.js';
import { parseReleaseArtifact } from '../../src/release-safety/artifact.js';
import { parseReleaseSafetyIndex } from '../../src/release-safety/parse-index.js';
import type { ArtifactOutcome } from '../../src/release-safety/reconcile.js';
import { buildReport } from '../../src/release-safety/report.js';
import { parseVersion } from '../../src/release-safety/version.js';
import { inventedArtifact, inventedHeavySections, type LooseArtifact } from '../support/artifacts.js';
import { indexOf, type LooseEntry } from '../support/real-index.js';

const lacks12: readonly (LooseEntry & { readonly version: string })[] = [
  { version: '1.0.0' },
  { version: '1.1.0' },
  { version: '1.3.0', previousVersion: '1.2.0' },
];

/** An index in which 1.2.0 is not, and the artifacts of its releases but those that are left out. */
const reportOf = (from: string, to: string, ...unread: readonly string[]) =>
  reportOn(lacks12, { from, to, unread });

function reportOn(
  entries: readonly (LooseEntry & { readonly version: string })[],
  {
    from,
    to,
    unread = [],
    sections = inventedHeavySections,
  }: { from: string; to: string; unread?: readonly string[]; sections?: LooseArtifact },
) {
  const index = parseReleaseSafetyIndex(indexOf(...entries));
  const outcomes = new Map<string, ArtifactOutcome>(
    index.entries
      .filter(({ version }) => !unread.includes(version))
      .map((entry) => {
        const artifact = parseReleaseArtifact(inventedArtifact(entry, sections));
        return [entry.version, { kind: 'artifact', artifact }];
      }),
  );
  return buildReport(index, { from: parseVersion(from), to: parseVersion(to), outcomes });
}

/** What a section begins with, and what that leaves open. */
function leadOf(report: ReturnType<typeof reportOf>, id: string) {
  const { blocks = [], notes = [] } = sectionsOf({ report }).find((section) => section.id === id) ?? {};
  const [first] = blocks;
  return { lead: first?.kind === 'table' ? first.lead : '', notes };
}

it.each<[string, ReturnType<typeof reportOf>, RegExp, readonly string[]]>([
  ['all that there is', reportOf('1.0.0', '1.1.0'), /^\d+ in all/, []],
  [
    'what the index does not lack',
    reportOf('1.0.0', '1.3.0'),
    /^at least \d+ in all/,
    ['The index lacks releases of the span: there may be more.'],
  ],
  [
    'what was read, and is not lacking',
    reportOf('1.0.0', '1.3.0', '1.3.0'),
    /^at least \d+ in all/,
    ['1 of 2 releases was not read, the index lacks releases of the span: there may be more.'],
  ],
  [
    'nothing',
    reportOf('1.0.0', '1.3.0', '1.1.0', '1.3.0'),
    /^not known: no artifact that was read reports/,
    [],
  ],
])('the migrations of a span are %s', (_, report, lead, notes) => {
  expect(leadOf(report, 'migrations')).toEqual({ lead: expect.stringMatching(lead), notes });
});

it('of variables that are set, it says nothing where no artifact was read, and not that none is changed', () => {
  const index = parseReleaseSafetyIndex(indexOf(...lacks12));
  const variablesSet = new Set(['A', 'B']);
  const [from, to] = [parseVersion('1.0.0'), parseVersion('1.1.0')];
  const report = buildReport(index, { from, to, outcomes: new Map(), variablesSet });
  expect(report.config.variablesSet).toBe(2);
  expect(saidIn(report, 'variables').join()).toMatch(/^not known: no artifact that was read reports/);
  expect(saidIn(report, 'variables').join()).not.toMatch(/of the 2 variables/);
});

/** All that a section says, a line each. */
function saidIn(report: ReturnType<typeof reportOf>, id: string): readonly string[] {
  const { blocks = [], notes = [] } = sectionsOf({ report }).find((section) => section.id === id) ?? {};
  return [
    ...blocks.flatMap((block) =>
      block.kind === 'table'
        ? [block.lead, ...block.rows.map((row) => `  ${lineOf(block.columns, row)}`)]
        : [],
    ),
    ...notes,
  ];
}

it.each<[breakingCount: number, advisoryCount: number, readonly string[]]>([
  [1, 1, []],
  [2, 1, ['1.1.0 counts 1 breaking change more than its artifact lists']],
  [1, 3, ['1.1.0 counts 2 advisories more than its artifact lists']],
  [3, 2, ['1.1.0 counts 2 breaking changes and 1 advisory more than its artifact lists']],
])('of %i breaking changes and %i advisories one each is listed', (breakingCount, advisoryCount, more) => {
  const listed = { checked: true, breaking: true, changes: ['a'], advisories: ['b'] };
  const rest = { ...listed, breakingCount, advisoryCount };
  const mcp = { ...listed, changes: [], advisories: [], breaking: false, breakingCount: 0, advisoryCount: 0 };
  const sections = { api: { rest, mcp } };
  const report = reportOn(lacks12, { from: '1.0.0', to: '1.1.0', sections });
  expect(saidIn(report, 'rest')).toEqual([
    expect.stringMatching(/, each release counted separately$/),
    '  a (1.1.0)',
    ...(more.length === 0 ? [] : ['1 release with more than the artifact lists', `  ${more}`]),
    '1 advisory, not breaking',
    '  b (1.1.0)',
  ]);
});

it.each([
  [0, []],
  [1, ['1 release backfilled, so none was published.']],
  [2, ['2 releases backfilled, so none was published.']],
])('of 3 artifacts %i were never published', (count, notes) => {
  const entries = ['1.0.0', '1.1.0', '1.2.0', '1.3.0'].map((version, i) => ({
    version,
    ...(i > 0 && i <= count ? { backfilled: true, rollingUpdateSafe: 'unknown' as const } : {}),
  }));
  const unread = ['1.1.0', '1.2.0'].slice(0, count);
  const report = reportOn(entries, { from: '1.0.0', to: '1.3.0', unread });
  expect(saidIn(report, 'artifacts')).toEqual([`${3 - count} of 3 artifacts read`, ...notes]);
});

it('names the first releases that change a variable, and how many more do', () => {
  const entries = ['1.0.0', '1.1.0', '1.2.0', '1.3.0', '1.4.0'].map((version) => ({ version }));
  const change = { type: 'defaultChanged', name: 'LIMIT', previousDefault: '1', defaultValue: '2' };
  const sections = { config: { checked: true, breaking: true, changes: [change] } };
  expect(saidIn(reportOn(entries, { from: '1.0.0', to: '1.4.0', sections }), 'variables')[1]).toMatch(
    /^ {2}LIMIT .*, in 1\.1\.0, 1\.2\.0, 1\.3\.0 and 1 more$/,
  );
});
