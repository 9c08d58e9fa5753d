import type { Failure } from '../errors.js';
import type { UpgradeReport } from '../release-safety/report.js';
import { beforeYouBegin, pasteAsOneBlock } from '../steps/steps.js';
import { capped } from '../words/lists.js';
import { clip, countOf, number } from '../words/phrase.js';
import { printable } from '../words/printable.js';
import { shellWord } from '../words/quoted-words.js';
import { type Answer, describeAnswer, type HopSteps, type Question } from './answer.js';
import type { FoundGroup } from './findings.js';
import { hopTable } from './hops.js';
import { type Block, lineOf, type Section, type Table, textOf, toPaste } from './section.js';

/** A comment on GitHub has at most 65,536 characters, and nobody reads more than this there. */
const mostBytes = 60_000;

/** Longer texts from outside are cut here: JSON has them whole. */
const longest = 300;

/** Longer routes are drawn up to this hop: a diagram of more is no help. */
const mostHops = 30;

/**
 * The answer for a pull request, a change ticket or the summary of a job. Questions, route and steps are always whole.
 * With them, the sections have at most 60 kB: each has as many lines as there is room for, and the number of those
 * left out.
 */
export function renderMarkdown(answer: Answer): string {
  const { steps, sections, provenance } = answer;
  const head = [renderMarkdownAnswer(answer), ...steps.flatMap(linesOfSteps)].join('\n');
  if (sections.length === 0) return head;
  const facts = provenance.map(({ label, text }) => escapeMarkdown(`${label}: ${text}.`));
  const foot = `<sub>${facts.join(' ')} Anything not proven counts as unsafe.</sub>\n`;
  const folds = sections.map(foldOf);
  const fixed = [head, ...folds.map((fold) => renderFold(fold, 0, answer)), foot];
  const shown = shareOut(
    mostBytes - sizeOf(fixed.join('')),
    folds.map(({ lines }) => lines),
  );
  return [head, '\n', ...folds.map((fold, i) => renderFold(fold, shown[i] ?? 0, answer)), foot].join('');
}

export function renderMarkdownAnswer(answer: Answer): string {
  const { questions, facts, warnings, notices, sections, provenance, remarks, next } = answer;
  const { verdict, strategy } = answer;
  const isLong = sections.length > 0;
  // What is against a hop is said once, below the route.
  const asked = answer.findings.length === 0 ? questions : [];
  const against = asked.filter(
    ({ why, isDetail }) => why.length > 0 && (isDetail !== true || answer.hops.length === 0),
  );
  const table = [
    ...asked.map((question) => [question.name, describeQuestion(question)]),
    ['Verdict', String(verdict)],
    ...(strategy === undefined
      ? []
      : [['Strategy', `${strategy}${strategy === 'Recreate' ? ' (a downtime)' : ''}`]]),
    // The verdict of a pipeline is the publisher's word.
    ...facts
      .filter(({ label }) => label !== 'Verdict')
      .map(({ label, text, items = [] }) => [label, [text, ...items].filter(Boolean).join('; ')]),
  ];
  const nextLines = next === undefined ? [] : ['', `**Next:** ${escapeMarkdown(next)}`];
  return [
    `### ${answer.yes ? '✅' : '❌'} ${escapeMarkdown(answer.asked)}`,
    '',
    escapeMarkdown(describeAnswer(answer)),
    ...(isLong ? nextLines : []),
    ...warnings.flatMap((line) => ['', `> ${escapeMarkdown(line)}`]),
    '',
    '| | |',
    '| --- | --- |',
    ...table.map(([name = '', text = '']) => `| ${escapeMarkdown(name)} | ${escapeMarkdown(text)} |`),
    ...against.flatMap(({ name, why }) => [
      '',
      `<details><summary>${escapeMarkdown(name)}: details</summary>`,
      '',
      ...capped(why).map((line) => `- ${escapeMarkdown(isLong ? clip(line, longest) : line)}`),
      '',
      '</details>',
    ]),
    ...linesOfFindings(answer.findings),
    ...linesOfRoute(answer),
    ...listed([
      ...notices,
      ...(isLong ? [] : provenance.map(({ label, text }) => `${label}: ${text}.`)),
      ...capped(
        remarks.map(({ text }) => clip(text, isLong ? longest : Number.POSITIVE_INFINITY)),
        isLong ? mostHops : Number.POSITIVE_INFINITY,
      ),
    ]),
    ...(isLong ? [] : nextLines),
    '',
  ].join('\n');
}

