import type { FindingStatus } from '../checks/check.js';
import { pasteInWords } from '../checks/check.js';
import { compact } from '../shared/compact.js';
import { beforeYouBegin, pasteAsOneBlock, type RenderedStep } from '../steps/steps.js';
import { capped, longestList } from '../words/lists.js';
import { pointToExplain } from '../words/next.js';
import { clip, countOf } from '../words/phrase.js';
import { printable } from '../words/printable.js';
import { shellWord } from '../words/quoted-words.js';
import type { Answer, Block, Fact, HopSteps, Question, Section } from './answer.js';
import { type FoundGroup, mostNamed } from './findings.js';
import { hopTable, type Table } from './hops.js';
import { type Palette, plainPalette } from './palette.js';
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
  const { hops, findings, steps, sections, next } = answer;
  const questions = answer.questions.filter(({ isDetail }) => isDetail !== true);
  const route = [
    ...(hops.length === 0 ? [] : ['', ...linesOfTable(hopTable(hops), options)]),
    ...answer.remarks.map(({ text, bad }) => {
      const line = wrapWords(printable(bad === true ? `! ${text}` : text), width, '  ');
      return bad === true ? palette.bad(line) : line;
    }),
  ];
  const long = route.length + steps.length + findings.length + sections.length;
  const lines = [
    printable(answer.title),
    ...answer.facts.flatMap((fact) => linesOfFact(fact, options)),
    ...(strip.length === 0 ? [] : ['', ...strip]),
    ...answer.warnings.map((line) => palette.warn(wrapWords(printable(line), width))),
    ...(questions.length > 1 || strip.length > 0 ? [''] : []),
    ...questions.flatMap((question) => linesOfQuestion(question, options)),
    ...answer.provenance.map(({ label, text }) => printable(`${label}: ${text}`)),
    ...route,
    ...linesOfFindings(findings, options),
    ...steps.flatMap((hop) => ['', ...linesOfSteps(hop, palette)]),
    ...(sections.length > 0 ? [''] : []),
    ...sections.flatMap((section) => linesOfSection(section, options)),
    ...(long > 0 ? [''] : []),
    ...pointToExplain(answer.why),
    ...(next === undefined ? [] : [`Next: ${printable(next)}`]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** Facts alone, for a command that answers no question: all of them, with all of their items. */
export function renderFacts(
  facts: readonly Fact[],
  { palette = plainPalette, width }: Partial<Pick<TextOptions, 'palette' | 'width'>> = {},
): string {
  const lines = facts.flatMap((fact) => linesOfFact(fact, { palette, width, verbose: true }));
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

function linesOfTable({ columns, rows }: Table, { palette }: TextOptions): string[] {
  const isShown = (_: unknown, i: number) => columns[i]?.isWide !== true;
  const text = renderTable(
    columns.filter(isShown).map(({ title }) => title.toUpperCase()),
    rows.map((row) => row.filter(isShown).map(({ text }) => text)),
    palette,
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

function linesOfSection({ title, blocks, notes }: Section, options: TextOptions): string[] {
  const [first = '', ...others] = blocks.flatMap((block) => linesOfBlock(block, options));
  return [`${options.palette.bold(title)}: ${first}`, ...others, ...notes];
}

function linesOfBlock({ lead, lines, folded, whole = false }: Block, { verbose }: TextOptions): string[] {
  if (lines.length === 0) return [lead];
  if (folded === true && !verbose) return [`${lead} (--verbose lists them)`];
  return [`${lead}:`, ...listed(lines, { verbose: whole || verbose })];
}
