import { describe, expect, it } from 'vitest';
import { jsonFormat, ndjsonFormat } from '../../../src/render/rows.js';
import { rowOf, writeRows } from '../../support/rows.js';

const rows = [rowOf({ a: 1, b: 'x' }), rowOf({ a: null })];

describe('rows as JSON', () => {
  it('are one array, a row a line, raw values', () => {
    expect(writeRows(jsonFormat, ['a', 'b'], rows)).toBe('[\n{"a":1,"b":"x"},\n{"a":null,"b":null}\n]\n');
  });

  it('none are an empty array', () => {
    expect(writeRows(jsonFormat, ['a'], [])).toBe('[]\n');
  });

  it('as NDJSON are one object a line', () => {
    expect(writeRows(ndjsonFormat, ['a', 'b'], rows)).toBe('{"a":1,"b":"x"}\n{"a":null,"b":null}\n');
  });

  it.each([jsonFormat, ndjsonFormat])('keep 0, false and an empty text apart from nothing', (format) => {
    const values = { zero: 0, no: false, empty: '', nothing: null };
    const written = writeRows(format, Object.keys(values), [rowOf(values)]);
    expect([JSON.parse(written)].flat()).toEqual([values]);
  });

  it('never show a terminal a control character, and stay what they were', () => {
    const value = 'a\u001b[31m\u009b\u202e\u007f\n"\\';
    const written = writeRows(ndjsonFormat, ['a'], [rowOf({ a: value })]);
    expect(written.trimEnd()).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(JSON.parse(written)).toEqual({ a: value });
  });

  it('a field named __proto__ is a field', () => {
    const row = new Map([['__proto__', { raw: 1, formatted: '1' }]]);
    expect(ndjsonFormat.row(['__proto__'], row, 0)).toBe('{"__proto__":1}\n');
  });
});
