import { expect, it } from 'vitest';
import { type Answer, emptyAnswer } from '../../src/answer/answer.js';
import { renderFailureOutputs, renderOutputs } from '../../src/answer/github.js';
import * as of from '../render/words/sentences.js';

const { from, to } = of;
const rolling = { ...of.hop, fromVersion: from, toVersion: to };
const recreate = { ...rolling, strategy: 'Recreate' as const };
const uncertified = { ...recreate, certified: false };
const answer: Answer = {
  ...emptyAnswer,
  ...{ title: 't', asked: 't', yes: true, safe: true, verdict: true, strategy: 'RollingUpdate' },
  ...{ hops: [rolling], questions: [] },
};
const no = { yes: false, safe: false, verdict: 'unknown', strategy: undefined } as const;
const linesOf = (verdict: string, strategy: string, next: string, route: string[], exitCode: number) =>
  [
    ...[`verdict=${verdict}`, `strategy=${strategy}`, `next-hop=${next}`, ...route],
    ...[`exit-code=${exitCode}`, `safe=${verdict === 'true'}`, ''],
  ].join('\n');

it.each([
  [answer, 0, linesOf('true', 'RollingUpdate', to, [`route=${from} ${to} RollingUpdate`], 0)],
  [
    { ...answer, ...no, verdict: false, strategy: 'Recreate', hops: [recreate, uncertified] } as const,
    1,
    linesOf(
      ...(['false', 'Recreate', to] as const),
      ['route<<EOF-7', `${from} ${to} Recreate`, `${from} ${to} uncertified`, 'EOF-7'],
      1,
    ),
  ],
  [
    { ...answer, ...no, hops: [uncertified] },
    3,
    linesOf('unknown', '', '', [`route=${from} ${to} uncertified`], 3),
  ],
  [{ ...answer, ...no, hops: [] }, 1, linesOf('unknown', '', '', ['route='], 1)],
])('outputs of an answer: %#', (one, exitCode, text) => {
  expect(renderOutputs(one, exitCode, 'EOF-7')).toBe(text);
});

it('outputs of no answer take back what an earlier run said', () => {
  expect(renderFailureOutputs(4)).toBe(linesOf('unknown', '', '', ['route='], 4));
});
