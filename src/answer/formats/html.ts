import { createHash } from 'node:crypto';
import { type FindingStatus, pasteInWords } from '../../checks/check.js';
import type { ReleaseStatus } from '../../core/kinds.js';
import type { UpgradeReport } from '../../core/report.js';
import { releaseStatusWords } from '../../words/evidence/release.js';
import { longestText } from '../../words/lists.js';
import { capitalize, countOf, truncate } from '../../words/phrase.js';
import type { Answer, Cell, Fact, Question, Table, Tone } from '../answer.js';
import type { FoundGroup } from '../builders/findings.js';
import { decisionFacts } from '../builders/route/decision.js';
import { hopTable } from '../builders/route/hops.js';
import { legendOf, linePicture, type Shape } from '../builders/route/picture.js';
import { headlineOfFailure } from '../headline.js';
import { pageAddress } from '../page-address.js';
import type { Format } from './format.js';
import { html, Markup } from './markup.js';
import style from './report-style.json' with { type: 'json' };

export const htmlFormat: Format = {
  write: (answer) => {
    if (answer.report === undefined) throw new Error('only a report is written as a page');
    return renderHtml(answer, answer.report);
  },
  writeFailure: ({ message }, exitCode) => {
    const { tone, text } = headlineOfFailure(message, exitCode);
    return html`<!doctype html>\n<title>lightspan</title>\n<p class="${tone}">Answer: ${text}</p>\n`.text;
  },
};

/**
 * The answer as one self-contained page, without a script: it makes no requests, and its own content security policy
 * forbids them.
 */
