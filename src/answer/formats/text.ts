import { type FindingStatus, pasteInWords } from '../../checks/check.js';
import { captured } from '../../core/text/captured.js';
import { compact } from '../../core/text/compact.js';
import { printable } from '../../core/text/printable.js';
import { shellWord } from '../../core/text/quoted-words.js';
import { beforeYouBegin, pasteAsOneBlock, pasteFunctions, wayBackAsOneBlock } from '../../steps/steps.js';
import { firstLines, longestList, longestText } from '../../words/lists.js';
import { countOf, truncate } from '../../words/phrase.js';
import { pointToExplain } from '../../words/route/next.js';
import type { Answer, BlocksOfHop, Fact, HopSteps, Table } from '../answer.js';
import { linesOfChanges } from '../builders/changes.js';
import type { FoundGroup } from '../builders/findings.js';
import { hopTable } from '../builders/route/hops.js';
import type { Headline, HeadlineTone } from '../headline.js';
import { renderFailureText } from '../outputs/messages.js';
import type { Format, TextOptions } from './format.js';
import { type Palette, plainPalette } from './palette.js';
import { renderTable, wrapWords } from './wrap.js';

/** For a person. A failure writes nothing to standard output, only to standard error. */
export const textFormat: Format = {
  write: (answer, run) => renderText(answer, run.text),
  writeFailure: renderFailureText,
};

/** A longer text than this ends with its answer too: on a terminal, its beginning is out of sight. */
const linesInSight = 20;

/** The answer for a person: its headline first, or right after what the contract puts before everything. */
export function renderText(answer: Answer, options: TextOptions): string {
  const headline = lineOfHeadline(answer.headline, options);
  const heading = compact(
    wrapWords(printable(answer.title), options.width, '  '),
    answer.facts.map((fact) => linesOfFact(fact, options)),
  );
  const lines =
    answer.isContract === true
      ? [...heading, '', headline, ...linesOfBody(answer, options)]
      : [headline, ...heading, ...linesOfBody(answer, options)];
  const isLong = lines.length > linesInSight;
  return linesAsText(isLong ? [...lines, headline] : lines);
}

/** `✓ Answer: yes, rolling`: on a terminal with its sign, so that it does not take a colour to see what it says. */
function lineOfHeadline({ tone, text }: Headline, { palette, width, isAscii }: TextOptions): string {
  const sign = width === undefined ? '' : `${(isAscii === true ? asciiSigns : signOfTone)[tone]} `;
  const line = wrapWords(printable(`${sign}Answer: ${text}`), width, '  ');
  return palette.bold(palette[paintOf[tone]](line));
}

const signOfTone: Readonly<Record<HeadlineTone, string>> = { good: '✓', care: '▲', bad: '✗', unknown: '?' };

const asciiSigns: typeof signOfTone = { good: '+', care: '!', bad: 'x', unknown: '?' };

const paintOf = { good: 'good', care: 'warn', bad: 'bad', unknown: 'dim' } as const satisfies Record<
  HeadlineTone,
  keyof Palette
>;

/** What stands below the headline and the facts. */
function linesOfBody(answer: Answer, options: TextOptions): string[] {
  const { palette, width, strip = [] } = options;
  const { isContract } = answer;
  const { headline, hops, remarks, findings, steps, details, next } = answer;
  const fit = (text: string) => wrapWords(printable(text), width, '  ');
  const questions = answer.questions.filter(({ isDetail }) => isDetail !== true);
  const changes = linesOfChanges(answer.changes, !options.verbose);
  const isLong =
    hops.length + changes.length + remarks.length + findings.length + steps.length + details.length > 0;
  const ending = compact(
    headline.tone !== 'good' && pointToExplain(answer.why),
    next !== undefined && linesToCopy(`Next: ${printable(next)}`, width, '  '),
  );
  return compact(
    strip.length > 0 && ['', ...strip],
    (isContract !== true || strip.length > 0) && questions.length > 1 && '',
    questions.map(({ name, answer, beside, why }) => [
      fit(`${name}: ${answer}${beside === undefined ? '' : ` (${beside})`}`),
      ...shownLines(why, options),
    ]),
    answer.provenance.map(({ label, text }) => fit(`${label}: ${text}`)),
    hops.length > 0 && ['', tableOfHops(hopTable(answer), palette)],
    remarks.map(({ text, bad }) => {
      const line = fit(bad === true ? `! ${text}` : text);
      return bad === true ? palette.bad(line) : line;
    }),
    changes.length > 0 && [
      '',
      `What changes for you${options.verbose ? '' : ' (--verbose says whom it concerns, and what to do)'}:`,
      ...changes.map((line) => wrapWords(`  - ${printable(line)}`, width, '    ')),
    ],
    findings.length > 0 && ['', ...linesOfFindings(findings, options)],
    // Hops that are a script each stand in a list.
    steps.map((hop, i) => [
      ...(i > 0 && hop.script !== undefined ? [] : ['']),
      ...linesOfSteps(hop, options),
    ]),
    details.length > 0 && '',
    details.map((fact) => linesOfFact(fact, options)),
    isLong && ending[0] && '',
    ending,
  );
}

