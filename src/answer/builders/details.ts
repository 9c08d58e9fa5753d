import { weightOf } from '../../core/artifact/changes.js';
import { isUnread } from '../../core/artifact/reconcile.js';
import { groupBy } from '../../core/common/group-by.js';
import { reportsNothing } from '../../core/report.js';
import type {
  ListedChange,
  NetConfigChange,
  ReportedRelease,
  SpanApiChanges,
  SpanMigration,
  UpgradeReport,
} from '../../core/results.js';
import { compact } from '../../core/text/compact.js';
import type { Version } from '../../core/version.js';
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
} from '../../words/evidence/release.js';
import { capitalize, countOf, formatNumber, listNames } from '../../words/phrase.js';
import { describeHole, reasonsOfKind } from '../../words/route/reasons.js';
import { describeIssues } from '../../words/route/route.js';
import type { Fact } from '../answer.js';

/** What a report knows of the releases. Every part is present, even if it has nothing to list. */
export function detailsOf(report: UpgradeReport): Fact[] {
  return [
    ...releases(report),
    knownIssues(report),
    ...variables(report),
    ...migrations(report),
    ...api('REST API', report.api.rest, report),
    ...api('MCP tools', report.api.mcp, report),
    advisories(report),
    ...artifacts(report),
  ];
}

const gravestFirst = ['unsafe', 'not-borne-out', 'unknown-recent', 'unknown-backfilled', 'proven'] as const;

