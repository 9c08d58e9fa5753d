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
import { describeLeftOut, type LeftOut } from '../words/notices.js';
import { countOf, number, sentence } from '../words/phrase.js';
import { describeHole, howToState, reasonsOfKind } from '../words/reasons.js';
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
import { describeNumbers } from '../words/route.js';
import type { Block, Section } from './answer.js';
import type { ReportDocument } from './json/upgrade.js';

/** Every section is present, even if it has nothing to list: nothing is left out silently. */
export function sectionsOf({
  report,
  acceptedIssues = [],
  replacedIssues = [],
}: Pick<ReportDocument, 'report' | 'acceptedIssues' | 'replacedIssues'>): Section[] {
  const { api: surfaces, publisherOnly } = report;
  const leftOut = { publisherOnly, acceptedIssues, replacedIssues };
  return [
    { id: 'releases', title: 'Releases', ...releases(report) },
    { id: 'known-issues', title: 'Known issues', ...knownIssues(report, leftOut) },
    { id: 'variables', title: 'Environment variables', ...variables(report) },
    { id: 'migrations', title: 'Migrations', ...migrations(report) },
    { id: 'rest', title: 'REST API', ...api(surfaces.rest, report) },
    { id: 'mcp', title: 'MCP tools', ...api(surfaces.mcp, report) },
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
  const silent = report.releases.filter(
    ({ standing, artifact }) => standing === 'unsafe' && artifact === 'backfilled',
  );
  return {
    blocks: compact<Block>(
      { lead: tally.join('; ') || 'none', lines: [] },
      blockIfAny('not covered', span.missingRanges.map(describeHole)),
      present.map((status) => ofStatus(status, report)),
    ),
    notes: compact(
      silent.length > 0 &&
        `What ${countOf(silent.length, 'unsafe release breaks', 'unsafe releases break')} is not known (${noneWasPublished}).`,
    ),
  };
}

/** One line a reason, so that none is cut. If none has a reason, they are mere names. */
function ofStatus(status: ReleaseStatus, report: UpgradeReport): Block {
  const { label, brief } = releaseStatusWords[status];
  const own = report.releases.filter(({ standing }) => standing === status);
  const reasons = own.map((release) => describeWhy(release, report));
  const areNames = reasons.every((why) => why.length === 0);
  const ends = areNames && own.length > 1 ? `, from ${own[0]?.version} to ${own.at(-1)?.version}` : '';
  return {
    lead: `${number(own.length)} ${label} (${brief})${ends}`,
    lines: own.flatMap((release, i) => linesOfRelease(release, reasons[i] ?? [])),
    folded: status === 'proven' || (status !== 'unsafe' && own.length > 30),
  };
}

function linesOfRelease(
  { version, releaseDate, hop, requiredStop }: ReportedRelease,
  reasons: readonly string[],
): string[] {
  const when = compact(releaseDate.slice(0, 10), hop !== null && `hop ${hop}`).join(', ');
  const line = `${version}${requiredStop ? ', required stop' : ''} (${when})`;
  return reasons.length === 0 ? [line] : reasons.map((why) => `${line}: ${why}`);
}

/** The known issues of the span, and those that the route meets and the span does not: each once, with its hops. */
function knownIssues({ span, route }: UpgradeReport, leftOut: LeftOut): SectionBody {
  if (leftOut.publisherOnly) {
    return { blocks: [{ lead: 'left out: only the publisher was asked', lines: [] }], notes: [] };
  }
  const met: readonly (readonly [issue: AppliedIssue, hop?: number])[] = [
    ...reasonsOfKind(span.reasons, 'known-issue').map((issue) => [issue] as const),
    ...route.hops.flatMap((hop, i) => hop.knownIssues.map((issue) => [issue, i + 1] as const)),
  ];
  const lines = [...new Map(met.map(([issue]) => [issue.id, issue])).values()].map(
    ({ id, summary, remedy }) => {
      const own = met.filter(([issue]) => issue.id === id);
      const notKnown = notKnownOf(own.map(([issue]) => issue));
      const hops = [...new Set(own.flatMap(([, hop]) => hop ?? []))];
      return [
        firstOf([...new Set(own.map(([{ version }]) => version))], 3),
        hops.length === 0 ? '' : ` (${describeNumbers(hops).toLowerCase()})`,
        `: ${id}: ${summary} To do: ${remedy} `,
        notKnown.length === 0 ? 'It applies' : `It may apply: ${notKnown.join(', ')} not known`,
      ].join('');
    },
  );
  const settling = notKnownOf(met.map(([issue]) => issue));
  return {
    blocks: [{ lead: lines.length === 0 ? 'none' : number(lines.length), lines, whole: true }],
    notes: compact(
      settling.length > 0 &&
        `A known issue that may apply counts as applying. These facts would settle it (or --facts): ${settling.map(howToState).join(', ')}.`,
      describeLeftOut(leftOut),
    ),
  };
}

function notKnownOf(issues: readonly AppliedIssue[]): string[] {
  return [...new Set(issues.flatMap(({ notKnown }) => notKnown))];
}

function variables(report: UpgradeReport): SectionBody {
  const { variablesSet, ofVariablesSet, changes, unrecognised, notReported } = report.config;
  const others = changes.filter((change) => !ofVariablesSet.includes(change));
  const nothing = reportsNothing(report, notReported, changes.length + unrecognised.length);
  const what = variablesSet === null ? 'variable' : 'other variable';
  const totals = `${countOf(others.length, what)} removed, renamed or with another default`;
  const { lead, notes } = leadOf(report, notReported, nothing ? null : totals);
  const newer = unrecognised.map(({ version, change }) => `${version}: ${JSON.stringify(change)}`);
  const found = ofVariablesSet.length;
  const totalsSet = `${number(found)} of the ${countOf(variablesSet ?? 0, 'variable')} that you set ${found === 1 ? 'is' : 'are'} changed`;
  return {
    blocks: compact<Block>(
      variablesSet !== null &&
        !nothing && {
          lead: leadOf(report, notReported, totalsSet).lead,
          lines: ofVariablesSet.map((one) => `${describeVariable(one)}: ${describeWhatToChange(one)}`),
          whole: true,
        },
      { lead, lines: others.map(describeVariable) },
      blockIfAny(`${countOf(newer.length, 'change')} of a kind newer than this lightspan`, newer),
    ),
    notes,
  };
}

function describeVariable(change: NetConfigChange): string {
  return `${describeNetChange(change)}, in ${firstOf(change.versions, 3)}`;
}

function migrations(report: UpgradeReport): SectionBody {
  const { count, coreCount, eeCount, files, notReported } = report.migrations;
  const heavy = files.filter((file) => weightOf(file) === 'heavy');
  const others = files.slice(heavy.length);
  const { lead, notes } = leadOf(
    report,
    notReported,
    count === null || coreCount === null || eeCount === null
      ? null
      : `${number(count)} in all: ${number(coreCount)} core, ${number(eeCount)} enterprise; ${number(heavy.length)} known to lock, rewrite or scan a table`,
  );
  const line = (file: SpanMigration) => `${file.version}: ${describeMigration(file)}`;
  return {
    blocks: compact<Block>(
      { lead, lines: heavy.map(line) },
      blockIfAny(`${countOf(others.length, 'other')}, not known to be heavy`, others.map(line), {
        folded: heavy.length > 0,
      }),
    ),
    notes,
  };
}

function api(surface: SpanApiChanges, report: UpgradeReport): SectionBody {
  const { breakingCount, advisoryCount, breaking, advisories, unlisted, notReported } = surface;
  const { lead, notes } = leadOf(
    report,
    notReported,
    breakingCount === null || advisoryCount === null
      ? null
      : `${countOf(breakingCount, 'breaking change')}, ${countAdvisories(advisoryCount)}, each release counted separately`,
  );
  const more = unlisted.map(({ version, breaking, advisories }) => {
    const counts = compact(
      breaking > 0 && countOf(breaking, 'breaking change'),
      advisories > 0 && countAdvisories(advisories),
    );
    return `${version} counts ${counts.join(' and ')} more than its artifact lists`;
  });
  const line = ({ text, versions }: ListedChange) => `${text} (${firstOf(versions, 3)})`;
  return {
    blocks: compact<Block>(
      { lead, lines: breaking.map(line) },
      blockIfAny(`${countOf(more.length, 'release')} with more than the artifact lists`, more, {
        folded: true,
      }),
      blockIfAny(`${countAdvisories(advisories.length)}, not breaking`, advisories.map(line), {
        folded: true,
      }),
    ),
    notes,
  };
}

function countAdvisories(count: number): string {
  return countOf(count, 'advisory', 'advisories');
}

function advisories(report: UpgradeReport): SectionBody {
  const declared = report.releases.flatMap(({ version, declaredAdvisories }) =>
    declaredAdvisories.map((advisory) => `${version}: ${describeAdvisory(advisory)}`),
  );
  const unread = report.releases.filter(({ artifact }) => artifact !== 'read').map(({ version }) => version);
  const nothing = reportsNothing(report, unread, declared.length);
  const { lead, notes } = leadOf(report, unread, nothing ? null : `${number(declared.length)} in all`);
  const meaning = declared.length === 0 ? [] : [`${sentence(advisoriesMeaning)}.`];
  return { blocks: [{ lead, lines: declared }], notes: [...meaning, ...notes] };
}

function artifacts({ releases, artifacts, span }: UpgradeReport): SectionBody {
  const { read, backfilled, notRead } = artifacts;
  const missing = releases
    .filter(({ artifact }) => artifact !== 'read' && artifact !== 'backfilled')
    .flatMap(({ disagreements }) => disagreements);
  const others = span.strategyContradictions;
  return {
    blocks: compact<Block>(
      { lead: `${number(read)} of ${countOf(releases.length, 'artifact')} read`, lines: [] },
      blockIfAny(`${number(notRead)} not read`, missing.map(describeDisagreement)),
      blockIfAny(
        `${countOf(others.length, 'artifact')} whose strategy differs from the verdict, which counts`,
        others,
      ),
    ),
    notes: compact(backfilled > 0 && `${countOf(backfilled, 'release')} ${noneWasPublished}.`),
  };
}

/**
 * The first line of a section, and what it leaves open.
 *
 * @param totals what is known; null if nothing is, and then no number is shown
 */
function leadOf(
  { releases, span }: UpgradeReport,
  notReported: readonly Version[],
  totals: string | null,
): { readonly lead: string; readonly notes: readonly string[] } {
  if (totals === null) return { lead: 'not known: no artifact that was read reports this', notes: [] };
  const open = compact(
    notReported.length > 0 &&
      `not reported by ${number(notReported.length)} of ${countOf(releases.length, 'release')}`,
    span.missingRanges.length > 0 && 'the index lacks releases of the span',
  );
  if (open.length === 0) return { lead: totals, notes: [] };
  return { lead: `at least ${totals}`, notes: [`${sentence(open.join(', '))}: there may be more.`] };
}

function blockIfAny(lead: string, lines: readonly string[], how?: Pick<Block, 'folded'>): Block | false {
  return lines.length > 0 && { lead, lines, ...how };
}

/**
 * Why a release is not proven, as far as index and artifact show it. A declared break is shown for a proven release,
 * too. If no artifact was read, that is not repeated for each release.
 */
export function describeWhy(
  release: ReportedRelease,
  { artifacts }: Pick<UpgradeReport, 'artifacts'>,
): string[] {
  const breaks = release.declaredBreaks.map((declared) => `declared break: ${describeBreak(declared)}`);
  if (release.standing === 'proven') return breaks;
  return [
    ...breaks,
    ...release.migrations.map((migration) => `migration ${describeMigration(migration)}`),
    ...release.disagreements.filter((one) => artifacts.read > 0 || !isUnread(one)).map(describeDispute),
  ];
}