/** A command behind a colon, up to a semicolon that is not in quotes. */
const commandToCopy = /: (lightspan(?: (?:'[^']*'|[^ ;'])+)+)(?:; )?/;

/**
 * On a terminal, each command to copy has a line of its own, which the terminal alone breaks.
 *
 * @param indent of the lines after the first
 */
function linesToCopy(text: string, width: number | undefined, indent: string): string[] {
  if (width === undefined) return [text];
  // What is split at a group has the texts of that group at its odd places.
  return text.split(commandToCopy).flatMap((part, i, { length }) => {
    if (i % 2 === 1) return [`${indent}  ${part}`];
    const words = i < length - 1 ? `${part}:` : part;
    return words === '' ? [] : [wrapWords(i === 0 ? words : `${indent}${words}`, width, indent)];
  });
}

/** Facts alone, for a command that answers no question: all of them, with all of their items. */
export function renderFacts(
  facts: readonly Fact[],
  { palette = plainPalette, width }: Partial<Pick<TextOptions, 'palette' | 'width'>> = {},
): string {
  return linesAsText(facts.flatMap((fact) => linesOfFact(fact, { palette, width, verbose: true })));
}

function linesAsText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

function linesOfFact({ label, text, tone, items = [], isFolded }: Fact, options: TextOptions): string[] {
  const { palette, width, verbose } = options;
  const fold = isFolded === true && !verbose;
  const line =
    tone === undefined
      ? wrapWords(
          printable(`${label}: ${text}${fold ? ' (--verbose lists them)' : ''}`),
          width,
          '  ',
        ).trimEnd()
      : `${label}: ${palette.bold(palette[tone](printable(text)))}`;
  return [line, ...shownLines(fold ? [] : items, options)];
}

/** A list of lines; a long one is cut unless everything was requested, and says so. */
function shownLines(
  lines: readonly string[],
  { verbose, width }: Pick<TextOptions, 'verbose' | 'width'>,
): string[] {
  const shown = verbose
    ? lines
    : firstLines(lines, longestList, ' (--verbose lists them)').map((line) => truncate(line, longestText));
  return shown.flatMap((line) => linesToCopy(`  - ${printable(line)}`, width, '    '));
}

function tableOfHops({ columns, rows }: Table, palette: Palette): string {
  const isShown = (_: unknown, i: number) => columns[i]?.isWide !== true;
  const titles = columns.filter(isShown).map(({ title }) => title.toUpperCase());
  const cells = rows.map((row) => row.filter(isShown).map(({ text }) => text));
  return renderTable(titles, cells, palette).trimEnd();
}

/**
 * Where a script is written, it has the steps of its hop with all their notes, and the answer shows only what must be
 * set before the script runs.
 */
