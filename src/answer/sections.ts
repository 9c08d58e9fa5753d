import { weightOf } from '../release-safety/changes.js';
import type { ReleaseStatus } from '../release-safety/kinds.js';
import { isUnread } from '../release-safety/reconcile.js';
import { reportsNothing } from '../release-safety/report.js';
import type {
  AppliedIssue,
  ListedChange,
  NetConfigChange,
  ReportedRelease,
  SpanApiChanges,
  SpanMigration,
  UpgradeReport,
} from '../release-safety/results.js';
import type { Version } from '../release-safety/version.js';
import { compact } from '../shared/compact.js';
import { firstOf } from '../words/lists.js';
import { describeLeftOut } from '../words/notices.js';
import { countOf, number, sentence } from '../words/phrase.js';
import { describeHole, reasonsOfKind } from '../words/reasons.js';
import {
  advisoriesMeaning,
  describeAdvisory,
  describeBreak,
  describeDisagreement,
  describeDispute,
  describeMigration,
  describeNetChange,
  describeWhatToChange,
  noneWasPublished,
  releaseStatusWords,
} from '../words/release.js';
import { describeIssues } from '../words/route.js';
import type { Block, Section } from './answer.js';
import type { ReportDocument } from './json/upgrade.js';

type Sectioned = Pick<ReportDocument, 'report' | 'replacedIssues'>;

/** Every section is present, even if it has nothing to list: nothing is left out silently. */
export function sectionsOf({ report, replacedIssues = [] }: Sectioned): Section[] {
  return [
    { id: 'releases', title: 'Releases', ...releases(report) },
    { id: 'known-issues', title: 'Known issues', ...knownIssues(report, replacedIssues) },
    { id: 'variables', title: 'Environment variables', ...variables(report) },
    { id: 'migrations', title: 'Migrations', ...migrations(report) },
    { id: 'rest', title: 'REST API', ...api(report, report.api.rest) },
    { id: 'mcp', title: 'MCP tools', ...api(report, report.api.mcp) },
    { id: 'advisories', title: 'Declared advisories', ...advisories(report) },
    { id: 'artifacts', title: 'Artifacts', ...artifacts(report) },
  ];
}

type SectionBody = Pick<Section, 'blocks' | 'notes'>;

const gravestFirst: readonly ReleaseStatus[] = [
  'unsafe',
  'not-borne-out',
  'unknown-recent',
  'unknown-backfilled',
  'proven',
];

function releases(report: UpgradeReport): SectionBody {
  const { counts, span } = report;
  const present = gravestFirst.filter((status) => counts[status] > 0);
  const tally = present.map((status) => `${number(counts[status])} ${releaseStatusWords[status].label}`);
  const holes = span.missingRanges.map(describeHole);
  return {
    blocks: compact<Block>(
      { lead: tally.join('; ') || 'none', lines: [] },
      holes.length > 0 && { lead: 'not covered', lines: holes },
      present.map((status) => ({
        lead: `${number(counts[status])} ${releaseStatusWords[status].label} (${releaseStatusWords[status].brief})`,
        lines: report.releases
          .filter(({ standing }) => standing === status)
          .flatMap((release) => linesOfRelease(release, report)),
        folded: status === 'proven' || (status !== 'unsafe' && counts[status] > 30),
      })),
    ),
    notes: [],
  };
}

/** One line a reason, so that none is cut. */
function linesOfRelease(release: ReportedRelease, report: UpgradeReport): string[] {
  const { version, releaseDate, hop, requiredStop } = release;
  const when = compact(releaseDate.slice(0, 10), hop !== null && `hop ${hop}`).join(', ');
  const line = `${version}${requiredStop ? ', required stop' : ''} (${when})`;
  const reasons = describeWhy(release, report);
  return reasons.length === 0 ? [line] : reasons.map((why) => `${line}: ${why}`);
}

/** The known issues of the span, and those that the route meets and the span does not: each once, with its hops. */
function knownIssues(
  { span, route, publisherOnly }: UpgradeReport,
  replacedIssues: NonNullable<ReportDocument['replacedIssues']>,
): SectionBody {
  const lines = describeIssues([
    ...reasonsOfKind(span.reasons, 'known-issue').map((issue) => ({ issue })),
    ...route.hops.flatMap(({ knownIssues }, i) => knownIssues.map((issue) => ({ issue, hop: i + 1 }))),
  ]);
  const lead = publisherOnly ? 'left out' : lines.length === 0 ? 'none' : number(lines.length);
  return {
    blocks: [{ lead, lines, whole: true }],
    notes: describeLeftOut({ publisherOnly, replacedIssues }),
  };
}

function variables(report: UpgradeReport): SectionBody {
  const { variablesSet, ofVariablesSet, changes, unrecognised, notReported } = report.config;
  const others = changes.filter((change) => !ofVariablesSet.includes(change));
  const isKnown = !reportsNothing(report, notReported, changes.length + unrecognised.length);
  const { lead, notes } = inArtifacts(report, notReported, isKnown);
  const found = `${number(ofVariablesSet.length)} of the ${countOf(variablesSet ?? 0, 'variable')} that you set`;
  const what = variablesSet === null ? 'variable' : 'other variable';
  const newer = unrecognised.map(({ version, change }) => `${version}: ${JSON.stringify(change)}`);
  return {
    blocks: compact<Block>(
      variablesSet !== null &&
        isKnown && {
          lead: lead(`${found} ${ofVariablesSet.length === 1 ? 'is' : 'are'} changed`),
          lines: ofVariablesSet.map((one) => `${describeVariable(one)}: ${describeWhatToChange(one)}`),
          whole: true,
        },
      {
        lead: lead(`${countOf(others.length, what)} removed, renamed or with another default`),
        lines: others.map(describeVariable),
      },
      newer.length > 0 && {
        lead: `${countOf(newer.length, 'change')} of a kind newer than this lightspan`,
        lines: newer,
      },
    ),
    notes,
  };
}

