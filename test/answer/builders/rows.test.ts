import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvFormat, jsonFormat, ndjsonFormat, tableFormat } from '../../../src/answer/builders/rows.js';
import { rowOf, writeRows } from '../../support/rows.js';

const defusing = csvFormat({ defuse: true });
const raw = csvFormat({ defuse: false });
const cell = (format: typeof raw, value: unknown) =>
  writeRows(format, ['a'], [rowOf({ a: value })]).slice('a\r\n'.length, -'\r\n'.length);

describe('CSV by RFC 4180', () => {
  it('has a header of field ids, raw values and CRLF', () => {
    expect(writeRows(raw, ['a', 'b'], [rowOf({ a: 1, b: 'x' }), rowOf({ b: null })])).toBe(
      'a,b\r\n1,x\r\n,\r\n',
    );
    expect(writeRows(raw, [], [])).toBe('\r\n');
    expect(writeRows(defusing, ['=a'], [])).toBe("'=a\r\n");
  });

  it.each<[unknown, string]>([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "so"', '"say ""so"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    // Of a column alone, nothing would be a line that readers leave out.
    ...['', null, undefined].map((value): [unknown, string] => [value, '""']),
    [['x', 1], '"[""x"",1]"'],
    [{ a: 1 }, '"{""a"":1}"'],
    ...[0, -1.5, true, 'żółć 漢字 🎉', 'a=b', '1-2', "'=1", '-12.5', '+3', '-1e-7', '-.5'].map(same),
    ...['+49 170 1234567', '-1 000 000', '+49\u00a0170'].map(same),
  ])('%j is written %j, and is no formula', (value, written) => {
    expect(cell(raw, value)).toBe(written);
    expect(cell(defusing, value)).toBe(written);
  });

  function same(value: unknown): [unknown, string] {
    return [value, String(value)];
  }

  it.each([
    ...[
      '=1+1',
      '=HYPERLINK("http://x")',
      '+cmd|x',
      '-2+3',
      '@SUM(A1)',
      '\t=1',
      '\tplain',
      '\r=1',
      ' =1',
      '＝1',
    ],
    ...['+49-170-1234567', '+1 (555) 123', '+49  170', '-1 +2', '+49 170 A1', '+49 170\n=1', '- 1 000'],
  ])('%j is defused, unless raw CSV is wanted', (value) => {
    expect(cell(defusing, value)).toBe(cell(raw, `'${value}`));
    expect(cell(raw, value).replaceAll('"', '')).toBe(value.replaceAll('"', ''));
  });

  it.each([
    [[], undefined],
    [['1', '+49 170 1234567'], undefined],
    [['=1'], /^An apostrophe was put before 1 value that .*; --raw-csv leaves it out\.\n$/],
    [['=1', '1', '@a'], /^An apostrophe was put before 2 values that /],
  ])('of %j it says what it changed', (values, remark) => {
    const remarkOf = (defuse: boolean) => {
      const format = csvFormat({ defuse });
      const rows = values.map((a) => rowOf({ a }));
      writeRows(format, ['a'], rows);
      return format.remark?.();
    };
    expect(remarkOf(true)).toEqual(remark && expect.stringMatching(remark));
    expect(remarkOf(false)).toBeUndefined();
  });

  it('reads back as it was, whatever it holds', () => {
    const text = fc
      .array(fc.oneof(fc.string(), fc.constantFrom('"', ',', '\r', '\n', '""', '\r\n')))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), (rows) => {
        const written = writeRows(
          raw,
          ['a', 'b'],
          rows.map(([a, b]) => rowOf({ a, b })),
        );
        expect(readCsv(written).slice(1)).toEqual(rows);
      }),
    );
  });
});

/** A reader of RFC 4180, made of its grammar. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  while (field.lastIndex < text.length) {
    const match = field.exec(text);
    if (match === null) throw new Error('no CSV');
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '\r\n') {
      rows.push(row);
      row = [];
    }
  }
  return rows;
}

const rows = [rowOf({ a: 1, b: 'x' }), rowOf({ a: null })];

describe('rows as JSON', () => {
  it('are an array, a row a line, or one object a line, of raw values', () => {
    expect(writeRows(jsonFormat, ['a', 'b'], rows)).toBe('[\n{"a":1,"b":"x"},\n{"a":null,"b":null}\n]\n');
    expect(writeRows(jsonFormat, ['a'], [])).toBe('[]\n');
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

describe('rows as a table', () => {
  it('shows formatted values under their field ids, and how many there are', () => {
    const rows = [rowOf({ orders_status: 'paid', n: 12_345 }), rowOf({ orders_status: null })];
    expect(writeRows(tableFormat(), ['orders_status', 'n'], rows)).toBe(
      ['orders_status  n', '-------------  -------', '<paid>         <12345>', '∅', '', '2 rows', ''].join(
        '\n',
      ),
    );
  });

  it('a value wider than the first rows is not cut', () => {
    const format = tableFormat();
    format.head(['a', 'b'], [rowOf({ a: 1, b: 2 })]);
    expect(format.row(['a', 'b'], rowOf({ a: 'longer', b: 2 }), 1)).toBe('<longer>  <2>\n');
  });

  it('never shows a terminal a control character', () => {
    const text = writeRows(tableFormat(), ['\u001b[2J'], [rowOf({ '\u001b[2J': '\u009b' })]);
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(text.split('\n').slice(0, 2)).toEqual(['\\u001b[2J', '-'.repeat(9)]);
  });
});