export function renderHtml(answer: Answer, report: UpgradeReport): string {
  const { title, headline, questions, findings, details, provenance, notices, next } = answer;
  const heading = title.replaceAll(' -> ', ' \u2192 ');
  const page = pageAddress({ from: report.fromVersion, to: report.requestedTarget });
  const { changes } = answer;
  const changed =
    changes === undefined
      ? []
      : [{ id: 'changes', title: 'What changes for you', body: renderChanges(changes) }];
  const parts: readonly Part[] = [
    { id: 'route', title: 'Route', body: renderRoute(answer) },
    ...(findings.length === 0
      ? []
      : [{ id: 'preflight', title: 'Preflight', body: html`${findings.map(renderFinding)}` }]),
    // What makes it a no stands before what changes, and that before what is proven, or looked up.
    ...details.map(partOf).toSpliced(1, 0, ...changed),
  ];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${sha256(style)}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${heading}: ${headline.text}</title>
${new Markup(`<style>${style}</style>`)}
</head>
<body>
<header>
<p class="over">Lightdash</p>
<h1>${heading}</h1>
<p class="headline ${headline.tone}">Answer: ${headline.text}</p>
${next && html`<p><b>Next:</b> ${next}</p>\n`}${notices.map((line) => html`<p class="notice">${line}</p>\n`)}</header>
<main>
<section id="decision" aria-labelledby="h-decision"><h2 id="h-decision">The upgrade at a glance</h2>${renderPicture(report, answer)}${renderFacts(decisionFacts(answer))}</section>
<section id="approval" aria-labelledby="h-approval"><h2 id="h-approval">Approval</h2><dl class="form">${approval.map(({ label, text }) => html`<dt>${label}</dt><dd>${text}</dd>`)}</dl></section>
<div class="answers">${questions.map(renderQuestion)}</div>
${parts.map(renderPart)}<nav aria-label="Sections"><ul>${parts.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}${page && html`<li><a id="page" href="${page}" rel="noreferrer">See this path</a></li>`}</ul></nav>
<p class="headline ${headline.tone}">Answer: ${headline.text}</p>
</main>
<footer>${renderFacts(provenance)}<p>Anything not proven counts as unsafe: unknown never means yes. Release-safety data is in beta and may change.</p></footer>
</body>
</html>
`.text;
}

function partOf(fact: Fact): Part {
  return {
    id: fact.label.toLowerCase().replaceAll(/\W+/g, '-'),
    title: fact.label,
    body: renderDetail(fact),
    isBrief: fact.items === undefined || fact.items.length === 0,
  };
}

interface Part {
  readonly id: string;
  readonly title: string;
  readonly body: Markup | undefined;
  /** Whether the part has one sentence and nothing else below its title. */
  readonly isBrief?: boolean;
}

function renderPart({ id, title, body, isBrief = false }: Part): Markup {
  return html`<section id="${id}" class="${isBrief ? 'brief' : 'part'}" aria-labelledby="h-${id}"><h2 id="h-${id}">${title}</h2>${body}</section>\n`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

function renderQuestion({ name, answer, yes, why }: Question): Markup {
  return html`<section class="${yes ? 'yes' : 'no'}"><h2>${name}</h2><strong>${capitalize(answer)}</strong>${list(why)}</section>`;
}

/** The fields that the approver fills in, on paper. */
const approval: readonly Fact[] = [
  { label: 'Decision', text: '\u2610 approved \u2003 \u2610 not approved' },
  { label: 'Window', text: '' },
  { label: 'Risks accepted', text: '' },
  { label: 'Rollback owner', text: '' },
  { label: 'Name, date', text: '' },
];

/** What the headline and the glance say. */
const shownAbove: ReadonlySet<string> = new Set(['Verdict', 'Downtime', 'Rollback']);

function renderRoute(answer: Answer): Markup {
  const { facts, hops, remarks } = answer;
  return html`${renderFacts(facts.filter(({ label }) => !shownAbove.has(label)))}${
    hops.length === 0 ? undefined : renderTable(hopTable(answer))
  }${
    remarks.length === 0
      ? undefined
      : html`<details><summary>${countOf(remarks.length, 'remark')}</summary>${list(remarks.map(({ text }) => text))}</details>`
  }`;
}

/** The line of the page, drawn twice: its letters are as large on a phone as on a desk. */
function renderPicture(report: UpgradeReport, { deploy }: Answer): Markup | undefined {
  const [wide, narrow] = [linePicture(report, 720, { deploy }), linePicture(report, 330, { deploy })];
  if (wide.cells.length === 0) return undefined;
  const legend = legendOf(wide, report);
  const counts = legend.flatMap(({ text, status }) => (status === undefined ? [] : [text]));
  const gaps = report.span.missingRanges.length;
  const label = [...counts, ...(gaps > 0 ? [countOf(gaps, 'gap')] : [])].join(', ');
  const drawn = ([name, { viewBox, shapes }]: readonly [string, typeof wide]) =>
    html`<svg class="picture ${name}" role="img" aria-label="${label}" viewBox="${viewBox}">${shapes.map(renderShape)}</svg>`;
  const keys = legend.map(
    ({ shapes, text, status }) =>
      html`<li><svg class="key" width="24" height="16" aria-hidden="true">${shapes.map(renderShape)}</svg><span><b>${text}</b>${status && html` <i>${meaningOf(status, report)}</i>`}</span></li>`,
  );
  const pictures = (
    [
      ['wide', wide],
      ['narrow', narrow],
    ] as const
  ).map(drawn);
  return html`<div id="timeline">${pictures}<details><summary>${label}</summary><p class="soft">Releases, oldest on the left, with their number in each month.</p><ul class="legend">${keys}</ul></details></div>`;
}

function meaningOf(status: ReleaseStatus, { artifacts }: UpgradeReport): string {
  return status === 'proven' && artifacts.read === 0
    ? 'true in the index; no artifact was read'
    : releaseStatusWords[status].brief;
}

function renderShape({ tag, attributes, text }: Shape): Markup {
  const written = Object.entries(attributes).map(([name, value]) => html` ${name}="${value}"`);
  return html`<${tag}${written}>${text}</${tag}>`;
}

function renderFacts(facts: readonly Fact[]): Markup {
  return html`<dl>${facts.map(({ label, text, items = [] }) => html`<dt>${label}</dt><dd>${truncate(text, longestText)}${list(items)}</dd>`)}</dl>`;
}

function renderFinding({ status, label, checks, description, remedy }: FoundGroup): Markup {
  const lines = remedy?.commands.flatMap((command) => command.split('\n')) ?? [];
  return html`<p><span class="tag ${tones[status]}">${label}</span> <b>${checks.join(', ')}</b>: ${truncate(description, longestText)}</p>${
    remedy && html`<p class="note">To do: ${remedy.text}</p>`
  }${
    remedy?.pasteIn &&
    html`<p>${pasteInWords[remedy.pasteIn]}</p><pre><code>${lines.map((line) => html`${line}\n`)}</code></pre>`
  }`;
}

const tones: Record<FindingStatus, Tone> = { stop: 'bad', 'not-checked': 'warn', warn: 'warn', ok: 'good' };

function renderDetail({ text, items = [] }: Fact): Markup {
  return items.length > 0
    ? html`<details><summary>${capitalize(text)}</summary>${list(items)}</details>`
    : html`<p>${capitalize(text)}.</p>`;
}

function renderTable({ columns, rows }: Table): Markup {
  return html`<div class="scroll" tabindex="0"><table><thead><tr>${columns.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead><tbody>${rows.map(
    (row) =>
      html`<tr>${row.map((cell, i) => html`<td data-column="${columns[i]?.title}">${renderCell(cell)}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}

/** A long list begins with its count: what to do about each item concerns different people. */
function renderChanges(changes: Table): Markup {
  const { length } = changes.rows;
  return length <= 3
    ? renderTable(changes)
    : html`<details><summary>${countOf(length, 'change')}</summary>${renderTable(changes)}</details>`;
}

function renderCell({ text, tone }: Cell): Markup {
  return tone === undefined ? html`${text}` : html`<span class="tag ${tone}">${text}</span>`;
}

function list(lines: readonly string[]): Markup | undefined {
  return lines.length === 0
    ? undefined
    : html`<ul>${lines.map((line) => html`<li>${truncate(line, longestText)}</li>`)}</ul>`;
}
