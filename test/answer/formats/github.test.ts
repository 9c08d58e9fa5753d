import { describe, expect, it } from 'vitest';
import { type Answer, emptyAnswer } from '../../../src/answer/answer.js';
import { renderAnnotation, renderOutputs } from '../../../src/answer/formats/github.js';
import { logText } from '../../../src/answer/formats/log-text.js';
import { headlineOf } from '../../../src/answer/headline.js';
import { hostileText } from '../../support/hostile-text.js';
import * as of from '../../words/sentences.js';

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

it('outputs of an answer name the next hop only if it is certified; of none, they take back what was said', () => {
  const recreate = { ...of.hop, strategy: 'Recreate' as const };
  const uncertified = { ...recreate, certified: false };
  const outputs = (hops: Answer['hops'], more: Partial<Answer>) =>
    renderOutputs(
      {
        ...emptyAnswer,
        title: 't',
        headline: headlineOf({ kind: 'no', reason: 'so' }),
        safe: false,
        verdict: false,
        strategy: undefined,
        questions: [],
        ...{ hops, deploy: 'helm' },
        ...more,
      },
      1,
      'EOF-7',
    );
  const { fromVersion, toVersion } = of.hop;
  const lines = (...all: readonly string[]) => [...all, 'exit-code=1', 'safe=false', ''].join('\n');
  expect(outputs([recreate, uncertified], { strategy: 'Recreate' })).toBe(
    lines(
      ...['verdict=false', 'strategy=Recreate', `next-hop=${toVersion}`, 'route<<EOF-7'],
      ...[`${fromVersion} ${toVersion} Recreate`, `${fromVersion} ${toVersion} uncertified`, 'EOF-7'],
    ),
  );
  expect(outputs([uncertified], { verdict: 'unknown' })).toBe(
    lines('verdict=unknown', 'strategy=', 'next-hop=', `route=${fromVersion} ${toVersion} uncertified`),
  );
  expect(renderOutputs(undefined, 1, '')).toBe(lines('verdict=unknown', 'strategy=', 'next-hop=', 'route='));
});
