import type { SpanApiChanges } from '../../release-safety/api-changes.js';
import { type ReportedRelease, standings, type UpgradeReport } from '../../release-safety/report.js';
import { weightOf } from '../../release-safety/span-migrations.js';
import type { Palette } from '../palette.js';
import { printable } from '../printable.js';
import type { ReportDocument } from '../report/document.js';
import {
  answersOf,
  artifactWords,
  clip,
  countOf,
  describeAdvisories,
  describeApiTotals,
  describeMigration,
  describeNetChange,
  describeNext,
  describeTarget,
  describeUnlisted,
  describeUntold,
  describeVerdict,
  describeVersions,
  describeWhatToChange,
  describeWhy,
  number,
  standingWords,
} from '../report/words.js';
import { describeDisagreement } from './artifact-disagreement.js';
import { describeAge } from './provenance.js';
import { describeHole, pointToExplain } from './reasons.js';
import { advisoriesMeaning } from './release.js';
import { describeBlock, describeLanding } from './route-reasons.js';
import { renderTable } from './table.js';
import { describeRoute, wordsOfRoute } from './upgrade-plan.js';
import { longestList, renderVersionList } from './version-list.js';

export interface UpgradeReportTextOptions {
  readonly palette: Palette;
  /** List everything, however much. */
  readonly verbose: boolean;
}

/** Longer texts from outside are cut here: the JSON of the report has them whole. */
const longest = 500;

