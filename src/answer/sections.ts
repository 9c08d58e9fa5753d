import type { FindingStatus } from '../checks/check.js';
import { describeCounts, describeDecision, manyHops } from '../checks/decision.js';
import {
  type ListedChange,
  type MigrationWeight,
  type NetConfigChange,
  type SpanApiChanges,
  type SpanMigration,
  weightOf,
} from '../release-safety/changes.js';
import type { ReleaseStatus } from '../release-safety/kinds.js';
import type { AppliedIssue } from '../release-safety/parse-index.js';
import { isUnread } from '../release-safety/reconcile.js';
import { type ReportedRelease, reportsNothing, type UpgradeReport } from '../release-safety/report.js';
import type { Version } from '../release-safety/version.js';
import { compact } from '../shared/compact.js';
import { firstOf } from '../words/lists.js';
import { describeAge } from '../words/measures.js';
import { describeLeftOut, type LeftOut } from '../words/notices.js';
import { countOf, number, sentence } from '../words/phrase.js';
import { printable } from '../words/printable.js';
import { describeHole, howToState, reasonsOfKind } from '../words/reasons.js';
import {
  advisoriesMeaning,
  describeAdvisory,
  describeBreak,
  describeDisagreement,
  describeDispute,
  describeNetChange,
  describeWhatToChange,
  effectsOf,
  noneWasPublished,
  releaseStatusWords,
} from '../words/release.js';
import { describeNumbers } from '../words/route.js';
import type { FoundGroup } from './findings.js';
import type { PreflightOfReport, ReportDocument } from './json/documents.js';
import { groupsOfPreflight } from './preflight.js';
import {
  type Block,
  type Column,
  lineOf,
  linesOf,
  type Mark,
  type Row,
  type Section,
  type TableBlock,
  toPaste,
} from './section.js';

/** Every section is present, even if it has nothing to list: nothing is left out silently. */
export function sectionsOf({
  report,
  preflight,
  acceptedIssues = [],
  replacedIssues = [],
}: Pick<ReportDocument, 'report' | 'preflight' | 'acceptedIssues' | 'replacedIssues'>): Section[] {
  const { api: surfaces, route, publisherOnly } = report;
  return compact<Section>(
    preflight && {
      id: 'preflight',
      title: 'Preflight',
      ...preflightSection(preflight, route.hops.length),
    },
    { id: 'releases', title: 'Releases', ...releases(report) },
    {
      id: 'known-issues',
      title: 'Known issues',
      ...knownIssues(report, { publisherOnly, acceptedIssues, replacedIssues }),
    },
    { id: 'variables', title: 'Environment variables', ...variables(report) },
    { id: 'migrations', title: 'Migrations', ...migrations(report) },
    { id: 'rest', title: 'REST API', ...api(surfaces.rest, report) },
    { id: 'mcp', title: 'MCP tools', ...api(surfaces.mcp, report) },
    { id: 'advisories', title: 'Declared advisories', ...advisories(report) },
    { id: 'artifacts', title: 'Artifacts', ...artifacts(report) },
  );
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
  const ofStatus = (status: ReleaseStatus): Block => {
    const { label, brief } = releaseStatusWords[status];
    const own = report.releases.filter(({ standing }) => standing === status);
    // One row a reason, so that none is cut.
    const rows = own.flatMap((release) => {
      const name = `${release.version}${release.requiredStop ? ', required stop' : ''}`;
      const cells = [name, release.releaseDate.slice(0, 10), String(release.hop ?? '')];
      const [first = '', ...others] = describeWhy(release, report);
      return [first, ...others].map((why) => [...cells, why]);
    });
    const dull = rows.every(([, , , why]) => why === '');
    const ends = dull && own.length > 1 ? `, from ${own[0]?.version} to ${own.at(-1)?.version}` : '';
    const lead = `${number(own.length)} ${label} (${brief})${ends}`;
    return block(lead, releaseColumns, rows, { dull, folded: status !== 'unsafe' && own.length > 30 });
  };
  const silent = report.releases.filter(
    ({ standing, artifact }) => standing === 'unsafe' && artifact === 'backfilled',
  );
  return {
    blocks: compact<Block>(
      block(tally.join('; ') || 'none'),
      linesIfAny('not covered', span.missingRanges.map(describeHole)),
      present.map(ofStatus),
    ),
    notes: compact(
      silent.length > 0 &&
        `What ${countOf(silent.length, 'unsafe release breaks', 'unsafe releases break')} is not known (${noneWasPublished}).`,
    ),
  };
}

