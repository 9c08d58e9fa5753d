import { expect, it } from 'vitest';
import type { GateAnswer } from '../../../src/render/gate/answer.js';
import {
  renderFailureMarkdown,
  renderGateMarkdown,
  renderGateMarkdownLine,
} from '../../../src/render/markdown/gate.js';
import * as of from '../words/sentences.js';

/** Whole answers, with all that can stand in one: `gate.md`. */

const values = { file: 'my_values.yaml', yaml: 'a:\n  b: "`x`"\n' };
const answer: GateAnswer = {
  ...{ title: 'upgrade-plan <a> -> b', yes: true, safe: true, verdict: true, strategy: 'RollingUpdate' },
  ...{ hops: [of.hop], questions: [] },
};
const no = { yes: false, safe: false, verdict: 'unknown', strategy: 'Recreate' } as const;
const step = (title: string, more: object = {}) => ({ title, commands: [], notes: [], needs: [], ...more });
const commands = {
  before: ['Going back needs *code* only.', 'It is long.'],
  steps: [step('Back up', { notes: ['It takes a while.', 'Keep <it>.'] }), step('Roll', { values })],
  block: 'begin=`date`\nhelm upgrade\n',
  script: undefined,
};

const answers: Readonly<Record<string, () => string>> = {
  'a yes': () => renderGateMarkdown(answer),
  'a yes with commands': () => renderGateMarkdown({ ...answer, commands: [commands] }),
  'a yes with a script': () =>
    renderGateMarkdown({ ...answer, commands: [{ ...commands, before: [], script: "out/it's 1.sh" }] }),
  'a no': () =>
    renderGateMarkdown({
      ...{ ...answer, ...no, hops: [] },
      questions: [
        { name: 'Direct upgrade', yes: true, why: [], notes: ['*Of note*.'] },
        { name: 'Rolling <update>', yes: false, why: ['one', 'two_'], notes: ['Of note, too.'] },
        { name: 'Known', yes: true, why: [], answer: 'warn' },
        { name: 'Looked at', yes: false, why: ['nobody'], answer: 'not checked' },
      ],
    }),
  'an answer about no span': () =>
    renderGateMarkdown({ ...answer, headline: 'all is well', strategy: undefined }),
  lines: () => renderGateMarkdownLine(answer) + renderGateMarkdownLine({ ...answer, ...no }),
  'no answer': () =>
    renderFailureMarkdown({ message: 'no <index>', hint: undefined } as never) +
    renderFailureMarkdown({ message: 'no index', hint: 'Give *one*.' } as never),
};

it('answers in Markdown are held', async () => {
  const text = Object.entries(answers).map(([title, render]) => `=== ${title}\n\n${render()}`);
  await expect(text.join('\n')).toMatchFileSnapshot('gate.md');
});