function linesOfFindings(findings: readonly FoundGroup[]): string[] {
  const line = ({ label, checks, description }: FoundGroup) =>
    `- **${label}** ${escapeMarkdown(`${checks.join(', ')}: ${description}`)}`;
  const ok = findings.filter(({ status }) => status === 'ok');
  return [
    ...findings
      .filter(({ status }) => status !== 'ok')
      .flatMap((found) => [
        '',
        line(found),
        ...(found.remedy === null ? [] : ['', `  To do: ${escapeMarkdown(found.remedy.text)}`]),
        ...toPaste(found).flatMap(({ lead, language, text }) => [
          '',
          ...[`${escapeMarkdown(lead)}:`, '', ...fenced(language, text)].map((part) => `  ${part}`),
        ]),
      ]),
    ...(ok.length === 0 ? [] : ['', '<details><summary>ok</summary>', '', ...ok.map(line), '', '</details>']),
  ];
}

function describeQuestion({ yes, answer }: Question): string {
  const sign = answer === 'yes' ? '✅' : '⚠️';
  return `${yes ? sign : '❌'} ${answer}`;
}

export function renderMarkdownLine(answer: Answer): string {
  return `\n${escapeMarkdown(answer.asked)}: ${answer.yes ? '✅ yes' : '❌ no'}\n`;
}

export function renderMarkdownFailure({ message, hint }: Failure): string {
  return [
    '### ❌ lightspan: no answer',
    '',
    escapeMarkdown(message),
    ...(hint === undefined ? [] : ['', escapeMarkdown(hint)]),
    '',
  ].join('\n');
}

function listed(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', ...lines.map((line) => `- ${escapeMarkdown(line)}`)];
}

function linesOfRoute({ hops, picture }: Answer): string[] {
  if (hops.length === 0) return [];
  const shown = picture === undefined ? hops : hops.slice(0, mostHops);
  const more = hops.length - shown.length;
  return [
    '',
    '**Route**',
    '',
    ...(picture === undefined ? [] : [...diagramOf(picture), '']),
    ...renderMarkdownTable(hopTable(shown)),
    ...(more === 0 ? [] : ['', `And ${countOf(more, 'hop')} more, not shown here.`]),
  ];
}

/** It contains only versions, numbers and our own words. */
function diagramOf({ route, fromVersion }: UpgradeReport): string[] {
  const hops = route.hops.slice(0, mostHops);
  return [
    '```mermaid',
    'flowchart LR',
    `  v0(["${fromVersion}"])`,
    ...hops.map(({ strategy, certified, releases, toVersion }, i) => {
      const label = `${strategy}${certified ? '' : ', not certified'}, ${countOf(releases.length, 'release')}`;
      const line = strategy === 'RollingUpdate' ? `-->|"${label}"|` : `-.->|"${label}"|`;
      return `  v${i} ${line} v${i + 1}(["${toVersion}"])`;
    }),
    ...(route.hops.length > hops.length
      ? [`  v${hops.length} -.- more["${number(route.hops.length - hops.length)} more hops"]`]
      : []),
    '```',
  ];
}

function renderMarkdownTable({ columns, rows }: Table): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map(({ title }) => title)),
    line(columns.map(({ numeric }) => (numeric === true ? '---:' : '---'))),
    ...rows.map((row) =>
      line(
        row.map((cell) => {
          const text = escapeMarkdown(textOf(cell));
          return typeof cell === 'object' && cell.mark === 'bad' ? `**${text}**` : text;
        }),
      ),
    ),
  ];
}

