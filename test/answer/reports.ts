import type { PreflightOfReport, ReportDocument } from '../../src/answer/json/upgrade.js';
import { type CheckId, checks } from '../../src/checks/checks.js';
import { decide, withDecision } from '../../src/checks/decision.js';
import { runChecks } from '../../src/checks/run-checks.js';
import { parseReleaseArtifact } from '../../src/core/artifact/artifact.js';
import type { ArtifactOutcome } from '../../src/core/artifact/reconcile.js';
import { parseReleaseSafetyIndex } from '../../src/core/index/parse-index.js';
import { buildReport } from '../../src/core/report.js';
import { parseVersion } from '../../src/core/version.js';
import { inventedArtifact, inventedHeavySections, type LooseArtifact } from '../support/artifacts.js';
import { migratorFact, serverFact } from '../support/facts.js';
import { judgedBy, noDemands } from '../support/judged-by.js';
import { inputOf, type Situation, upgradeTo } from '../support/preflight.js';
import { indexOf } from '../support/real-index.js';
import { avoid, recreate } from '../words/sentences.js';

/** Reports of little releases with much to tell of them. */

const inMonth = (month: number, day = 3) => `2026-0${month}-0${day}T18:08:42Z`;
const all = Array.from({ length: 32 }, (_, i) => ({
  version: `1.0.${i + 1}`,
  releaseDate: inMonth(5),
  ...{ backfilled: true, rollingUpdateSafe: 'unknown' },
}));
const index = parseReleaseSafetyIndex(
  indexOf(
    { version: '1.0.0', releaseDate: inMonth(5), syntheticRequiredStop: true, rollingUpdateSafe: false },
    ...all,
    { version: '1.1.0', releaseDate: inMonth(6) },
    { version: '1.2.0', releaseDate: inMonth(6), rollingUpdateSafe: false },
    { version: '1.3.0', releaseDate: inMonth(6), rollingUpdateSafe: 'unknown' },
    { version: '1.4.0', releaseDate: inMonth(7), rollingUpdateSafe: false, backfilled: true },
    { version: '1.5.0', releaseDate: inMonth(7) },
    { version: '1.7.0', releaseDate: inMonth(8), requiredStops: ['1.3.0'], previousVersion: '1.6.0' },
    { version: '1.8.0', releaseDate: inMonth(8, 4), rollingUpdateSafe: false },
    { version: '1.9.0', releaseDate: inMonth(8, 5) },
    { version: '1.10.0', releaseDate: inMonth(9, 6) },
  ),
);

const more: Record<string, LooseArtifact> = {
  '1.1.0': { migrations: { present: 'unknown', count: 0, coreCount: 0, eeCount: 0, files: [] } },
  '1.2.0': inventedHeavySections,
  '1.7.0': { compatibility: { rollingUpdateSafe: true, recommendedStrategy: 'Recreate' } },
  '1.8.0': {
    ...inventedHeavySections,
    config: {
      ...{ checked: true, breaking: true },
      changes: [
        { type: 'renamed', name: 'NEWER_NAME', previousName: 'NEW_NAME', defaultValue: null },
        { type: 'moved', name: 'ELSEWHERE' },
      ],
    },
  },
  '1.9.0': {
    declaredBreaks: [{ id: 'tool-goes', reason: 'a tool of the agent goes', requiredStop: false }],
    migrations: {
      ...{ present: true, count: 1, coreCount: 1, eeCount: 0 },
      files: [
        {
          ...{ name: '20260901000000_by_hand.ts', edition: 'core', tables: ['users'] },
          heaviness: { locksTable: false, rewritesTable: 'unknown', scansTable: false },
        },
      ],
    },
  },
};
const unread: Record<string, ArtifactOutcome> = {
  '1.3.0': { kind: 'missing-artifact', message: 'the mirror has none' },
  '1.5.0': { kind: 'invalid-artifact', message: 'https://a.example/1.5.0.json: it looks like HTML' },
};
const outcomes = new Map(
  index.entries.map((entry): [string, ArtifactOutcome] => [
    entry.version,
    unread[entry.version] ?? {
      kind: 'artifact',
      artifact: parseReleaseArtifact(inventedArtifact(entry, more[entry.version])),
    },
  ]),
);

