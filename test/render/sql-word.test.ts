import { describe, expect, it } from 'vitest';
import { sqlName, sqlText } from '../../src/render/sql-word.js';

describe('a name in SQL', () => {
  it.each([
    ['projects', '"projects"'],
    ['user', '"user"'],
    ['Projects', '"Projects"'],
    ['a b', '"a b"'],
    ['x"; DROP TABLE y; --', '"x""; DROP TABLE y; --"'],
    ['1st', '"1st"'],
    ['', '""'],
  ])('%s is %s', (name, text) => expect(sqlName(name)).toBe(text));
});

describe('a text in SQL', () => {
  it.each([
    ['transfer', "'transfer'"],
    ["it's", "'it''s'"],
    ["\\'; --", "E'\\\\''; --'"],
  ])('%s is %s', (value, text) => expect(sqlText(value)).toBe(text));
});
