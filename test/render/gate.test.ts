import { describe, expect, it } from 'vitest';
import { evaluateSpan, planRoute } from '../../src/library.js';
import type { Verdict } from '../../src/release-safety/index-schema.js';
import type { Route, RouteHop } from '../../src/release-safety/route.js';
import { parseVersion } from '../../src/release-safety/version.js';
import { withWaysBack } from '../../src/release-safety/way-back.js';
import { describeGateAnswer, type GateAnswer, noting } from '../../src/render/gate/answer.js';
import { gateAnswerOfCheck } from '../../src/render/gate/check.js';
import { gateAnswerOfPlan } from '../../src/render/gate/plan.js';
import { renderOutputs } from '../../src/render/github/outputs.js';
import { renderGateJunit } from '../../src/render/junit/gate.js';
import { escapeMarkdown } from '../../src/render/markdown/escape.js';
import {
  renderGateMarkdown,
  renderGateMarkdownAnswer,
  renderGateMarkdownLine,
} from '../../src/render/markdown/gate.js';
import { capped } from '../../src/render/words/lists.js';
import { realIndex } from '../support/real-index.js';

/** Yes and no in every form that a pipeline takes: no form may say yes where another says no. */

const index = realIndex();
const check = (from: string, to: string) =>
  gateAnswerOfCheck(evaluateSpan(index, { from, to }), planRoute(index, { from, to }));
const plan = (from: string, to: string, requireRolling = false, route?: Partial<Route>, maxHops?: number) =>
  gateAnswerOfPlan(withWaysBack({ ...planRoute(index, { from, to }), ...route }), {
    requireRolling,
    maxHops,
    startIsNoRelease: false,
    renderedHops: undefined,
    scripts: undefined,
  });

const hop = (from: string, to: string, rest: Partial<RouteHop> = {}): RouteHop => {
  const [one] = planRoute(index, { from, to }).hops;
  if (one === undefined) throw new Error(`${from} -> ${to} is no hop`);
  return { ...one, ...rest };
};
const rollingHop = hop('1.121.0', '1.123.0');
const missingRanges = [{ afterVersion: parseVersion('1.121.0'), beforeVersion: parseVersion('1.123.0') }];
const uncertifiedHop = { ...rollingHop, certified: false, missingRanges };

interface Row {
  readonly name: string;
  readonly answer: GateAnswer;
  readonly yes: boolean;
  readonly safe: boolean;
  /** Of each question. */
  readonly questions: readonly boolean[];
  readonly sentence: RegExp;
  readonly verdict: Verdict;
  readonly nextHop: string;
}

