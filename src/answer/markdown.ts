import { type PasteIn, pasteInWords } from '../checks/check.js';
import type { Failure } from '../errors.js';
import { beforeYouBegin, pasteAsOneBlock } from '../steps/steps.js';
import { capped, longestList } from '../words/lists.js';
import { clip } from '../words/phrase.js';
import { printable } from '../words/printable.js';
import { shellWord } from '../words/quoted-words.js';
import {
  type Answer,
  type Block,
  describeAnswer,
  type HopSteps,
  type Question,
  type Section,
} from './answer.js';
import type { FoundGroup } from './findings.js';
import { hopTable } from './hops.js';

/** A comment on GitHub has at most 65,536 characters, and nobody reads more than this there. */
const mostBytes = 60_000;

/** Longer texts from outside are cut here: JSON has them whole. */
const longest = 300;

/**
 * The answer for a pull request, a change ticket or the summary of a job. Only the lists of sections are cut: if the
 * whole has more than 60 kB, as far as that takes, and it says what is left out.
 */
export function renderMarkdown(answer: Answer): string {
  const render = (most: number) =>
    [
      ...linesOfAnswer(answer),
      ...answer.sections.flatMap((section) => linesOfSection(section, most)),
      '',
      ...answer.steps.flatMap(linesOfSteps),
    ].join('\n');
  const forms = [Number.POSITIVE_INFINITY, 1000, 300, 100, longestList].map(render);
  return forms.find((text) => new TextEncoder().encode(text).length <= mostBytes) ?? render(0);
}

function linesOfAnswer(answer: Answer): string[] {
  const { questions, facts, warnings, notices, findings, provenance, remarks, next } = answer;
  const { verdict, strategy, hops } = answer;
  // What is against a check is said once, with its findings, and what is against a hop below the route.
  const asked = questions.filter(({ isDetail }) => isDetail !== true || findings.length === 0);
  const against = asked.filter(
    ({ why, isDetail }) => why.length > 0 && (isDetail !== true || hops.length === 0),
  );
  const route = hopTable(hops);
  const beside = [
    ...notices,
    ...provenance.map(({ label, text }) => `${label}: ${text}.`),
    ...remarks.map(({ text }) => text),
  ];
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
  return [
    `### ${answer.yes ? '✅' : '❌'} ${escapeMarkdown(answer.asked)}`,
    '',
    escapeMarkdown(describeAnswer(answer)),
    ...(next === undefined ? [] : ['', `**Next:** ${escapeMarkdown(next)}`]),
    ...warnings.flatMap((line) => ['', `> ${escapeMarkdown(line)}`]),
    '',
    ...tableOf(['', ''], table),
    ...against.flatMap(({ name, why }) => folded(`${name}: details`, capped(why).map(item))),
    ...linesOfFindings(findings),
    ...(hops.length === 0
      ? []
      : [
          ...['', '**Route**', ''],
          ...tableOf(
            route.columns.map(({ title }) => title),
            route.rows.map((row) => row.map(({ text }) => text)),
          ),
        ]),
    ...(beside.length === 0 ? [] : ['', ...beside.map(item)]),
  ];
}

function describeQuestion({ yes, answer }: Question): string {
  const sign = answer === 'yes' ? '✅' : '⚠️';
  return `${yes ? sign : '❌'} ${answer}`;
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

function linesOfFindings(findings: readonly FoundGroup[]): string[] {
  const line = ({ label, checks, description }: FoundGroup) =>
    `- **${label}** ${escapeMarkdown(`${checks.join(', ')}: ${description}`)}`;
  const ok = findings.filter(({ status }) => status === 'ok');
  return [
    ...findings
      .filter(({ status }) => status !== 'ok')
      .flatMap((found) => ['', line(found), ...linesOfRemedy(found).map((text) => text && `  ${text}`)]),
    ...(ok.length === 0 ? [] : folded('ok', ok.map(line))),
  ];
}

function linesOfRemedy({ remedy }: FoundGroup): string[] {
  if (remedy === null) return [];
  const { text, pasteIn, commands } = remedy;
  return [
    ...['', `To do: ${escapeMarkdown(text)}`],
    ...(pasteIn === null
      ? []
      : ['', escapeMarkdown(pasteInWords[pasteIn]), '', ...fenced(languages[pasteIn], commands.join('\n'))]),
  ];
}

const languages: Record<PasteIn, string> = { psql: 'sql', image: 'sh', shell: 'sh', values: 'yaml' };

function tableOf(titles: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [titles, titles.map(() => '---'), ...rows.map((row) => row.map(escapeMarkdown))].map(line);
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

/** Between marks that the text cannot end. */
function fenced(language: string, text: string): string[] {
  const ticks = Math.max(2, ...[...text.matchAll(/`+/g)].map(([found]) => found.length));
  const mark = '`'.repeat(ticks + 1);
  return [`${mark}${language}`, ...text.trimEnd().split('\n'), mark];
}

/** @param most lines of each block */
function linesOfSection({ title, blocks, notes }: Section, most: number): string[] {
  const [first, ...others] = blocks;
  const lines = (block?: Block) =>
    capped(block?.lines ?? [], most, ' (this is cut at 60 kB; --format html shows all)').map(item);
  return folded(`${title}: ${first?.lead ?? ''}`, [
    ...notes.flatMap((note) => [`> ${escapeMarkdown(note)}`, '']),
    ...lines(first),
    ...others.flatMap((block) => ['', `**${escapeMarkdown(block.lead)}**`, '', ...lines(block)]),
  ]);
}

function folded(summary: string, lines: readonly string[]): string[] {
  return ['', `<details><summary>${escapeMarkdown(summary)}</summary>`, '', ...lines, '', '</details>'];
}

function item(text: string): string {
  return `- ${escapeMarkdown(clip(text, longest))}`;
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
