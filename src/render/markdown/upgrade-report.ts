import type { SpanApiChanges } from '../../release-safety/api-changes.js';
import { standings, type UpgradeReport } from '../../release-safety/report.js';
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
  sentence,
  standingWords,
  tellAdvisories,
  tellApi,
  tellConfig,
  tellMigrations,
  tellVariablesSet,
} from '../report/words.js';
import { describeAge } from '../words/age.js';
import { describeDisagreement } from '../words/disagreements.js';
import { capped } from '../words/lists.js';
import { describeBlock, describeHole, describeLanding } from '../words/reasons.js';
import { advisoriesMeaning } from '../words/release.js';
import { escapeMarkdown } from './escape.js';

/** A comment on GitHub holds 65,536 characters, and more than this is not read there. */
const mostBytes = 60_000;

/** Longer texts from outside are cut here: the JSON of the report has them whole. */
const longest = 300;

/** Longer routes are drawn to here: a diagram of more is no help. */
const mostHops = 30;

/**
 * The report for a pull request or a change ticket, at most 60 kB: the answers and the route are always there, and of
 * each matter below them as many lines as there is room for, with the number of those left out.
 */
export function renderUpgradeReportMarkdown(document: ReportDocument): string {
  const { report } = document;
  const head = renderHead(report);
  const sections = sectionsOf(report);
  const foot = renderFoot(document);
  const fixed = sections.map((section) => sizeOf(renderSection(section, 0, document)));
  const room = mostBytes - sizeOf(head) - sizeOf(foot) - sum(fixed);
  const shares = shareOut(
    room,
    sections.map(({ lines }) => sum(lines.map(sizeOf))),
  );
  const body = sections.map((section, i) =>
    renderSection(section, countFitting(section.lines, shares[i] ?? 0), document),
  );
  return [head, ...body, foot].join('');
}

