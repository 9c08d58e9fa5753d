import type { FindingStatus } from '../checks/check.js';
import { pasteInWords } from '../checks/check.js';
import { compact } from '../shared/compact.js';
import { beforeYouBegin, pasteAsOneBlock, type RenderedStep } from '../steps/steps.js';
import { capped, longestList } from '../words/lists.js';
import { pointToExplain } from '../words/next.js';
import { clip, countOf } from '../words/phrase.js';
import { printable } from '../words/printable.js';
import { shellWord } from '../words/quoted-words.js';
import type { Answer, Fact, HopSteps, Question } from './answer.js';
import type { FoundGroup } from './findings.js';
import { hopTable } from './hops.js';
import type { Palette } from './palette.js';
import { type Block, lineOf, mostNamed, type Section, type Table, textOf } from './section.js';
import { renderTable, wrapWords } from './wrap.js';

export interface TextOptions {
  readonly palette: Palette;
  /** Whether to list everything, however much. */
  readonly verbose: boolean;
  /** Columns of the terminal; undefined if the output is not a terminal. */
  readonly width: number | undefined;
  /** The drawing of the releases by `renderStrip`, for a terminal. */
  readonly strip?: readonly string[] | undefined;
}

/** Longer texts from outside are cut here: JSON has them whole. */
const longest = 500;

/** The answer for a person. */
export function renderText(answer: Answer, options: TextOptions): string {
  const { palette, width, strip = [] } = options;
  const { title, facts, warnings, sections, provenance, why, next } = answer;
  const questions = answer.questions.filter(({ isDetail }) => isDetail !== true);
  const whyLines = pointToExplain(why);
  const nextLines = next === undefined ? [] : [`Next: ${printable(next)}`];
  const judged = provenance.map(({ label, text }) => printable(`${label}: ${text}`));
  const head = [
    printable(title),
    ...facts.flatMap((fact) => linesOfFact(fact, options)),
    ...(strip.length === 0 ? [] : ['', ...strip]),
  ];
  const reasons = questions.flatMap((question) => linesOfQuestion(question, options));
  const route = [
    ...(answer.hops.length === 0 ? [] : ['', ...linesOfTable(hopTable(answer.hops), options)]),
    ...answer.remarks.map(({ text, bad }) => {
      const line = wrapWords(printable(bad === true ? `! ${text}` : text), width, '  ');
      return bad === true ? palette.bad(line) : line;
    }),
  ];
  const long = route.length + answer.steps.length + answer.findings.length;
  const warned = warnings.map((line) => palette.warn(wrapWords(printable(line), width)));
  const lines =
    sections.length === 0
      ? [
          ...[...head, ...warned, ...(questions.length > 1 || strip.length > 0 ? [''] : []), ...reasons],
          ...[...judged, ...route],
          ...linesOfFindings(answer.findings, options),
          ...answer.steps.flatMap((hop) => ['', ...linesOfSteps(hop, palette)]),
          ...[...(long > 0 ? [''] : []), ...whyLines, ...nextLines],
        ]
      : [
          ...[...head, ...nextLines, ...warned, ...route, '', ...reasons, ...whyLines, ''],
          ...linesOfSections(sections, options),
          ...['', ...judged.map(palette.dim)],
        ];
  return lines.map((line) => `${line}\n`).join('');
}

function linesOfFact({ label, text, tone, items = [] }: Fact, options: TextOptions): string[] {
  const { palette, width } = options;
  const line =
    tone === undefined
      ? wrapWords(printable(`${label}: ${text}`), width, '  ').trimEnd()
      : `${label}: ${palette.bold(palette[tone](printable(text)))}`;
  return [line, ...listed(items, options)];
}

function linesOfQuestion({ name, answer, beside, why }: Question, options: TextOptions): string[] {
  return [
    printable(`${name}: ${answer}${beside === undefined ? '' : ` (${beside})`}`),
    ...listed(why, options),
  ];
}

/** A list of lines; a long one is cut unless everything was requested, and says so. */
function listed(lines: readonly string[], { verbose }: Pick<TextOptions, 'verbose'>): string[] {
  const shown = verbose ? lines : capped(lines, longestList, ' (--verbose lists them)');
  return shown.map((line) => `  - ${printable(clip(line, longest))}`);
}

function linesOfTable({ columns, rows }: Table, { palette, width }: TextOptions): string[] {
  const shown = columns.flatMap(({ isWide }, i) => (isWide === true ? [] : [i]));
  const pick = <T>(all: readonly T[]) => shown.flatMap((i) => all[i] ?? []);
  const text = renderTable(
    pick(columns).map(({ title }) => title.toUpperCase()),
    rows.map((row) => pick(row).map(textOf)),
    palette,
    width,
  );
  return [text.trimEnd()];
}

