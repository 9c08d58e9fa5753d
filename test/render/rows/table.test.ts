import { describe, expect, it } from 'vitest';
import { tableFormat } from '../../../src/render/rows.js';
import { rowOf, writeRows } from '../../support/rows.js';

describe('rows as a table', () => {
  it('shows formatted values under their field ids, and how many there are', () => {
    const rows = [rowOf({ orders_status: 'paid', n: 12_345 }), rowOf({ orders_status: null })];
    expect(writeRows(tableFormat(), ['orders_status', 'n'], rows)).toBe(
      ['orders_status  n', '-------------  -------', '<paid>         <12345>', '∅', '', '2 rows', ''].join(
        '\n',
      ),
    );
  });

  it('is a paragraph a row on a terminal too narrow for the first rows', () => {
    const rows = [rowOf({ status: 'paid', n: 1 }), rowOf({ status: 'sent', n: 2 })];
    expect(writeRows(tableFormat(10), ['status', 'n'], rows)).toBe(
      'status:\n  <paid>\nn: <1>\n\nstatus:\n  <sent>\nn: <2>\n\n2 rows\n',
    );
    expect(writeRows(tableFormat(11), ['status', 'n'], rows)).toBe(
      writeRows(tableFormat(), ['status', 'n'], rows),
    );
  });

  it('a value wider than the first rows is not cut', () => {
    const format = tableFormat();
    format.head(['a', 'b'], [rowOf({ a: 1, b: 2 })]);
    expect(format.row(['a', 'b'], rowOf({ a: 'longer', b: 2 }), 1)).toBe('<longer>  <2>\n');
  });

  it('lines up what is wider than its length', () => {
    const rows = [rowOf({ 都市: '東京', n: 1 }), rowOf({ 都市: 'Łódź 🎉', n: 2 })];
    expect(writeRows(tableFormat(), ['都市', 'n'], rows)).toBe(
      ['都市       n', '---------  ---', '<東京>     <1>', '<Łódź 🎉>  <2>', '', '2 rows', ''].join('\n'),
    );
  });

  it('never shows a terminal a control character', () => {
    const text = writeRows(tableFormat(), ['\u001b[2J'], [rowOf({ '\u001b[2J': '\u009b' })]);
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(text.split('\n').slice(0, 2)).toEqual(['\\u001b[2J', '-'.repeat(9)]);
  });
});