const releaseColumns: readonly Column[] = [
  { title: 'Release' },
  { title: 'Date', isWide: true },
  { title: 'Hop', isWide: true },
  { title: 'Why', around: [': '] },
];

/** The known issues of the span, and those that the route meets and the span does not: each once, with its hops. */
function knownIssues({ span, route }: UpgradeReport, leftOut: LeftOut): SectionBody {
  if (leftOut.publisherOnly) return { blocks: [block('left out: only the publisher was asked')], notes: [] };
  const met: readonly (readonly [issue: AppliedIssue, hop?: number])[] = [
    ...reasonsOfKind(span.reasons, 'known-issue').map((issue) => [issue] as const),
    ...route.hops.flatMap((hop, i) => hop.knownIssues.map((issue) => [issue, i + 1] as const)),
  ];
  const ids = [...new Set(met.map(([{ id }]) => id))];
  const rows = ids.map((id): Row => {
    const own = met.filter(([issue]) => issue.id === id);
    const [first] = own;
    const notKnown = notKnownOf(own.map(([issue]) => issue));
    const hops = [...new Set(own.flatMap(([, hop]) => hop ?? []))];
    return [
      firstOf([...new Set(own.map(([{ version }]) => version))], 3),
      hops.length === 0 ? '' : ` (${describeNumbers(hops).toLowerCase()})`,
      { text: id, mark: 'code' },
      first?.[0].summary ?? '',
      first?.[0].remedy ?? '',
      notKnown.length === 0 ? 'applies' : `may apply: ${notKnown.join(', ')} not known`,
    ];
  });
  const settling = notKnownOf(met.map(([issue]) => issue));
  return {
    blocks: [block(rows.length === 0 ? 'none' : number(rows.length), issueColumns, rows, { whole: true })],
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

const issueColumns: readonly Column[] = [
  { title: 'Release' },
  { title: 'Hops' },
  { title: 'Known issue', around: [': '] },
  { title: 'What goes wrong', around: [': '] },
  { title: 'What to do', around: [' To do: '] },
  { title: 'Whether it applies', around: [' It '] },
];

function variables(report: UpgradeReport): SectionBody {
  const { variablesSet, ofVariablesSet, changes, unrecognised, notReported } = report.config;
  const others = changes.filter((change) => !ofVariablesSet.includes(change));
  const found = ofVariablesSet.length;
  const nothing = reportsNothing(report, notReported, changes.length + unrecognised.length);
  const what = variablesSet === null ? 'variable' : 'other variable';
  const totals = `${countOf(others.length, what)} removed, renamed or with another default`;
  const { lead, notes } = leadOf(report, notReported, nothing ? null : totals);
  const newer = unrecognised.map(({ version, change }) => `${version}: ${JSON.stringify(change)}`);
  const totalsSet = `${number(found)} of the ${countOf(variablesSet ?? 0, 'variable')} that you set ${found === 1 ? 'is' : 'are'} changed`;
  return {
    blocks: compact<Block>(
      variablesSet !== null &&
        !nothing &&
        block(
          leadOf(report, notReported, totalsSet).lead,
          [...variableColumns, { title: 'What to change', around: [': '] }],
          ofVariablesSet.map((change) => [...variableCells(change), describeWhatToChange(change)]),
          { whole: true },
        ),
      block(lead, variableColumns, others.map(variableCells)),
      linesIfAny(`${countOf(newer.length, 'change')} of a kind newer than this lightspan`, newer),
    ),
    notes,
  };
}

const variableColumns: readonly Column[] = [{ title: 'Variable' }, { title: 'Came in', around: [', in '] }];

function variableCells(change: NetConfigChange): Row {
  return [describeNetChange(change), firstOf(change.versions, 3)];
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
  return {
    blocks: compact<Block>(
      block(lead, columnsOfMigrations, heavy.map(rowOfMigration)),
      others.length > 0 &&
        block(
          `${countOf(others.length, 'other')}, not known to be heavy`,
          columnsOfMigrations,
          others.map(rowOfMigration),
          { folded: heavy.length > 0 },
        ),
    ),
    notes,
  };
}

const weightMarks: Record<MigrationWeight, Mark> = { heavy: 'bad', 'may-be-heavy': 'warn', light: 'dim' };

function rowOfMigration(file: SpanMigration): Row {
  const [name, edition, tables, does] = migrationCells(file);
  const mark = weightMarks[weightOf(file)];
  return [file.version, { text: name, mark: 'code' }, edition, tables, { text: does, mark }];
}

function api(surface: SpanApiChanges, report: UpgradeReport): SectionBody {
  const { breakingCount, advisoryCount, breaking, advisories, unlisted, notReported } = surface;
  const { lead, notes } = leadOf(
    report,
    notReported,
    breakingCount === null || advisoryCount === null
      ? null
      : `${countOf(breakingCount, 'breaking change')}, ${countOf(advisoryCount, 'advisory', 'advisories')}, each release counted separately`,
  );
  const more = unlisted.map(({ version, breaking, advisories }) => {
    const counts = compact(
      breaking > 0 && countOf(breaking, 'breaking change'),
      advisories > 0 && countOf(advisories, 'advisory', 'advisories'),
    );
    return `${version} counts ${counts.join(' and ')} more than its artifact lists`;
  });
  return {
    blocks: compact<Block>(
      block(lead, changeColumns, breaking.map(changeCells)),
      linesIfAny(`${countOf(more.length, 'release')} with more than the artifact lists`, more, {
        folded: true,
      }),
      advisories.length > 0 &&
        block(
          `${countOf(advisories.length, 'advisory', 'advisories')}, not breaking`,
          changeColumns,
          advisories.map(changeCells),
          { folded: true },
        ),
    ),
    notes,
  };
}

const changeColumns: readonly Column[] = [{ title: 'Change' }, { title: 'Came in', around: [' (', ')'] }];

function changeCells({ text, versions }: ListedChange): Row {
  return [text, firstOf(versions, 3)];
}

function advisories(report: UpgradeReport): SectionBody {
  const declared = report.releases.flatMap(({ version, declaredAdvisories }) =>
    declaredAdvisories.map((advisory) => `${version}: ${describeAdvisory(advisory)}`),
  );
  const unread = report.releases.filter(({ artifact }) => artifact !== 'read').map(({ version }) => version);
  const nothing = reportsNothing(report, unread, declared.length);
  const { lead, notes } = leadOf(report, unread, nothing ? null : `${number(declared.length)} in all`);
  const meaning = declared.length === 0 ? [] : [`${sentence(advisoriesMeaning)}.`];
  return { blocks: [listBlock(lead, declared)], notes: [...meaning, ...notes] };
}

function artifacts({ releases, artifacts, span }: UpgradeReport): SectionBody {
  const { read, backfilled, notRead } = artifacts;
  const missing = releases
    .filter(({ artifact }) => artifact !== 'read' && artifact !== 'backfilled')
    .flatMap(({ disagreements }) => disagreements);
  const others = span.strategyContradictions;
  // The same failure is said once for each kind, with the first of each.
  const alike = [...new Set(missing.map(({ kind }) => kind))].map((kind) => {
    const [first, ...rest] = missing.filter((one) => one.kind === kind);
    if (first === undefined || rest.length === 0)
      return first === undefined ? '' : describeDisagreement(first);
    const versions = [first, ...rest].map(({ version }) => version);
    return `${countOf(versions.length, 'release')} (${firstOf(versions, 3)}): ${describeDispute(first)}`;
  });
  return {
    blocks: compact<Block>(
      block(`${number(read)} of ${countOf(releases.length, 'artifact')} read`),
      linesIfAny(`${number(notRead)} not read`, alike),
      missing.length > 1 && listBlock('each of them', missing.map(describeDisagreement), { folded: true }),
      linesIfAny(
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
  const read = new Set(releases.filter(({ artifact }) => artifact === 'read').map(({ version }) => version));
  const silent = notReported.filter((version) => read.has(version)).length;
  const unread = notReported.length - silent;
  const open = compact(
    unread > 0 &&
      `${number(unread)} of ${countOf(releases.length, 'release')} ${unread === 1 ? 'was' : 'were'} not read`,
    silent > 0 &&
      `${countOf(silent, 'artifact')} that ${silent === 1 ? 'was read does' : 'were read do'} not report it`,
    span.missingRanges.length > 0 && 'the index lacks releases of the span',
  );
  if (open.length === 0) return { lead: totals, notes: [] };
  return { lead: `at least ${totals}`, notes: [`${sentence(open.join(', '))}: there may be more.`] };
}

type How = Partial<Pick<TableBlock, 'folded' | 'dull' | 'whole'>>;

function block(
  lead: string,
  columns: readonly Column[] = [],
  rows: readonly Row[] = [],
  how: How = {},
): TableBlock {
  return { kind: 'table', lead, columns, rows, ...how };
}

function listBlock(lead: string, lines: readonly string[], how?: How): TableBlock {
  const { columns, rows } = linesOf(lines);
  return block(lead, columns, rows, how);
}

function linesIfAny(lead: string, lines: readonly string[], how?: How): TableBlock | false {
  return lines.length > 0 && listBlock(lead, lines, how);
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
    ...release.migrations.map(
      (migration) => `migration ${lineOf(migrationColumns, migrationCells(migration))}`,
    ),
    ...release.disagreements.filter((one) => artifacts.read > 0 || !isUnread(one)).map(describeDispute),
  ];
}

/** What is shown of a migration: its cells in a table, and how they are joined in a line. */
const migrationColumns: readonly Column[] = [
  { title: 'Migration' },
  { title: 'Edition', around: [' (', ')'] },
  { title: 'Tables', around: [' on '] },
  { title: 'What it does', around: [': '] },
];

const columnsOfMigrations: readonly Column[] = [
  { title: 'Release', around: ['', ': '] },
  ...migrationColumns,
];

function migrationCells(migration: SpanMigration) {
  const { name, edition, tables } = migration;
  const does = [
    ...effectsOf(migration, true),
    ...effectsOf(migration, 'unknown').map((effect) => `may ${effect.slice(0, -1)}`),
  ];
  return [
    name,
    edition,
    tables.length === 0 ? 'no table named' : tables.join(', '),
    does.length === 0 ? 'light' : does.join(', '),
  ] as const;
}

/** The findings of a preflight, in the words of `upgrade-preflight`. */
export function preflightSection(
  { result, decision, facts }: PreflightOfReport,
  hops: number,
): Pick<Section, 'blocks' | 'notes'> {
  const { counts, notAsked } = result;
  const groups = groupsOfPreflight(result);
  const open = groups.filter(({ status }) => status !== 'ok');
  const well = groups.filter(({ status }) => status === 'ok');
  return {
    blocks: compact<Block>(
      block(
        `${describeDecision(decision, result)}. ${describeCounts(counts)}`,
        [...foundColumns, { title: 'What to do', around: ['. To do: '] }],
        open.map((one) => [...foundCells(one), one.remedy?.text ?? '']),
        { whole: true },
      ),
      open.flatMap(toPaste),
      well.length > 0 &&
        block(
          countOf(counts.ok, 'check that found nothing', 'checks that found nothing'),
          foundColumns,
          well.map(foundCells),
          { folded: true },
        ),
    ),
    notes: compact(
      `Facts: ${printable(facts.source)}, collected ${facts.collectedAt} (${describeAge(facts.ageMs)}).`,
      counts['not-checked'] > 0 &&
        'Give upgrade-preflight what the checks that were not done need; --facts-out writes the facts again.',
      hops > 1 && `The route has ${hops} hops. ${manyHops}`,
      notAsked.length > 0 && `Not requested: ${notAsked.join(', ')}.`,
    ),
  };
}

const foundColumns: readonly Column[] = [
  { title: 'Status' },
  { title: 'Check', around: [' '] },
  { title: 'What was found', around: [': '] },
];

const marks: Record<FindingStatus, Mark> = {
  stop: 'bad',
  'not-checked': 'warn',
  warn: 'warn',
  ok: 'good',
};

function foundCells({ checks, status, label, description }: FoundGroup) {
  return [{ text: label, mark: marks[status] }, checks.join(', '), description] as const;
}