function renderHead(report: UpgradeReport): string {
  const { safe, fromVersion, route, blockedBy } = report;
  const lines = [
    `## ${safe ? '✅' : '❌'} Upgrade report: ${fromVersion} → ${describeTarget(report)}`,
    '',
    `**${describeVerdict(report)}**, ${countOf(report.releases.length, 'release')}`,
    '',
    ...describeNothingRead(report).flatMap((line) => [`> ${escapeMarkdown(line)}`, '']),
    ...answersOf(report).flatMap(({ question, answer, why }) => [
      `- **${question}: ${answer}**`,
      ...capped(why).map((line) => `  - ${escapeMarkdown(clip(line, longest))}`),
    ]),
    '',
    `**Next:** ${escapeMarkdown(describeNext(report))}`,
    ...(route.hops.length === 0 ? [] : ['', ...renderDiagram(report), '', ...renderHops(report)]),
    ...(blockedBy === null || route.hops.length === 0
      ? []
      : ['', `It goes no further: ${escapeMarkdown(describeBlock(blockedBy))}`]),
    '',
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** Only versions, numbers and words of ours stand in it. */
function renderDiagram({ route, fromVersion }: UpgradeReport): string[] {
  const hops = route.hops.slice(0, mostHops);
  return [
    '```mermaid',
    'flowchart LR',
    `  v0(["${fromVersion}"])`,
    ...hops.map(({ strategy, certified, releases, toVersion }, i) => {
      const rolling = strategy === 'RollingUpdate';
      const label = `${strategy}${certified ? '' : ', not certified'}, ${countOf(releases.length, 'release')}`;
      const line = rolling ? `-->|"${label}"|` : `-.->|"${label}"|`;
      return `  v${i} ${line} v${i + 1}(["${toVersion}"])`;
    }),
    ...(route.hops.length > hops.length
      ? [`  v${hops.length} -.- more["${number(route.hops.length - hops.length)} more hops"]`]
      : []),
    '```',
  ];
}

function renderHops({ route }: UpgradeReport): string[] {
  const hops = route.hops.slice(0, mostHops);
  const more = route.hops.length - hops.length;
  return [
    '| Hop | From | To | Strategy | Releases | Unsafe | Unknown | Lands there as |',
    '| ---: | --- | --- | --- | ---: | ---: | ---: | --- |',
    ...hops.map((hop, i) =>
      [
        '',
        i + 1,
        hop.fromVersion,
        hop.toVersion,
        hop.certified ? hop.strategy : `${hop.strategy}, **not certified**`,
        number(hop.releases.length),
        number(hop.unsafeVersions.length),
        number(hop.unknownVersions.length),
        escapeMarkdown(describeLanding(hop)),
        '',
      ]
        .join(' | ')
        .trim(),
    ),
    ...(more === 0 ? [] : ['', `And ${countOf(more, 'hop')} more, not shown here.`]),
  ];
}

/** One matter, collapsed until it is asked for. */
interface Section {
  readonly summary: string;
  /** Always shown. */
  readonly notes: readonly string[];
  /** Escaped, each with its line break; the weightiest first, for what does not fit is cut at the end. */
  readonly lines: readonly string[];
}

function sectionsOf(report: UpgradeReport): Section[] {
  const { api } = report;
  return [
    releasesSection(report),
    configSection(report),
    migrationsSection(report),
    apiSection('REST API', api.rest, report),
    apiSection('MCP tools', api.mcp, report),
    advisoriesSection(report),
    artifactsSection(report),
  ];
}

function releasesSection(report: UpgradeReport): Section {
  const { releases, counts, span } = report;
  const tally = standings
    .filter((standing) => counts[standing] > 0)
    .map((standing) => `${number(counts[standing])} ${standingWords[standing].label}`);
  const backfilled = releases.filter(({ standing }) => standing === 'unknown-backfilled');
  const others = standings
    .filter((standing) => standing !== 'proven' && standing !== 'unknown-backfilled')
    .flatMap((standing) => releases.filter((release) => release.standing === standing))
    .concat(
      releases.filter((release) => release.standing === 'proven' && describeWhy(release, report).length > 0),
    );
  return {
    summary: `Releases: ${tally.length === 0 ? 'none' : tally.join(', ')}`,
    notes:
      backfilled.length === 0
        ? []
        : [
            `${countOf(backfilled.length, 'release')} unknown, backfilled: from ${backfilled[0]?.version} to ${backfilled.at(-1)?.version}, all that are neither proven nor listed here.`,
          ],
    lines: [
      ...span.missingRanges.map((range) => item(describeHole(range))),
      ...others.map((release) =>
        [
          item(`${release.version}: ${standingWords[release.standing].label}`),
          ...capped(describeWhy(release, report)).map((why) => `  ${item(why)}`),
        ].join(''),
      ),
    ],
  };
}

function configSection(report: UpgradeReport): Section {
  const { ofVariablesSet, changes, unrecognised } = report.config;
  const others = changes.filter((change) => !ofVariablesSet.includes(change));
  const set = tellVariablesSet(report);
  const { totals, note } = tellConfig(report);
  return {
    summary: `Environment variables: ${set === undefined ? totals : `${set}; ${totals}`}`,
    notes: notesOf(note),
    lines: [
      ...ofVariablesSet.map((change) =>
        item(
          `you set it: ${describeNetChange(change)}, in ${describeVersions(change.versions)}: ${describeWhatToChange(change)}`,
        ),
      ),
      ...others.map((change) =>
        item(`${describeNetChange(change)}, in ${describeVersions(change.versions)}`),
      ),
      ...unrecognised.map(({ version, change }) =>
        item(`${version}: a change of a kind newer than this lightspan: ${JSON.stringify(change)}`),
      ),
    ],
  };
}

function migrationsSection(report: UpgradeReport): Section {
  const { totals, note } = tellMigrations(report);
  return {
    summary: `Migrations: ${totals}`,
    notes: notesOf(note),
    lines: report.migrations.files.map((file) => item(`${file.version}: ${describeMigration(file)}`)),
  };
}

function apiSection(name: string, surface: SpanApiChanges, report: UpgradeReport): Section {
  const { totals, note } = tellApi(report, surface);
  const line = (kind: string) => (change: SpanApiChanges['breaking'][number]) =>
    item(`${kind}${clip(change.text, longest - 60)} (${describeVersions(change.versions)})`);
  return {
    summary: `${name}: ${totals}`,
    notes: notesOf(note),
    lines: [
      ...surface.breaking.map(line('')),
      ...describeUnlisted(surface).map(item),
      ...surface.advisories.map(line('advisory: ')),
    ],
  };
}

function advisoriesSection(report: UpgradeReport): Section {
  const { totals, note } = tellAdvisories(report);
  return {
    summary: `Declared advisories: ${totals}`,
    notes: [sentence(advisoriesMeaning), ...notesOf(note)],
    lines: describeAdvisories(report.releases).map(item),
  };
}

function artifactsSection({ releases, span }: UpgradeReport): Section {
  const backfilled = releases.filter(({ artifact }) => artifact === 'backfilled').length;
  const without = releases.filter(({ artifact }) => artifact !== 'backfilled' && artifact !== 'read');
  return {
    summary: `Without an artifact: ${number(backfilled + without.length)} of ${countOf(releases.length, 'release')}`,
    notes: backfilled === 0 ? [] : [`${countOf(backfilled, 'release')} ${artifactWords.backfilled}.`],
    lines: [
      ...without.flatMap(({ disagreements, version, artifact }) =>
        disagreements.length > 0
          ? disagreements.map((disagreement) => item(describeDisagreement(disagreement)))
          : item(`${version}: ${artifact === 'read' ? '' : artifactWords[artifact]}`),
      ),
      ...span.strategyContradictions.map((version) =>
        item(
          `${version}: its artifact recommends another strategy than its verdict means; the verdict counts`,
        ),
      ),
    ],
  };
}

function renderSection(
  { summary, notes, lines }: Section,
  shown: number,
  { report }: ReportDocument,
): string {
  const cut = lines.length - shown;
  return [
    `<details><summary>${summary}</summary>\n\n`,
    ...notes.map((note) => `> ${escapeMarkdown(note)}\n\n`),
    ...lines.slice(0, shown),
    ...(cut === 0
      ? []
      : [
          `\n**${number(cut)} more ${cut === 1 ? 'is' : 'are'} left out here**, for this is cut at 60 kB: \`lightspan upgrade-report --from ${report.fromVersion} --to ${report.toVersion} --format html\` shows all.\n`,
        ]),
    '\n</details>\n\n',
  ].join('');
}

function renderFoot({ index, madeAt, madeBy }: ReportDocument): string {
  const age = describeAge(madeAt.getTime() - Date.parse(index.generatedAt));
  const source = escapeMarkdown(clip(index.source, longest));
  return `<sub>Index ${source}, generated ${index.generatedAt} (${age}), SHA-256 ${index.sha256}. Made ${madeAt.toISOString()} by ${madeBy}. What is not proven counts as unsafe.</sub>\n`;
}

function item(text: string): string {
  return `- ${escapeMarkdown(clip(text, longest))}\n`;
}

function notesOf(note: string | undefined): string[] {
  return note === undefined ? [] : [note];
}

/** Shares room out so that what needs little has all of it, and the rest have equal parts. */
function shareOut(room: number, needs: readonly number[]): number[] {
  const shares = needs.map(() => 0);
  let left = room;
  const byNeed = needs.map((need, i) => ({ need, i })).sort((a, b) => a.need - b.need);
  for (const [done, { need, i }] of byNeed.entries()) {
    const share = Math.max(0, Math.min(need, Math.floor(left / (byNeed.length - done))));
    shares[i] = share;
    left -= share;
  }
  return shares;
}

function countFitting(lines: readonly string[], room: number): number {
  let used = 0;
  const first = lines.findIndex((line) => {
    used += sizeOf(line);
    return used > room;
  });
  return first === -1 ? lines.length : first;
}

const encoder = new TextEncoder();

function sizeOf(text: string): number {
  return encoder.encode(text).byteLength;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}
