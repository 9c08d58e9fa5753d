import { describe, expect, it } from 'vitest';
import { logText, renderAnnotation } from '../../src/answer/github.js';
import { hostileText } from '../support/hostile-text.js';

describe('an annotation', () => {
  it.each([
    ['a:b,c', 'plain', '::error title=a%3Ab%2Cc::plain\n'],
    ['t', '100%\r\nnext\rlast', '::error title=t::100%25%0Anext%0Alast\n'],
    ['t\nu', 'a: b, c', '::error title=t\\u000au::a: b, c\n'],
    ['t', '\u001B[31m', '::error title=t::\\u001b[31m\n'],
  ])('%j, %j', (title, message, expected) => {
    expect(renderAnnotation({ level: 'error', title, message })).toBe(expected);
  });

  it.each([
    [{ file: 'a,b:c.yaml', line: 3 }, '::notice file=a%2Cb%3Ac.yaml,line=3,title=t::m\n'],
    [{ file: '50%\n.yaml', line: undefined }, '::notice file=50%25\\u000a.yaml,title=t::m\n'],
    [{ line: 3 }, '::notice title=t::m\n'],
  ])('at %j', (place, expected) => {
    expect(renderAnnotation({ level: 'notice', title: 't', message: 'm', ...place })).toBe(expected);
  });

  it('is one line, whatever it holds', () => {
    const text = renderAnnotation({ level: 'notice', title: hostileText, message: hostileText });
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
