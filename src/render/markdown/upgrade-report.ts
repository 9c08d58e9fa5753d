import type { UpgradeReport } from '../../release-safety/report.js';
import { hopTable } from '../hop-table.js';
import { clip, countOf, number } from '../phrase.js';
import { provenanceOf, type ReportDocument, shownHops } from '../report/document.js';
import { headOf } from '../report/head.js';
import { type Column, lineOf, type ReleasesBlock, type Row, type Section } from '../report/section.js';
import { sectionsOf } from '../report/sections.js';
import type { ShownHop } from '../shown-route.js';
import { capped } from '../words/lists.js';
import { releaseStatusWords } from '../words/release-status.js';
import { goesNoFurther } from '../words/route.js';
import { escapeMarkdown } from './escape.js';
import { renderMarkdownTable } from './table.js';

/** A comment on GitHub has at most 65,536 characters, and nobody reads more than this there. */
const mostBytes = 60_000;

/** Longer texts from outside are cut here: the JSON of the report has them whole. */
const longest = 300;

/** Longer routes are drawn up to this hop: a diagram of more is no help. */
const mostHops = 30;

/**
 * The report for a pull request or a change ticket, at most 60 kB. The answers and the route are always present. Every
 * section below them has as many lines as there is room for, and the number of those left out.
 */
export function renderUpgradeReportMarkdown(document: ReportDocument): string {
  const head = renderHead(document);
  const foot = renderFoot(document);
  const folds = sectionsOf(document).map(foldOf);
  const fixed = [head, ...folds.map((fold) => renderFold(fold, 0, document)), foot];
  const shown = shareOut(
    mostBytes - sizeOf(fixed.join('')),
    folds.map(({ lines }) => lines),
  );
  return [head, ...folds.map((fold, i) => renderFold(fold, shown[i] ?? 0, document)), foot].join('');
}

function renderHead(document: ReportDocument): string {
  const { report } = document;
  const { safe, fromVersion, route, blockedBy } = report;
  const { target, verdict, warnings, answers, downtime, notesOfHops, ofHops, next } = headOf(document);
  const lines = [
    `## ${safe ? '✅' : '❌'} Upgrade report: ${fromVersion} → ${target}`,
    '',
    `**${verdict}**, ${countOf(report.releases.length, 'release')}`,
    '',
    ...warnings.flatMap((line) => [`> ${escapeMarkdown(line)}`, '']),
    ...answers.flatMap(({ question, answer, why }) => [
      `- **${question}: ${answer}**`,
      ...capped(why).map((line) => `  - ${escapeMarkdown(clip(line, longest))}`),
    ]),
    '',
    `**Next:** ${escapeMarkdown(next)}`,
    ...(route.hops.length === 0
      ? []
      : [
          ...['', ...renderDiagram(report), '', ...renderHops(shownHops(document))],
          ...goesNoFurther(blockedBy).flatMap((line) => ['', escapeMarkdown(line)]),
          '',
          ...[
            ...capped(notesOfHops, mostHops).map((line) => clip(line, longest)),
            ...(downtime === undefined ? [] : [`Downtime: ${downtime}.`]),
            ...capped(ofHops, mostHops),
          ].map((line) => `- ${escapeMarkdown(line)}`),
        ]),
    '',
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** It contains only versions, numbers and our own words. */
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

function renderHops(all: readonly ShownHop[]): string[] {
  const hops = all.slice(0, mostHops);
  const more = all.length - hops.length;
  return [
    ...renderMarkdownTable(hopTable(hops)),
    ...(more === 0 ? [] : ['', `And ${countOf(more, 'hop')} more, not shown here.`]),
  ];
}

/** A collapsed section. */
interface Fold {
  readonly summary: string;
  readonly notes: readonly string[];
  /** Escaped, each with its line break: what does not fit is cut at the end. */
  readonly lines: readonly string[];
}

function foldOf({ title, blocks, notes }: Section): Fold {
  const parts = blocks.map((block) =>
    block.kind === 'releases'
      ? partOfReleases(block)
      : { lead: block.lead, lines: block.rows.map((row) => itemOfRow(block.columns, row)) },
  );
  return {
    summary: escapeMarkdown(`${title}: ${parts[0]?.lead ?? ''}`),
    notes,
    lines: parts.flatMap(({ lead, lines: [first, ...others] }, i) => {
      const heading = i === 0 ? '' : `\n**${escapeMarkdown(lead)}${first === undefined ? '' : ':'}**\n\n`;
      return [`${heading}${first ?? ''}`, ...others].filter((line) => line !== '');
    }),
  };
}

/** If releases are many and all alike, only those with more to say are listed. */
function partOfReleases({ status, releases }: ReleasesBlock) {
  const { label, brief } = releaseStatusWords[status];
  const alike = status === 'proven' || status === 'unknown-backfilled';
  const ends = [releases[0], releases.at(-1)].map((one) => one?.release.version);
  return {
    lead: `${number(releases.length)} ${label} (${brief})${alike ? `, from ${ends.join(' to ')}` : ''}`,
    lines: releases
      .filter(({ why }) => !alike || why.length > 0)
      .map(({ release, why }) =>
        [
          item(`${release.version}: ${label}`),
          ...capped(why).map((line) => `  ${item(clip(line, longest))}`),
        ].join(''),
      ),
  };
}

function renderFold({ summary, notes, lines }: Fold, shown: number, { report }: ReportDocument): string {
  const cut = lines.length - shown;
  return [
    `<details><summary>${summary}</summary>\n\n`,
    ...notes.map((note) => `> ${escapeMarkdown(note)}\n\n`),
    ...lines.slice(0, shown),
    ...(cut === 0
      ? []
      : [
          `\n**${number(cut)} more ${cut === 1 ? 'is' : 'are'} left out here**, because this is cut at 60 kB: \`lightspan upgrade-report --from ${report.fromVersion} --to ${report.toVersion} --format html\` shows all.\n`,
        ]),
    '\n</details>\n\n',
  ].join('');
}

function renderFoot(document: ReportDocument): string {
  const facts = provenanceOf(document).map(([name, fact]) => escapeMarkdown(`${name}: ${fact}.`));
  return `<sub>${facts.join(' ')} Anything not proven counts as unsafe.</sub>\n`;
}

/** Text to be pasted is unchanged, in a code span that nothing in it ends. */
function itemOfRow(columns: readonly Column[], row: Row): string {
  const [first] = row;
  if (row.length > 1 || typeof first !== 'object' || first.mark !== 'code') {
    return item(lineOf(columns, row, longest));
  }
  const { text } = first;
  const longestTicks = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const mark = '`'.repeat(longestTicks + 1);
  const space = longestTicks > 0 ? ' ' : '';
  return `- ${mark}${space}${text}${space}${mark}\n`;
}

function item(text: string): string {
  return `- ${escapeMarkdown(text)}\n`;
}

/** How many lines of each list are shown: the lists take one line in turn, as long as there is room. */
function shareOut(room: number, lists: readonly (readonly string[])[]): number[] {
  const shown = lists.map(() => 0);
  let left = room;
  for (let before = left + 1; left < before; ) {
    before = left;
    for (const [i, lines] of lists.entries()) {
      const done = shown[i] ?? 0;
      const size = sizeOf(lines[done] ?? '');
      if (size === 0 || size > left) continue;
      left -= size;
      shown[i] = done + 1;
    }
  }
  return shown;
}

function sizeOf(text: string): number {
  return Buffer.byteLength(text);
}