function describeVariable(change: NetConfigChange): string {
  return `${describeNetChange(change)}, in ${firstOf(change.versions, 3)}`;
}

function migrations(report: UpgradeReport): SectionBody {
  const { count, coreCount, eeCount, files, notReported } = report.migrations;
  const { lead, notes } = inArtifacts(report, notReported, count !== null);
  const heavy = files.filter((file) => weightOf(file) === 'heavy');
  const others = files.slice(heavy.length);
  const line = (file: SpanMigration) => `${file.version}: ${describeMigration(file)}`;
  return {
    blocks: compact<Block>(
      {
        lead: lead(
          `${number(count ?? 0)} in all: ${number(coreCount ?? 0)} core, ${number(eeCount ?? 0)} enterprise; ${number(heavy.length)} known to lock, rewrite or scan a table`,
        ),
        lines: heavy.map(line),
      },
      others.length > 0 && {
        lead: `${countOf(others.length, 'other')}, not known to be heavy`,
        lines: others.map(line),
        folded: heavy.length > 0,
      },
    ),
    notes,
  };
}

function api(report: UpgradeReport, surface: SpanApiChanges): SectionBody {
  const { breakingCount, advisoryCount, breaking, advisories, unlisted, notReported } = surface;
  const { lead, notes } = inArtifacts(report, notReported, breakingCount !== null);
  const count = (breaking: number, advisories: number) =>
    `${countOf(breaking, 'breaking change')}, ${countOf(advisories, 'advisory', 'advisories')}`;
  const line = ({ text, versions }: ListedChange) => `${text} (${firstOf(versions, 3)})`;
  return {
    blocks: compact<Block>(
      {
        lead: lead(`${count(breakingCount ?? 0, advisoryCount ?? 0)}, each release counted separately`),
        lines: breaking.map(line),
      },
      unlisted.length > 0 && {
        lead: `${countOf(unlisted.length, 'release')} with more than the artifact lists`,
        lines: unlisted.map(
          ({ version, breaking, advisories }) => `${version}: ${count(breaking, advisories)} more`,
        ),
        folded: true,
      },
      advisories.length > 0 && {
        lead: `${countOf(advisories.length, 'advisory', 'advisories')}, not breaking`,
        lines: advisories.map(line),
        folded: true,
      },
    ),
    notes,
  };
}

function advisories(report: UpgradeReport): SectionBody {
  const lines = report.releases.flatMap(({ version, declaredAdvisories }) =>
    declaredAdvisories.map((advisory) => `${version}: ${describeAdvisory(advisory)}`),
  );
  const unread = report.releases.filter(({ artifact }) => artifact !== 'read').map(({ version }) => version);
  const { lead, notes } = inArtifacts(report, unread, !reportsNothing(report, unread, lines.length));
  return {
    blocks: [{ lead: lead(`${number(lines.length)} in all`), lines }],
    notes: compact(lines.length > 0 && `${sentence(advisoriesMeaning)}.`, notes),
  };
}

function artifacts({ releases, artifacts, span }: UpgradeReport): SectionBody {
  const { read, backfilled, notRead } = artifacts;
  const others = span.strategyContradictions;
  return {
    blocks: compact<Block>(
      { lead: `${number(read)} of ${countOf(releases.length, 'artifact')} read`, lines: [] },
      notRead > 0 && {
        lead: `${number(notRead)} not read`,
        lines: releases
          .filter(({ artifact }) => artifact !== 'read' && artifact !== 'backfilled')
          .flatMap(({ disagreements }) => disagreements.map(describeDisagreement)),
      },
      others.length > 0 && {
        lead: `${countOf(others.length, 'artifact')} whose strategy differs from the verdict, which counts`,
        lines: others,
      },
    ),
    notes: compact(backfilled > 0 && `${countOf(backfilled, 'release')} ${noneWasPublished}.`),
  };
}

/**
 * How to say what artifacts report, and what they leave open.
 *
 * @param isKnown if not, no number is shown
 */
function inArtifacts(
  { releases, span }: UpgradeReport,
  notReported: readonly Version[],
  isKnown: boolean,
): { readonly lead: (totals: string) => string; readonly notes: readonly string[] } {
  if (!isKnown) return { lead: () => 'not known: no artifact that was read reports this', notes: [] };
  const open = compact(
    notReported.length > 0 &&
      `not reported by ${number(notReported.length)} of ${countOf(releases.length, 'release')}`,
    span.missingRanges.length > 0 && 'the index lacks releases of the span',
  );
  if (open.length === 0) return { lead: (totals) => totals, notes: [] };
  return {
    lead: (totals) => `at least ${totals}`,
    notes: [`${sentence(open.join(', '))}: there may be more.`],
  };
}

/**
 * Why a release is not proven, as far as index and artifact show it. A declared break is shown for a proven release,
 * too. If no artifact was read, that is not repeated for each release.
 */
export function describeWhy(
  { standing, declaredBreaks, migrations, disagreements }: ReportedRelease,
  { artifacts }: Pick<UpgradeReport, 'artifacts'>,
): string[] {
  const breaks = declaredBreaks.map((declared) => `declared break: ${describeBreak(declared)}`);
  if (standing === 'proven') return breaks;
  return [
    ...breaks,
    ...migrations.map((migration) => `migration ${describeMigration(migration)}`),
    ...disagreements.filter((one) => artifacts.read > 0 || !isUnread(one)).map(describeDispute),
  ];
}