function linesOfSteps(
  { title, before, steps, script, toPaste }: HopSteps,
  { palette, verbose, width }: TextOptions,
): string[] {
  const indent = (text: string, by: string) => text.trimEnd().replaceAll(/^/gm, by);
  const hasSteps = script === undefined || verbose;
  const inner = ' '.repeat(hasSteps ? 5 : 2);
  return compact(
    palette.bold(title),
    hasSteps && before.map((line) => `  ${wrapWords(line, 78, '    ')}`),
    steps.map(({ title, values, notes, commands }, i) => [
      hasSteps && `  ${i + 1}. ${printable(title)}`,
      values && [`${inner}${printable(beforeYouBegin(values))}`, indent(values.yaml, `${inner}  `)],
      (verbose || toPaste === undefined) &&
        notes.map((note) => palette.dim(wrapWords(indent(note, '     '), width, '     '))),
      toPaste === undefined && commands.map((command) => indent(command, '       ')),
    ]),
    toPaste && linesToPaste(toPaste, script, { palette, verbose, width }),
  );
}

function linesToPaste(
  { functions, commands, back }: BlocksOfHop,
  script: string | undefined,
  { palette, verbose, width }: TextOptions,
): string[] {
  if (script !== undefined)
    return compact(
      `  Run${neededBy(commands)}: sh ${shellWord(printable(script))}`,
      verbose && back.script !== undefined && `  The way back: sh ${shellWord(printable(back.script))}`,
    );
  if (!verbose) {
    const lines = commands.trimEnd().split('\n').length;
    const words =
      `  Add --verbose for the details of each step, its commands as one block (${lines} lines, after the functions ` +
      'that all hops share), and the way back; or --out <folder> for scripts.';
    return [wrapWords(words, width, '  ')];
  }
  return [
    ...['', wrapWords(pasteFunctions, width), '', functions.trimEnd()],
    ...['', wrapWords(pasteAsOneBlock, width), '', commands.trimEnd()],
    ...[
      '',
      wrapWords(wayBackAsOneBlock, width),
      ...back.notes.map((note) => palette.dim(wrapWords(`  - ${note}`, 78, '    '))),
    ],
    ...['', back.commands.trimEnd()],
  ];
}

/** The variables that commands cannot run without: what runs them names all. */
function neededBy(commands: string): string {
  const [first, ...others] = captured(commands, /^: "\$\{(\w+):\?/gm);
  if (first === undefined) return '';
  return `, with ${first}${others.length === 0 ? '' : ` and ${others.length} more`} set`;
}

/** Above this number, checks are counted and not named, unless everything was requested. */
const mostNamed = 3;

function linesOfFindings(findings: readonly FoundGroup[], options: TextOptions): string[] {
  const open = findings.filter(({ status }) => status !== 'ok');
  const named = new Set(open.flatMap(({ checks }) => checks));
  const well = new Set(findings.flatMap(({ checks }) => checks).filter((check) => !named.has(check)));
  const isFolded = !options.verbose && well.size > mostNamed;
  const fold = `${options.palette.dim('ok         ')} ${countOf(well.size, 'check')} (--verbose lists them)`;
  return compact(
    (isFolded ? open : findings).map((found) => linesOfFinding(found, options)),
    isFolded && fold,
  );
}

const paintOfStatus: Record<FindingStatus, keyof Palette> = {
  stop: 'bad',
  'not-checked': 'warn',
  warn: 'warn',
  ok: 'dim',
};

const indentOfRemedy = ' '.repeat(12);

/** A finding, and what to do about it. */
export function linesOfFinding(found: FoundGroup, { palette, width, verbose }: TextOptions): string[] {
  const { status, label, checks, description, remedy } = found;
  const mark = palette[paintOfStatus[status]](label.padEnd(indentOfRemedy.length - 1));
  const names = verbose || checks.length <= mostNamed ? checks.join(', ') : countOf(checks.length, 'check');
  const fit = (text: string) =>
    wrapWords(text, width && width - indentOfRemedy.length).replaceAll('\n', `\n${indentOfRemedy}`);
  return compact(
    `${mark} ${fit(`${names}: ${description}`)}`,
    remedy && `${indentOfRemedy}${fit(`To do: ${remedy.text}`)}`,
    remedy?.pasteIn && `${indentOfRemedy}${pasteInWords[remedy.pasteIn]}`,
    // To be pasted unchanged: never wrapped.
    remedy?.commands.map(
      (command) => `${indentOfRemedy}    ${command.replaceAll('\n', `\n${indentOfRemedy}`)}`,
    ),
  );
}
