import { describe, expect, it } from 'vitest';
import { type Answer, linesAgainst } from '../../src/answer/answer.js';
import { answerOfCheck } from '../../src/answer/builders/check.js';
import { answerOfPlan } from '../../src/answer/builders/plan.js';
import { renderOutputs } from '../../src/answer/formats/github.js';
import { renderJunit } from '../../src/answer/formats/junit.js';
import { renderMarkdown } from '../../src/answer/formats/markdown.js';
import type { Verdict } from '../../src/core/field-schemas.js';
import { latestVersionOf } from '../../src/core/index/index-summary.js';
import type { Route, RouteHop } from '../../src/core/route/route.js';
import { withWaysBack } from '../../src/core/route/way-back.js';
import { parseVersion } from '../../src/core/version.js';
import { evaluateSpan, planRoute } from '../../src/library/library.js';
import { judgedBy, noDemands } from '../support/judged-by.js';
import { realIndex } from '../support/real-index.js';

/** Yes and no in every form that a pipeline takes: no form may say yes where another says no. */

const index = realIndex();
const details = {
  ...{ verbose: false, latestVersion: latestVersionOf(index), judgedBy, demands: noDemands },
  deploy: undefined,
};
const check = (from: string, to: string) =>
  answerOfCheck(evaluateSpan(index, { from, to }), { ...details, route: planRoute(index, { from, to }) });
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

const farHop = planRoute(index, { from: '0.1893.0', to: '2.134.2' }).hops[0]?.toVersion ?? '';
const rolls = { hops: [rollingHop, rollingHop], rolling: true, certified: true };
const uncertified = { hops: [uncertifiedHop], rolling: false, certified: false };

/** The answer, of each question, of the verdict, and the first hop if it is certified. */
type Expected = `${'safe' | 'yes' | 'no'}, ${string}, ${Verdict}, ${string}`;

const rows: readonly (readonly [name: string, answer: Answer, expected: Expected, sentence: RegExp])[] = [
  ['a proven step', check('1.121.0', '1.156.0'), 'safe, yes yes, true, 1.156.0', /^yes, rolling$/],
  [
    'a step that must not roll',
    check('1.111.0', '1.115.0'),
    'no, yes no, false, 1.115.0',
    /^with downtime only: allowed in one step, not proven to roll$/,
  ],
  [
    'neither step nor roll',
    check('0.1893.0', '2.134.2'),
    `no, no no, false, ${farHop}`,
    /^no, upgrade to 0\.1893\.0 first$|^no, upgrade to \S+( or later)? first$/,
  ],
  [
    'a step beyond the index',
    check('1.121.0', '9.9.9'),
    'no, no no, unknown, ',
    /^no: the index lacks releases after /,
  ],
  [
    'a way with a downtime',
    plan('1.111.0', '1.115.0'),
    'yes, yes yes, false, 1.115.0',
    /^yes, in one step, with downtime$/,
  ],
  [
    'the same, where only rolling will do',
    plan('1.111.0', '1.115.0', true),
    'no, yes no, false, 1.115.0',
    /^no: it needs a downtime \(--require-rolling\)$/,
  ],
  [
    'a way that rolls in two hops',
    plan('1.121.0', '1.123.0', false, rolls),
    'safe, yes yes yes, true, 1.123.0',
    /^yes, in 2 steps \(1\.123\.0, then 1\.123\.0\), all rolling$/,
  ],
  [
    'the same, where one hop is allowed',
    plan('1.121.0', '1.123.0', false, rolls, 1),
    'no, yes no yes yes, true, 1.123.0',
    /^no: 2 hops, but --max-hops allows 1$/,
  ],
  [
    'the same, where two hops are allowed',
    plan('1.121.0', '1.123.0', false, rolls, 2),
    'safe, yes yes yes yes, true, 1.123.0',
    /^yes, in 2 steps .*, all rolling$/,
  ],
  [
    'no way at all, where one hop is allowed',
    plan('1.121.0', '9.9.9', false, {}, 1),
    'no, no yes, unknown, ',
    /^no: /,
  ],
  [
    'a hop that the index does not certify',
    plan('1.121.0', '1.123.0', false, uncertified),
    'no, no no, unknown, ',
    /^no: nothing proves the step to 1\.123\.0: the index lacks releases after 1\.121\.0 and /,
  ],
  ['no way at all', plan('1.121.0', '9.9.9'), 'no, no, unknown, ', /^no: /],
  [
    'nothing to do',
    plan('1.156.0', '1.156.0'),
    'safe, yes, true, ',
    /^yes: nothing to do, 1\.156\.0 is the running version$/,
  ],
];

const sign = (yes: boolean) => (yes ? '✅' : '❌');
const signs = { good: '✅', care: '⚠️', bad: '❌', unknown: '❔' };

describe.each(rows)('%s', (_, answer, expected, sentence) => {
  const [outcome = '', asked = '', verdict, nextHop = ''] = expected.split(', ');
  const yes = outcome !== 'no';
  const safe = outcome === 'safe';
  const questions = asked.split(' ').map((one) => one === 'yes');

  it('in a sentence', () => {
    expect(answer.headline.text).toMatch(sentence);
    expect(answer.headline.exitCode).toBe(yes ? 0 : 1);
  });

  it('in Markdown', () => {
    const text = renderMarkdown(answer);
    // What is against a hop stands below the route.
    const inShort = questions.filter((_, i) => answer.questions[i]?.isDetail !== true);
    expect(text.startsWith(`### ${signs[answer.headline.tone]} Answer: `)).toBe(true);
    expect([...text.matchAll(/\| (✅|❌)/g)].map(([, found]) => found)).toEqual(inShort.map(sign));
    expect([...text.matchAll(/(✅|❌) (yes|no|unknown) \|$/gm)].map(([, , word]) => word === 'yes')).toEqual(
      inShort,
    );
    expect(text.includes(', unproven |')).toBe(answer.hops.some(({ certified }) => !certified));
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
    for (const text of [renderMarkdown(answer), renderJunit(answer), linesAgainst(answer).join('\n')]) {
      expect(text).toMatch(/and 30 more/);
      expect(text).not.toContain('1.122.25');
    }
  });
});