export function documentOf(
  from: string,
  to: string,
  request: Partial<Parameters<typeof buildReport>[1]> = {},
) {
  const report = buildReport(index, { from: parseVersion(from), to: parseVersion(to), outcomes, ...request });
  return {
    report,
    index: {
      source: 'index.json',
      generatedAt: inMonth(9),
      latestVersion: parseVersion('1.10.0'),
      sha256: 'x',
    },
    judgedBy,
    demands: noDemands,
    deploy: 'helm' as const,
    madeAt: new Date(inMonth(9, 6)),
    madeBy: 'lightspan <version>',
  };
}

/** Under known issues, which no index of ours holds. */
function underIssues(document: ReportDocument): ReportDocument {
  const { report } = document;
  const issues = [avoid, { ...recreate, notKnown: ['edition'] }];
  const [first, ...others] = report.route.hops;
  const ofRoute = { ...avoid, id: 'of-the-route', version: parseVersion('1.3.0') };
  const hops =
    first === undefined ? [] : [{ ...first, certified: false, knownIssues: [...issues, ofRoute] }, ...others];
  const reasons = [
    ...report.span.reasons,
    ...issues.map((one) => ({ kind: 'known-issue', ...one }) as const),
  ];
  return {
    ...document,
    acceptedIssues: ['an-issue'],
    report: {
      ...report,
      publisherOnly: false,
      span: { ...report.span, reasons },
      route: { ...report.route, hops, certified: false },
    },
  };
}

/** What stops, what is warned of, and what was not looked at. */
const amiss: Situation['facts'] = {
  migrator: { ...migratorFact, statementTimeoutMs: 30_000 },
  server: { ...serverFact, inRecovery: true },
};
const facts = { source: 'facts.json', collectedAt: inMonth(9), ageMs: 60_000 };

export function preflightOf(
  seen: Situation['facts'],
  { only, notAsked = [] }: { readonly only?: ReadonlySet<CheckId>; readonly notAsked?: CheckId[] } = {},
): PreflightOfReport {
  const migration = { name: '20260901000000_x', tables: ['projects'], does: ['scans'] } as const;
  const result = { ...runChecks(checks, inputOf(upgradeTo([migration], seen)), only), notAsked };
  return { result, decision: decide(result, 'stop'), facts };
}

export function withPreflight(document: ReportDocument, preflight: PreflightOfReport): ReportDocument {
  return { ...document, report: withDecision(document.report, preflight.decision), preflight };
}

const variablesSet = new Set(['OLD_FLAG', 'OLD_NAME', 'HOME']);
const times = [{ lowSeconds: 90, highSeconds: 600, because: [] }];
export const documents = {
  'of every kind of release': documentOf('1.0.32', '1.9.0', { variablesSet }),
  'of much that is backfilled, and a target that is not there': documentOf('1.0.0', '1.2.1'),
  'under known issues, with times': { ...underIssues(documentOf('1.1.0', '1.2.0')), times },
  'of a step that is proven': documentOf('1.9.0', '1.10.0', { variablesSet: new Set() }),
  'with a preflight': withPreflight(
    documentOf('1.9.0', '1.10.0'),
    preflightOf(amiss, { notAsked: ['queue', 'vacuums'] }),
  ),
  'with a preflight that finds nothing': withPreflight(
    documentOf('1.9.0', '1.10.0'),
    preflightOf({}, { only: new Set(['vacuums', 'queue']) }),
  ),
  'without artifacts': documentOf('1.8.0', '1.10.0', { outcomes: new Map() }),
  'of a version that runs': documentOf('1.9.0', '1.9.0'),
} satisfies Readonly<Record<string, ReportDocument>>;
