import { describe, expect, it } from 'vitest';
import { type Answer, emptyAnswer } from '../../../src/answer/answer.js';
import {
  escapeMarkdown,
  renderMarkdown,
  renderMarkdownFailure,
} from '../../../src/answer/formats/markdown.js';
import { headlineOf } from '../../../src/answer/headline.js';
import { hostileText } from '../../support/hostile-text.js';
import * as of from '../../words/sentences.js';

/** Whole answers, with all that can stand in one: `markdown.md`. */

const values = { file: 'my_values.yaml', yaml: 'a:\n  b: "`x`"\n' };
const answer: Answer = {
  ...emptyAnswer,
  ...{
    title: 'Upgrade plan: <a> -> b',
    headline: headlineOf({ kind: 'rolls' }, { deploy: 'helm' }),
    safe: true,
    verdict: true,
    strategy: 'RollingUpdate',
  },
  ...{ hops: [of.hop], deploy: 'helm', questions: [] },
};
const no = {
  headline: headlineOf({ kind: 'no', reason: '<of> *all* this' }),
  safe: false,
  verdict: 'unknown',
  strategy: 'Recreate',
} as const;
const step = (title: string, more: object = {}) => ({
  title,
  commands: [],
  notes: [],
  look: [],
  failure: '',
  continuation: '',
  undo: '',
  ...more,
});
const commands = {
  title: 'Hop 1: <a> -> b',
  before: ['Going back needs *code* only.', 'It is long.'],
  steps: [step('Back up', { notes: ['It takes a while.', 'Keep <it>.'] }), step('Roll', { values })],
  script: undefined,
  toPaste: {
    functions: 'say() { :; }\n',
    commands: 'begin=`date`\nhelm upgrade\n',
    block: 'say() { :; }\nbegin=`date`\nhelm upgrade\n',
    back: { commands: 'begin=`date`\n', script: undefined, notes: ['What is *lost*.'] },
  },
};

const answers: Readonly<Record<string, () => string>> = {
  'a yes': () => renderMarkdown(answer),
  'a yes with commands': () => renderMarkdown({ ...answer, steps: [commands] }),
  'a yes with steps that are taken one by one': () =>
    renderMarkdown({
      ...answer,
      steps: [
        {
          ...commands,
          toPaste: undefined,
          steps: [step('Pause', { commands: ['flux suspend helmrelease bi'] })],
        },
      ],
    }),
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
      notices: ['Accepted: *it*.'],
      provenance: [{ label: 'Judged by', text: 'the index' }],
      remarks: [{ text: '*Of note*.' }],
      next: 'wait_.',
    }),
  'an answer about no span': () =>
    renderMarkdown({
      ...answer,
      headline: headlineOf({ kind: 'nothing-to-do', why: 'all is well' }),
      strategy: undefined,
    }),
  'no answer': () =>
    renderMarkdownFailure({ message: 'no <index>', hint: undefined } as never, 3) +
    renderMarkdownFailure({ message: 'no index', hint: 'Give *one*.' } as never, 1),
};

it('answers in Markdown are held', async () => {
  const text = Object.entries(answers).map(([title, render]) => `=== ${title}\n\n${render()}`);
  await expect(text.join('\n')).toMatchFileSnapshot('markdown.md');
});

describe('text in Markdown', () => {
  it.each([
    ['1.121.0 -> 1.156.0 (span rule 2)', '1.121.0 -&gt; 1.156.0 (span rule 2)'],
    ['<script>x</script>', '&lt;script&gt;x&lt;/script&gt;'],
    ['[a](javascript:x)', '\\[a\\](javascript:x)'],
    ['*a* _b_ `c` ~d~ $e$', '\\*a\\* \\_b\\_ \\`c\\` \\~d\\~ \\$e\\$'],
    ['a | b', 'a \\| b'],
    ['# title', '\\# title'],
    ['- item', '&#8203;- item'],
    ['1. item', '&#8203;1. item'],
    ['see #12, @team', 'see \\#12, &#64;team'],
    ['https://x.example www.x.example', 'https&#58;//x.example www&#46;x.example'],
    ['a\nb', 'a\\\\u000ab'],
    ['&lt;', '&amp;lt;'],
  ])('%j', (text, expected) => {
    expect(escapeMarkdown(text)).toBe(expected);
  });

  it('is one line without markup, whatever it holds', () => {
    expect(escapeMarkdown(hostileText)).not.toMatch(/[\p{Cc}<>@\u202E]|(?<!\\)[[\]|`]|:\/\//u);
  });
});
