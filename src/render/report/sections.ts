import type { ListedChange, SpanApiChanges } from '../../release-safety/api-changes.js';
import type { NetConfigChange } from '../../release-safety/config-changes.js';
import type { ReleaseStatus } from '../../release-safety/kinds.js';
import { reportsNothing, type UpgradeReport } from '../../release-safety/report.js';
import { type MigrationWeight, type SpanMigration, weightOf } from '../../release-safety/span-migrations.js';
import type { Version } from '../../release-safety/version.js';
import { countOf, number, sentence } from '../phrase.js';
import { describeNetChange, describeWhatToChange } from '../words/config-changes.js';
import { describeDisagreement, noneWasPublished } from '../words/disagreements.js';
import { describeLeftOut, type LeftOut } from '../words/left-out.js';
import { firstOf } from '../words/lists.js';
import { describeHole, reasonsOfKind } from '../words/reasons.js';
import { advisoriesMeaning, describeAdvisory } from '../words/release.js';
import { releaseStatusWords } from '../words/release-status.js';
import type { ReportDocument } from './document.js';
import { preflightSection } from './preflight-section.js';
import { describeWhy, migrationCells, migrationColumns } from './releases.js';
import {
  type Block,
  type Column,
  linesOf,
  type Mark,
  type Row,
  type Section,
  type Table,
  type TableBlock,
} from './section.js';

/** Every section is present, even if it has nothing to list: nothing is left out silently. */
export function sectionsOf({
  report,
  preflight,
  acceptedIssues = [],
  replacedIssues = [],
}: Pick<ReportDocument, 'report' | 'preflight' | 'acceptedIssues' | 'replacedIssues'>): Section[] {
  const { rest, mcp } = report.api;
  return [
    ...(preflight === undefined
      ? []
      : [{ id: 'preflight', title: 'Preflight', ...preflightSection(preflight, report.route.hops.length) }]),
    { id: 'releases', title: 'Releases', ...releases(report) },
    {
      id: 'known-issues',
      title: 'Known issues',
      ...knownIssues(report, { publisherOnly: report.publisherOnly, acceptedIssues, replacedIssues }),
    },
    { id: 'variables', title: 'Environment variables', ...variables(report) },
    { id: 'migrations', title: 'Migrations', ...migrations(report) },
    { id: 'rest', title: 'REST API', ...api(rest, report) },
    { id: 'mcp', title: 'MCP tools', ...api(mcp, report) },
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
  const ofStatus = (status: ReleaseStatus): Block => ({
    kind: 'releases',
    status,
    releases: report.releases
      .filter((release) => release.standing === status)
      .map((release) => ({ release, why: describeWhy(release, report) })),
  });
  return {
    blocks: [
      block(tally.join('; ') || 'none'),
      ...blockOfSome('not covered', linesOf(span.missingRanges.map(describeHole))),
      ...present.map(ofStatus),
    ],
    notes: [],
  };
}

/** The known issues of the span, and those that the route meets and the span does not. */
function knownIssues({ span, route }: UpgradeReport, leftOut: LeftOut): SectionBody {
  if (leftOut.publisherOnly) return { blocks: [block('left out: only the publisher was asked')], notes: [] };
  const met = [
    ...reasonsOfKind(span.reasons, 'known-issue'),
    ...route.hops.flatMap((hop) => hop.knownIssues),
  ];
  const issues = [...new Map(met.map((issue) => [`${issue.id} ${issue.version}`, issue])).values()];
  const mayApply = issues.filter(({ notKnown }) => notKnown.length > 0);
  const settling = [...new Set(mayApply.flatMap(({ notKnown }) => notKnown))];
  const rows = issues.map(
    ({ version, id, summary, remedy, notKnown }): Row => [
      version,
      { text: id, mark: 'code' },
      summary,
      remedy,
      notKnown.length === 0 ? 'applies' : `may apply: ${notKnown.join(', ')} not known`,
    ],
  );
  return {
    blocks: [
      block(
        issues.length === 0 ? 'none' : number(issues.length),
        { columns: issueColumns, rows },
        { whole: true },
      ),
    ],
    notes: [
      ...(mayApply.length === 0
        ? []
        : [
            `A known issue that may apply counts as applying. These facts would settle it (--fact, --facts): ${settling.join(', ')}.`,
          ]),
      ...describeLeftOut(leftOut),
    ],
  };
}

const issueColumns: readonly Column[] = [
  { title: 'Release', around: ['', ': '] },
  { title: 'Known issue' },
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
  const set = () => {
    if (variablesSet === null || nothing) return [];
    const totalsSet = `${number(found)} of the ${countOf(variablesSet, 'variable')} that you set ${found === 1 ? 'is' : 'are'} changed`;
    const columns = [...variableColumns, { title: 'What to change', around: [': '] as const }];
    const rows = ofVariablesSet.map((change) => [...variableCells(change), describeWhatToChange(change)]);
    return [block(leadOf(report, notReported, totalsSet).lead, { columns, rows }, { whole: true })];
  };
  return {
    blocks: [
      ...set(),
      block(lead, { columns: variableColumns, rows: others.map(variableCells) }),
      ...blockOfSome(
        `${countOf(newer.length, 'change')} of a kind newer than this lightspan`,
        linesOf(newer),
      ),
    ],
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
    blocks: [
      block(lead, tableOfMigrations(heavy)),
      ...blockOfSome(`${countOf(others.length, 'other')}, not known to be heavy`, tableOfMigrations(others), {
        folded: heavy.length > 0,
      }),
    ],
    notes,
  };
}

const weightMarks: Record<MigrationWeight, Mark> = { heavy: 'bad', 'may-be-heavy': 'warn', light: 'dim' };

function tableOfMigrations(files: readonly SpanMigration[]): Table {
  return {
    columns: [{ title: 'Release', around: ['', ': '] }, ...migrationColumns],
    rows: files.map((file) => {
      const [name, edition, tables, does] = migrationCells(file);
      const mark = weightMarks[weightOf(file)];
      return [file.version, { text: name, mark: 'code' }, edition, tables, { text: does, mark }];
    }),
  };
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
    const counts = [
      breaking > 0 && countOf(breaking, 'breaking change'),
      advisories > 0 && countOf(advisories, 'advisory', 'advisories'),
    ];
    return `${version} counts ${counts.filter((one) => one !== false).join(' and ')} more than its artifact lists`;
  });
  return {
    blocks: [
      block(lead, tableOfChanges(breaking)),
      ...blockOfSome(`${countOf(more.length, 'release')} with more than the artifact lists`, linesOf(more), {
        folded: true,
      }),
      ...blockOfSome(
        `${countOf(advisories.length, 'advisory', 'advisories')}, not breaking`,
        tableOfChanges(advisories),
        { folded: true },
      ),
    ],
    notes,
  };
}

