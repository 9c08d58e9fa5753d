import { createHash } from 'node:crypto';
import { releaseStatuses } from '../../release-safety/kinds.js';
import type { ReportedRelease, UpgradeReport } from '../../release-safety/report.js';
import { hopTable } from '../hop-table.js';
import { plainPalette } from '../palette.js';
import { clip, countOf, number, sentence } from '../phrase.js';
import { provenanceOf, type ReportDocument, shownHops } from '../report/document.js';
import { type Head, headOf } from '../report/head.js';
import {
  type Cell,
  linesOf,
  type ReleasesBlock,
  type Section,
  type Table,
  type TableBlock,
} from '../report/section.js';
import { sectionsOf } from '../report/sections.js';
import type { Answer } from '../words/questions.js';
import { describeBlock } from '../words/reasons.js';
import { releaseStatusWords } from '../words/release-status.js';
import { describeRoute, goesNoFurther } from '../words/route.js';
import { html, Markup } from './markup.js';
import { script } from './report-script.js';
import { style } from './report-style.js';
import { renderLegend, renderTimeline, short } from './timeline.js';

/** Longer texts from outside are cut here: the JSON of the report has them whole. */
const longest = 2000;

/**
 * The report as one self-contained page: it makes no requests, and its own content security policy forbids them.
 * Without scripts everything can be read; with them the releases can be searched.
 */
export function renderUpgradeReportHtml(document: ReportDocument): string {
  const { report } = document;
  const { fromVersion, safe } = report;
  const head = headOf(document);
  const { target, verdict, warnings, answers } = head;
  const title = `Upgrade report: ${fromVersion} → ${target}`;
  const parts = partsOf(document, head);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${sha256(style)}'; script-src 'sha256-${sha256(script)}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}, ${verdict}</title>
