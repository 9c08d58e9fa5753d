import { createHash } from 'node:crypto';
import type { SpanApiChanges } from '../../release-safety/api-changes.js';
import type { NetConfigChange } from '../../release-safety/config-changes.js';
import {
  type ReportedRelease,
  type Standing,
  standings,
  type UpgradeReport,
} from '../../release-safety/report.js';
import type { RouteHop } from '../../release-safety/route.js';
import { type MigrationWeight, type SpanMigration, weightOf } from '../../release-safety/span-migrations.js';
import { plainPalette } from '../palette.js';
import type { ReportDocument } from '../report/document.js';
import {
  type Answer,
  answersOf,
  artifactWords,
  clip,
  countOf,
  describeAdvisories,
  describeHeaviness,
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
import { describeBlock, describeHole, describeLanding } from '../words/reasons.js';
import { advisoriesMeaning } from '../words/release.js';
import { describeRoute } from '../words/route.js';
import { html, Markup } from './markup.js';
import { script } from './report-script.js';
import { style } from './report-style.js';
import { renderLegend, renderTimeline, short } from './timeline.js';

/** Longer texts from outside are cut here: the JSON of the report has them whole. */
const longest = 2000;

/**
 * The report as one page that stands alone: it asks no server for anything, and its own policy forbids that it
 * could. Without scripts everything is there to be read; with them the releases can be searched.
 */
export function renderUpgradeReportHtml(document: ReportDocument): string {
  const { report } = document;
  const { fromVersion, safe } = report;
  const title = `Upgrade report: ${fromVersion} → ${describeTarget(report)}`;
  const sections = sectionsOf(report);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${sha256(style)}'; script-src 'sha256-${sha256(script)}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}, ${describeVerdict(report)}</title>
${new Markup(`<style>${style}</style>`)}
</head>
<body>
<header>
<p class="over">Lightdash upgrade report</p>
<h1>${fromVersion} <span>\u2192</span> ${describeTarget(report)}</h1>
<p><span class="verdict ${safe ? 'yes' : 'no'}">${describeVerdict(report)}</span> ${describeSpan(report)}</p>
${renderNothingRead(report)}<nav aria-label="Sections"><ul>${sections.map(({ id, name }) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>
</header>
<main>
<div class="answers">${answersOf(report).map(renderAnswer)}${renderNext(report)}</div>
${sections.map(({ id, name, body }) => html`<section id="${id}" aria-labelledby="h-${id}"><h2 id="h-${id}">${name}</h2>${body}</section>\n`)}
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

function renderNothingRead(report: UpgradeReport): Markup | undefined {
  const lines = describeNothingRead(report);
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

function renderNext(report: UpgradeReport): Markup {
  const { route } = report;
  const blocked =
    route.blockedBy === null ? undefined : html`<p>${sentence(describeBlock(route.blockedBy))}.</p>`;
  return html`<section class="plain"><h2>Route</h2><strong>${sentence(describeRoute(route, plainPalette))}</strong>${blocked}<p><b>Next:</b> ${describeNext(report)}</p></section>`;
}

interface Section {
  readonly id: string;
  readonly name: string;
  readonly body: Markup;
}

/** Each matter has its section, also where there is nothing to tell: nothing is left out silently. */
function sectionsOf(report: UpgradeReport): Section[] {
  const { route, api, releases, safe } = report;
  const all = { id: 'releases', name: 'Releases', body: renderReleases(report) };
  return [
    // Where the answer is no, the releases that make it one come first.
    ...(safe ? [] : [all]),
    ...(route.hops.length === 0 ? [] : [{ id: 'route', name: 'Route', body: renderRoute(report) }]),
    ...(releases.length === 0 && report.span.missingRanges.length === 0
      ? []
      : [
          {
            id: 'timeline',
            name: 'Timeline',
            body: html`<p class="soft">One mark a release, oldest first, month by month. A cross stands for all releases that the index lacks there.</p>${renderLegend(report)}${renderTimeline(report)}`,
          },
        ]),
    { id: 'variables', name: 'Environment variables', body: renderConfig(report) },
    { id: 'migrations', name: 'Migrations', body: renderMigrations(report) },
    { id: 'rest', name: 'REST API', body: renderApi(report, api.rest) },
    { id: 'mcp', name: 'MCP tools', body: renderApi(report, api.mcp) },
    { id: 'advisories', name: 'Declared advisories', body: renderAdvisories(report) },
    { id: 'artifacts', name: 'Without an artifact', body: renderArtifacts(report) },
    ...(safe ? [all] : []),
  ];
}

function renderRoute({ route, blockedBy }: UpgradeReport): Markup {
  return html`<ol class="route">${route.hops.map(renderHop)}</ol>${
    blockedBy === null
      ? undefined
      : html`<p class="note">It goes no further: ${sentence(describeBlock(blockedBy))}</p>`
  }`;
}

function renderHop(hop: RouteHop, i: number): Markup {
  const { fromVersion, toVersion, strategy, certified, releases, unsafeVersions, unknownVersions } = hop;
  const kind = !certified ? 'open' : strategy === 'RollingUpdate' ? 'rolling' : 'recreate';
  const counts = [
    countOf(releases.length, 'release'),
    ...(unsafeVersions.length === 0 ? [] : [`${number(unsafeVersions.length)} unsafe`]),
    ...(unknownVersions.length === 0 ? [] : [`${number(unknownVersions.length)} unknown`]),
  ];
  return html`<li><span class="hop ${kind}" aria-hidden="true">${i + 1}</span><div><b>${fromVersion} \u2192 ${toVersion}</b> <span class="tag ${kind}">${certified ? strategy : `${strategy}, not certified`}</span><br><span class="soft">${counts.join(', ')}; lands there: ${describeLanding(hop)}</span></div></li>`;
}

function renderConfig(report: UpgradeReport): Markup {
  const { ofVariablesSet, changes, unrecognised } = report.config;
  const others = changes.filter((change) => !ofVariablesSet.includes(change));
  const totalsSet = tellVariablesSet(report);
  const { totals, note: open } = tellConfig(report);
  const set =
    totalsSet === undefined
      ? undefined
      : html`<h3>Those that you set</h3><p>${sentence(totalsSet)}.</p>${
          ofVariablesSet.length === 0
            ? undefined
            : table(
                ['Variable', 'What to change', 'Came in'],
                ofVariablesSet.map((change) => [
                  describeNetChange(change),
                  describeWhatToChange(change),
                  describeVersions(change.versions),
                ]),
              )
        }<h3>The others</h3>`;
  return html`${set}<p>${sentence(totals)}.</p>${
    others.length === 0 ? undefined : table(['Variable', 'Came in'], others.map(rowOfChange))
  }${
    unrecognised.length === 0
      ? undefined
      : html`<h3>Changes of a kind newer than this lightspan</h3>${list(unrecognised.map(({ version, change }) => `${version}: ${JSON.stringify(change)}`))}`
  }${note(open)}`;
}

function rowOfChange(change: NetConfigChange): string[] {
  return [describeNetChange(change), describeVersions(change.versions)];
}

const weightWords: Record<MigrationWeight, string> = {
  heavy: 'heavy',
  'may-be-heavy': 'may be heavy',
  light: 'light',
};

function renderMigrations(report: UpgradeReport): Markup {
  const { files } = report.migrations;
  const { totals, note: open } = tellMigrations(report);
  const heavy = files.filter((file) => weightOf(file) === 'heavy').length;
  const rest = files.slice(heavy);
  return html`<p>${sentence(totals)}.</p>${
    heavy === 0 ? undefined : tableOfMigrations(files.slice(0, heavy))
  }${
    rest.length === 0
      ? undefined
      : html`<details${heavy === 0 ? new Markup(' open') : undefined}><summary>${countOf(rest.length, 'other')}, not known to be heavy</summary>${tableOfMigrations(rest)}</details>`
  }${note(open)}`;
}

function tableOfMigrations(files: readonly SpanMigration[]): Markup {
  return table(
    ['Migration', 'Tables', 'What it does'],
    files.map((file) => {
      const weight = weightOf(file);
      return [
        html`<code>${clip(file.name, longest)}</code> <small>${file.edition === 'ee' ? 'enterprise' : 'core'}, ${prose(file.version)}</small>`,
        file.tables.length === 0 ? 'none named' : file.tables.join(', '),
        html`<span class="tag ${weight}">${weightWords[weight]}</span> ${weight === 'light' ? undefined : describeHeaviness(file)}`,
      ];
    }),
  );
}

function renderApi(report: UpgradeReport, surface: SpanApiChanges): Markup {
  const { breaking, advisories } = surface;
  const { totals, note: open } = tellApi(report, surface);
  const unlisted = describeUnlisted(surface);
  const changes = (lines: typeof breaking) =>
    html`<ul class="plain">${lines.map(
      ({ text, versions }) =>
        html`<li>${prose(text)} <small>${prose(describeVersions(versions))}</small></li>`,
    )}</ul>`;
  return html`<p>${sentence(totals)}${surface.breakingCount === null ? undefined : ', each release counted by itself'}.</p>${
    breaking.length === 0 ? undefined : html`<h3>Breaking</h3>${changes(breaking)}`
  }${
    advisories.length === 0
      ? undefined
      : html`<details><summary>${countOf(advisories.length, 'advisory', 'advisories')}, which break nothing</summary>${changes(advisories)}</details>`
  }${
    unlisted.length === 0
      ? undefined
      : html`<details><summary>${countOf(unlisted.length, 'release')} with more than the artifact lists</summary>${list(unlisted)}</details>`
  }${note(open)}`;
}

function renderAdvisories(report: UpgradeReport): Markup {
  const { totals, note: open } = tellAdvisories(report);
  return html`<p>${sentence(totals)}. ${sentence(advisoriesMeaning)}.</p>${list(describeAdvisories(report.releases))}${note(open)}`;
}

function renderArtifacts({ releases, span }: UpgradeReport): Markup {
  const backfilled = releases.filter(({ artifact }) => artifact === 'backfilled').length;
  const without = releases.filter(({ artifact }) => artifact !== 'backfilled' && artifact !== 'read');
  const read = releases.length - backfilled - without.length;
  const contradictions = span.strategyContradictions;
  return html`<p><b>${number(read)}</b> of ${countOf(releases.length, 'release')} ${read === 1 ? 'has' : 'have'} an artifact that was read.</p>${
    backfilled === 0 ? undefined : html`<p>${countOf(backfilled, 'release')} ${artifactWords.backfilled}.</p>`
  }${
    without.length === 0
      ? undefined
      : html`<details${without.length <= 10 ? new Markup(' open') : undefined}><summary>${countOf(without.length, 'other')} without one</summary>${list(without.map(describeMissing))}</details>`
  }${
    contradictions.length === 0
      ? undefined
      : note(
          `Another strategy than the verdict means is recommended by the artifact of ${contradictions.join(', ')}: the verdict counts.`,
        )
  }`;
}

function describeMissing({ version, artifact, disagreements }: ReportedRelease): string {
  const [why] = disagreements;
  if (why !== undefined) return describeDisagreement(why);
  return `${version}: ${artifact === 'read' ? '' : artifactWords[artifact]}`;
}

/** As they stand, the gravest first. */
const gravestFirst: readonly Standing[] = [
  'unsafe',
  'not-borne-out',
  'unknown-recent',
  'unknown-backfilled',
  'proven',
];

/** A longer list than this is folded. Releases that are unsafe never are. */
const mostUnfolded = 30;

function renderReleases(report: UpgradeReport): Markup {
  const { releases, counts, span } = report;
  const gaps = span.missingRanges.map(describeHole);
  const present = (standing: Standing) => counts[standing] > 0;
  return html`${gaps.length === 0 ? undefined : html`<p>Not covered:</p>${list(gaps)}`}<fieldset class="filter"><legend class="soft">Show</legend>${standings
    .filter(present)
    .map(
      (standing) =>
        html`<label><input type="checkbox" id="show-${short[standing]}" value="${short[standing]}" checked autocomplete="off"> ${standingWords[standing].label} (${number(counts[standing])})</label>`,
    )}<label hidden>Search <input type="search" id="search" placeholder="version, table, reason" autocomplete="off"></label><output id="count" class="soft" aria-live="polite"></output></fieldset>
${gravestFirst.filter(present).map((standing) =>
  renderGroup(
    standing,
    releases.filter((release) => release.standing === standing),
    report,
  ),
)}`;
}

function renderGroup(
  standing: Standing,
  releases: readonly ReportedRelease[],
  report: UpgradeReport,
): Markup {
  const { label, meaning } = standingWords[standing];
  const title = html`${number(releases.length)} ${label} <span class="soft">${meaning}</span>`;
  const rows = html`<table><colgroup><col><col><col></colgroup><thead><tr><th scope="col">Release</th><th scope="col">Hop</th><th scope="col">Standing, and why</th></tr></thead><tbody>
${releases.map((release) => renderRelease(release, report))}</tbody></table>`;
  const folded = standing !== 'unsafe' && releases.length > mostUnfolded;
  return html`<div class="group" id="g-${short[standing]}">${
    folded ? html`<details><summary>${title}</summary>${rows}</details>` : html`<h3>${title}</h3>${rows}`
  }</div>
`;
}

function renderRelease(release: ReportedRelease, report: UpgradeReport): Markup {
  const { version, releaseDate, standing, hop, requiredStop } = release;
  const why = describeWhy(release, report);
  return html`<tr id="r-${version}" class="${short[standing]}"><th scope="row">${version} <small>${releaseDate.slice(0, 10)}</small></th><td>${hop ?? ''}</td><td>${standingWords[standing].label}${
    requiredStop ? ', required stop' : undefined
  }${why.length === 0 ? undefined : list(why)}</td></tr>
`;
}

function renderFooter({ report, index, madeAt, madeBy }: ReportDocument): Markup {
  const ageMs = madeAt.getTime() - Date.parse(index.generatedAt);
  return html`<footer><dl><dt>Index</dt><dd>${index.source}</dd><dt>Generated</dt><dd>${day(index.generatedAt)} (${describeAge(ageMs)}), ends at ${index.latestVersion}</dd><dt>SHA-256</dt><dd>${index.sha256}</dd><dt>Made</dt><dd>${madeAt.toISOString()} by ${madeBy}</dd></dl><p>${
    report.safe
      ? 'Every release of the span is proven by the index and by its artifact.'
      : 'What is not proven counts as unsafe: unknown is no yes.'
  } Release-safety data is in beta and may change.</p></footer>`;
}

function table(header: readonly string[], rows: readonly (readonly (string | Markup)[])[]): Markup {
  return html`<div class="scroll"><table><thead><tr>${header.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead><tbody>${rows.map(
    (row) =>
      html`<tr>${row.map((cell) => html`<td>${typeof cell === 'string' ? prose(cell) : cell}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}

/** Text of any length and origin: a line may break anywhere in it, but not within a version or an option. */
function prose(text: string): Markup {
  const parts = clip(text, longest).split(/(\b\d{1,6}(?:\.\d{1,6}){2}\b|--[a-z]{1,20})/);
  return html`${parts.map((part, i) => (i % 2 === 1 ? html`<span class="v">${part}</span>` : part))}`;
}

function list(lines: readonly string[]): Markup | undefined {
  if (lines.length === 0) return undefined;
  return html`<ul>${lines.map((line) => html`<li>${prose(line)}</li>`)}</ul>`;
}

function note(text: string | undefined): Markup | undefined {
  return text === undefined ? undefined : html`<p class="note">${text}</p>`;
}
