import type { Failure } from '../../errors.js';
import type { RouteHop } from '../../release-safety/route.js';
import { describeGateAnswer, type GateAnswer } from '../gate/answer.js';
import { escapeMarkdown } from './escape.js';

/** The answer for a pull request, a change ticket or the summary of a job. */
export function renderGateMarkdown(answer: GateAnswer): string {
  const { questions, verdict, strategy, hops } = answer;
  const why = questions.filter((question) => question.why.length > 0);
  return [
    ...heading(answer),
    '',
    '| | |',
    '| --- | --- |',
    ...questions.map(({ name, yes }) => `| ${escapeMarkdown(name)} | ${yes ? '✅ yes' : '❌ no'} |`),
    `| Verdict | ${verdict} |`,
    `| Strategy | ${strategy}${strategy === 'Recreate' ? ' (a short downtime)' : ''} |`,
    ...why.flatMap(({ name, why }) => [
      '',
      `<details><summary>${escapeMarkdown(name)}: details</summary>`,
      '',
      ...why.map((line) => `- ${escapeMarkdown(line)}`),
      '',
      '</details>',
    ]),
    ...(hops.length > 0 ? ['', '**Route**', '', ...renderHops(hops)] : []),
    '',
  ].join('\n');
}

/** The answer where there is no room for more. */
export function renderGateMarkdownLine(answer: GateAnswer): string {
  return `\n${escapeMarkdown(answer.title)}: ${answer.yes ? '✅ yes' : '❌ no'}\n`;
}

/** Where there is no answer. */
export function renderFailureMarkdown({ message, hint }: Failure): string {
  return [
    '### ❌ lightspan: no answer',
    '',
    escapeMarkdown(message),
    ...(hint === undefined ? [] : ['', escapeMarkdown(hint)]),
    '',
  ].join('\n');
}

function heading(answer: GateAnswer): string[] {
  return [
    `### ${answer.yes ? '✅' : '❌'} ${escapeMarkdown(answer.title)}`,
    '',
    escapeMarkdown(describeGateAnswer(answer)),
  ];
}

function renderHops(hops: readonly RouteHop[]): string[] {
  return [
    '| hop | from | to | strategy | releases |',
    '| ---: | --- | --- | --- | ---: |',
    ...hops.map(
      ({ fromVersion, toVersion, strategy, certified, releases }, i) =>
        `| ${i + 1} | ${fromVersion} | ${toVersion} | ${certified ? strategy : `${strategy}, **not certified**`} | ${releases.length} |`,
    ),
  ];
}