${new Markup(`<style>${style}</style>`)}
</head>
<body>
<header>
<p class="over">Lightdash upgrade report</p>
<h1>${fromVersion} <span>\u2192</span> ${target}</h1>
<p><span class="verdict ${safe ? 'yes' : 'no'}">${verdict}</span> ${describeSpan(report)}</p>
${renderWarnings(warnings)}<nav aria-label="Sections"><ul>${parts.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
</header>
<main>
<div class="answers">${answers.map(renderAnswer)}${renderNext(report, head)}</div>
${parts.map(({ id, title, body }) => html`<section id="${id}" aria-labelledby="h-${id}"><h2 id="h-${id}">${title}</h2>${body}</section>\n`)}
</main>
${renderFooter(document)}
${new Markup(`<script>${script}</script>`)}
</body>
</html>
`.text;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

function renderWarnings(lines: Head['warnings']): Markup | undefined {
  return lines.length === 0
    ? undefined
    : html`<div class="notice">${lines.map((line) => html`<p>${prose(line)}</p>`)}</div>\n`;
}

function describeSpan({ releases }: UpgradeReport): Markup {
  const first = releases[0];
  const last = releases.at(-1);
  if (first === undefined || last === undefined) return html`no release of the span is in the index`;
  return html`${countOf(releases.length, 'release')}, ${day(first.releaseDate)} to ${day(last.releaseDate)}`;
}

function day(date: string): Markup {
  return html`<time datetime="${date}">${date.slice(0, 10)}</time>`;
}

function renderAnswer({ question, answer, why }: Answer): Markup {
  return html`<section class="${answer === 'yes' ? 'yes' : 'no'}"><h2>${question}</h2><strong>${sentence(answer)}</strong>${list(why)}</section>`;
}

function renderNext({ route }: UpgradeReport, { next }: Head): Markup {
  const blocked =
    route.blockedBy === null ? undefined : html`<p>${sentence(describeBlock(route.blockedBy))}.</p>`;
  return html`<section class="plain"><h2>Route</h2><strong>${sentence(describeRoute(route, plainPalette))}</strong>${blocked}<p><b>Next:</b> ${next}</p></section>`;
}

interface Part extends Pick<Section, 'id' | 'title'> {
  readonly body: Markup;
}

/** The sections of the report, and the two that are drawn. */
function partsOf(document: ReportDocument, head: Head): Part[] {
  const { report } = document;
  const { route, releases, span, safe } = report;
  const parts = sectionsOf(document).map((section) => ({ ...section, body: renderSection(section, report) }));
  const all = parts.filter(({ id }) => id === 'releases');
  return [
    ...parts.filter(({ id }) => id === 'preflight'),
    // If the answer is no, the releases that make it one come first.
    ...(safe ? [] : all),
    ...(route.hops.length === 0 ? [] : [{ id: 'route', title: 'Route', body: renderRoute(document, head) }]),
    ...(releases.length === 0 && span.missingRanges.length === 0
      ? []
      : [
          {
            id: 'timeline',
            title: 'Timeline',
            body: html`<p class="soft">One mark per release, oldest first, month by month. A cross stands for all releases missing from the index there.</p>${renderLegend(report)}${renderTimeline(report)}`,
          },
        ]),
    ...parts.filter(({ id }) => id !== 'releases' && id !== 'preflight'),
    ...(safe ? all : []),
  ];
}

function renderRoute(document: ReportDocument, { downtime, notesOfHops, ofHops }: Head): Markup {
  const lines = [...notesOfHops, ...(downtime === undefined ? [] : [`Downtime: ${downtime}.`]), ...ofHops];
  return html`${renderTable(hopTable(shownHops(document)))}${goesNoFurther(document.report.blockedBy).map(note)}${list(lines)}`;
}

function renderSection({ id, blocks, notes }: Section, report: UpgradeReport): Markup {
  const filter = id === 'releases' ? renderFilter(report) : undefined;
  const groups = blocks.flatMap((block) => (block.kind === 'releases' ? renderGroup(block) : []));
  const tables = blocks.flatMap((block) => (block.kind === 'table' ? [block] : []));
  return html`${tables.map(renderBlock)}${filter}${groups}${notes.map(note)}`;
}

function renderBlock({ lead, folded, ...table }: TableBlock, i: number): Markup {
  const body = table.rows.length === 0 ? undefined : renderTable(table);
  if (folded === true) return html`<details><summary>${sentence(lead)}</summary>${body}</details>`;
  return i === 0 ? html`<p>${sentence(lead)}.</p>${body}` : html`<h3>${sentence(lead)}</h3>${body}`;
}

function renderFilter({ counts }: UpgradeReport): Markup {
  return html`<fieldset class="filter"><legend class="soft">Show</legend>${releaseStatuses
    .filter((status) => counts[status] > 0)
    .map(
      (status) =>
        html`<label><input type="checkbox" id="show-${short[status]}" value="${short[status]}" checked autocomplete="off"> ${releaseStatusWords[status].label} (${number(counts[status])})</label>`,
    )}<label hidden>Search <input type="search" id="search" placeholder="version, table, reason" autocomplete="off"></label><output id="count" class="soft" aria-live="polite"></output></fieldset>
`;
}

/** Longer lists are folded, but never unsafe releases. */
const mostUnfolded = 30;

function renderGroup({ status, releases }: ReleasesBlock): Markup {
  const { label, brief } = releaseStatusWords[status];
  const title = html`${number(releases.length)} ${label} <span class="soft">${brief}</span>`;
  const rows = html`<table><colgroup><col><col><col></colgroup><thead><tr><th scope="col">Release</th><th scope="col">Hop</th><th scope="col">Status, and why</th></tr></thead><tbody>
${releases.map(({ release, why }) => renderRelease(release, why))}</tbody></table>`;
  const folded = status !== 'unsafe' && releases.length > mostUnfolded;
  return html`<div class="group" id="g-${short[status]}">${
    folded ? html`<details><summary>${title}</summary>${rows}</details>` : html`<h3>${title}</h3>${rows}`
  }</div>
`;
}

function renderRelease(
  { version, releaseDate, standing: status, hop, requiredStop }: ReportedRelease,
  why: readonly string[],
): Markup {
  return html`<tr id="r-${version}" class="${short[status]}"><th scope="row">${version} <small>${releaseDate.slice(0, 10)}</small></th><td>${hop ?? ''}</td><td>${releaseStatusWords[status].label}${
    requiredStop ? ', required stop' : undefined
  }${list(why)}</td></tr>
`;
}

function renderFooter(document: ReportDocument): Markup {
  const facts = provenanceOf(document).map(([name, fact]) => html`<dt>${name}</dt><dd>${fact}</dd>`);
  return html`<footer><dl>${facts}</dl><p>${
    document.report.safe
      ? 'Every release of the span is proven by the index, and no artifact that was read contradicts it.'
      : 'Anything not proven counts as unsafe: unknown is never a yes.'
  } Release-safety data is in beta and may change.</p></footer>`;
}

function renderTable({ columns, rows }: Table): Markup {
  if (columns.length === 1)
    return html`<ul>${rows.map(([cell = '']) => html`<li>${renderCell(cell)}</li>`)}</ul>`;
  return html`<div class="scroll"><table><thead><tr>${columns.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead><tbody>${rows.map(
    (row) =>
      html`<tr>${row.map((cell, i) => html`<td data-column="${columns[i]?.title}">${renderCell(cell)}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}

function renderCell(cell: Cell): Markup {
  if (typeof cell === 'string') return prose(cell);
  const { text, mark } = cell;
  return mark === 'code'
    ? html`<code>${clip(text, longest)}</code>`
    : html`<span class="tag ${mark}">${text}</span>`;
}

/** Text of any length and origin: a line may break anywhere in it, but not within a version or an option. */
function prose(text: string): Markup {
  const parts = clip(text, longest).split(/(\b\d{1,6}(?:\.\d{1,6}){2}\b|--[a-z]{1,20})/);
  return html`${parts.map((part, i) => (i % 2 === 1 ? html`<span class="v">${part}</span>` : part))}`;
}

function list(lines: readonly string[]): Markup | undefined {
  if (lines.length === 0) return undefined;
  return renderTable(linesOf(lines));
}

function note(text: string): Markup {
  return html`<p class="note">${text}</p>`;
}
