import type { Failure } from '../../errors.js';
import type { RouteHop } from '../../release-safety/route.js';
import { beforeYouBegin, pasteAsOneBlock } from '../deployment-steps.js';
import { describeGateAnswer, type GateAnswer, type GateQuestion, type HopCommands } from '../gate/answer.js';
import { hopTable } from '../hop-table.js';
import { printable } from '../printable.js';
import { shellWord } from '../shell-word.js';
import { titleOfHop } from '../words/route.js';
import { escapeMarkdown } from './escape.js';
import { renderMarkdownTable } from './table.js';

/** The answer for a pull request, a change ticket or the summary of a job. */
export function renderGateMarkdown(answer: GateAnswer): string {
  const { hops, commands = [] } = answer;
  return [
    renderGateMarkdownAnswer(answer),
    ...commands.flatMap((one, i) => renderCommands(one, i, hops[i])),
  ].join('\n');
}

/** The answer without the steps for each hop. */
export function renderGateMarkdownAnswer(answer: GateAnswer): string {
  const { questions, verdict, strategy, hops } = answer;
  const why = questions.filter((question) => question.why.length > 0);
  const notes = questions.flatMap((question) => question.notes ?? []);
  return [
    ...heading(answer),
    '',
    '| | |',
    '| --- | --- |',
    ...questions.map((question) => `| ${escapeMarkdown(question.name)} | ${describeAnswer(question)} |`),
    `| Verdict | ${verdict} |`,
    ...(strategy === undefined
      ? []
      : [`| Strategy | ${strategy}${strategy === 'Recreate' ? ' (a downtime)' : ''} |`]),
    ...why.flatMap(({ name, why }) => [
      '',
      `<details><summary>${escapeMarkdown(name)}: details</summary>`,
      '',
      ...why.map((line) => `- ${escapeMarkdown(line)}`),
      '',
      '</details>',
    ]),
    ...(hops.length > 0 ? ['', '**Route**', '', ...renderMarkdownTable(hopTable(hops))] : []),
    ...(notes.length > 0 ? ['', ...notes.map((note) => `- ${escapeMarkdown(note)}`)] : []),
    '',
  ].join('\n');
}

function describeAnswer({ yes, answer }: GateQuestion): string {
  if (answer === undefined) return yes ? '✅ yes' : '❌ no';
  return `${yes ? '⚠️' : '❌'} ${answer}`;
}

/** The answer if there is no room for more. */
export function renderGateMarkdownLine(answer: GateAnswer): string {
  return `\n${escapeMarkdown(answer.title)}: ${answer.yes ? '✅ yes' : '❌ no'}\n`;
}

/** The text if there is no answer. */
export function renderFailureMarkdown({ message, hint }: Failure): string {
  return [
    '### ❌ lightspan: no answer',
    '',
    escapeMarkdown(message),
    ...(hint === undefined ? [] : ['', escapeMarkdown(hint)]),
    '',
  ].join('\n');
}

function renderCommands(
  { before, steps, block, script }: HopCommands,
  i: number,
  hop: RouteHop | undefined,
): string[] {
  return [
    `#### ${escapeMarkdown(hop === undefined ? `Hop ${i + 1}` : titleOfHop(hop, i + 1))}`,
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

/** A code block whose fence is longer than any in the text. */
function fenced(language: string, text: string): string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const mark = '`'.repeat(longest + 1);
  return [`${mark}${language}`, ...text.trimEnd().split('\n'), mark];
}

function heading(answer: GateAnswer): string[] {
  return [
    `### ${answer.yes ? '✅' : '❌'} ${escapeMarkdown(answer.title)}`,
    '',
    escapeMarkdown(describeGateAnswer(answer)),
  ];
}