function linesOfSteps({ title, before, steps, block, script }: HopSteps, palette: Palette): string[] {
  return [
    palette.bold(title),
    ...before.map((line) => `  ${wrapWords(line, 78, '    ')}`),
    ...steps.flatMap((step, i) => linesOfStep(step, i + 1, palette)),
    '',
    ...(script === undefined
      ? [pasteAsOneBlock, '', block.trimEnd()]
      : [`Run: sh ${shellWord(printable(script))}`]),
  ];
}

function linesOfStep({ title, values, notes }: RenderedStep, at: number, palette: Palette): string[] {
  const indent = (text: string, by: string) => text.trimEnd().replaceAll(/^/gm, by);
  return compact(
    `  ${at}. ${printable(title)}`,
    values && [`     ${printable(beforeYouBegin(values))}`, indent(values.yaml, '       ')],
    notes.map((note) => palette.dim(indent(note, '     '))),
  );
}

/** Many checks in order are one line unless everything was requested. */
function linesOfFindings(findings: readonly FoundGroup[], options: TextOptions): string[] {
  if (findings.length === 0) return [];
  const open = findings.filter(({ status }) => status !== 'ok');
  const ok = findings.slice(open.length);
  const named = new Set(open.flatMap(({ checks }) => checks));
  const well = new Set(ok.flatMap(({ checks }) => checks.filter((check) => !named.has(check))));
  const [first] = ok;
  if (options.verbose || first === undefined || well.size <= mostNamed) {
    return ['', ...findings.flatMap((found) => linesOfFinding(found, options))];
  }
  const folded = `${markOf(first, options.palette)} ${countOf(well.size, 'check')} (--verbose lists them)`;
  return ['', ...open.flatMap((found) => linesOfFinding(found, options)), folded];
}

const paints: Record<FindingStatus, keyof Palette> = {
  stop: 'bad',
  'not-checked': 'warn',
  warn: 'warn',
  ok: 'dim',
};

const margin = ' '.repeat(12);

function markOf({ status, label }: FoundGroup, palette: Palette): string {
  return palette[paints[status]](label.padEnd(margin.length - 1));
}

/** A finding, and what to do about it. */
export function linesOfFinding(found: FoundGroup, { palette, width, verbose }: TextOptions): string[] {
  const { checks, brief, description, remedy } = found;
  const fit = (text: string) =>
    wrapWords(text, width && width - margin.length).replaceAll('\n', `\n${margin}`);
  return compact(
    `${markOf(found, palette)} ${fit(`${verbose ? checks.join(', ') : brief}: ${description}`)}`,
    remedy !== null && [
      `${margin}${fit(`To do: ${remedy.text}`)}`,
      remedy.pasteIn !== null && `${margin}${pasteInWords[remedy.pasteIn]}`,
      // To be pasted unchanged: never wrapped.
      remedy.commands.map((command) => `${margin}    ${command.replaceAll('\n', `\n${margin}`)}`),
    ],
  );
}

/** Sections that all say the same one thing are one line. */
function linesOfSections(sections: readonly Section[], options: TextOptions): string[] {
  const parts: { readonly titles: string[]; readonly first: string; readonly rest: readonly string[] }[] = [];
  for (const { title, blocks, notes } of sections) {
    const [first = '', ...others] = blocks.flatMap((block) => linesOfBlock(block, options));
    const rest = [...others, ...notes];
    const same = parts.find((part) => part.first === first && part.rest.length + rest.length === 0);
    if (same === undefined) parts.push({ titles: [title], first, rest });
    else same.titles.push(title);
  }
  return parts.flatMap(({ titles, first, rest }) => [
    `${options.palette.bold(titles.join(', '))}: ${first}`,
    ...rest,
  ]);
}

function linesOfBlock(block: Block, options: TextOptions): string[] {
  const { verbose } = options;
  const { lead } = block;
  if (block.kind === 'code') return [`${lead}:`, block.text.trimEnd()];
  const { columns, rows, whole = verbose, folded, dull } = block;
  if (dull === true && !verbose) return [];
  if (folded === true && !verbose) return [`${lead}${rows.length === 0 ? '' : ' (--verbose lists them)'}`];
  const lines = rows.map((row) => lineOf(columns, row, longest));
  if (lines.length === 1 && block.whole !== true) return [printable(`${lead}: ${lines[0]}`)];
  return [`${lead}${rows.length === 0 ? '' : ':'}`, ...listed(lines, { verbose: whole })];
}