function linesOfSteps({ title, before, steps, block, script }: HopSteps): string[] {
  return [
    `#### ${escapeMarkdown(title)}`,
    '',
    ...before.flatMap((line) => [escapeMarkdown(line), '']),
    ...steps.flatMap(({ title, values, notes }, n) => [
      `${n + 1}. ${escapeMarkdown(title)}`,
      ...(values === undefined
        ? []
        : [
            `   ${escapeMarkdown(beforeYouBegin(values))}`,
            '',
            ...fenced('yaml', values.yaml).map((line) => `   ${line}`),
            '',
          ]),
      ...notes.map((note) => `   - ${escapeMarkdown(note)}`),
    ]),
    '',
    ...(script === undefined
      ? [pasteAsOneBlock, '', ...fenced('sh', block)]
      : fenced('sh', `sh ${shellWord(printable(script))}`)),
    '',
  ];
}

function fenced(language: string, text: string): string[] {
  const ticks = Math.max(2, ...[...text.matchAll(/`+/g)].map(([found]) => found.length));
  const mark = '`'.repeat(ticks + 1);
  return [`${mark}${language}`, ...text.trimEnd().split('\n'), mark];
}

interface Fold {
  readonly summary: string;
  readonly notes: readonly string[];
  /** Escaped, each with its line break: what does not fit is cut at the end. */
  readonly lines: readonly string[];
}

function foldOf({ title, blocks, notes }: Section): Fold {
  const parts = blocks.map(partOf);
  return {
    summary: escapeMarkdown(`${title}: ${parts[0]?.lead ?? ''}`),
    notes,
    lines: parts.flatMap(({ lead, lines: [first, ...others] }, i) => {
      const heading = i === 0 ? '' : `\n**${escapeMarkdown(lead)}${first === undefined ? '' : ':'}**\n\n`;
      return [`${heading}${first ?? ''}`, ...others].filter((line) => line !== '');
    }),
  };
}

function partOf(block: Block): { readonly lead: string; readonly lines: readonly string[] } {
  const { lead } = block;
  if (block.kind === 'code') return { lead, lines: [`${fenced(block.language, block.text).join('\n')}\n`] };
  const { columns, rows, folded, dull } = block;
  return { lead, lines: dull && folded ? [] : rows.map((row) => item(lineOf(columns, row, longest))) };
}

function renderFold({ summary, notes, lines }: Fold, shown: number, { picture }: Answer): string {
  const cut = lines.length - shown;
  const all =
    picture === undefined
      ? ''
      : `: \`lightspan upgrade-report --from ${picture.fromVersion} --to ${picture.toVersion} --format html\` shows all`;
  return [
    `<details><summary>${summary}</summary>\n\n`,
    ...notes.map((note) => `> ${escapeMarkdown(note)}\n\n`),
    ...lines.slice(0, shown),
    ...(cut === 0
      ? []
      : [
          `\n**${number(cut)} more ${cut === 1 ? 'is' : 'are'} left out here**, because this is cut at 60 kB${all}.\n`,
        ]),
    '\n</details>\n\n',
  ].join('');
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
  return new TextEncoder().encode(text).length;
}

/**
 * Text from outside as one piece of inline Markdown that is shown as written: no markup, no HTML, no link, no mention
 * of a person, no reference to an issue, no line break, no table cell of its own.
 */
export function escapeMarkdown(text: string): string {
  return printable(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[\\`*_{}[\]#|~$^]/g, '\\$&')
    .replaceAll('@', '&#64;')
    .replaceAll('://', '&#58;//')
    .replaceAll(/\b(www)\./gi, '$1&#46;')
    .replace(/^(\s*)([-+=:]|\d+(?=[.)]\s))/, '$1&#8203;$2');
}
