import { describe, expect, it } from 'vitest';
import { type Answer, emptyAnswer } from '../../src/answer/answer.js';
import { escapeMarkdown, renderMarkdown, renderMarkdownFailure } from '../../src/answer/markdown.js';
import { answerOfReport } from '../../src/answer/report.js';
import { buildReport } from '../../src/library.js';
import { parseReleaseArtifact } from '../../src/release-safety/artifact.js';
import { parseReleaseSafetyIndex } from '../../src/release-safety/parse-index.js';
import type { ArtifactOutcome } from '../../src/release-safety/reconcile.js';
import type { UpgradeReport } from '../../src/release-safety/report.js';
import { inventedArtifact } from '../support/artifacts.js';
import { hostileText } from '../support/hostile-text.js';
import { judgedBy } from '../support/judged-by.js';
import { indexOf, type LooseEntry } from '../support/real-index.js';
import * as of from '../words/sentences.js';

/** Whole answers, with all that can stand in one: `markdown.md`. */

const values = { file: 'my_values.yaml', yaml: 'a:\n  b: "`x`"\n' };
const answer: Answer = {
  ...emptyAnswer,
  ...{
    title: 'Upgrade plan: <a> -> b',
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
      notices: ['Accepted: *it*.'],
      provenance: [{ label: 'Judged by', text: 'the index' }],
      remarks: [{ text: '*Of note*.' }],
      next: 'wait_.',
    }),
  'an answer about no span': () =>
    renderMarkdown({ ...answer, headline: 'all is well', strategy: undefined }),
  'no answer': () =>
    renderMarkdownFailure({ message: 'no <index>', hint: undefined } as never) +
    renderMarkdownFailure({ message: 'no index', hint: 'Give *one*.' } as never),
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

/** The yes and the no of a report in Markdown; whole texts stand in `commands/upgrade-report.test.ts`. */

type Entry = LooseEntry & { readonly version: string };

/** From 1.0.0 to the last of these, each with its artifact. */
function reportOf(...rows: readonly Entry[]): UpgradeReport {
  const index = parseReleaseSafetyIndex(indexOf({ version: '1.0.0' }, ...rows));
  const outcomes = new Map<string, ArtifactOutcome>(
    index.entries.map((entry) => [
      entry.version,
      { kind: 'artifact', artifact: parseReleaseArtifact(inventedArtifact(entry)) },
    ]),
  );
  return buildReport(index, { from: '1.0.0', to: rows.at(-1)?.version ?? '1.0.0', outcomes });
}

const markdownOf = (report: UpgradeReport) =>
  renderMarkdown(
    answerOfReport(
      {
        report,
        index: {
          source: 'index.json',
          generatedAt: '2026-09-06T18:08:42Z',
          latestVersion: report.toVersion,
          sha256: 'x',
        },
        judgedBy,
        madeAt: new Date('2026-09-06T17:08:42Z'),
        madeBy: 'lightspan',
      },
      { verbose: false },
    ),
  );

const proven = reportOf({ version: '1.1.0' });
const undecided = {
  ...proven,
  safe: false,
  span: { ...proven.span, jump: 'unknown', rolling: false },
} as const;
const unsafe = reportOf({ version: '1.1.0', rollingUpdateSafe: false });

describe('a report in Markdown', () => {
  it.each<[string, UpgradeReport, string, string[]]>([
    ['of a proven step', proven, '### ✅ Upgrade report: 1.0.0 -&gt; 1.1.0\n\nSAFE', ['yes', 'yes']],
    ['of an unsafe one', unsafe, '### ❌ Upgrade report: 1.0.0 -&gt; 1.1.0\n\nUNSAFE', ['yes', 'no']],
    [
      'of one that nobody knows of',
      undecided,
      '### ❌ Upgrade report: 1.0.0 -&gt; 1.1.0\n\nUNSAFE',
      ['unknown', 'no'],
    ],
  ])('%s', (_, report, head, answers) => {
    const text = markdownOf(report);
    expect(text.startsWith(head)).toBe(true);
    expect(
      [...text.matchAll(/^\| (?:Direct upgrade|Rolling update) \| (?:✅|❌) (\w+) \|$/gm)].map(
        ([, word]) => word,
      ),
    ).toEqual(answers);
  });

  it('warns of a hop that is not certified, wherever it shows it', () => {
    const [hop] = proven.route.hops;
    if (hop === undefined) throw new Error('no hop');
    const text = markdownOf({
      ...proven,
      safe: false,
      route: { ...proven.route, certified: false, hops: [{ ...hop, certified: false }] },
    });
    expect(text).toContain('| RollingUpdate, not certified |');
    expect(text).toContain('Nothing certifies this hop: test it on a copy.');
  });

  it('shows twenty of many reasons, and counts the others', () => {
    const [reason] = reportOf({ version: '1.1.0' }, { version: '1.2.0', requiredStops: ['1.1.0'] }).span
      .reasons;
    if (reason === undefined) throw new Error('no reason');
    const span = { ...unsafe.span, jump: false, reasons: Array.from({ length: 50 }, () => reason) };
    const text = markdownOf({ ...unsafe, span });
    expect(text.match(/^- .*span rule 3/gm)).toHaveLength(20);
    expect(text).toContain('\n- and 30 more\n');
  });
});