/** The report for a terminal. */
export function renderUpgradeReportText(document: ReportDocument, options: UpgradeReportTextOptions): string {
  const { report, index, madeAt, madeBy } = document;
  const { palette } = options;
  const paint = report.safe ? palette.good : palette.bad;
  const age = describeAge(madeAt.getTime() - Date.parse(index.generatedAt));
  const lines = [
    `Upgrade report: ${report.fromVersion} -> ${describeTarget(report)}`,
    `Verdict: ${palette.strong(paint(describeVerdict(report)))}`,
    ...answersOf(report).flatMap(({ question, answer, why }) => [
      `${question}: ${answer}`,
      ...items(why, options),
    ]),
    `Route: ${describeRoute(report.route, palette)}`,
    ...(report.route.blockedBy === null ? [] : items([describeBlock(report.route.blockedBy)], options)),
    ...pointToExplain(wordsOfReport(report)),
    `Next: ${describeNext(report)}`,
    ...renderRoute(report, palette),
    ...section('Releases', renderReleases(report, options), palette),
    ...section('Environment variables', renderConfig(report, options), palette),
    ...section('Migrations', renderMigrations(report, options), palette),
    ...section('REST API', renderApi(report.api.rest, report, options), palette),
    ...section('MCP tools', renderApi(report.api.mcp, report, options), palette),
    ...section(`Declared advisories (${advisoriesMeaning})`, renderAdvisories(report, options), palette),
    ...section('Artifacts', renderArtifacts(report, options), palette),
    '',
    palette.faint(
      `Index: ${printable(index.source)}, generated ${index.generatedAt} (${age}), SHA-256 ${index.sha256}`,
    ),
    palette.faint(`Made: ${madeAt.toISOString()} by ${madeBy}`),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** The standings of releases stand for what the reasons of the span say of each. */
function wordsOfReport({ span, counts, blockedBy, route }: UpgradeReport): string[] {
  const kinds = [...span.reasons.map(({ kind }) => kind), ...wordsOfRoute(route)];
  return [
    ...kinds.filter((kind) => kind !== 'unsafe-release' && kind !== 'unknown-release'),
    ...(blockedBy === null ? [] : [blockedBy.kind]),
    ...standings.filter((standing) => standing !== 'proven' && counts[standing] > 0),
    ...span.disagreements.map(({ kind }) => kind),
  ];
}

function section(title: string, lines: readonly string[], palette: Palette): string[] {
  return ['', palette.strong(title), ...lines];
}

/** A list of lines; a long one is cut unless all is asked for, and says so. */
function items(lines: readonly string[], { verbose }: Pick<UpgradeReportTextOptions, 'verbose'>): string[] {
  const shown = verbose ? lines : lines.slice(0, longestList);
  return [
    ...shown.map((line) => `  - ${printable(clip(line, longest))}`),
    ...(shown.length === lines.length
      ? []
      : [`  - and ${number(lines.length - shown.length)} more (--verbose lists them)`]),
  ];
}

function renderRoute({ route, blockedBy }: UpgradeReport, palette: Palette): string[] {
  if (route.hops.length === 0) return [];
  const table = renderTable(
    ['HOP', 'FROM', 'TO', 'STRATEGY', 'RELEASES', 'LANDS THERE AS'],
    route.hops.map((hop, i) => [
      String(i + 1),
      hop.fromVersion,
      hop.toVersion,
      hop.certified ? hop.strategy : `${hop.strategy}, not certified`,
      number(hop.releases.length),
      describeLanding(hop),
    ]),
    palette,
  );
  return [
    '',
    ...table.trimEnd().split('\n'),
    ...(blockedBy === null ? [] : [`It goes no further: ${describeBlock(blockedBy)}`]),
  ];
}

function renderReleases(
  { counts, releases, span }: UpgradeReport,
  options: UpgradeReportTextOptions,
): string[] {
  const ofStanding = (standing: ReportedRelease['standing']) =>
    releases.filter((release) => release.standing === standing);
  return [
    ...standings
      .filter((standing) => counts[standing] > 0)
      .flatMap((standing) => {
        const { label, meaning } = standingWords[standing];
        const found = ofStanding(standing);
        const versions = renderVersionList(
          found.map(({ version }) => version),
          { whole: options.verbose },
        );
        const why = found.flatMap((release) =>
          describeWhy(release).map((line) => `${release.version}: ${line}`),
        );
        return [`${number(counts[standing])} ${label} (${meaning}): ${versions}`, ...items(why, options)];
      }),
    ...span.missingRanges.map((range) => `Not covered: ${describeHole(range)}`),
  ];
}

function renderConfig({ config, releases }: UpgradeReport, options: UpgradeReportTextOptions): string[] {
  const { variablesSet, ofVariablesSet, changes, unrecognised, untold } = config;
  const others = changes.filter((change) => !ofVariablesSet.includes(change));
  const set =
    variablesSet === null
      ? []
      : [
          `${number(ofVariablesSet.length)} of the ${countOf(variablesSet, 'variable')} that you set ${ofVariablesSet.length === 1 ? 'is' : 'are'} changed${ofVariablesSet.length === 0 ? '' : ':'}`,
          ...items(
            ofVariablesSet.map(
              (change) =>
                `${describeNetChange(change)}, in ${describeVersions(change.versions)}: ${describeWhatToChange(change)}`,
            ),
            { verbose: true },
          ),
        ];
  return [
    ...set,
    `${countOf(others.length, variablesSet === null ? 'variable' : 'other variable')} removed, renamed or with another default${others.length === 0 ? '' : ':'}`,
    ...items(
      others.map((change) => `${describeNetChange(change)}, in ${describeVersions(change.versions)}`),
      options,
    ),
    ...items(
      unrecognised.map(
        ({ version, change }) =>
          `${version}: a change of a kind newer than this lightspan: ${JSON.stringify(change)}`,
      ),
      options,
    ),
    ...optional(describeUntold(untold, releases.length)),
  ];
}

function renderMigrations(
  { migrations, releases }: UpgradeReport,
  options: UpgradeReportTextOptions,
): string[] {
  const { count, coreCount, eeCount, files, untold } = migrations;
  const heavy = files.filter((file) => weightOf(file) === 'heavy').length;
  return [
    `${number(count)} in all: ${number(coreCount)} core, ${number(eeCount)} enterprise; ${number(heavy)} known to lock, rewrite or scan a table`,
    ...items(
      files.map((file) => `${file.version}: ${describeMigration(file)}`),
      options,
    ),
    ...optional(describeUntold(untold, releases.length)),
  ];
}

function renderApi(
  surface: SpanApiChanges,
  { releases }: UpgradeReport,
  options: UpgradeReportTextOptions,
): string[] {
  const { breaking, advisories, untold } = surface;
  const cited = (kind: string) => (change: SpanApiChanges['breaking'][number]) =>
    `${kind}${clip(change.text, longest)} (${describeVersions(change.versions)})`;
  return [
    describeApiTotals(surface),
    ...items([...breaking.map(cited('')), ...advisories.map(cited('advisory: '))], options),
    ...items(describeUnlisted(surface), options),
    ...optional(describeUntold(untold, releases.length)),
  ];
}

function renderAdvisories({ releases }: UpgradeReport, options: UpgradeReportTextOptions): string[] {
  const advisories = describeAdvisories(releases);
  const untold = releases.filter(({ artifact }) => artifact !== 'read').map(({ version }) => version);
  return [
    `${number(advisories.length)} in all`,
    ...items(advisories, options),
    ...optional(describeUntold(untold, releases.length)),
  ];
}

function renderArtifacts({ releases, span }: UpgradeReport, options: UpgradeReportTextOptions): string[] {
  const backfilled = releases
    .filter(({ artifact }) => artifact === 'backfilled')
    .map(({ version }) => version);
  const without = releases.filter(({ artifact }) => artifact !== 'backfilled' && artifact !== 'read');
  const read = releases.length - backfilled.length - without.length;
  return [
    `${number(read)} of ${countOf(releases.length, 'artifact')} read`,
    ...(backfilled.length === 0
      ? []
      : [
          `${countOf(backfilled.length, 'release')} ${artifactWords.backfilled}: ${renderVersionList(backfilled, { whole: options.verbose })}`,
        ]),
    ...items(
      without.flatMap(({ disagreements }) => disagreements.map(describeDisagreement)),
      options,
    ),
    ...items(
      span.strategyContradictions.map(
        (version) =>
          `${version}: its artifact recommends another strategy than its verdict means; the verdict counts`,
      ),
      options,
    ),
  ];
}

function optional(line: string | undefined): string[] {
  return line === undefined ? [] : [line];
}
