import type { SpanApiChanges } from '../../release-safety/api-changes.js';
import { type ReportedRelease, standings, type UpgradeReport } from '../../release-safety/report.js';
import type { Palette } from '../palette.js';
import { printable } from '../printable.js';
import type { ReportDocument } from '../report/document.js';
import {
  answersOf,
  artifactWords,
  clip,
  countOf,
  describeAdvisories,
  describeMigration,
  describeNetChange,
  describeNext,
  describeNothingRead,
  describeTarget,
  describeUnlisted,
  describeVerdict,
  describeVersions,
  describeWhatToChange,
  describeWhy,
  number,
  standingWords,
  tellAdvisories,
  tellApi,
  tellConfig,
  tellMigrations,
  tellVariablesSet,
} from '../report/words.js';
import { describeAge } from '../words/age.js';
import { describeDisagreement } from '../words/disagreements.js';
import { longestList, renderVersionList } from '../words/lists.js';
import { pointToExplain } from '../words/next.js';
import { describeBlock, describeHole, describeLanding } from '../words/reasons.js';
import { advisoriesMeaning } from '../words/release.js';
import { describeRoute, wordsOfRoute } from '../words/route.js';
import { renderTable } from './table.js';

export interface UpgradeReportTextOptions {
  readonly palette: Palette;
  /** List everything, however much. */
  readonly verbose: boolean;
  /** Columns of the terminal; undefined where the output is none. */
  readonly width: number | undefined;
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
    ...describeNothingRead(report).map((line) => palette.doubtful(line)),
    `Verdict: ${palette.strong(paint(describeVerdict(report)))}`,
    ...answersOf(report).flatMap(({ question, answer, why }) => [
      `${question}: ${answer}`,
      ...items(why, options),
    ]),
    `Route: ${describeRoute(report.route, palette)}`,
    ...(report.route.blockedBy === null ? [] : items([describeBlock(report.route.blockedBy)], options)),
    ...pointToExplain(wordsOfReport(report)),
    `Next: ${describeNext(report)}`,
    ...renderRoute(report, options),
    ...section('Releases', renderReleases(report, options), palette),
    ...section('Environment variables', renderConfig(report, options), palette),
    ...section('Migrations', renderMigrations(report, options), palette),
    ...section('REST API', renderApi(report, report.api.rest, options), palette),
    ...section('MCP tools', renderApi(report, report.api.mcp, options), palette),
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

function renderRoute(
  { route, blockedBy }: UpgradeReport,
  { palette, width }: UpgradeReportTextOptions,
): string[] {
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
    width,
  );
  return [
    '',
    ...table.trimEnd().split('\n'),
    ...(blockedBy === null ? [] : [`It goes no further: ${describeBlock(blockedBy)}`]),
  ];
}

function renderReleases(report: UpgradeReport, options: UpgradeReportTextOptions): string[] {
  const { counts, releases, span } = report;
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
          describeWhy(release, report).map((line) => `${release.version}: ${line}`),
        );
        return [`${number(counts[standing])} ${label} (${meaning}): ${versions}`, ...items(why, options)];
      }),
    ...span.missingRanges.map((range) => `Not covered: ${describeHole(range)}`),
  ];
}

function renderConfig(report: UpgradeReport, options: UpgradeReportTextOptions): string[] {
  const { ofVariablesSet, changes, unrecognised } = report.config;
  const others = changes.filter((change) => !ofVariablesSet.includes(change));
  const totalsSet = tellVariablesSet(report);
  const { totals, note } = tellConfig(report);
  const set =
    totalsSet === undefined
      ? []
      : [
          `${totalsSet}${ofVariablesSet.length === 0 ? '' : ':'}`,
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
    `${totals}${others.length === 0 ? '' : ':'}`,
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
    ...optional(note),
  ];
}

function renderMigrations(report: UpgradeReport, options: UpgradeReportTextOptions): string[] {
  const { totals, note } = tellMigrations(report);
  return [
    totals,
    ...items(
      report.migrations.files.map((file) => `${file.version}: ${describeMigration(file)}`),
      options,
    ),
    ...optional(note),
  ];
}

function renderApi(
  report: UpgradeReport,
  surface: SpanApiChanges,
  options: UpgradeReportTextOptions,
): string[] {
  const { breaking, advisories } = surface;
  const { totals, note } = tellApi(report, surface);
  const cited = (kind: string) => (change: SpanApiChanges['breaking'][number]) =>
    `${kind}${clip(change.text, longest)} (${describeVersions(change.versions)})`;
  return [
    totals,
    ...items([...breaking.map(cited('')), ...advisories.map(cited('advisory: '))], options),
    ...items(describeUnlisted(surface), options),
    ...optional(note),
  ];
}

function renderAdvisories(report: UpgradeReport, options: UpgradeReportTextOptions): string[] {
  const { totals, note } = tellAdvisories(report);
  return [totals, ...items(describeAdvisories(report.releases), options), ...optional(note)];
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
