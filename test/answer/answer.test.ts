import { describe, expect, it } from 'vitest';
import { type Answer, describeAnswer } from '../../src/answer/answer.js';
import { answerOfCheck } from '../../src/answer/check.js';
import { renderOutputs } from '../../src/answer/github.js';
import { renderJunit } from '../../src/answer/junit.js';
import { renderMarkdown } from '../../src/answer/markdown.js';
import { answerOfPlan } from '../../src/answer/plan.js';
import { evaluateSpan, planRoute } from '../../src/library.js';
import type { Verdict } from '../../src/release-safety/field-schemas.js';
import { latestVersionOf } from '../../src/release-safety/index-summary.js';
import type { Route, RouteHop } from '../../src/release-safety/route.js';
import { parseVersion } from '../../src/release-safety/version.js';
import { withWaysBack } from '../../src/release-safety/way-back.js';
import { titleOfHop } from '../../src/words/route.js';
import { judgedBy } from '../support/judged-by.js';
import { realIndex } from '../support/real-index.js';

/** Yes and no in every form that a pipeline takes: no form may say yes where another says no. */

const index = realIndex();
const details = { verbose: false, latestVersion: latestVersionOf(index), judgedBy };
const check = (from: string, to: string) =>
  answerOfCheck(evaluateSpan(index, { from, to }), {
    ...details,
    route: planRoute(index, { from, to }),
  });
const plan = (from: string, to: string, requireRolling = false, route?: Partial<Route>, maxHops?: number) =>
  answerOfPlan(withWaysBack({ ...planRoute(index, { from, to }), ...route }), {
    ...details,
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
  readonly answer: Answer;
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
    expect(describeAnswer(answer)).toMatch(sentence);
  });

  it('in Markdown', () => {
    const text = renderMarkdown(answer);
    // What is against a hop stands below the route.
    const inShort = questions.filter((_, i) => answer.questions[i]?.isDetail !== true);
    const signs = [...text.matchAll(/✅|❌/g)].map(([found]) => found);
    expect(signs).toEqual([yes, ...inShort].map(sign));
    expect(text.startsWith(`### ${sign(yes)} `)).toBe(true);
    expect([...text.matchAll(/(✅|❌) (yes|no) \|$/gm)].map(([, , word]) => word)).toEqual(
      inShort.map((one) => (one ? 'yes' : 'no')),
    );
    expect(text).toContain(`\n| Verdict | ${verdict} |\n`);
    expect(text.includes('(a downtime)')).toBe(answer.strategy === 'Recreate');
    expect(text.includes(', not certified |')).toBe(answer.hops.some(({ certified }) => !certified));
  });

  it('in JUnit', () => {
    const text = renderJunit(answer);
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
    renderMarkdown({
      ...plan('1.121.0', '1.123.0'),
      hops: [{ ...rollingHop, certified }],
      steps: [
        {
          ...{ title: titleOfHop({ ...rollingHop, certified }, 1), before: ['Mind the gap.'] },
          ...{ steps: [], block: 'true\n', script: undefined },
        },
      ],
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

describe('a list', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}`);

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
    const answer = answerOfCheck({ ...result, jump: false, safe: false, reasons }, details);
    for (const text of [renderMarkdown(answer), renderJunit(answer), describeAnswer(answer)]) {
      expect(text).toMatch(/and 30 more/);
      expect(text).not.toContain('1.122.25');
    }
  });
});