function tableOfChanges(changes: readonly ListedChange[]): Table {
  return {
    columns: [{ title: 'Change' }, { title: 'Came in', around: [' (', ')'] }],
    rows: changes.map(({ text, versions }) => [text, firstOf(versions, 3)]),
  };
}

function advisories(report: UpgradeReport): SectionBody {
  const declared = report.releases.flatMap(({ version, declaredAdvisories }) =>
    declaredAdvisories.map((advisory) => `${version}: ${describeAdvisory(advisory)}`),
  );
  const unread = report.releases.filter(({ artifact }) => artifact !== 'read').map(({ version }) => version);
  const nothing = reportsNothing(report, unread, declared.length);
  const { lead, notes } = leadOf(report, unread, nothing ? null : `${number(declared.length)} in all`);
  return { blocks: [block(lead, linesOf(declared))], notes: [`${sentence(advisoriesMeaning)}.`, ...notes] };
}

function artifacts({ releases, artifacts, span }: UpgradeReport): SectionBody {
  const { read, backfilled, notRead } = artifacts;
  const missing = releases
    .filter(({ artifact }) => artifact !== 'read' && artifact !== 'backfilled')
    .flatMap(({ disagreements }) => disagreements.map(describeDisagreement));
  const others = span.strategyContradictions;
  return {
    blocks: [
      block(`${number(read)} of ${countOf(releases.length, 'artifact')} read`),
      ...blockOfSome(`${number(notRead)} not read`, linesOf(missing), { folded: notRead > 10 }),
      ...blockOfSome(
        `${countOf(others.length, 'artifact')} whose strategy differs from the verdict, which counts`,
        linesOf(others),
      ),
    ],
    notes: backfilled === 0 ? [] : [`${countOf(backfilled, 'release')} ${noneWasPublished}.`],
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
  const open = [
    unread > 0 &&
      `${number(unread)} of ${countOf(releases.length, 'release')} ${unread === 1 ? 'was' : 'were'} not read`,
    silent > 0 &&
      `${countOf(silent, 'artifact')} that ${silent === 1 ? 'was read does' : 'were read do'} not report it`,
    span.missingRanges.length > 0 && 'the index lacks releases of the span',
  ].filter((one) => one !== false);
  if (open.length === 0) return { lead: totals, notes: [] };
  return { lead: `at least ${totals}`, notes: [`${sentence(open.join(', '))}: there may be more.`] };
}

function block(
  lead: string,
  table: Table = linesOf([]),
  how: Pick<TableBlock, 'folded' | 'whole'> = {},
): TableBlock {
  return { kind: 'table', lead, ...table, ...how };
}

/** Empty if there is nothing to list. */
function blockOfSome(lead: string, table: Table, how?: Pick<TableBlock, 'folded'>): TableBlock[] {
  return table.rows.length === 0 ? [] : [block(lead, table, how)];
}
