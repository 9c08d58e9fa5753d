import { describe, expect, it } from 'vitest';
import { type Answer, emptyAnswer } from '../../src/answer/answer.js';
import { logText, renderAnnotation, renderOutputs } from '../../src/answer/github.js';
import { hostileText } from '../support/hostile-text.js';
import * as of from '../words/sentences.js';

describe('an annotation', () => {
  it.each([
    ['a:b,c', 'plain', '::error title=a%3Ab%2Cc::plain\n'],
    ['t', '100%\r\nnext\rlast', '::error title=t::100%25%0Anext%0Alast\n'],
    ['t\nu', 'a: b, c', '::error title=t\\u000au::a: b, c\n'],
    ['t', '\u001B[31m', '::error title=t::\\u001b[31m\n'],
  ])('%j, %j', (title, message, expected) => {
    expect(renderAnnotation({ yes: false, title, message })).toBe(expected);
  });

  it.each([
    [{ file: 'a,b:c.yaml', line: 3 }, '::notice file=a%2Cb%3Ac.yaml,line=3,title=t::m\n'],
    [{ file: '50%\n.yaml', line: undefined }, '::notice file=50%25\\u000a.yaml,title=t::m\n'],
    [{ line: 3 }, '::notice title=t::m\n'],
  ])('at %j', (place, expected) => {
    expect(renderAnnotation({ yes: true, title: 't', message: 'm', ...place })).toBe(expected);
  });

  it('is one line, whatever it holds', () => {
    const text = renderAnnotation({ yes: true, title: hostileText, message: hostileText });
    expect(text.match(/[\p{Cc}\u202E]/gu)).toEqual(['\n']);
    expect(text.slice('::notice title='.length).split('::')[0]).not.toMatch(/[:,]/);
  });
});

describe('text in the log of a step', () => {
  it.each([
    ['::set-output name=safe::true', '\\::set-output name=safe::true'],
    ['a\n  ::error::x', 'a\n  \\::error::x'],
    ['a ##[error]x', 'a #\\#[error]x'],
    ['span a::b', 'span a::b'],
  ])('%j holds no workflow command', (text, expected) => {
    expect(logText(text)).toBe(expected);
  });
});

const { from, to } = of;
const rolling = { ...of.hop, fromVersion: from, toVersion: to };
const recreate = { ...rolling, strategy: 'Recreate' as const };
const uncertified = { ...recreate, certified: false };
const answer: Answer = {
  ...emptyAnswer,
  ...{ title: 't', yes: true, safe: true, verdict: true, strategy: 'RollingUpdate' },
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
  expect(renderOutputs(undefined, 4, '')).toBe(linesOf('unknown', '', '', ['route='], 4));
});
