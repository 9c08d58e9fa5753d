import { createHash } from 'node:crypto';
import { type FindingStatus, pasteInWords } from '../checks/check.js';
import { clip, sentence } from '../words/phrase.js';
import {
  type Answer,
  type Block,
  describeAnswer,
  type Fact,
  type Question,
  type Section,
  type Tone,
} from './answer.js';
import type { FoundGroup } from './findings.js';
import { type Cell, hopTable, type Table } from './hops.js';
import { html, Markup } from './markup.js';
import { style } from './page.js';
import { renderLegend, renderTimeline } from './timeline.js';

/** Longer texts from outside are cut here: JSON has them whole. */
const longest = 2000;

/**
 * The answer as one self-contained page, without a script: it makes no requests, and its own content security policy
 * forbids them.
 */
export function renderHtml(answer: Answer): string {
  const { title, yes, facts, warnings, questions, findings, sections, next } = answer;
  const heading = title.replaceAll(' -> ', ' \u2192 ');
  const verdict = facts.find(({ label }) => label === 'Verdict')?.text;
  const parts: readonly Part[] = [
    ...(answer.hops.length + answer.remarks.length > 0 || answer.picture !== undefined
      ? [{ id: 'route', title: 'Route', body: renderRoute(answer) }]
      : []),
    ...(findings.length > 0
      ? [{ id: 'preflight', title: 'Preflight', body: html`${findings.map(renderFinding)}` }]
      : []),
    ...sections.map(({ id, title, blocks, notes }) => ({
      id,
      title,
      body: html`${blocks.map(renderBlock)}${notes.map((text) => html`<p class="note">${text}</p>`)}`,
    })),
  ];
  const [route, ...others] = parts;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${sha256(style)}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${heading}, ${verdict}</title>
${new Markup(`<style>${style}</style>`)}
</head>
<body>
<header>
<p class="over">Lightdash</p>
<h1>${heading}</h1>
<p><span class="verdict ${yes ? 'yes' : 'no'}">${verdict}</span> ${describeAnswer(answer)}</p>
${next === undefined ? undefined : html`<p><b>Next:</b> ${prose(next)}</p>\n`}${warnings.length === 0 ? undefined : html`<div class="notice">${warnings.map((line) => html`<p>${prose(line)}</p>`)}</div>\n`}<nav aria-label="Sections"><ul>${parts.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}${answer.page === undefined ? undefined : html`<li><a id="page" href="${answer.page}" rel="noreferrer">See this path</a></li>`}</ul></nav>
</header>
<main>
${route === undefined ? undefined : renderPart(route)}<div class="answers">${questions.map(renderQuestion)}</div>
${others.map(renderPart)}
</main>
${renderFooter(answer)}
</body>
</html>
`.text;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

interface Part extends Pick<Section, 'id' | 'title'> {
  readonly body: Markup;
}

function renderPart({ id, title, body }: Part): Markup {
  return html`<section id="${id}" aria-labelledby="h-${id}"><h2 id="h-${id}">${title}</h2>${body}</section>\n`;
}

function renderQuestion({ name, answer, yes, why }: Question): Markup {
  return html`<section class="${yes ? 'yes' : 'no'}"><h2>${name}</h2><strong>${sentence(answer)}</strong>${list(why)}</section>`;
}

function renderRoute({ facts, hops, remarks, picture }: Answer): Markup {
  const shown = facts.filter(({ label }) => label !== 'Verdict');
  const table = hops.length === 0 ? undefined : renderTable(hopTable(hops));
  const drawn = picture !== undefined && picture.releases.length + picture.span.missingRanges.length > 0;
  return html`${renderFacts(shown)}${table}${list(remarks.map(({ text }) => text))}${
    drawn
      ? html`<div id="timeline"><h3>Timeline</h3><p class="soft">One mark per release, oldest first, month by month. A cross stands for all releases missing from the index there. A frame is where a hop of the route lands, a line below it a required stop, a shade every second hop.</p>${renderLegend(picture)}${renderTimeline(picture)}</div>`
      : undefined
  }`;
}

function renderFacts(facts: readonly Fact[]): Markup {
  return html`<dl>${facts.map(({ label, text, items = [] }) => html`<dt>${label}</dt><dd>${prose(text)}${list(items)}</dd>`)}</dl>`;
}

function renderFinding({ status, label, checks, description, remedy }: FoundGroup): Markup {
  const commands = remedy?.commands.join('\n').split('\n').map(escaped).join('\n') ?? '';
  const paste =
    remedy?.pasteIn &&
    html`<p>${pasteInWords[remedy.pasteIn]}</p><pre><code>${new Markup(commands)}</code></pre>`;
  const toDo = remedy === null ? undefined : html`<p class="note">To do: ${prose(remedy.text)}</p>`;
  return html`<p><span class="tag ${tones[status]}">${label}</span> <b>${checks.join(', ')}</b>: ${prose(description)}</p>${toDo}${paste ?? undefined}`;
}

const tones: Record<FindingStatus, Tone> = { stop: 'bad', 'not-checked': 'warn', warn: 'warn', ok: 'good' };

function renderBlock({ lead, lines, folded }: Block, i: number): Markup {
  if (folded === true) return html`<details><summary>${sentence(lead)}</summary>${list(lines)}</details>`;
  return i === 0
    ? html`<p>${sentence(lead)}.</p>${list(lines)}`
    : html`<h3>${sentence(lead)}</h3>${list(lines)}`;
}

function escaped(line: string): string {
  return html`${line}`.text;
}

function renderFooter({ safe, provenance }: Answer): Markup {
  return html`<footer>${renderFacts(provenance)}<p>${
    safe
      ? 'Every release of the span is proven by the index, and no artifact that was read contradicts it.'
      : 'Anything not proven counts as unsafe: unknown is never a yes.'
  } Release-safety data is in beta and may change.</p></footer>`;
}

function renderTable({ columns, rows }: Table): Markup {
  return html`<div class="scroll"><table><thead><tr>${columns.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead><tbody>${rows.map(
    (row) =>
      html`<tr>${row.map((cell, i) => html`<td data-column="${columns[i]?.title}">${renderCell(cell)}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}

function renderCell({ text, tone }: Cell): Markup {
  return tone === undefined ? prose(text) : html`<span class="tag ${tone}">${text}</span>`;
}

/** Text of any length and origin: a line may break anywhere in it, but not within a version or an option. */
function prose(text: string): Markup {
  const parts = clip(text, longest).split(/(\b\d{1,6}(?:\.\d{1,6}){2}\b|--[a-z]{1,20})/);
  return html`${parts.map((part, i) => (i % 2 === 1 ? html`<span class="v">${part}</span>` : part))}`;
}

function list(lines: readonly string[]): Markup | undefined {
  return lines.length === 0
    ? undefined
    : html`<ul>${lines.map((line) => html`<li>${prose(line)}</li>`)}</ul>`;
}
