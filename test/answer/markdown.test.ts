import { expect, it } from 'vitest';
import { type Answer, emptyAnswer } from '../../src/answer/answer.js';
import { renderMarkdown, renderMarkdownFailure, renderMarkdownLine } from '../../src/answer/markdown.js';
import * as of from '../render/words/sentences.js';

/** Whole answers, with all that can stand in one: `markdown.md`. */

const values = { file: 'my_values.yaml', yaml: 'a:\n  b: "`x`"\n' };
const answer: Answer = {
  ...emptyAnswer,
  ...{
    title: 'a plan',
    asked: 'upgrade-plan <a> -> b',
    yes: true,
    safe: true,
    verdict: true,
    strategy: 'RollingUpdate',
  },
  ...{ hops: [of.hop], questions: [] },
};
const no = { yes: false, safe: false, verdict: 'unknown', strategy: 'Recreate' } as const;
const step = (title: string, more: object = {}) => ({ title, commands: [], notes: [], needs: [], ...more });
const commands = {
  title: 'Hop 1: <a> -> b',
  before: ['Going back needs *code* only.', 'It is long.'],
  steps: [step('Back up', { notes: ['It takes a while.', 'Keep <it>.'] }), step('Roll', { values })],
  block: 'begin=`date`\nhelm upgrade\n',
  script: undefined,
};

const answers: Readonly<Record<string, () => string>> = {
  'a yes': () => renderMarkdown(answer),
  'a yes with commands': () => renderMarkdown({ ...answer, steps: [commands] }),
  'a yes with a script': () =>
    renderMarkdown({ ...answer, steps: [{ ...commands, before: [], script: "out/it's 1.sh" }] }),
  'a no': () =>
    renderMarkdown({
      ...{ ...answer, ...no, hops: [] },
      questions: [
        { name: 'Direct upgrade', answer: 'yes', yes: true, why: [] },
        { name: 'Rolling <update>', answer: 'no', yes: false, why: ['one', 'two_'] },
        { name: 'Known', yes: true, why: [], answer: 'warn' },
        { name: 'Looked at', yes: false, why: ['nobody'], answer: 'not checked' },
      ],
      facts: [{ label: 'Covered *releases*', text: 'some', items: ['one', 'more'] }],
      warnings: ['Beware of <b>.'],
      notices: ['Accepted: *it*.'],
      provenance: [{ label: 'Judged by', text: 'the index' }],
      remarks: [{ text: '*Of note*.' }],
      next: 'wait_.',
    }),
  'an answer about no span': () =>
    renderMarkdown({ ...answer, headline: 'all is well', strategy: undefined }),
  lines: () => renderMarkdownLine(answer) + renderMarkdownLine({ ...answer, ...no }),
  'no answer': () =>
    renderMarkdownFailure({ message: 'no <index>', hint: undefined } as never) +
    renderMarkdownFailure({ message: 'no index', hint: 'Give *one*.' } as never),
};

it('answers in Markdown are held', async () => {
  const text = Object.entries(answers).map(([title, render]) => `=== ${title}\n\n${render()}`);
  await expect(text.join('\n')).toMatchFileSnapshot('markdown.md');
});