function releases(report: UpgradeReport): Fact[] {
  const { counts } = report;
  const holes = report.span.missingRanges.map(describeHole);
  return compact<Fact>(
    holes.length > 0 && { label: 'Not in the index', text: countOf(holes.length, 'gap'), items: holes },
    gravestFirst
      .filter((status) => counts[status] > 0)
      .map((status) => ({
        label: capitalize(releaseStatusWords[status].label),
        text: `${formatNumber(counts[status])} (${releaseStatusWords[status].brief})`,
        items: report.releases
          .filter(({ standing }) => standing === status)
          .flatMap((release) => linesOfRelease(release, report)),
        isFolded: status === 'proven' || (status !== 'unsafe' && counts[status] > 30),
      })),
  );
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
function knownIssues({ span, route, publisherOnly }: UpgradeReport): Fact {
  const items = describeIssues([
    ...reasonsOfKind(span.reasons, 'known-issue').map((issue) => ({ issue })),
    ...route.hops.flatMap(({ knownIssues }, i) => knownIssues.map((issue) => ({ issue, hop: i + 1 }))),
  ]);
  const text = publisherOnly
    ? 'left out: only the publisher counts'
    : items.length === 0
      ? 'none'
      : formatNumber(items.length);
  return { label: 'Known issues', text, items };
}

function variables(report: UpgradeReport): Fact[] {
  const { variablesSet, ofVariablesSet, changes, unrecognised, notReported } = report.config;
  const others = changes.filter((change) => !ofVariablesSet.includes(change));
  const nothing = reportsNothing(report, notReported, changes.length + unrecognised.length);
  const known = (totals: string) => totalsOf(report, notReported, nothing ? null : totals);
  return compact<Fact>(
    variablesSet !== null && {
      label: 'Environment variables that you set',
      text: known(`${ofVariablesSet.length} of ${variablesSet} changed`),
      items: ofVariablesSet.map((change) => `${describeVariable(change)}: ${describeWhatToChange(change)}`),
    },
    {
      label: variablesSet === null ? 'Environment variables' : 'Other environment variables',
      text: known(`${formatNumber(others.length)} removed, renamed or with a new default`),
      items: others.map(describeVariable),
    },
    unrecognised.length > 0 && {
      label: 'Environment variables, changes of a kind this lightspan does not know',
      text: formatNumber(unrecognised.length),
      items: unrecognised.map(({ version, change }) => `${version}: ${JSON.stringify(change)}`),
    },
  );
}

function describeVariable(change: NetConfigChange): string {
  return `${describeNetChange(change)}, in ${listNames(change.versions)}`;
}

function migrations(report: UpgradeReport): Fact[] {
  const { count, coreCount, eeCount, files, notReported } = report.migrations;
  const heavy = files.filter((file) => weightOf(file) === 'heavy');
  const others = files.slice(heavy.length);
  const editions = `${formatNumber(coreCount ?? 0)} core, ${formatNumber(eeCount ?? 0)} enterprise`;
  const totals =
    `${formatNumber(count ?? 0)} in all: ${editions}; ` +
    `${formatNumber(heavy.length)} known to lock, rewrite or scan a table`;
  const line = (file: SpanMigration) => `${file.version}: ${describeMigration(file)}`;
  return compact<Fact>(
    {
      label: 'Migrations',
      text: totalsOf(report, notReported, count === null ? null : totals),
      items: heavy.map(line),
    },
    others.length > 0 && {
      label: 'Migrations not known to be heavy',
      text: formatNumber(others.length),
      items: others.map(line),
      isFolded: heavy.length > 0,
    },
  );
}

function api(label: string, surface: SpanApiChanges, report: UpgradeReport): Fact[] {
  const { breakingCount, advisoryCount, breaking, advisories, unlisted, notReported } = surface;
  const count = (breaking: number, advisories: number) =>
    `${countOf(breaking, 'breaking change')}, ${countOf(advisories, 'advisory', 'advisories')}`;
  const totals = `${count(breakingCount ?? 0, advisoryCount ?? 0)}, each release counted separately`;
  const line = ({ text, versions }: ListedChange) => `${text} (${listNames(versions)})`;
  return compact<Fact>(
    {
      label,
      text: totalsOf(report, notReported, breakingCount === null ? null : totals),
      items: breaking.map(line),
    },
    unlisted.length > 0 && {
      label: `${label}, more than the artifact lists`,
      text: countOf(unlisted.length, 'release'),
      items: unlisted.map((more) => `${more.version}: another ${count(more.breaking, more.advisories)}`),
      isFolded: true,
    },
    advisories.length > 0 && {
      label: `${label}, not breaking`,
      text: countOf(advisories.length, 'advisory', 'advisories'),
      items: advisories.map(line),
      isFolded: true,
    },
  );
}

function advisories(report: UpgradeReport): Fact {
  const items = report.releases.flatMap(({ version, declaredAdvisories }) =>
    declaredAdvisories.map((advisory) => `${version}: ${describeAdvisory(advisory)}`),
  );
  const notReported = report.releases
    .filter(({ artifact }) => artifact !== 'read')
    .map(({ version }) => version);
  const nothing = reportsNothing(report, notReported, items.length);
  const text = totalsOf(report, notReported, nothing ? null : `${formatNumber(items.length)} in all`);
  const meaning = items.length === 0 ? '' : `; ${advisoriesMeaning}`;
  return { label: 'Declared advisories', text: `${text}${meaning}`, items };
}

function artifacts({ releases, artifacts, span }: UpgradeReport): Fact[] {
  const { read, backfilled, notRead } = artifacts;
  const others = span.strategyContradictions;
  const none = backfilled === 0 ? '' : `; ${countOf(backfilled, 'release')} ${noneWasPublished}`;
  return compact<Fact>(
    { label: 'Artifacts read', text: `${formatNumber(read)} of ${formatNumber(releases.length)}${none}` },
    notRead > 0 && {
      label: 'Artifacts not read',
      text: formatNumber(notRead),
      items: linesOfUnread(
        releases.filter(({ artifact }) => artifact !== 'read' && artifact !== 'backfilled'),
      ),
    },
    others.length > 0 && {
      label: 'Artifacts whose strategy differs from the verdict (which counts)',
      text: formatNumber(others.length),
      items: others,
    },
  );
}

/** What failed in the same way, such as a network that is not there, is one line. */
function linesOfUnread(releases: UpgradeReport['releases']): string[] {
  const lines = releases.flatMap(({ version, disagreements }) =>
    disagreements.map((disagreement) => ({ version, text: describeDisagreement(disagreement) })),
  );
  const failure = ({ version, text }: (typeof lines)[number]) =>
    text
      .replace(`${version}: `, '')
      .replaceAll(version, '{version}')
      .replace(/, after [^,]* tries$/, '');
  return [...groupBy(lines, failure)].map(([words, group]) =>
    group.length === 1
      ? (group[0]?.text ?? '')
      : `${group[0]?.version} to ${group.at(-1)?.version} (${formatNumber(group.length)} releases): ${words}`,
  );
}

/**
 * The totals that artifacts report, and what they leave open.
 *
 * @param totals null if nothing is known: then there is no number, not even 0
 */
function totalsOf(
  { artifacts, releases, span }: UpgradeReport,
  notReported: readonly Version[],
  totals: string | null,
): string {
  if (totals === null && artifacts.read === 0) return 'not known: no artifact was read';
  if (totals === null) return 'not known: no artifact that was read reports this';
  const open = compact(
    notReported.length > 0 &&
      `not reported by ${formatNumber(notReported.length)} of ${countOf(releases.length, 'release')}`,
    span.missingRanges.length > 0 && 'the index lacks releases of the span',
  );
  return open.length === 0 ? totals : `at least ${totals} (${open.join(', ')})`;
}

/**
 * Why a release is not proven, as far as index and artifact show it. A declared break is shown for a proven release,
 * too. If no artifact was read, that is not repeated for each release.
 */
function describeWhy(
  { standing, declaredBreaks, migrations, disagreements }: ReportedRelease,
  { artifacts }: Pick<UpgradeReport, 'artifacts'>,
): string[] {
  const breaks = declaredBreaks.map((declared) => `declared break: ${describeBreak(declared)}`);
  if (standing === 'proven') return breaks;
  return [
    ...breaks,
    ...migrations.map((migration) => `migration ${describeMigration(migration)}`),
    ...disagreements
      .filter((disagreement) => artifacts.read > 0 || !isUnread(disagreement))
      .map(describeDispute),
  ];
}
