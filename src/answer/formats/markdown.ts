import { type PasteIn, pasteInWords } from '../../checks/check.js';
import type { Failure } from '../../core/lightspan-error.js';
import { compact } from '../../core/text/compact.js';
import { printable } from '../../core/text/printable.js';
import { shellWord } from '../../core/text/quoted-words.js';
import { beforeYouBegin, pasteAsOneBlock, pasteFunctions, wayBackAsOneBlock } from '../../steps/steps.js';
import { firstLines, longestList, longestText } from '../../words/lists.js';
import { truncate } from '../../words/phrase.js';
import type { Answer, BlocksOfHop, HopSteps, Question, Table } from '../answer.js';
import type { FoundGroup } from '../builders/findings.js';
import { hopTable } from '../builders/route/hops.js';
import { type HeadlineTone, headlineOfFailure } from '../headline.js';
import type { Format } from './format.js';

export const markdownFormat: Format = {
  write: renderMarkdown,
  writeFailure: renderMarkdownFailure,
};

/** A comment on GitHub has at most 65,536 characters, and nobody reads more than this there. */
const mostBytes = 60_000;

/**
 * The answer for a pull request, a change ticket or the summary of a job. Only the lists of details are cut: if the
 * whole has more than 60 kB, as far as that takes, and it says what is left out.
 */
export function renderMarkdown(answer: Answer): string {
  const render = (most: Most) => linesOfAnswer(answer, most).join('\n');
  const fits = (most: Most) => new TextEncoder().encode(render(most)).length <= mostBytes;
  const all = { items: Number.POSITIVE_INFINITY, text: longestText };
  const short = [all.items, 300, longestList].map((items) => ({ items, text: shortText }));
  return render([all, ...short].find(fits) ?? { items: 0, text: shortText });
}

/** Of each detail, the number of items and the characters of each. */
interface Most {
  readonly items: number;
  readonly text: number;
}

/** The characters of an item of a detail, where the whole would be too long. */
const shortText = 300;

const cutHint = ' (this is cut at 60 kB; --format html shows all)';

function linesOfAnswer(answer: Answer, most: Most): string[] {
  const { headline } = answer;
  const heading = `${marks[headline.tone]} Answer: ${escapeMarkdown(headline.text)}`;
  const body = linesOfBody(answer, most);
  const isLong = body.length > linesInSight;
  return [`### ${heading}`, '', ...body, ...(isLong ? [`**${heading}**`, ''] : [])];
}

/** A longer text ends with its answer too. */
const linesInSight = 40;

const marks: Readonly<Record<HeadlineTone, string>> = { good: '✅', care: '⚠️', bad: '❌', unknown: '❔' };

function linesOfBody(answer: Answer, most: Most): string[] {
  const { findings, hops, next } = answer;
  // What speaks against a check stands once, with its findings; what speaks against a hop stands below the route.
  const questions = answer.questions.filter(({ isDetail }) => isDetail !== true);
  // The headline says it in plain words.
  const facts = answer.facts.filter(({ label }) => label !== 'Verdict');
  const table = hopTable(answer);
  const ok = findings.filter(({ status }) => status === 'ok');
  const beside = [
    ...answer.notices,
    ...answer.provenance.map(({ label, text }) => `${label}: ${text}.`),
    ...answer.remarks.map(({ text }) => text),
  ];
  return compact(
    escapeMarkdown(answer.title),
    next !== undefined && ['', `**Next:** ${escapeMarkdown(next)}`],
    '',
    tableOf([
      ['', ''],
      ...questions.map(({ name, yes, answer }) => [name, `${signOf(yes, answer)} ${answer}`]),
      ...facts.map(({ label, text, items = [] }) => [label, compact(text || [], items).join('; ')]),
    ]),
    questions.map(
      ({ name, why }) =>
        why.length > 0 &&
        folded(
          `${name}: details`,
          firstLines(why).map((text) => item(text)),
        ),
    ),
    findings.filter(({ status }) => status !== 'ok').map((found) => ['', ...linesOfFinding(found)]),
    ok.length > 0 && folded('ok', ok.flatMap(linesOfFinding)),
    hops.length > 0 && [...['', '**Route**', ''], ...rowsOf(table)],
    answer.changes && ['', '**What changes for you**', '', ...rowsOf(answer.changes)],
    beside.length > 0 && ['', ...beside.map((text) => item(text))],
    answer.details.map(({ label, text, items = [] }) =>
      items.length === 0
        ? ['', escapeMarkdown(`${label}: ${text}`)]
        : folded(
            `${label}: ${text}`,
            firstLines(items, most.items, cutHint).map((text) => item(text, most.text)),
          ),
    ),
    '',
    answer.steps.map(linesOfSteps),
  );
}