const rows: readonly Row[] = [
  {
    name: 'a proven step',
    answer: check('1.121.0', '1.156.0'),
    ...{ yes: true, safe: true, questions: [true, true], verdict: true, nextHop: '1.156.0' },
    sentence: /^proven safe to roll in one step$/,
  },
  {
    name: 'a step that must not roll',
    answer: check('1.111.0', '1.115.0'),
    ...{ yes: false, safe: false, questions: [true, false], verdict: false, nextHop: '1.115.0' },
    sentence: /^Rolling update: no \(/,
  },
  {
    name: 'neither step nor roll',
    answer: check('0.1893.0', '2.134.2'),
    ...{
      yes: false,
      safe: false,
      questions: [false, false],
      verdict: false,
      nextHop: planRoute(index, { from: '0.1893.0', to: '2.134.2' }).hops[0]?.toVersion ?? '',
    },
    sentence: /^Direct upgrade: no \(.*\)\. Rolling update: no \(/,
  },
  {
    name: 'a way with a downtime',
    answer: plan('1.111.0', '1.115.0'),
    ...{ yes: true, safe: false, questions: [true, true], verdict: false, nextHop: '1.115.0' },
    sentence: /^a complete route; strategy Recreate, which means a downtime at some hops$/,
  },
  {
    name: 'the same, where only rolling will do',
    answer: plan('1.111.0', '1.115.0', true),
    ...{ yes: false, safe: false, questions: [true, false], verdict: false, nextHop: '1.115.0' },
    sentence: /^Hop 1: 1\.111\.0 -> 1\.115\.0 \(Recreate\): no \(/,
  },
  {
    name: 'a way that rolls in two hops',
    answer: plan('1.121.0', '1.123.0', false, {
      hops: [rollingHop, rollingHop],
      rolling: true,
      certified: true,
    }),
    ...{ yes: true, safe: true, questions: [true, true, true], verdict: true, nextHop: '1.123.0' },
    sentence: /^proven safe to roll in 2 hops, one after the other$/,
  },
  {
    name: 'the same, where one hop is allowed',
    answer: plan('1.121.0', '1.123.0', false, { hops: [rollingHop, rollingHop], rolling: true }, 1),
    ...{ yes: false, safe: false, questions: [true, false, true, true], verdict: true, nextHop: '1.123.0' },
    sentence: /^Few enough hops: no \(2 hops, and --max-hops allows 1\)$/,
  },
  {
    name: 'the same, where two hops are allowed',
    answer: plan('1.121.0', '1.123.0', false, { hops: [rollingHop, rollingHop], rolling: true }, 2),
    ...{ yes: true, safe: true, questions: [true, true, true, true], verdict: true, nextHop: '1.123.0' },
    sentence: /^proven safe to roll in 2 hops, one after the other$/,
  },
  {
    name: 'no way at all, where one hop is allowed',
    answer: plan('1.121.0', '9.9.9', false, {}, 1),
    ...{ yes: false, safe: false, questions: [false, true], verdict: 'unknown', nextHop: '' },
    sentence: /^Certified route: no \(/,
  },
  {
    name: 'a hop that the index does not certify',
    answer: plan('1.121.0', '1.123.0', false, { hops: [uncertifiedHop], rolling: false, certified: false }),
    ...{ yes: false, safe: false, questions: [false, false], verdict: 'unknown', nextHop: '' },
    sentence:
      /^Certified route: no\. Hop 1: .*: no \(the index lacks releases after 1\.121\.0 and before 1\.123\.0 \(span rule 7\)\)$/,
  },
  {
    name: 'no way at all',
    answer: plan('1.121.0', '9.9.9'),
    ...{ yes: false, safe: false, questions: [false], verdict: 'unknown', nextHop: '' },
    sentence: /^Certified route: no \(/,
  },
  {
    name: 'nothing to do',
    answer: plan('1.156.0', '1.156.0'),
    ...{ yes: true, safe: true, questions: [true], verdict: true, nextHop: '' },
    sentence: /^nothing to do: the running version is the target$/,
  },
];

const sign = (yes: boolean) => (yes ? '✅' : '❌');

describe.each(rows)('$name', ({ answer, yes, safe, questions, sentence, verdict, nextHop }) => {
  it('in a sentence', () => {
    expect(describeGateAnswer(answer)).toMatch(sentence);
  });

  it.each([
    ['whole', renderGateMarkdown],
    ['without commands', renderGateMarkdownAnswer],
  ])('in Markdown, %s', (_, render) => {
    const text = render(answer);
    const signs = [...text.matchAll(/✅|❌/g)].map(([found]) => found);
    expect(signs).toEqual([yes, ...questions].map(sign));
    expect(text.startsWith(`### ${sign(yes)} `)).toBe(true);
    expect([...text.matchAll(/(✅|❌) (yes|no) \|$/gm)].map(([, , word]) => word)).toEqual(
      questions.map((one) => (one ? 'yes' : 'no')),
    );
    expect(text).toContain(`\n| Verdict | ${verdict} |\n`);
    expect(text.includes('(a downtime)')).toBe(answer.strategy === 'Recreate');
    expect(text.includes(', not certified**')).toBe(answer.hops.some(({ certified }) => !certified));
  });

  it('in one line of Markdown', () => {
    expect(renderGateMarkdownLine(answer)).toMatch(yes ? /: ✅ yes\n$/ : /: ❌ no\n$/);
  });

  it('in JUnit', () => {
    const text = renderGateJunit(answer);
    const noes = questions.filter((one) => !one).length;
    expect(text).toContain(
      `<testsuites name="lightspan" tests="${questions.length}" failures="${noes}" errors="0">`,
    );
    expect(
      text
        .split('<testcase ')
        .slice(1)
        .map((one) => !/<(failure|error) /.test(one)),
    ).toEqual(questions);
    expect(text.match(/<failure type="no"/g) ?? []).toHaveLength(noes);
  });

  it('in the outputs of a step', () => {
    const text = renderOutputs(answer, yes ? 0 : 1, 'end');
    expect(text).toMatch(new RegExp(`\nexit-code=${yes ? 0 : 1}\nsafe=${safe}\n$`));
    expect(text).toMatch(new RegExp(`^next-hop=${nextHop.replaceAll('.', '\\.')}$`, 'm'));
    expect(text.startsWith(`verdict=${verdict}\n`)).toBe(true);
    expect(text).toContain(`\nstrategy=${safe ? 'RollingUpdate' : 'Recreate'}\n`);
    for (const { fromVersion, toVersion, strategy, certified } of answer.hops) {
      expect(text).toContain(`${fromVersion} ${toVersion} ${certified ? strategy : 'uncertified'}\n`);
    }
  });
});

describe('a hop with its commands', () => {
  const heading = (certified: boolean) =>
    renderGateMarkdown({
      ...plan('1.121.0', '1.123.0'),
      hops: [{ ...rollingHop, certified }],
      commands: [{ before: ['Mind the gap.'], steps: [], block: 'true\n', script: undefined }],
    });

  it('that has signs of Markdown in its sentence has them as text', () => {
    const text = renderGateMarkdown({ ...plan('1.121.0', '1.123.0'), headline: 'a | <b> [c](d)' });
    expect(text.split('\n')[2]).toBe(escapeMarkdown('a | <b> [c](d)'));
    expect(text).not.toContain('<b>');
  });

  it('that is not certified says so above them', () => {
    expect(heading(false)).toMatch(
      /^#### Hop 1: 1\.121\.0 -&gt; 1\.123\.0 \(RollingUpdate, NOT CERTIFIED\)$/m,
    );
    expect(heading(true)).toMatch(
      /^#### Hop 1: 1\.121\.0 -&gt; 1\.123\.0 \(RollingUpdate\)\n\nMind the gap\.\n\n/m,
    );
  });
});

it('what holds of all of an answer stands in front of the notes of its first question', () => {
  const [first, second] = check('1.121.0', '1.156.0').questions.map((one) => ({
    ...one,
    notes: ['of itself'],
  }));
  if (first === undefined || second === undefined) throw new Error('there are two');
  const answer = { ...check('1.121.0', '1.156.0'), questions: [first, second] };
  expect(noting(answer, ['of all', 'of all, too'])).toEqual({
    ...answer,
    questions: [{ ...first, notes: ['of all', 'of all, too', 'of itself'] }, second],
  });
  expect(noting(answer, [])).toEqual(answer);
  expect(noting({ ...answer, questions: [] }, ['of all'])).toEqual({ ...answer, questions: [] });
});

describe('a list', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}`);

  it.each([
    [0, 0, undefined],
    [20, 20, undefined],
    [21, 20, 'and 1 more'],
    [5000, 20, 'and 4,980 more'],
  ])('of %i shows %i', (count, shown, rest) => {
    expect(capped(lines(count))).toEqual([...lines(shown), ...(rest === undefined ? [] : [rest])]);
  });

  it('of stops is cut in every form', () => {
    const result = evaluateSpan(index, { from: '1.121.0', to: '1.156.0' });
    const reasons = lines(50).map(
      (_, i) =>
        ({
          kind: 'required-stop',
          rule: 3,
          stop: parseVersion(`1.122.${i}`),
          demandedBy: [result.toVersion],
        }) as const,
    );
    const answer = gateAnswerOfCheck({ ...result, jump: false, safe: false, reasons }, { hops: [] });
    expect(answer.questions[0]?.why).toHaveLength(21);
    expect(answer.questions[0]?.why.at(-1)).toBe('and 30 more');
  });

  it('of artifacts that do not agree is cut for both questions', () => {
    const result = evaluateSpan(index, { from: '1.121.0', to: '1.156.0' });
    const disagreements = lines(50).map(
      (message, i) => ({ kind: 'missing-artifact', version: parseVersion(`1.122.${i}`), message }) as const,
    );
    const disputed = { ...result, jump: 'unknown', rolling: false, safe: false } as const;
    const answer = gateAnswerOfCheck(
      { ...disputed, disagreements, strategyContradictions: [] },
      { hops: [rollingHop] },
    );
    expect(answer.questions.map(({ why }) => [why.length, why.at(-1)])).toEqual([
      [21, 'and 30 more'],
      [21, 'and 30 more'],
    ]);
  });
});