function signOf(yes: boolean, answer: Question['answer']): string {
  if (!yes) return '❌';
  return answer === 'yes' ? '✅' : '⚠️';
}

export function renderMarkdownFailure({ message, hint }: Failure, exitCode: number): string {
  const { tone, text } = headlineOfFailure(message, exitCode);
  const paragraphs = compact(hint).map((line) => `\n${escapeMarkdown(line)}\n`);
  return `### ${marks[tone]} Answer: ${escapeMarkdown(text)}\n${paragraphs.join('')}`;
}

function linesOfFinding({ label, checks, description, remedy }: FoundGroup): string[] {
  return compact(
    `- **${label}** ${escapeMarkdown(`${checks.join(', ')}: ${description}`)}`,
    remedy !== null && ['', `  To do: ${escapeMarkdown(remedy.text)}`],
    remedy?.pasteIn && [
      ...['', `  ${escapeMarkdown(pasteInWords[remedy.pasteIn])}`, ''],
      ...fenced(languages[remedy.pasteIn], remedy.commands.join('\n'), '  '),
    ],
  );
}

const languages: Record<PasteIn, string> = { psql: 'sql', image: 'sh', shell: 'sh', values: 'yaml' };

/** @param rows the titles first */
function tableOf(rows: readonly (readonly string[])[]): string[] {
  const [titles = '', ...others] = rows.map((cells) => `| ${cells.map(escapeMarkdown).join(' | ')} |`);
  return [titles, titles.replaceAll(/[^|]+/g, ' --- '), ...others];
}

function rowsOf({ columns, rows }: Table): string[] {
  return tableOf([columns.map(({ title }) => title), ...rows.map((row) => row.map(({ text }) => text))]);
}

function linesOfSteps({ title, before, steps, script, toPaste }: HopSteps): string[] {
  return compact(
    [`#### ${escapeMarkdown(title)}`, ''],
    before.map((line) => [escapeMarkdown(line), '']),
    steps.map(({ title, values, notes, commands }, n) => [
      `${n + 1}. ${escapeMarkdown(title)}`,
      values && [
        ...[`   ${escapeMarkdown(beforeYouBegin(values))}`, ''],
        ...[...fenced('yaml', values.yaml, '   '), ''],
      ],
      notes.map((note) => `   - ${escapeMarkdown(note)}`),
      toPaste === undefined && commands.length > 0 && ['', ...fenced('sh', commands.join('\n'), '   '), ''],
    ]),
    '',
    toPaste && linesToPaste(toPaste, script),
  );
}

function linesToPaste({ functions, commands, back }: BlocksOfHop, script: string | undefined): string[] {
  return compact(
    script === undefined && [...folded(pasteFunctions, fenced('sh', functions)), ''],
    commandsOf(pasteAsOneBlock, commands, script),
    '',
    [wayBackAsOneBlock, '', ...back.notes.map((note) => `- ${escapeMarkdown(note)}`), ''],
    commandsOf(undefined, back.commands, back.script),
    '',
  );
}

function commandsOf(title: string | undefined, block: string, script: string | undefined): string[] {
  if (script !== undefined) return fenced('sh', `sh ${shellWord(printable(script))}`);
  return [...(title === undefined ? [] : [title, '']), ...fenced('sh', block)];
}

/** Between marks that the text cannot end. */
function fenced(language: string, text: string, indent = ''): string[] {
  const ticks = Math.max(2, ...[...text.matchAll(/`+/g)].map(([found]) => found.length));
  const mark = '`'.repeat(ticks + 1);
  return [`${mark}${language}`, ...text.trimEnd().split('\n'), mark].map((line) => `${indent}${line}`);
}

function folded(summary: string, lines: readonly string[]): string[] {
  return ['', `<details><summary>${escapeMarkdown(summary)}</summary>`, '', ...lines, '', '</details>'];
}

function item(text: string, longest = longestText): string {
  return `- ${escapeMarkdown(truncate(text, longest))}`;
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
